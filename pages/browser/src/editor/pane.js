// One pane: the text in its editor, and what is drawn around it.

import { Refused, Unreachable } from "../shared/ask.js";
import { button, element, setText } from "../shared/dom.js";
import { TITLES } from "../shared/lab.js";
import { copyBy } from "../shared/transfer.js";
import { Code } from "./code.js";
import { errorInWords, fillNotices, grouped, placeInWords, showBadge } from "./facts.js";
import { UNREACHED } from "./ladder.js";
import { interceptTransfers, pasteInto } from "./pastes.js";

/** Milliseconds until an error is shown, and until it is spoken. */
const ERROR_DELAY = 400;
const SPEECH_DELAY = 1_000;

/** A pane of `session`, made of the template in the page. */
export class Pane {
  constructor(session, side) {
    const { root, look, signal } = session;
    const section = root.querySelector("template").content.firstElementChild.cloneNode(true);
    root.querySelector(".panes").append(section); // the bar between them stays
    this.session = session;
    this.section = section;
    this.side = side;
    this.find = (name) => section.querySelector(`.${name}`);
    this.surface = this.find("surface");
    this.code = new Code(this.find("code"), side, {
      look,
      tips: root.querySelector(".tips"),
      onEdit: (isUsers) => this.edited(isUsers),
      onFault: (error) => this.showFault(error),
      onOffer: (offer) => this.convert(offer),
      onPaste: interceptTransfers(this, session),
    });
    this.label = TITLES[side];
    section.setAttribute("aria-label", this.label);
    this.find("title").textContent = this.label;
    this.find("stale").textContent = TABLE.badges.stale;
    const title = "Replaces the JSON with what you have copied";
    const onclick = () => pasteInto(session);
    Object.assign(this.find("paste"), { onclick, title, hidden: side !== "json" });
    this.find("clear").onclick = () => {
      this.code.replace("");
      this.code.view.focus();
    };
    this.markFigures();
    signal.addEventListener("abort", () => {
      this.stopTimers();
      this.code.view.destroy();
    });
  }

  stopTimers() {
    clearTimeout(this.errorTimer);
    clearTimeout(this.speechTimer);
  }

  /** The text is another, by its user or not. */
  edited(isUsers) {
    if (this.code) this.markFigures(); // not while it is made
    if (!isUsers) return;
    this.stopTimers(); // the answer for the new text has its error, if there is one
    this.session.edited(this.side);
  }

  get text() {
    return this.code.text;
  }

  get length() {
    return this.code.doc.length;
  }

  /** Writes the text anew as JSON, in a way that the server knows, for `take`. */
  async rewrite(way, take = (json) => this.replace(json)) {
    const { session, text } = this;
    if (text.trim() === "") return;
    try {
      const answer = await session.ask("rewrite", { as: way }, { text });
      // What was typed meanwhile must not be overwritten.
      if (this.text !== text) return;
      if (answer.ok) take(answer.text);
      else session.refuse(this.side, `Nothing was changed: ${errorInWords(answer.error)}`);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      if (!session.signal.aborted) session.refuse(this.side, error.message || UNREACHED);
    }
  }

  /** Replaces the text as its user would, so that Ctrl+Z brings it back. */
  replace(text) {
    const { code } = this;
    code.replace(text, samePlace(code.text, code.caret, text));
    code.view.focus();
  }

  /** Converts the text to JSON, as it was offered. */
  convert(offer) {
    this.rewrite(offer.name, (json) => {
      this.session.pastes.become(offer, json);
      this.session.source.code.view.focus();
    });
  }

  /** Says that the editor has failed, in its place, and offers a new one with the same text. */
  showFault(error) {
    console.error(error);
    if (this.find("fallen")) return;
    const reload = button("button", "Reload the editor", () => {
      box.remove();
      this.code.restart();
      this.edited(true);
      this.code.view.focus();
    });
    const words = "The editor failed. Your text is safe.";
    const box = element("div", { className: "fallen", role: "alert" }, words, reload);
    this.surface.append(box);
  }

  /** Figures from the server for `text`; they look old as soon as the text is another. */
  setFigures(figures, text) {
    this.figuresOf = text === this.text ? this.code.doc : null;
    this.figures = figures.words;
    this.counted = `Tokens of ${figures.tokenizer}`;
    this.markFigures();
  }

  markFigures() {
    const node = this.find("figures");
    const { doc } = this.code;
    const old = doc.length > 0 && !(this.figuresOf && doc.eq(this.figuresOf));
    const large = doc.length > this.session.data.limits.live;
    // Nobody counts a large text while it is typed, so that figures of another would stay.
    const figures = large && old ? `${grouped(doc.length)} chars` : (this.figures ?? "…");
    setText(node, doc.length ? figures : "empty");
    node.title = this.counted ?? "";
    node.classList.toggle("old", old);
  }

  /** The note to the model that is to be sent before the text, if there is one. */
  setNote(note) {
    const line = this.find("sent-before");
    line.hidden = !note;
    line.textContent = line.title = note;
  }

  /** What was said of the text goes, but for an error of it. */
  forget(error = null) {
    this.setError(error);
    this.setStale(false);
    fillNotices(this.find("notices"), []);
    showBadge(this.find("round-trip"), null);
  }

  setStale(stale) {
    const shown = stale && this.length > 0;
    this.section.classList.toggle("is-stale", shown);
    this.find("stale").hidden = !shown;
  }

  /** Shows an error of this pane's text after a moment, so that typing does not flicker. */
  setError(error) {
    this.stopTimers();
    if (!error) return this.showError(null);
    const wait = this.section.classList.contains("has-error") ? 0 : ERROR_DELAY;
    this.errorTimer = setTimeout(() => this.showError(error), wait);
    const speak = () => (this.find("alert").textContent = errorInWords(error));
    this.speechTimer = setTimeout(speak, SPEECH_DELAY);
  }

  showError(error) {
    const { ladder, source } = this.session;
    // A badge, for where the box of the error is out of view.
    const text = error && [placeInWords(error), error.message].filter(Boolean).join(": ");
    showBadge(this.find("fault"), error && { look: "failed", text, title: text });
    if (this === source) ladder.explain(error, (offer) => this.convert(offer));
    if (!error) this.find("alert").textContent = "";
    this.code.mark(error);
    this.section.classList.toggle("has-error", Boolean(error));
  }

  /** A line above the text with buttons, `actions` as [label, function] pairs; or none for "". */
  setBar(message, actions = []) {
    // A new button under a pressed mouse would lose the click.
    if (message === this.barMessage) return;
    this.barMessage = message;
    const bar = this.find("bar");
    bar.hidden = !message;
    const buttons = actions.map(([label, act]) => button("button", label, act));
    bar.replaceChildren(element("span", "message", message), ...buttons);
  }

  copy() {
    const shown = this.find("best-text")?.textContent ?? this.text;
    return copyBy(this.copying, shown, () => `Copy ${this.label}`);
  }

  get copying() {
    return this.session.root.querySelector(".tools .copy");
  }
}

const BLANKS = /[ \t\n\r]+/g;

/** Where the caret stands in `after`: behind the same character as in `before`, blanks aside. */
function samePlace(before, offset, after) {
  let left = before.slice(0, offset).replace(BLANKS, "").length;
  let at = 0;
  for (; left > 0 && at < after.length; at++) if (after.charCodeAt(at) > 32) left--;
  return at;
}
