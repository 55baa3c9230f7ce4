// What a pointer or the caret rests on: its path, its token, and where the other side holds it.

import { element, setText } from "../shared/dom.js";
import { SIDES, TITLES, otherSide } from "../shared/sides.js";
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

/** Where two texts hold the same: see toon/playground/places.py. */
class Places {
  constructor(answer) {
    this.answer = answer;
  }

  /** The index of the place that an offset lies in, or -1. */
  at(side, offset) {
    const flat = this.answer[side];
    const index = lastUpTo(flat, offset, PLACE);
    return index >= 0 && offset < flat[index * PLACE + 1] ? index : -1;
  }

  /** Start and end of a place. */
  span(side, index) {
    return this.answer[side].slice(index * PLACE, index * PLACE + 2);
  }

  /** The spans on the other side, in order: a name in a header has one in every row. */
  partners(side, index) {
    const other = otherSide(side);
    if (side === "json") return [this.span(other, this.answer.json[index * PLACE + 3])];
    const flat = this.answer.json;
    const found = [];
    for (let at = 0; at < flat.length; at += PLACE) {
      if (flat[at + 3] === index) found.push([flat[at], flat[at + 1]]);
    }
    return found;
  }

  path(side, index) {
    const { parents, steps } = this.answer;
    const parts = [];
    for (let node = this.answer[side][index * PLACE + 2]; node > 0; node = parents[node]) {
      parts.push(steps[node]);
    }
    return parts.reverse().join("") || "$";
  }
}

/** The tokens of one text, see toon/playground/tokens.py. */
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
    const parts = this.ids[index];
    if (!Array.isArray(parts)) return `${quoted} · ${idInWords(parts)} · ${hexOf(text)}`;
    const each = parts.map(([id, bytes]) => `${idInWords(id)} · ${bytes}`);
    return `${quoted} is ${parts.length} tokens: ${each.join(", ")}`;
  }
}

function idInWords(id) {
  return id === null ? "id unknown" : `id ${id}`;
}

function hexOf(text) {
  const bytes = new TextEncoder().encode(text);
  const shown = [...bytes.slice(0, TOKEN_BYTES)].map((byte) => byte.toString(16).padStart(2, "0"));
  return shown.join(" ") + (bytes.length > TOKEN_BYTES ? " …" : "");
}

// -- where characters are drawn ----------------------------------------------------------------

/** The offset of the character drawn at a point of the window, or -1. */
function drawnAt(view, x, y) {
  const near = view.posAtCoords({ x, y }, false);
  for (const offset of [near, near - 1]) {
    const box = offset < 0 ? null : view.coordsForChar(offset);
    if (box && box.left <= x && x < box.right && box.top <= y && y < box.bottom) return offset;
  }
  return -1;
}

// -- showing it --------------------------------------------------------------------------------

/**
 * Shows what the pointer is on, or the caret after a key that moved it. What the server knows of
 * two texts is asked once, when a pane is first pointed at; it is forgotten with the next edit.
 */
export class Hover {
  constructor(session) {
    const { root, panes, signal } = session;
    this.session = session;
    this.about = null;
    this.found = null;
    this.asked = new Set();
    this.panes = panes;
    const parts = [element("b", "path"), " ", element("span", "where"), element("p", "token")];
    this.tip = element("div", { className: "tip", hidden: true }, ...parts);
    root.querySelector(".panes").append(this.tip);
    this.paint = new Paint();
    this.listen(root, signal);
    for (const side of SIDES) this.listenIn(panes[side].surface, side);
    signal.addEventListener("abort", () => {
      clearTimeout(this.timer);
      cancelAnimationFrame(this.frame);
      this.paint.clear();
    });
  }

  listen(root, signal) {
    const again = () => this.point && this.soon();
    root.addEventListener("scroll", again, { signal, capture: true, passive: true });
    root.addEventListener("input", () => this.hide(), { signal, passive: true });
    const onKey = ({ key }) => key === "Escape" && this.dismiss();
    root.addEventListener("keydown", onKey, { signal, passive: true });
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
    on("keyup", ({ key }) => CARET_KEYS.test(key) && this.rest(side));
  }

  /** Shows what the caret stands in, in a moment. */
  rest(side) {
    this.hide();
    this.timer = setTimeout(() => this.soon({ side, isCaret: true }), CARET_REST);
  }

  /** Shows what is at `point` with the next frame. */
  soon(point = this.point) {
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
    this.dismissed = this.tip.hidden ? null : this.shown;
    this.clear();
  }

