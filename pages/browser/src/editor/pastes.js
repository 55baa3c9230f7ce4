// What was pasted or dropped, and what it became.

import { selectAll } from "@codemirror/commands";
import { withLineFeeds } from "./text.js";

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
    this.converted = { pane, text, title };
    session.isFollowing = true;
    session.showBars();
  }

  /** Brings back what was pasted, as it was. */
  undo() {
    const { pane, text } = this.converted;
    pane.code.replace(text);
  }
}

/** Takes what is on the clipboard as the JSON; where the page may not read it, all is chosen. */
export async function pasteInto(session) {
  const pane = session.panes.json;
  const text = await navigator.clipboard?.readText?.().catch(() => "");
  if (text) return session.taken("json", text);
  pane.code.focus();
  selectAll(pane.code.view);
}
