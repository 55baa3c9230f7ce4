// One pane: the text, typed in or only shown, and what is drawn around it.

import { element, setText } from "../shared/dom.js";
import { TITLES } from "../shared/sides.js";
import { copy } from "../shared/transfer.js";
import { Colouring } from "./colouring.js";
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
import { Finder } from "./find.js";
import { LAZY, Lines, withLineFeeds } from "./lines.js";
import { LINE_HEIGHT, PADDING, Painter } from "./painter.js";
import { interceptTransfers } from "./transfers.js";
import { Wrapper } from "./wrap.js";

/** Browsers cannot lay out boxes much larger than this many pixels; beyond, scrolling is scaled. */
const LARGEST_BOX = 10_000_000;

/** Milliseconds until an error is shown, and until it is spoken. */
const ERROR_DELAY = 400;
const SPEECH_DELAY = 1_000;

/**
 * A pane in `section`, a clone of the template.
 *
 * `look` is the shared look (toolbar.js); a text of more than `liveLimit()` units is only shown.
 * `onEdit(pane)` is called after every edit by the user, `onTake(text)` when a long text or
 * a file should replace the text, `onRefuse(pane, message)` when it cannot.
 */
export class Pane {
  constructor(section, side, { look, liveLimit, onEdit, onTake, onRefuse, signal }) {
    this.section = section;
    this.side = side;
    this.look = look;
    this.liveLimit = liveLimit;
    this.find = (name) => section.querySelector(`.${name}`);
    this.surface = this.find("surface");
    this.textarea = section.querySelector("textarea");
    this.viewer = this.find("viewer");
    this.painter = new Painter({
      ink: this.find("ink"),
      marks: this.find("marks"),
      numbers: this.find("numbers"),
      band: this.find("band"),
    });
    this.wrapper = new Wrapper(this);
    this.finder = new Finder(this, signal);
    this.held = null;
    this.lines = new Lines("");
    this.colouring = null;
    this.error = null;
    this.bad = null;
    this.name();
    this.markFigures();
    this.listen(() => this.edited(onEdit), signal);
    interceptTransfers(this.surface, this.textarea, {
      limit: liveLimit,
      take: onTake,
      refuse: (message) => onRefuse(this, message),
      signal,
    });
  }

  name() {
    const title = TITLES[this.side];
    this.section.setAttribute("aria-label", title);
    this.find("title").textContent = title;
    this.textarea.setAttribute("aria-label", `${title} editor`);
    this.textarea.placeholder = `Paste ${title} here`;
    this.viewer.setAttribute("aria-label", `${title}, long text`);
    this.find("copy").setAttribute("aria-label", `Copy ${title}`);
    this.find("download").setAttribute("aria-label", `Download ${title}`);
    this.find("stale").textContent = TABLE.badges.stale;
  }

  listen(onEdit, signal) {
    const options = { signal, passive: true };
    this.textarea.addEventListener("input", onEdit, options);
    this.textarea.addEventListener("scroll", () => this.paint(), options);
    this.viewer.addEventListener("scroll", () => this.paint(), options);
    this.viewer.addEventListener("focus", () => this.edit(), options);
    this.viewer.addEventListener("pointerdown", (event) => this.editAt(event), { signal });
    this.find("copy").addEventListener("click", () => this.copy(), options);
    const sizes = new ResizeObserver(() => this.resized());
    sizes.observe(this.find("text")); // a longer number of the last line makes it narrower
    // The probe changes its size when the code font has arrived.
    sizes.observe(this.find("probe"));
    signal.addEventListener("abort", () => {
      sizes.disconnect();
      for (const timer of [this.errorTimer, this.speechTimer, this.copyTimer]) clearTimeout(timer);
    });
  }

  edited(onEdit) {
    // The answer for the new text has its error, if there is one.
    clearTimeout(this.errorTimer);
    clearTimeout(this.speechTimer);
    this.refresh();
    onEdit(this);
  }

  // -- the text --------------------------------------------------------------------------

  get text() {
    return this.held ?? this.textarea.value;
  }

  /** What shows the text: the textarea or, for a long text, the viewer. */
  get box() {
    return this.held === null ? this.textarea : this.viewer;
  }

  get isFocused() {
    return this.section.getRootNode().activeElement === this.textarea;
  }

  /**
   * Replaces the text; the caret and what is in view stay where they are, as far as they can. A
   * long text is only shown, except where the user types: `isTyped`.
   */
  show(given, isTyped = this.isFocused) {
    const text = withLineFeeds(given);
    if (text === this.text) return;
    const large = text.length > this.liveLimit();
    if (large || (text.length > LAZY && !isTyped)) this.hold(text);
    else this.write(text);
    this.refresh();
  }

  hold(text) {
    this.held = text;
    this.textarea.value = "";
    this.showViewer(true);
  }

  write(text) {
    const { selectionStart, selectionEnd, scrollTop, scrollLeft } = this.textarea;
    this.held = null;
    this.textarea.value = text;
    this.showViewer(false);
    this.textarea.setSelectionRange(selectionStart, selectionEnd);
    Object.assign(this.textarea, { scrollTop, scrollLeft });
  }

  showViewer(shown) {
    this.viewer.hidden = !shown;
    this.textarea.hidden = shown;
  }

