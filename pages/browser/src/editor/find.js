// Finding words in a pane: the bar above its text, what is found, and where.

import { setText } from "../shared/dom.js";
import { TITLES } from "../shared/sides.js";
import { grouped } from "./facts.js";
import { LINE_HEIGHT, PADDING } from "./painter.js";

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** Places that are counted at most; beyond them "next" goes on, but nobody knows the number. */
const MOST_COUNTED = 10_000;

/** Milliseconds without a key in the text before its places are counted again. */
const RECOUNT = 150;

/** `text` in small letters and of the same length, so that offsets are those of the text. */
function folded(text) {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

/** The offsets at which `sought` begins in `text`, none within another, `most` of them at most. */
function placesOf(text, sought, most) {
  const places = [];
  let at = text.indexOf(sought);
  for (; at >= 0 && places.length < most; at = text.indexOf(sought, at + sought.length)) {
    places.push(at);
  }
  return places;
}

/** The bar of one pane. What it finds is marked by the painter, which asks `marks`. */
export class Finder {
  constructor(pane, signal) {
    this.pane = pane;
    this.bar = pane.find("finder");
    this.input = this.bar.querySelector("input");
    this.cases = this.bar.querySelector(".cases");
    this.exact = false;
    this.searched = null;
    this.foldedExact = false;
    this.kept = "";
    this.current = -1;
    this.places = [];
    this.marks = null;
    const name = `Find in ${TITLES[pane.side]}`;
    this.bar.setAttribute("aria-label", name);
    this.input.setAttribute("aria-label", name);
    this.listen(signal);
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  listen(signal) {
    const on = (name, act) =>
      this.bar.querySelector(name).addEventListener("click", act, { signal });
    on(".previous", () => this.go(-1));
    on(".following", () => this.go(1));
    on(".cases", () => this.switchCases());
    on(".close", () => this.close());
    this.input.addEventListener("input", () => this.search(this.anchor), { signal });
    this.bar.addEventListener("keydown", (event) => this.pressed(event), { signal });
  }

  pressed(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && event.target === this.input) this.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // -- the bar ---------------------------------------------------------------------------

  open() {
    const { textarea, section } = this.pane;
    const { value, selectionStart, selectionEnd } = textarea;
    this.anchor = textarea.hidden ? this.pane.offsetAt(0, 0) : selectionStart;
    if (this.bar.hidden) this.before = section.getRootNode().activeElement;
    this.bar.hidden = false;
    const selected = value.slice(selectionStart, Math.min(selectionEnd, selectionStart + 200));
    if (selected && !selected.includes("\n")) this.input.value = selected;
    this.input.focus();
    this.input.select();
    this.search(this.anchor);
  }

  close() {
    this.bar.hidden = true;
    this.marks = null;
    this.pane.paint();
    this.before?.focus({ preventScroll: true });
  }

  switchCases() {
    this.exact = !this.exact;
    this.cases.setAttribute("aria-pressed", String(this.exact));
    this.search(Math.max(0, this.current));
  }

  // -- what is found ---------------------------------------------------------------------

  get sought() {
    return this.fold(this.input.value);
  }

  fold(text) {
    return this.exact ? text : folded(text);
  }

  /** The text that is searched; a long one is folded once. */
  get hay() {
    const { text } = this.pane.lines;
    if (this.searched !== text || this.foldedExact !== this.exact) {
      Object.assign(this, { searched: text, foldedExact: this.exact, kept: this.fold(text) });
    }
    return this.kept;
  }

  /** Counts the places and shows the first one from `offset` on, or else the first of all. */
  search(offset) {
    this.count();
    const { hay, sought } = this;
    const at = sought ? hay.indexOf(sought, offset) : -1;
    this.show(at < 0 && sought ? hay.indexOf(sought) : at);
  }

  count() {
    clearTimeout(this.timer);
    const { hay, sought } = this;
    this.places = sought ? placesOf(hay, sought, MOST_COUNTED + 1) : [];
    this.marks = sought ? (from, to) => this.marksBetween(from, to) : null;
  }

  /** Goes to the next place, or to the one before; after the last comes the first. */
  go(step) {
    const { hay, sought, current } = this;
    if (!this.places.length) return;
    const [before, after] = current < 0
      ? [this.anchor - 1, this.anchor]
      : [current - sought.length, current + sought.length];
    if (step > 0) {
      const found = hay.indexOf(sought, after);
      this.show(found < 0 ? hay.indexOf(sought) : found);
    } else {
      const found = before < 0 ? -1 : hay.lastIndexOf(sought, before);
      this.show(found < 0 ? hay.lastIndexOf(sought) : found);
    }
  }

  /** Shows the place at `offset` as the current one, or that there is none for -1. */
  show(offset) {
    this.current = offset;
    if (offset >= 0) this.reveal(offset, offset + this.sought.length);
    else this.pane.paint();
    this.say();
  }

  /** Selects a part of the text, where it can be edited, and scrolls it into view. */
  reveal(start, end) {
    const { pane } = this;
    const isShown = pane.held !== null;
    if (!isShown) pane.textarea.setSelectionRange(start, end);
    const { row, column } = pane.rows.place(start);
    const view = pane.view();
    const [x, y] = [PADDING + column * view.column, PADDING + row * LINE_HEIGHT];
    if (y < view.top || y + LINE_HEIGHT > view.top + view.height) {
      pane.box.scrollTop = (y - view.height / 2) / (isShown ? pane.scaleY : 1);
    }
    if (x < view.left || x + (end - start) * view.column > view.left + view.width) {
      pane.box.scrollLeft = (x - view.width / 2) / (isShown ? pane.scaleX : 1);
    }
    pane.paint();
    this.correct(pane);
    pane.surface.scrollIntoView({ block: "nearest" }); // in the page
  }

  /** Scrolls by what the place shown lies out of view: wide characters move it. */
  correct({ box, painter }) {
    const place = painter.mark?.getBoundingClientRect();
    if (!place) return;
    const { left, top } = box.getBoundingClientRect();
    const over = (from, to, most) => (from < 0 ? from - PADDING : Math.max(0, to + PADDING - most));
    box.scrollTop += over(place.top - top, place.bottom - top, box.clientHeight);
    box.scrollLeft += over(place.left - left, place.right - left, box.clientWidth);
    this.pane.paint();
  }

  say() {
    const { length } = this.places;
    const all = length > MOST_COUNTED ? `${grouped(MOST_COUNTED)}+` : grouped(length);
    const index = this.places.indexOf(this.current);
    const found = index < 0 ? all : `${grouped(index + 1)} of ${all}`;
    const words = length ? found : "None found";
    setText(this.bar.querySelector(".count"), this.input.value ? words : "");
  }

  /** The text is another: what is found in view is marked at once, and counted in a moment. */
  refresh() {
    if (this.bar.hidden || !this.sought) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.count();
      if (!this.hay.startsWith(this.sought, this.current)) this.current = -1;
      if (this.current < 0) this.anchor = 0;
      this.pane.paint();
      this.say();
    }, RECOUNT);
  }

  /** The marks between two offsets: [{start, end, className}]. */
  marksBetween(from, to) {
    const { sought, current } = this;
    const begin = Math.max(0, from - sought.length + 1);
    const near = this.fold(this.pane.lines.text.slice(begin, to + sought.length - 1));
    return placesOf(near, sought, near.length).map((at) => ({
      start: begin + at,
      end: begin + at + sought.length,
      className: begin + at === current ? "found current" : "found",
    }));
  }
}

/** Opens the bar of the pane that was used last: by the button, and by Ctrl+F or ⌘F. */
export function wireFinders(session, signal) {
  let last = null;
  const open = () => (last ?? session.source).finder.open();
  session.root.addEventListener(
    "focusin",
    ({ target }) => {
      last = Object.values(session.panes).find(({ section }) => section.contains(target)) ?? last;
    },
    { signal },
  );
  session.root.addEventListener(
    "keydown",
    (event) => {
      const isFind = event.code === "KeyF" && (IS_MAC ? event.metaKey : event.ctrlKey);
      if (!isFind || event.altKey || event.shiftKey) return;
      event.preventDefault();
      open();
    },
    { signal },
  );
  session.root.querySelector(".find").addEventListener("click", open, { signal });
}
