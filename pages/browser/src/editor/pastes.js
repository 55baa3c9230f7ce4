// What was pasted or dropped, and what it became.

import { selectAll } from "@codemirror/commands";
import { withLineFeeds } from "./text.js";

/**
 * The last text that was pasted into an editor, `last`, and the one that was converted to JSON,
 * `converted`, which can be brought back.
 */
export class Pastes {
  constructor(root, signal) {
    this.forget();
    const note = (data) => (this.last = data?.getData("text/plain") || this.last);
    const options = { signal, capture: true };
    root.addEventListener("paste", ({ clipboardData }) => note(clipboardData), options);
    root.addEventListener("drop", ({ dataTransfer }) => note(dataTransfer), options);
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

  /** The text of a pane has become JSON. */
  convert(pane, json, { text, title }) {
    pane.code.replace(json);
    this.converted = { pane, text, title };
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
  pane.focus();
  selectAll(pane.code.view);
}