  show({ side, x, y, isCaret }) {
    const known = this.known();
    const { code } = this.panes[side];
    const offset = isCaret ? code.caret : drawnAt(code.view, x, y);
    if (!known || offset < 0) return this.clear();
    let place = known.places?.at(side, offset) ?? -1;
    if (isCaret && place < 0) place = known.places?.at(side, offset - 1) ?? -1;
    const tokens = this.session.look.colour === "tokens" ? known.tokens[side] : null;
    const token = tokens?.span(offset);
    const none = tokens?.none ?? "";
    const shown = `${side} ${place} ${token} ${isCaret}`;
    if (shown !== this.dismissed) this.dismissed = null;
    if (this.dismissed || (place < 0 && !token && !none)) return this.clear();
    this.shown = shown;
    const marked = this.mark(side, known.places, place, token);
    this.write(known.places, side, place, marked.partners);
    const words = token && tokens.words(code.doc.sliceString(token[0], token[1]), token[2]);
    this.line("token", words ?? none);
    this.tip.setAttribute("aria-live", isCaret ? "polite" : "off");
    this.place(marked.box ?? { left: x, right: x, top: y, bottom: y });
  }

  /** Paints what is pointed at, and its partners; gives these, and the first box of it. */
  mark(side, places, place, token) {
    const [{ view }, other] = [this.panes[side].code, this.panes[otherSide(side)].code.view];
    this.paint.clear();
    const own = place < 0 ? null : places.span(side, place);
    if (own) this.paint.cover(view, own[0], own[1], "same");
    if (token) this.paint.cover(view, token[0], token[1], "run");
    const partners = place < 0 ? [] : places.partners(side, place);
    for (const [from, to] of partners) this.paint.cover(other, from, to, "same");
    return { partners, box: view.coordsForChar((own ?? token ?? [0])[0]) };
  }

  write(places, side, place, partners) {
    this.line("path", place < 0 ? "" : places.path(side, place));
    if (place < 0) return this.line("where", "");
    const more = partners.length > 1 ? `and ${grouped(partners.length - 1)} more` : "";
    const away = this.away(otherSide(side), partners[0]);
    this.line("where", [more, away].filter(Boolean).join(" · "));
  }

  /** Where a span of a pane is, if it is out of view. */
  away(side, [from]) {
    const { view } = this.panes[side].code;
    const box = view.coordsAtPos(from);
    const { top, bottom, left, right } = view.scrollDOM.getBoundingClientRect();
    const isSeen =
      box && box.bottom > top && box.top < bottom && box.right > left && box.left < right;
    return isSeen ? "" : `${TITLES[side]} line ${grouped(view.state.doc.lineAt(from).number)}`;
  }

  line(name, text) {
    const node = this.tip.querySelector(`.${name}`);
    setText(node, text);
    node.hidden = !text;
  }

  /** Puts the tip below a box, or above where there is no room, within the width of the panes. */
  place({ left, top, bottom }) {
    const { tip } = this;
    tip.hidden = false;
    const area = tip.parentNode.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const x = Math.max(0, Math.min(left - area.left, area.width - width));
    const hasRoom = bottom + height + 6 < Math.min(area.bottom, innerHeight);
    const y = (hasRoom ? bottom + 6 : top - height - 6) - area.top;
    tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  // -- what the server knows --------------------------------------------------------------

  /** {places, tokens} of the texts shown, as far as they have come; null while a text is new. */
  known() {
    const { session } = this;
    const about = session.exchange.conversion;
    if (!about || about.revision !== session.revision || session.isWaiting) return null;
    const units = about.texts.json.length + about.texts.toon.length;
    if (units > session.data.limits.coloured) return null;
    if (this.about !== about) {
      Object.assign(this, { about, found: { places: null, tokens: {} }, asked: new Set() });
    }
    const takePlaces = (answer) => (this.found.places = new Places(answer));
    if (about.valid) this.ask("places", about.ids, takePlaces);
    if (session.look.colour === "tokens") {
      for (const side of about.valid ? SIDES : [about.side]) this.askTokens(side, about);
    }
    return this.found;
  }

  askTokens(side, { ids, options: { tokenizer } }) {
    const take = (answer) => (this.found.tokens[side] = new Tokens(answer));
    this.ask("tokens", { text: ids[side], tokenizer }, take);
  }

  /** Asks once; what comes for texts that are no longer shown is dropped. */
  async ask(route, query, take) {
    const { about, asked, session } = this;
    const { strict, indent } = about.options;
    const key = `${route} ${query.text ?? ""}`;
    if (asked.has(key)) return;
    asked.add(key);
    // Without an answer there is nothing to show; that the server is away is said elsewhere.
    const work = session.ask(route, { ...query, strict, indent });
    const answer = await work.catch(() => undefined);
    if (answer === undefined || this.about !== about) return;
    if (answer === null) return session.exchange.convertLost();
    take(answer);
    if (this.point) this.soon();
  }
}
