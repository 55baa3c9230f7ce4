// What a pointer or the caret rests on: its path, its token, and where the other side holds it.

import { childAt, element, hideFrom, setText } from "../shared/dom.js";
import { SIDES, TITLES, otherSide } from "../shared/sides.js";
import { grouped } from "./facts.js";
import { wholeCharacter } from "./lines.js";
import { LINE_HEIGHT } from "./painter.js";
import { ask } from "./requests.js";

/** Milliseconds after a key that moves the caret until what it stands in is shown. */
const CARET_REST = 500;

/** Characters and bytes of a token that are shown. */
const TOKEN_CHARACTERS = 40;
const TOKEN_BYTES = 16;

const CARET_KEYS = /^(Arrow|Page|Home|End)/;

/** Numbers of a place in the answer of /places: start, end, path, partner. */
const PLACE = 4;

/** The last index, by `step`, at which sorted `numbers` hold no more than `most`; -1 if none. */
function lastUpTo(numbers, most, step = 1) {
  let [low, high] = [-1, numbers.length / step - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle * step] <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

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

/** The rows drawn in a pane; each knows `from` and `to`, the offsets of what it shows. */
function drawnRows(pane) {
  return [...pane.find("ink").childNodes].filter((row) => !row.hidden);
}

/** A range over the offsets `from`..`to` of a row that holds them. */
function rangeIn(row, from, to) {
  const range = document.createRange();
  let at = row.from;
  for (const { firstChild: node } of row.childNodes) {
    const end = at + (node?.length ?? 0);
    if (from >= at && from < end) range.setStart(node, from - at);
    if (to > at && to <= end) range.setEnd(node, to - at);
    at = end;
  }
  return range;
}

/** The boxes around the drawn part of `from`..`to`, one for each row of the page. */
function boxesOf(pane, [from, to]) {
  const boxes = [];
  for (const row of drawnRows(pane)) {
    const [start, end] = [Math.max(from, row.from), Math.min(to, row.to)];
    if (start >= end) continue;
    for (const { left, right, top, bottom } of rangeIn(row, start, end).getClientRects()) {
      const last = boxes.at(-1);
      // The pieces of a row stand side by side; a font for other scripts may be a little higher.
      const joins = last && Math.abs(last.top + last.bottom - top - bottom) < LINE_HEIGHT;
      if (joins) last.right = Math.max(last.right, right);
      else boxes.push({ left, right, top, bottom });
    }
  }
  return boxes;
}

/** The offset of the character drawn at a point of the window, or -1. */
function drawnAt(pane, x, y) {
  const within = ({ top, bottom }) => top <= y && y < bottom;
  const row = drawnRows(pane).find((row) => within(row.getBoundingClientRect()));
  if (!row || row.from === row.to) return -1;
  const { text } = pane.lines;
  // A line may be wrapped; the box of a character is less high than its row.
  const { top: origin } = row.getBoundingClientRect();
  const down = (at) => Math.floor((at - origin) / LINE_HEIGHT);
  const downOf = ({ top, bottom }) => down((top + bottom) / 2) - down(y);
  const boxOf = (offset) => {
    const at = Math.max(row.from, wholeCharacter(text, offset));
    const size = text.codePointAt(at) > 0xffff ? 2 : 1;
    return rangeIn(row, at, Math.min(row.to, at + size)).getBoundingClientRect();
  };
  let [low, high] = [row.from, row.to - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const box = boxOf(middle);
    if (downOf(box) > 0 || (downOf(box) === 0 && box.left > x)) high = middle - 1;
    else low = middle;
  }
  const box = boxOf(low);
  return downOf(box) === 0 && box.left <= x && x < box.right ? low : -1;
}

// -- showing it --------------------------------------------------------------------------------

/**
 * Shows what the pointer is on, or the caret after a key that moved it. What the server knows of
 * two texts is asked once, when a pane is first pointed at; it is forgotten with the next edit.
 */
export class Hover {
  constructor(session, signal) {
    this.session = session;
    this.about = null;
    this.found = null;
    this.asked = new Set();
    this.panes = session.panes;
    const area = session.root.querySelector(".panes");
    this.tip = element("div", "tip");
    this.tip.hidden = true;
    const parts = [element("b", "path"), element("span", "where"), element("p", "token")];
    this.tip.append(parts[0], " ", ...parts.slice(1));
    area.append(this.tip);
    this.layers = {};
    for (const side of SIDES) {
      this.layers[side] = element("div", "pointed");
      this.panes[side].find("ink").before(this.layers[side]);
      this.listen(side, signal);
    }
    const again = () => this.point && this.soon();
    area.addEventListener("scroll", again, { signal, capture: true, passive: true });
    area.addEventListener("input", () => this.hide(), { signal, passive: true });
    const onKey = ({ key }) => key === "Escape" && this.dismiss();
    session.root.addEventListener("keydown", onKey, { signal, passive: true });
    signal.addEventListener("abort", () => {
      clearTimeout(this.timer);
      cancelAnimationFrame(this.frame);
    });
  }

  listen(side, signal) {
    const { surface, textarea } = this.panes[side];
    const options = { signal, passive: true };
    const point = ({ clientX: x, clientY: y }) => this.soon({ side, x, y });
    surface.addEventListener(
      "pointermove",
      (event) => {
        if (event.buttons) this.hide(); // text is being selected
        else if (event.pointerType !== "touch") point(event);
      },
      options,
    );
    surface.addEventListener("click", (e) => e.pointerType === "touch" && point(e), options);
    surface.addEventListener("pointerleave", () => this.hide(), options);
    surface.addEventListener("focusout", () => this.hide(), options);
    const onKey = ({ key }) => CARET_KEYS.test(key) && this.rest(side);
    textarea.addEventListener("keyup", onKey, options);
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
    if (this.tip.hidden) return;
    this.tip.hidden = true;
    for (const layer of Object.values(this.layers)) hideFrom(layer, 0);
  }

  /** Hides it until another place is pointed at. */
  dismiss() {
    clearTimeout(this.timer);
    this.dismissed = this.tip.hidden ? null : this.shown;
    this.clear();
  }

  show({ side, x, y, isCaret }) {
    const known = this.known();
    const pane = this.panes[side];
    const offset = isCaret ? pane.textarea.selectionStart : drawnAt(pane, x, y);
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
    const words = token && tokens.words(pane.lines.text.slice(token[0], token[1]), token[2]);
    this.line("token", words ?? none);
    this.tip.setAttribute("aria-live", isCaret ? "polite" : "off");
    this.place(marked.box ?? { left: x, right: x, top: y, bottom: y });
  }

  /** Draws the boxes; gives the spans of the partners, and the first box of what is pointed at. */
  mark(side, places, place, token) {
    const other = otherSide(side);
    const own = place < 0 ? [] : boxesOf(this.panes[side], places.span(side, place));
    const run = token ? boxesOf(this.panes[side], token) : [];
    this.draw(side, [...own.map((box) => [box, "same"]), ...run.map((box) => [box, "run"])]);
    const partners = place < 0 ? [] : places.partners(side, place);
    const rows = drawnRows(this.panes[other]);
    const [from, to] = [rows[0]?.from ?? 0, rows.at(-1)?.to ?? 0];
    const drawn = partners.filter(([start, end]) => end > from && start < to);
    const boxes = drawn.flatMap((span) => boxesOf(this.panes[other], span));
    this.draw(other, boxes.map((box) => [box, "same"]));
    return { partners, box: own[0] ?? run[0] };
  }

  draw(side, boxes) {
    const layer = this.layers[side];
    const origin = layer.getBoundingClientRect();
    boxes.forEach(([{ left, right, top, bottom }, look], index) => {
      const box = childAt(layer, index, () => element("div", ""));
      box.hidden = false;
      box.className = look;
      box.style.width = `${right - left}px`;
      box.style.height = `${bottom - top}px`;
      box.style.transform = `translate(${left - origin.left}px, ${top - origin.top}px)`;
    });
    hideFrom(layer, boxes.length);
  }

  write(places, side, place, partners) {
    this.line("path", place < 0 ? "" : places.path(side, place));
    if (place < 0) return this.line("where", "");
    const more = partners.length > 1 ? `and ${grouped(partners.length - 1)} more` : "";
    const away = this.away(otherSide(side), partners[0]);
    this.line("where", [more, away].filter(Boolean).join(" · "));
  }

  /** Where a span of a pane is, if it is out of view. */
  away(side, [start, end]) {
    const pane = this.panes[side];
    const { top, bottom, left, right } = this.layers[side].getBoundingClientRect();
    const isSeen = (box) =>
      box.bottom > top && box.top < bottom && box.right > left && box.left < right;
    if (boxesOf(pane, [start, end]).some(isSeen)) return "";
    return `${TITLES[side]} line ${grouped(lastUpTo(pane.lines.starts, start) + 1)}`;
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
    const url = `${session.data.api}/${route}?${new URLSearchParams({ ...query, strict, indent })}`;
    if (asked.has(url)) return;
    asked.add(url);
    // Without an answer there is nothing to show; that the server is away is said elsewhere.
    const answer = await ask(url, { signal: session.ending.signal }).catch(() => null);
    if (!answer || this.about !== about) return;
    if (answer.missing) return session.exchange.convertLost();
    take(answer);
    if (this.point) this.soon();
  }
}
