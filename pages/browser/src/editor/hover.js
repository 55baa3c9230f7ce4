// What a pointer or the caret rests on: its path, its token, and where the other side holds it.

import { element, setText } from "../shared/dom.js";
import { SIDES, TITLES, otherSide } from "../shared/lab.js";
import { Paint } from "./colours.js";
import { grouped } from "./facts.js";
import { lastUpTo } from "./text.js";

/** Milliseconds after a key that moves the caret until what it stands in is shown. */
const CARET_REST = 500;

/** Characters and bytes of a token that are shown. */
const TOKEN_CHARACTERS = 40;
const TOKEN_BYTES = 16;

const CARET_KEYS = /^(Arrow|Page|Home|End)/;

/** Numbers of a place in the answer of /places: start, end, path, partner. */
const PLACE = 4;

/**
 * The place that an offset lies in, of those where two texts hold the same (see
 * toon/playground/places.py): its span, its path, its spans on the other side; or null.
 */
function placeAt(places, side, offset) {
  const { json, toon, parents, steps } = places;
  const flat = places[side];
  const start = lastUpTo(flat, offset, PLACE) * PLACE;
  if (start < 0 || offset >= flat[start + 1]) return null;
  const path = [];
  for (let node = flat[start + 2]; node > 0; node = parents[node]) path.unshift(steps[node]);
  const spanIn = (texts, at) => texts.slice(at, at + 2);
  const partners = side === "json" ? [spanIn(toon, json[start + 3] * PLACE)] : [];
  // In order: a name in a header has one in every row.
  for (let at = 0; side === "toon" && at < json.length; at += PLACE) {
    if (json[at + 3] * PLACE === start) partners.push(spanIn(json, at));
  }
  return { span: spanIn(flat, start), path: path.join("") || "$", partners };
}

/** The tokens of one text, see toon/playground/editors.py. */
class Tokens {
  constructor({ none, runs, ids }) {
    this.none = none;
    this.ids = ids;
    let end = 0;
    this.starts = runs.map((run) => (end += run) - run);
    this.end = end;
  }

  /** Start and end of the run that an offset lies in, or null. */
  span(offset) {
    const index = offset < this.end ? lastUpTo(this.starts, offset) : -1;
    return index < 0 ? null : [this.starts[index], this.starts[index + 1] ?? this.end, index];
  }

  /** A run in words: its text, ids and bytes. */
  words(text, index) {
    const shown = [...text].slice(0, TOKEN_CHARACTERS).join("");
    const quoted = JSON.stringify(shown) + (shown === text ? "" : "…");
    const named = (id, bytes) => `${id === null ? "id unknown" : `id ${id}`} · ${bytes}`;
    const units = [...new TextEncoder().encode(text)];
    const hex = units.slice(0, TOKEN_BYTES).map((byte) => byte.toString(16).padStart(2, "0"));
    if (units.length > TOKEN_BYTES) hex.push("…");
    const parts = this.ids[index];
    if (!Array.isArray(parts)) return `${quoted} · ${named(parts, hex.join(" "))}`;
    const each = parts.map(([id, bytes]) => named(id, bytes));
    return `${quoted} is ${parts.length} tokens: ${each.join(", ")}`;
  }
}

/** The offset of the character drawn at a point of the window, or -1. */
function drawnAt(view, x, y) {
  const near = view.posAtCoords({ x, y }, false);
  for (const offset of [near, near - 1]) {
    const box = offset < 0 ? null : view.coordsForChar(offset);
    if (box && box.left <= x && x < box.right && box.top <= y && y < box.bottom) return offset;
  }
  return -1;
}

/**
 * Shows what the pointer is on, or the caret after a key that moved it. What the server knows of
 * two texts is asked once, when a pane is first pointed at; it is forgotten with the next edit.
 */
export class Hover {
  constructor(session) {
    const { root, panes, signal } = session;
    this.session = session;
    this.about = null;
    this.found = new Map();
    this.panes = panes;
    const parts = [element("b", "path"), " ", element("span", "where"), element("p", "token")];
    this.tip = element("div", { className: "tip", hidden: true }, ...parts);
    root.querySelector(".panes").append(this.tip);
    this.paint = new Paint();
    const on = (name, act, capture = false) =>
      root.addEventListener(name, act, { signal, capture, passive: true });
    on("scroll", () => this.point && this.soon(), true);
    on("input", () => this.hide());
    on("keydown", ({ key }) => key === "Escape" && this.dismiss());
    for (const side of SIDES) this.listenIn(panes[side].surface, side);
    signal.addEventListener("abort", () => {
      clearTimeout(this.timer);
      cancelAnimationFrame(this.frame);
      this.paint.clear();
    });
  }

  listenIn(surface, side) {
    const on = (name, act) => surface.addEventListener(name, act, { passive: true });
    const point = ({ clientX: x, clientY: y }) => this.soon({ side, x, y });
    on("pointermove", (event) => {
      if (event.buttons) this.hide(); // text is being selected
      else if (event.pointerType !== "touch") point(event);
    });
    on("click", (event) => event.pointerType === "touch" && point(event));
    on("pointerleave", () => this.hide());
    on("focusout", () => this.hide());
    on("keyup", ({ key }) => {
      if (!CARET_KEYS.test(key)) return;
      this.hide();
      this.timer = setTimeout(() => this.soon({ side, isCaret: true }), CARET_REST);
    });
  }

