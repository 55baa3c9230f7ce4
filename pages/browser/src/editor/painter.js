// Draws the lines of a text that are in view, and their numbers, below a transparent textarea.

import { childAt, element, hideFrom, setText } from "../shared/dom.js";
import { LONG_LINE, characterStarts, wholeCharacter } from "./lines.js";

/** CSS pixels; editor.css has the same two figures. */
export const LINE_HEIGHT = 20;
export const PADDING = 8;

/** Columns drawn beyond both edges of the view, so that scrolling shows no gap before a paint. */
const SPARE_COLUMNS = 40;

/** Longer lines with wide characters are drawn by the textarea: they cannot be cut by column. */
const WIDEST_DRAWN = 20_000;

/**
 * Draws into `ink` (the text), `marks` (around what is found in it), `numbers` (the gutter) and
 * `band` (behind the row in error).
 *
 * Nodes are reused and hidden, never removed: when a node is removed from the page, Chromium ends
 * the group of keys that one Ctrl+Z undoes.
 */
export class Painter {
  constructor({ ink, marks, numbers, band }) {
    this.ink = ink;
    this.marks = marks;
    this.numbers = numbers;
    this.band = band;
  }

  /**
   * Draws what is in view of `rows`, the rows of `lines`.
   *
   * `view`: {top, left, width, height, column} in pixels of the text, `column` being the width of
   * a character; `bad`: {line, column} in error, or null; `anyColumn`: whether all long lines may
   * be cut by column (nothing has to lie exactly on top of them); `found(from, to)`: the marks
   * between two offsets, or null. Returns false if a line in view cannot be drawn.
   */
  paint(lines, rows, view, { bad, anyColumn, ...look }) {
    const shown = shownIn(view, rows);
    const [first, last] = [rows.lineAt(shown.first), rows.lineAt(shown.last - 1) + 1];
    let drawable = true;
    for (let line = first; line < last; line++) {
      const cut = cutOf(lines, line, anyColumn);
      if (cut === "none") drawable = false;
      this.drawLine(line - first, sliceOf(lines, rows, line, cut, shown), lines, look);
      this.drawNumber(line - first, line, rows, bad);
    }
    for (const parent of [this.ink, this.marks, this.numbers]) hideFrom(parent, last - first);
    this.place(view, PADDING + rows.start(first) * LINE_HEIGHT - view.top);
    this.placeBand(bad && rows.band(bad.line, bad.column), shown, view);
    this.ink.hidden = !drawable;
    this.marks.hidden = !drawable || !look.found;
    return drawable;
  }

  /** What is drawn around the place that Find shows; null if it is not in view. */
  get mark() {
    return this.marks.querySelector(".line:not([hidden]) > .current");
  }

  drawLine(index, slice, lines, look) {
    const newLine = () => element("div", "line");
    drawRow(childAt(this.ink, index, newLine), slice, piecesOf(slice, lines, look));
    if (!look.found) return;
    drawRow(childAt(this.marks, index, newLine), slice, marksOf(slice, lines, look.found));
  }

  drawNumber(index, line, rows, bad) {
    const number = childAt(this.numbers, index, () => element("div", "number"));
    number.hidden = false;
    number.classList.toggle("bad", line === bad?.line);
    setHeight(number, rows, line);
    setText(number, String(line + 1));
  }

  place({ left }, y) {
    for (const layer of [this.ink, this.marks]) {
      layer.style.transform = `translate(${-left}px, ${y}px)`;
    }
    this.numbers.style.transform = `translateY(${y}px)`;
  }

  placeBand(band, shown, { top }) {
    this.band.hidden = !band || band.row >= shown.last || band.row + band.size <= shown.first;
    if (this.band.hidden) return;
    this.band.style.height = `${band.size * LINE_HEIGHT}px`;
    this.band.style.transform = `translateY(${PADDING + band.row * LINE_HEIGHT - top}px)`;
  }
}

/** The rows and columns to draw, both up to `last`. */
function shownIn(view, rows) {
  const first = Math.max(0, Math.floor((view.top - PADDING) / LINE_HEIGHT));
  const bottom = Math.ceil((view.top + view.height - PADDING) / LINE_HEIGHT);
  const column = Math.max(0, Math.floor(view.left / view.column) - SPARE_COLUMNS);
  return {
    first,
    last: Math.min(rows.count, Math.max(bottom, first + 1)),
    column,
    lastColumn: column + Math.ceil(view.width / view.column) + 2 * SPARE_COLUMNS,
  };
}

