// What was pasted or dropped, and what it became.

import { selectAll } from "@codemirror/commands";
import { isWriting } from "../shared/dom.js";
import { LAB, isDocument } from "../shared/lab.js";
import { TITLES, paneOf } from "../shared/sides.js";
import { MOD } from "./shortcuts.js";
import { withLineFeeds } from "./text.js";
import { excess } from "./transfers.js";

/**
 * The last text that was pasted into an editor, `last`, and the one that was converted to JSON,
 * `converted`, which can be brought back.
 */
export class Pastes {
  constructor(session) {
    this.session = session;
    this.forget();
    const { root, signal } = session;
    const note = (data) => {
      this.last = data?.getData("text/plain") || this.last;
      this.converted = null;
    };
    const options = { signal, capture: true };
    root.addEventListener("paste", ({ clipboardData }) => note(clipboardData), options);
    root.addEventListener("drop", ({ dataTransfer }) => note(dataTransfer), options);
    document.addEventListener("paste", (event) => this.pasted(event), { signal });
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

  /** Takes the text of a file, or a saved state, in place of a pane's. */
  open(side, text, caret = 0) {
    const { session } = this;
    const refused = excess(text, session.data.limits.bytes);
    if (refused) return session.refuse(side, refused);
    if (isDocument(text)) {
      LAB.events.dispatchEvent(new CustomEvent("state", { detail: text }));
      return;
    }
    session.isFollowing = true;
    this.last = text;
    session.panes[side].code.replace(withLineFeeds(text), caret);
  }

  /** Takes what was pasted where nothing is written as the JSON. */
  pasted(event) {
    const text = event.clipboardData?.getData("text/plain");
    if (!text || event.defaultPrevented || isWriting(event)) return;
    event.preventDefault();
    this.open("json", text, text.length);
    this.session.panes.json.code.focus();
  }

  /** Whether what was converted last stands there as it was read. */
  get isShown() {
    const { converted, session } = this;
    const isThere = converted !== null && session.side === paneOf(converted.name);
    return isThere && session.source.code.doc.eq(converted.doc);
  }

  /** The code that the JSON was read from and stands for, `{side, text}`; null for other JSON. */
  get origin() {
    if (!this.isShown || !Object.hasOwn(TITLES, this.converted.name)) return null;
    return { side: this.converted.name, text: this.converted.text };
  }

  /** Converts what was just pasted, by an offer of the server; else shows why it is no JSON, if so. */
  async convert(pane, offer, error = null) {
    const { session } = this;
    const { text } = pane;
    const answer = await session.ask("rewrite", { as: offer.name }, { text }).catch(() => null);
    if (session.signal.aborted || session.source !== pane || pane.text !== text) return;
    if (!answer?.ok) return error && session.showError(error);
    this.become(offer, answer.text);
    session.isFollowing = true;
  }

  /** The text of the JSON pane becomes `json`; TOON goes to its own side, as it is. */
  become(offer, json) {
    const { session } = this;
    const { panes } = session;
    const { text } = panes.json;
    const side = paneOf(offer.name);
    panes.json.code.replace(json);
    if (side === "toon") panes.toon.code.replace(text);
    this.converted = { ...offer, text, doc: panes[side].code.doc };
    session.edited(side); // as what it is
  }

  /** Brings back what was pasted, as it was. */
  undo() {
    this.session.panes.json.code.replace(this.converted.text);
  }
}

/** Takes what is on the clipboard as the JSON; where the page may not read it, says what to press. */
export async function pasteInto(session) {
  const pane = session.panes.json;
  const text = await navigator.clipboard?.readText?.().catch(() => null);
  if (text) return session.pastes.open("json", text);
  pane.code.focus();
  selectAll(pane.code.view);
  const why =
    text === ""
      ? "There is no text on the clipboard."
      : `This page may not read the clipboard: press ${MOD}+V to paste in place of this text.`;
  session.refuse("json", why);
}