  /** Shows what is at `point` with the next frame. */
  soon(point = this.point) {
    clearTimeout(this.timer); // what was pointed at last counts
    this.point = point;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.point) this.show(this.point);
    });
  }

  hide() {
    clearTimeout(this.timer);
    this.point = null;
    this.clear();
  }

  clear() {
    this.tip.hidden = true;
    this.paint.clear();
  }

  /** Hides it until another place is pointed at. */
  dismiss() {
    clearTimeout(this.timer);
    this.dismissed = this.tip.hidden ? null : this.pointed;
    this.clear();
  }

  show({ side, x, y, isCaret }) {
    const about = this.shown();
    const { code } = this.panes[side];
    const offset = isCaret ? code.caret : drawnAt(code.view, x, y);
    if (!about || offset < 0) return this.clear();
    const { valid, ids, options } = about;
    const places = valid ? this.ask("places", ids, (answer) => answer) : null;
    const at = (place) => places && placeAt(places, side, place);
    const place = at(offset) ?? (isCaret ? at(offset - 1) : null);
    const isByToken = this.session.look.colour === "tokens" && (valid || side === about.side);
    const query = { text: ids[side], tokenizer: options.tokenizer };
    const tokens = isByToken ? this.ask("tokens", query, (answer) => new Tokens(answer)) : null;
    const token = tokens?.span(offset);
    const none = tokens?.none ?? "";
    const pointed = `${side} ${place?.span} ${token} ${isCaret}`;
    if (pointed !== this.dismissed) this.dismissed = null;
    if (this.dismissed || (!place && !token && !none)) return this.clear();
    this.pointed = pointed;
    this.paint.clear();
    const other = otherSide(side);
    if (place) this.paint.cover(code.view, place.span, "same");
    if (token) this.paint.cover(code.view, token, "run");
    const { view } = this.panes[other].code;
    for (const span of place?.partners ?? []) this.paint.cover(view, span, "same");
    this.line("path", place?.path ?? "");
    this.line("where", place ? this.where(other, place.partners) : "");
    const words = token && tokens.words(code.doc.sliceString(token[0], token[1]), token[2]);
    this.line("token", words ?? none);
    this.tip.setAttribute("aria-live", isCaret ? "polite" : "off");
    const box = code.view.coordsForChar((place?.span ?? token ?? [0])[0]);
    this.put(box ?? { left: x, right: x, top: y, bottom: y });
  }

  /** How many spans of a pane are more than one, and where the first is, if it is out of view. */
  where(side, spans) {
    const { view } = this.panes[side].code;
    const more = spans.length > 1 ? `and ${grouped(spans.length - 1)} more` : "";
    const [[from]] = spans;
    const box = view.coordsAtPos(from);
    const { top, bottom, left, right } = view.scrollDOM.getBoundingClientRect();
    const isBeside = !box || box.right <= left || box.left >= right;
    const isSeen = !isBeside && box.bottom > top && box.top < bottom;
    const line = `${TITLES[side]} line ${grouped(view.state.doc.lineAt(from).number)}`;
    return [more, isSeen ? "" : line].filter(Boolean).join(" · ");
  }

  line(name, text) {
    const node = this.tip.querySelector(`.${name}`);
    setText(node, text);
    node.hidden = !text;
  }

  /** Puts the tip below a box, or above where there is no room, within the width of the panes. */
  put({ left, top, bottom }) {
    const { tip } = this;
    tip.hidden = false;
    const area = tip.parentNode.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const x = Math.max(0, Math.min(left - area.left, area.width - width));
    const hasRoom = bottom + height + 6 < Math.min(area.bottom, innerHeight);
    const y = (hasRoom ? bottom + 6 : top - height - 6) - area.top;
    tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  /** The conversion that is shown, if the server knows its texts; null while one is new. */
  shown() {
    const { exchange, revision, isWaiting, data } = this.session;
    const about = exchange.conversion;
    if (!about || about.revision !== revision || isWaiting) return null;
    const units = about.texts.json.length + about.texts.toon.length;
    if (units > data.limits.coloured) return null;
    if (this.about !== about) Object.assign(this, { about, found: new Map() });
    return about;
  }

  /** What `make` makes of the answer about the texts shown; asked once, and null until it comes. */
  ask(route, query, make) {
    const { about, found, session } = this;
    const key = `${route} ${query.text}`;
    if (!found.has(key)) {
      found.set(key, null);
      const { strict, indent } = about.options;
      const take = (answer) => {
        if (this.about !== about) return;
        if (answer === null) return session.exchange.convertLost();
        found.set(key, make(answer));
        if (this.point) this.soon();
      };
      // Without an answer there is nothing to show; that the server is away is said elsewhere.
      session.ask(route, { ...query, strict, indent }).then(take, () => {});
    }
    return found.get(key);
  }
}