/** How a line can be drawn: "whole", "columns" (only those in view), or "none" (not at all). */
function cutOf(lines, line, anyColumn) {
  const length = lines.end(line) - lines.start(line);
  if (length <= LONG_LINE) return "whole";
  if (anyColumn || lines.isPlain(line)) return "columns";
  return length <= WIDEST_DRAWN ? "whole" : "none";
}

/**
 * What to draw of a line: {start, end} of the line, {from, to} of its part in view, and how many
 * columns or, of a wrapped line, rows come before it.
 */
function sliceOf(lines, rows, line, cut, shown) {
  const [start, end] = [lines.start(line), lines.end(line)];
  const slice = { start, end, from: start, to: end, right: 0, down: 0, rows, line };
  if (cut === "none") slice.to = start;
  if (cut !== "columns") return slice;
  if (rows.isWrapped) {
    slice.down = Math.max(0, shown.first - rows.start(line));
    slice.from = Math.min(end, start + slice.down * rows.perRow(line));
    slice.to = Math.min(end, start + (shown.last - rows.start(line)) * rows.perRow(line));
  } else {
    slice.from = wholeCharacter(lines.text, Math.min(end, start + shown.column));
    slice.to = wholeCharacter(lines.text, Math.min(end, start + shown.lastColumn));
    slice.right = slice.from - start;
  }
  return slice;
}

/** The pieces of a line, [[text, className]], in the colours of their kinds or tokens. */
function piecesOf({ start, end, from, to }, lines, { colouring, whitespace }) {
  const located = colouring ? colouring.locate(start, end) : -1;
  const text = lines.text.slice(from, to);
  const runs = located < 0 ? [[text, ""]] : runsOf(text, colouring, located + from - start);
  const pieces = whitespace ? runs.flatMap(withSpacesApart) : runs;
  return { pieces, feed: whitespace && to === end && end < lines.text.length };
}

/** The same pieces without colours, those that are found with a class. */
function marksOf({ from, to }, lines, found) {
  const pieces = [];
  let at = from;
  for (const { start, end, className } of found(from, to)) {
    const [begin, stop] = [Math.max(from, start), Math.min(to, end)];
    pieces.push([lines.text.slice(at, begin), ""], [lines.text.slice(begin, stop), className]);
    at = stop;
  }
  return { pieces, feed: false };
}

/** `text` cut by the runs from the offset `located` on. */
function runsOf(text, colouring, located) {
  const characterStart = characterStarts(text);
  const runs = [];
  let [begun, at] = [0, 0];
  colouring.between(located, located + text.length, (length, className) => {
    at += length;
    // A character that lies in two runs is drawn whole, in the colour of the later one.
    const end = characterStart(at);
    if (end > begun) runs.push([text.slice(begun, end), className]);
    begun = end;
  });
  return runs;
}

/** A piece as pieces of spaces, tabs, and others; CSS draws their marks. */
function withSpacesApart([text, className]) {
  const parts = text.split(/( +|\t)/).filter(Boolean);
  return parts.map((part) => {
    if (part === "\t") return [part, `${className} tab`];
    return [part, part.startsWith(" ") ? `${className} spaces` : className];
  });
}

function drawRow(row, { from, to, right, down, rows, line }, { pieces, feed }) {
  row.hidden = false;
  Object.assign(row, { from, to }); // of what it shows, for who looks where a character is drawn
  row.classList.toggle("feed", feed);
  row.style.paddingLeft = right ? `${right}ch` : "";
  row.style.paddingTop = down ? `${down * LINE_HEIGHT}px` : "";
  setHeight(row, rows, line);
  pieces.forEach(([text, className], index) => {
    const node = childAt(row, index, () => document.createElement("span"));
    if (node.className !== className) node.className = className;
    if (className.endsWith("spaces")) node.dataset.dots = "·".repeat(text.length);
    setText(node, text);
    node.hidden = false;
  });
  for (let node = row.childNodes[pieces.length]; node; node = node.nextSibling) {
    setText(node, "");
    node.className = "";
    node.hidden = true;
  }
}

/** A wrapped line and its number are as high as its rows, also where not all of them are drawn. */
function setHeight(node, rows, line) {
  node.style.height = rows.isWrapped ? `${rows.size(line) * LINE_HEIGHT}px` : "";
}
