// The text of the JSON pane written anew: indented, minified, or converted from something else.

import { UNREACHED } from "./age.js";
import { errorInWords } from "./facts.js";
import { Refused, Unreachable, askToRewrite } from "./requests.js";

/** Wires the buttons of the JSON pane whose `data-rewrite` names a way that the server knows. */
export function wireRewriting(session, signal) {
  const pane = session.panes.json;
  for (const name of ["format", "minify"]) pane.find(name).hidden = false;
  const onClick = (event) => {
    const button = event.target.closest("[data-rewrite]");
    if (button) rewrite(session, pane, button.dataset.rewrite, signal);
  };
  pane.section.addEventListener("click", onClick, { signal });
}

export async function rewrite(session, pane, way, signal) {
  const { text } = pane;
  if (text.trim() === "") return;
  try {
    const answer = await askToRewrite(session.data.api, way, text, signal);
    // What was typed meanwhile must not be overwritten.
    if (pane.text !== text) return;
    if (answer.ok) replace(pane, answer.text);
    else session.refuse(pane.side, `Nothing was changed: ${errorInWords(answer.error)}`);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    if (!signal.aborted) session.refuse(pane.side, error.message || UNREACHED);
  }
}

/** Converts a text that was just pasted, by an offer of the server; else shows why it is no JSON. */
export async function convertPasted(session, pane, offer, signal) {
  const { text } = pane;
  const answer = await askToRewrite(session.data.api, offer.name, text, signal).catch(() => null);
  if (signal.aborted || pane.text !== text) return;
  if (answer?.ok) session.becomes(pane, answer.text, { text, title: offer.title });
  else session.showError(pane, offer.error);
}

/** Replaces the text as its user would, so that Ctrl+Z brings it back. */
function replace({ code }, text) {
  code.replace(text, samePlace(code.text, code.caret, text));
  code.focus();
}

const BLANKS = /[ \t\n\r]+/g;

/** Where the caret stands in `after`: behind the same character as in `before`, blanks aside. */
function samePlace(before, offset, after) {
  let left = before.slice(0, offset).replace(BLANKS, "").length;
  let at = 0;
  for (; left > 0 && at < after.length; at++) if (after.charCodeAt(at) > 32) left--;
  return at;
}
