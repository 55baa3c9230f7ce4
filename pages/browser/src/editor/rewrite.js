// The text of a pane written anew: indented, minified, or converted from something else.

import { UNREACHED } from "./age.js";
import { errorInWords } from "./facts.js";
import { Refused, Unreachable } from "../shared/ask.js";

/** Rewrites the text of a pane as JSON, in a way that the server knows, for `take`. */
export async function rewrite(session, pane, way, take = (json) => replace(pane, json)) {
  const { text } = pane;
  if (text.trim() === "") return;
  try {
    const answer = await session.ask("rewrite", { as: way }, { text });
    // What was typed meanwhile must not be overwritten.
    if (pane.text !== text) return;
    if (answer.ok) take(answer.text);
    else session.refuse(pane.side, `Nothing was changed: ${errorInWords(answer.error)}`);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    if (!session.signal.aborted) session.refuse(pane.side, error.message || UNREACHED);
  }
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
