// What is pasted or dropped, and what it became.

import { selectAll } from "@codemirror/commands";
import { isWriting } from "../shared/dom.js";
import { LAB, TITLES, isDocument, paneOf } from "../shared/lab.js";
import { bytesOf } from "../shared/transfer.js";
import { megabytes } from "./facts.js";
import { MOD } from "./shortcuts.js";
import { withLineFeeds } from "./text.js";

/**
 * The last text that was pasted into an editor, `last`, and the one that was converted to JSON,
 * `converted`, which can be brought back.
 */
export class Pastes {
  constructor(session) {
    this.session = session;
    this.forget();
    const { root, signal } = session;
    const note = ({ clipboardData, dataTransfer = clipboardData }) => {
      this.last = dataTransfer?.getData("text/plain") || this.last;
      this.converted = null;
    };
    for (const name of ["paste", "drop"]) root.addEventListener(name, note, { signal, capture: true });
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
    if (isDocument(text)) return LAB.events.dispatchEvent(new CustomEvent("state", { detail: text }));
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
    this.session.panes.json.code.view.focus();
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
    session.isFollowing = true;
    this.become(offer, answer.text);
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
}

/** Takes what is on the clipboard as the JSON; where the page may not read it, says what to press. */
export async function pasteInto(session) {
  const pane = session.panes.json;
  const text = await navigator.clipboard?.readText?.().catch(() => null);
  if (text) return session.pastes.open("json", text);
  pane.code.view.focus();
  selectAll(pane.code.view);
  const why =
    text === ""
      ? "There is no text on the clipboard."
      : `This page may not read the clipboard: press ${MOD}+V to paste in place of this text.`;
  session.refuse("json", why);
}

/** Why a text takes more than `most` bytes; null if it does not. */
export function excess(text, most) {
  // A unit takes one to three bytes, so most texts need no counting.
  const bytes = text.length > most ? text.length : text.length * 3 > most ? bytesOf(text) : 0;
  if (bytes <= most) return null;
  const sizes = `${megabytes(bytes)}; the limit is ${megabytes(most)}`;
  return `This text is too large: ${sizes}. Nothing was changed.`;
}

/**
 * Hears of what comes into a pane of `session`, which takes files, whatever is pasted into a sample
 * as it came, and saved states over the whole text. What is returned gives true for the text of a
 * paste that the editor must not take itself.
 */
export function interceptTransfers(pane, session) {
  const take = (text, caret) => session.pastes.open(pane.side, text, caret);
  const refuse = (message) => session.refuse(pane.side, message);
  const onDrop = async (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation(); // the editor would write it where it was dropped
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const read = async () => decoder.decode(await file.arrayBuffer());
    const text = await read().catch(() => null); // not UTF-8, or a folder
    if (text === null) refuse(`${file.name} is not UTF-8 text; nothing was changed.`);
    else take(text);
  };
  pane.surface.addEventListener("drop", onDrop, { capture: true });
  // Without this the browser would open a dropped file instead of handing it over.
  pane.surface.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  return (text) => {
    const most = session.data.limits.bytes;
    const { from, to } = pane.code.state.selection.main;
    if (session.work.sample && from === to) {
      take(text, text.length);
      return true;
    }
    const isLong = 3 * (pane.length - to + from + text.length) > most;
    const after = isLong ? pane.text.slice(0, from) + text + pane.text.slice(to) : "";
    const refused = excess(after, most);
    if (refused) refuse(refused);
    else if (to - from === pane.length && isDocument(text)) take(text);
    else return false;
    return true;
  };
}
