// What was pasted or dropped, and what it became.

import { selectAll } from "@codemirror/commands";
import { pastedAs } from "./pasted.js";
import { withLineFeeds } from "./text.js";

const isMac = navigator.platform.startsWith("Mac");
const BLOCKED = `Your browser keeps the clipboard from this page: press ${isMac ? "⌘V" : "Ctrl+V"}.`;

/**
 * The last text that was pasted into an editor, `last`, and the one that was converted to JSON,
 * `converted`, which can be brought back.
 */
export class Pastes {
  constructor(session) {
    this.session = session;
    this.forget();
    const note = (data) => (this.last = data?.getData("text/plain") || this.last);
    const options = { signal: session.signal, capture: true };
    session.root.addEventListener("paste", ({ clipboardData }) => note(clipboardData), options);
    session.root.addEventListener("drop", ({ dataTransfer }) => note(dataTransfer), options);
  }

  forget() {
    this.last = null;
    this.converted = null;
  }

  /** Whether a text is what was pasted last, as a whole; asked once. */
  take(text) {
    const isWhole = this.last !== null && withLineFeeds(this.last).trim() === text.trim();
    this.last = null;
    return isWhole;
  }

  /** Converts what was just pasted, by an offer of the server; else shows why it is no JSON. */
  async convert(pane, { name, title }, error) {
    const { session } = this;
    const { text } = pane;
    const answer = await session.ask("rewrite", { as: name }, { text }).catch(() => null);
    if (session.signal.aborted || session.source !== pane || pane.text !== text) return;
    if (!answer?.ok) return session.showError(error);
    pane.code.replace(answer.text);
    this.converted = { text, title, name, note: answer.note, id: answer.id };
    session.remember();
    session.isFollowing = true;
    session.showBars();
  }

  /** Brings back what was pasted, as it was. */
  undo() {
    this.session.panes.json.code.replace(this.converted.text);
  }

  /** What the JSON was, for who asks the server about it: its text is what is sent today. */
  get query() {
    return pastedAs(this.converted);
  }

  /** Gives the server the text again, which it has lost. */
  async giveAgain() {
    const { name, text } = this.converted ?? {};
    if (name) await this.session.ask("rewrite", { as: name }, { text }).catch(() => null);
  }
}

/** Takes what is on the clipboard as the JSON; where the page may not read it, says how to paste. */
export async function pasteInto(session) {
  const { code } = session.panes.json;
  const text = await navigator.clipboard?.readText?.().catch(() => null);
  if (text) return session.taken("json", text);
  code.focus();
  selectAll(code.view);
  const why = text === "" ? "The clipboard has no text." : BLOCKED;
  session.refuse("json", why);
}

/** Takes what is pasted where nothing is focused that takes it, in place of the JSON. */
export function takeUnfocused(session) {
  const onPaste = (event) => {
    const text = event.clipboardData?.getData("text/plain");
    const isTaken = event.composedPath().some((node) => node.isContentEditable || isField(node));
    if (!text || isTaken) return;
    event.preventDefault();
    session.taken("json", text);
    session.panes.json.code.focus();
  };
  document.addEventListener("paste", onPaste, { signal: session.signal });
}

const isField = (node) => node.matches?.("input, textarea, select, [role=dialog]");