  /** Moves a long text from the viewer into the textarea, so that it can be edited. */
  edit() {
    if (this.held === null || this.held.length > this.liveLimit()) return false;
    const { scrollTop, scrollLeft } = this.viewer;
    this.write(this.held);
    Object.assign(this.textarea, { scrollTop, scrollLeft });
    this.textarea.focus({ preventScroll: true });
    this.paint();
    return true;
  }

  editAt(event) {
    const box = this.viewer.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    // A press on a scrollbar is not a press on the text.
    if (x > this.viewer.clientWidth || y > this.viewer.clientHeight) return;
    const at = this.offsetAt(x, y);
    if (!this.edit()) return;
    event.preventDefault();
    this.textarea.setSelectionRange(at, at);
  }

  /** The offset in the text shown at a point of the view, exact where characters are one column. */
  offsetAt(x, y) {
    const { top, left, column } = this.view();
    const row = Math.floor((top + y - PADDING) / LINE_HEIGHT);
    return this.rows.offset(row, Math.max(0, Math.round((left + x - PADDING) / column)));
  }

  focus() {
    this.box.focus();
  }

  // -- drawing ---------------------------------------------------------------------------

  /** The rows the text is shown in. */
  get rows() {
    return this.wrapper.rows(this.lines, this.column || 8, this.held !== null);
  }

  /** The text is to be wrapped, or no longer: what was in view first stays there. */
  rewrap() {
    const row = Math.round(this.view().top / LINE_HEIGHT);
    const offset = this.wrapper.kept.offset(row, 0);
    if (this.held === null) this.textarea.scrollTop = this.rows.place(offset).row * LINE_HEIGHT;
    this.paint();
  }

  /** Updates what depends on the text, and draws it. */
  refresh() {
    const text = this.text;
    if (text !== this.lines.text) {
      this.lines = new Lines(text);
      this.colouring?.align(text);
      this.surface.style.setProperty("--digits", String(this.lines.count).length);
    }
    this.markFigures();
    if (this.held !== null) this.sizeViewer();
    this.finder.refresh();
    this.paint();
  }

  resized() {
    this.column = this.find("probe").getBoundingClientRect().width / 100;
    if (this.held !== null) this.sizeViewer();
    this.paint();
  }

  /** Gives the viewer the scroll range of its text, scaled down where no box can be that large. */
  sizeViewer() {
    const { clientWidth, clientHeight } = this.viewer;
    const height = this.lines.count * LINE_HEIGHT + 2 * PADDING;
    const width = this.lines.widest() * (this.column || 8) + 2 * PADDING;
    const scale = (size, view) =>
      size > LARGEST_BOX ? (size - view) / (LARGEST_BOX - view) : 1;
    this.scaleX = scale(width, clientWidth);
    this.scaleY = scale(height, clientHeight);
    const extent = this.find("extent").style;
    extent.width = `${Math.min(width, LARGEST_BOX)}px`;
    extent.height = `${Math.min(height, LARGEST_BOX)}px`;
  }

  /** What part of the text is in view, in pixels of the text. */
  view() {
    const { box } = this;
    const scaled = this.held !== null;
    return {
      top: box.scrollTop * (scaled ? this.scaleY : 1),
      left: box.scrollLeft * (scaled ? this.scaleX : 1),
      width: box.clientWidth,
      height: box.clientHeight,
      column: this.column || 8,
    };
  }

  paint() {
    const { colour, whitespace } = this.look;
    const { rows } = this; // first, because it may wrap the text, which changes the view
    const drawn = this.painter.paint(this.lines, rows, this.view(), {
      colouring: colour === "off" ? null : this.colouring,
      whitespace,
      bad: this.lines.count === this.badCount ? this.bad : null,
      anyColumn: this.held !== null,
      found: this.finder.marks,
    });
    this.surface.classList.toggle("undrawn", !drawn);
  }

  /** Colours from the server for `text`, which may have been edited since. */
  setColouring(text, runs, colour) {
    this.colouring = Colouring.of(text, runs, colour);
    this.colouring?.align(this.text);
    this.paint();
  }

  // -- facts about the text --------------------------------------------------------------

  /** Figures from the server for `text`; they look old as soon as the text is another. */
  setFigures(figures, text) {
    this.figuresOf = text;
    this.figures = figuresInWords(figures);
    this.counted = figures.no_estimate ?? `Tokens of ${figures.tokenizer}, ${figures.band}`;
    this.markFigures();
  }

  markFigures() {
    const node = this.find("figures");
    const empty = this.text === "";
    const old = !empty && this.text !== this.figuresOf;
    const large = this.text.length > this.liveLimit();
    // Nobody counts a large text while it is typed, so that figures of another would stay.
    const figures = large && old ? counted(this.text.length, "char") : (this.figures ?? "…");
    setText(node, empty ? "empty" : figures + (large ? " · too large to edit here" : ""));
    node.title = this.counted ?? "";
    node.classList.toggle("old", old);
  }

  setComparison(difference, roundTrip) {
    showBadge(this.find("difference"), difference);
    showBadge(this.find("round-trip"), roundTrip);
  }

  setStale(stale) {
    const shown = stale && this.text !== "";
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
    this.bad = error?.line ? { line: error.line - 1, column: error.column } : null;
    this.badCount = this.lines.count;
    this.textarea.setAttribute("aria-invalid", String(Boolean(error)));
    this.section.classList.toggle("has-error", Boolean(error));
    this.paint();
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
