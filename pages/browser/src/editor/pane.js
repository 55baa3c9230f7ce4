// One pane: the text in its editor, and what is drawn around it.

import { element, setText } from "../shared/dom.js";
import { TITLES } from "../shared/sides.js";
import { copy } from "../shared/transfer.js";
import { Code } from "./code.js";
import {
  counted,
  errorInWords,
  faultInWords,
  figuresInWords,
  fillError,
  fillNotices,
  fillOffers,
  showBadge,
} from "./facts.js";
import { interceptTransfers } from "./transfers.js";

/** Milliseconds until an error is shown, and until it is spoken. */
const ERROR_DELAY = 400;
const SPEECH_DELAY = 1_000;

const FAULT = "The editor failed. Your text is safe.";

/**
 * A pane in `section`, a clone of the template.
 *
 * `look` is the shared look (toolbar.js); no figures follow a text of more than `liveLimit()` units,
 * and none of more than `bytesLimit()` bytes is taken. `onEdit()` is called after every edit by the
 * user, `onTake(text)` when a file should replace the text, `onRefuse(message)` when it cannot, and
 * `onOffer(name)` when a way to repair an error is chosen.
 */
export class Pane {
  constructor(section, side, { look, liveLimit, bytesLimit, signal, ...on }) {
    this.section = section;
    this.side = side;
    this.liveLimit = liveLimit;
    this.onEdit = on.onEdit;
    this.find = (name) => section.querySelector(`.${name}`);
    this.surface = this.find("surface");
    this.error = null;
    this.code = new Code(this.find("code"), side, {
      look,
      tips: section.parentElement.querySelector(".tips"),
      onEdit: (isUsers) => this.edited(isUsers),
      onFault: (error) => this.showFault(error),
      onOffer: on.onOffer,
      onPaste: interceptTransfers(this, {
        limit: bytesLimit,
        take: on.onTake,
        refuse: on.onRefuse,
        signal,
      }),
    });
    this.name();
    this.markFigures();
    this.find("copy").addEventListener("click", () => this.copy(), { signal });
    signal.addEventListener("abort", () => {
      for (const timer of [this.errorTimer, this.speechTimer, this.copyTimer]) clearTimeout(timer);
      this.code.close();
    });
  }

  name() {
    const title = TITLES[this.side];
    this.section.setAttribute("aria-label", title);
    this.find("title").textContent = title;
    this.find("copy").setAttribute("aria-label", `Copy ${title}`);
    this.find("download").setAttribute("aria-label", `Download ${title}`);
    this.find("stale").textContent = TABLE.badges.stale;
  }

  /** The text is another, by its user or not. */
  edited(isUsers) {
    if (isUsers) {
      // The answer for the new text has its error, if there is one.
      clearTimeout(this.errorTimer);
      clearTimeout(this.speechTimer);
    }
    if (this.code) this.markFigures(); // not while it is made
    if (isUsers) this.onEdit();
  }

  // -- the text --------------------------------------------------------------------------

  get text() {
    return this.code.text;
  }

  get length() {
    return this.code.doc.length;
  }

  /** Replaces the text; the caret and what is in view stay where they are, as far as they can. */
  show(text) {
    this.code.show(text);
  }

  focus() {
    this.code.focus();
  }

  /** Colours from the server for `text`, which may have been edited since. */
  setColouring(text, runs, colour) {
    this.code.colour(text, runs, colour);
  }

  /** Says that the editor has failed, in its place, and offers a new one with the same text. */
  showFault(error) {
    console.error(error);
    const { surface } = this;
    if (surface.querySelector(".fallen")) return;
    const box = element("div", "fallen", FAULT);
    box.role = "alert";
    const button = element("button", "button", "Reload the editor");
    button.type = "button";
    button.addEventListener("click", () => {
      box.remove();
      this.code.restart();
      this.edited(true);
      this.focus();
    });
    box.append(button);
    surface.append(box);
  }

  // -- facts about the text --------------------------------------------------------------

  /** Figures from the server for `text`; they look old as soon as the text is another. */
  setFigures(figures, text) {
    this.figuresOf = text === this.text ? this.code.doc : null;
    this.figures = figuresInWords(figures);
    this.counted = figures.no_estimate ?? `Tokens of ${figures.tokenizer}, ${figures.band}`;
    this.markFigures();
  }

  markFigures() {
    const node = this.find("figures");
    const { doc } = this.code;
    const empty = doc.length === 0;
    const old = !empty && !(this.figuresOf && doc.eq(this.figuresOf));
    const large = doc.length > this.liveLimit();
    // Nobody counts a large text while it is typed, so that figures of another would stay.
    const figures = large && old ? counted(doc.length, "char") : (this.figures ?? "…");
    setText(node, empty ? "empty" : figures);
    node.title = this.counted ?? "";
    node.classList.toggle("old", old);
  }

  setComparison(roundTrip) {
    showBadge(this.find("round-trip"), roundTrip);
  }

  setStale(stale) {
    const shown = stale && this.length > 0;
    this.section.classList.toggle("is-stale", shown);
    this.find("stale").hidden = !shown;
  }

  /** Shows an error of this pane's text after a moment, so that typing does not flicker. */
  setError(error) {
    clearTimeout(this.errorTimer);
    clearTimeout(this.speechTimer);
    this.error = error;
    if (!error) {
      this.showError(null);
      return;
    }
    const wait = this.find("error").hidden ? ERROR_DELAY : 0;
    this.errorTimer = setTimeout(() => this.showError(error), wait);
    this.speechTimer = setTimeout(() => this.speakError(error), SPEECH_DELAY);
  }

  showError(error) {
    const box = this.find("error");
    box.hidden = !error;
    showBadge(this.find("fault"), faultInWords(error));
    fillOffers(this.find("offers"), error?.offers ?? []);
    if (error) fillError(box, error);
    else this.speakError(null);
    this.code.mark(error);
    this.section.classList.toggle("has-error", Boolean(error));
  }

  speakError(error) {
    this.find("alert").textContent = error ? errorInWords(error) : "";
  }

  setNotices(notices) {
    fillNotices(this.find("notices"), notices);
  }

  /** A line above the text with buttons, `actions` as [label, function] pairs; or none for "". */
  setBar(message, actions = []) {
    // A new button under a pressed mouse would lose the click.
    if (message === this.barMessage) return;
    this.barMessage = message;
    const bar = this.find("bar");
    bar.hidden = !message;
    const buttons = actions.map(([label, act]) => {
      const button = element("button", "button", label);
      button.type = "button";
      button.onclick = act;
      return button;
    });
    bar.replaceChildren(element("span", "message", message), ...buttons);
  }

  async copy() {
    const button = this.find("copy");
    button.textContent = (await copy(this.text)) ? "Copied" : "Not allowed";
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => (button.textContent = "Copy"), 1_500);
  }
}
