// The rows in which the lines of a text are shown, where long ones are wrapped too.

import { childAt, element, setText } from "../shared/dom.js";
import { Lines, lastAtMost, wholeCharacter } from "./lines.js";
import { LINE_HEIGHT, PADDING } from "./painter.js";

/** Longer texts are not wrapped: a browser lays a wrapped text out anew with every key. */
const MOST_WRAPPED = 100_000;

/** Lines the browser is asked to wrap at a time. */
const RULED = 100;

/** The rows of a text that is not wrapped: one for each line. */
class Rows {
  constructor(lines) {
    this.lines = lines;
  }

  get isWrapped() {
    return false;
  }

  get count() {
    return this.lines.count;
  }

  /** The first row of a line. */
  start(line) {
    return line;
  }

  /** How many rows a line has. */
  size(line) {
    return 1;
  }

  /** Units in a row of a line: a mean where characters are not all one column wide. */
  perRow(line) {
    return this.lines.end(line) - this.lines.start(line) + 1;
  }

  /** The line a row belongs to, or the one nearest to it. */
  lineAt(row) {
    return Math.min(this.lines.count - 1, Math.max(0, row));
  }

  /** Where an offset is shown: {row, column}, exact where characters are one column wide. */
  place(offset) {
    const line = this.lines.at(offset);
    const units = offset - this.lines.start(line);
    const most = this.perRow(line);
    const down = Math.min(this.size(line) - 1, Math.floor(units / most));
    return { row: this.start(line) + down, column: units - down * most };
  }

  /** The offset shown at a row and column, or the one nearest to it; as exact as `place`. */
  offset(row, column) {
    const line = this.lineAt(row);
    const most = this.perRow(line);
    const down = Math.min(this.size(line) - 1, Math.max(0, row - this.start(line)));
    const offset = this.lines.start(line) + down * most + Math.min(most, column);
    return wholeCharacter(this.lines.text, Math.min(this.lines.end(line), offset));
  }

  /** The rows that show column `column` (1-based) of a line: one, or all where nobody can tell. */
  band(line, column) {
    const [row, size] = [this.start(line), this.size(line)];
    if (size === 1 || !column || !this.lines.isPlain(line)) return { row, size };
    const down = Math.floor((column - 1) / this.perRow(line));
    return { row: row + Math.min(size - 1, down), size: 1 };
  }
}

/** The rows of a text wrapped at `columns`; `heights` has the rows of lines that are not plain. */
class WrappedRows extends Rows {
  constructor(lines, columns, heights) {
    super(lines);
    this.columns = columns;
    this.starts = new Uint32Array(lines.count + 1);
    for (let line = 0; line < lines.count; line++) {
      const [start, end] = [lines.start(line), lines.end(line)];
      const size = lines.isPlain(line)
        ? Math.max(1, Math.ceil((end - start) / columns))
        : heights.get(lines.text.slice(start, end));
      this.starts[line + 1] = this.starts[line] + size;
    }
  }

  get isWrapped() {
    return true;
  }

  get count() {
    return this.starts[this.lines.count];
  }

  start(line) {
    return this.starts[line];
  }

  size(line) {
    return this.starts[line + 1] - this.starts[line];
  }

  perRow(line) {
    if (this.lines.isPlain(line)) return this.columns;
    return Math.ceil((this.lines.end(line) - this.lines.start(line)) / this.size(line));
  }

  lineAt(row) {
    return super.lineAt(lastAtMost(this.starts, row));
  }
}

/**
 * Wraps the text of one pane. Textarea and ink get the same width, half a column more than whole
 * columns, and may break anywhere: so the browser wraps both at the same characters. Lines of
 * one-column characters are counted here; how many rows others take, the browser is asked.
 */
export class Wrapper {
  constructor({ surface, look, textarea, find }) {
    this.surface = surface;
    this.look = look;
    this.textarea = textarea;
    this.area = find("text");
    this.ruler = find("ruler");
    this.notice = find("unwrapped");
    this.heights = new Map();
    this.kept = new Rows(new Lines(""));
  }

  /** The rows of `lines`; `column` is the width of a character, `isShown` if nobody can type. */
  rows(lines, column, isShown) {
    const isLong = isShown || lines.text.length > MOST_WRAPPED;
    const wraps = this.look.wrap && !isLong;
    this.notice.hidden = !this.look.wrap || !isLong;
    this.surface.classList.toggle("wrapped", wraps);
    const refits = wraps && this.fit(column);
    if (refits || this.kept.lines !== lines || this.kept.isWrapped !== wraps) {
      this.kept = wraps ? this.wrapped(lines) : new Rows(lines);
    }
    return this.kept;
  }

  /** Fits the columns to the width of the pane; true if this changes them. */
  fit(column) {
    const scrollbar = this.textarea.offsetWidth - this.textarea.clientWidth;
    const width = this.area.getBoundingClientRect().width - scrollbar - 2 * PADDING;
    const columns = Math.max(1, Math.floor(width / column - 0.5));
    const wanted = `${(columns + 0.5) * column}px`;
    const style = this.surface.style;
    style.setProperty("--scrollbar", `${scrollbar}px`);
    if (wanted === style.getPropertyValue("--wrap")) return false;
    style.setProperty("--wrap", wanted);
    this.columns = columns;
    this.heights.clear();
    return true;
  }

  wrapped(lines) {
    this.heights = this.measured(lines);
    return new WrappedRows(lines, this.columns, this.heights);
  }

  /** The rows of each line that is not plain, by its text; known ones are not measured again. */
  measured(lines) {
    const heights = new Map();
    const unknown = [];
    for (let line = 0; line < lines.count; line++) {
      if (lines.isPlain(line)) continue;
      const text = lines.text.slice(lines.start(line), lines.end(line));
      if (heights.has(text)) continue;
      heights.set(text, this.heights.get(text));
      if (!heights.get(text)) unknown.push(text);
    }
    for (let at = 0; at < unknown.length; at += RULED) {
      this.measure(unknown.slice(at, at + RULED), heights);
    }
    return heights;
  }

  measure(texts, heights) {
    const nodes = texts.map((text, index) => {
      const node = childAt(this.ruler, index, () => element("div", "line"));
      setText(node, text);
      return node;
    });
    const rows = nodes.map((node) => Math.round(node.offsetHeight / LINE_HEIGHT));
    texts.forEach((text, index) => heights.set(text, Math.max(1, rows[index])));
    for (const node of nodes) setText(node, "");
  }
}
