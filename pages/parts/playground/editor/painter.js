// Draws the lines of a text that are in view, and their numbers, below a transparent textarea.

/** CSS pixels; editor.css has the same two figures. */
const LINE_HEIGHT = 20;
const PADDING = 8;

/** Columns drawn beyond both edges of the view, so that scrolling shows no gap before a paint. */
const SPARE_COLUMNS = 40;

/** Longer lines with wide characters are drawn by the textarea: they cannot be cut by column. */
const WIDEST_DRAWN = 20_000;

/** A new element with a class and, if given, text. */
function element(tag, className, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** The `index`-th child of `parent`, made by `make` if there are not so many yet. */
function childAt(parent, index, make) {
  while (parent.childNodes.length <= index) parent.append(make());
  return parent.childNodes[index];
}

/** Writes into a node's only text node; nothing is touched where nothing changes. */
function setText(node, text) {
  if (!node.firstChild) node.append("");
  if (node.firstChild.data !== text) node.firstChild.data = text;
}

/**
 * Draws into `ink` (the text), `numbers` (the gutter) and `band` (behind the line in error).
 *
 * Nodes are reused and hidden, never removed: when a node is removed from the page, Chromium ends
 * the group of keys that one Ctrl+Z undoes.
 */
class Painter {
  constructor({ ink, numbers, band }) {
    Object.assign(this, { ink, numbers, band });
  }

  /**
   * Draws what is in view.
   *
   * `view`: {top, left, width, height, column} in pixels of the text, `column` being the width of
   * a character; `anyColumn`: whether all long lines may be cut by column (nothing has to lie
   * exactly on top of them). Returns false if a line in view cannot be drawn.
   */
  paint(lines, view, { colouring, whitespace, badLine, anyColumn }) {
    const first = Math.max(0, Math.floor((view.top - PADDING) / LINE_HEIGHT));
    const bottom = Math.ceil((view.top + view.height - PADDING) / LINE_HEIGHT);
    const last = Math.min(lines.count, Math.max(bottom, first + 1));
    const look = { colouring, whitespace, columns: columnsIn(view) };
    let drawable = true;
    for (let line = first; line < last; line++) {
      const cut = cutOf(lines, line, anyColumn);
      if (cut === "none") drawable = false;
      const pieces = cut === "none" ? NOTHING : piecesOf(lines, line, cut === "columns", look);
      drawRow(childAt(this.ink, line - first, () => element("div", "line")), pieces);
      this.drawNumber(line - first, line, badLine);
    }
    for (const parent of [this.ink, this.numbers]) hideFrom(parent, last - first);
    this.place(view, PADDING + first * LINE_HEIGHT - view.top, badLine - first, last - first);
    this.ink.hidden = !drawable;
    return drawable;
  }

  drawNumber(index, line, badLine) {
    const number = childAt(this.numbers, index, () => element("div", "number"));
    number.hidden = false;
    number.classList.toggle("bad", line === badLine);
    setText(number, String(line + 1));
  }

  place({ left }, y, badRow, rows) {
    this.ink.style.transform = `translate(${-left}px, ${y}px)`;
    this.numbers.style.transform = `translateY(${y}px)`;
    this.band.hidden = badRow < 0 || badRow >= rows;
    this.band.style.transform = `translateY(${y + badRow * LINE_HEIGHT}px)`;
  }
}

function hideFrom(parent, index) {
  for (let child = parent.childNodes[index]; child; child = child.nextSibling) child.hidden = true;
}

function columnsIn(view) {
  const first = Math.max(0, Math.floor(view.left / view.column) - SPARE_COLUMNS);
  return { first, last: first + Math.ceil(view.width / view.column) + 2 * SPARE_COLUMNS };
}

/** How a line can be drawn: "whole", "columns" (only those in view), or "none" (not at all). */
function cutOf(lines, line, anyColumn) {
  const length = lines.end(line) - lines.start(line);
  if (length <= LONG_LINE) return "whole";
  if (anyColumn || lines.isPlain(line)) return "columns";
  return length <= WIDEST_DRAWN ? "whole" : "none";
}

const NOTHING = { pieces: [], skipped: 0, offsets: { from: 0, to: 0 }, feed: false };

/** What to draw of a line: {pieces: [[text, className]], skipped columns, feed at its end}. */
function piecesOf(lines, line, byColumns, { colouring, whitespace, columns }) {
  const [start, end] = [lines.start(line), lines.end(line)];
  let [from, to] = [start, end];
  if (byColumns) {
    from = wholeCharacter(lines.text, Math.min(end, start + columns.first));
    to = wholeCharacter(lines.text, Math.min(end, start + columns.last));
  }
  const located = colouring ? colouring.locate(start, end) : -1;
  const text = lines.text.slice(from, to);
  const runs = located < 0 ? [[text, ""]] : runsOf(text, colouring, located + from - start);
  return {
    pieces: whitespace ? runs.flatMap(withSpacesApart) : runs,
    skipped: from - start,
    offsets: { from, to },
    feed: whitespace && to === end && line + 1 < lines.count,
  };
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

function drawRow(row, { pieces, skipped, offsets, feed }) {
  row.hidden = false;
  Object.assign(row, offsets); // of what it shows, for who looks where a character is drawn
  row.classList.toggle("feed", feed);
  row.style.paddingLeft = skipped ? `${skipped}ch` : "";
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
