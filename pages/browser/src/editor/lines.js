// The text model: where lines begin, which of them can be cut by column, what two texts share.

/** Longer lines of one-column characters are drawn only where they are seen. */
export const LONG_LINE = 2_000;

/** A longer text goes into the textarea only when it is edited, because that takes a while. */
export const LAZY = 100_000;

const ONE_COLUMN_CHARACTERS = /^[\x20-\x7e]*$/;
const ONE_COLUMN_LINES = /^[\x20-\x7e\n]*$/;

/** A text and the offsets (UTF-16 units) at which its lines begin. */
export class Lines {
  constructor(text) {
    this.text = text;
    this.starts = lineStarts(text);
    this.plain = new Map();
    this.allPlain = null;
  }

  get count() {
    return this.starts.length;
  }

  start(line) {
    return this.starts[line];
  }

  /** The offset after the last character of a line, its line feed not included. */
  end(line) {
    return line + 1 < this.count ? this.starts[line + 1] - 1 : this.text.length;
  }

  /** The line an offset lies in. */
  at(offset) {
    return lastAtMost(this.starts, offset);
  }

  /** Units of the longest line. */
  widest() {
    let widest = 0;
    for (let line = 0; line < this.count; line++) {
      widest = Math.max(widest, this.end(line) - this.start(line));
    }
    return widest;
  }

  /** True if every character of the line is one column wide, as far as ASCII tells. */
  isPlain(line) {
    this.allPlain ??= ONE_COLUMN_LINES.test(this.text);
    if (this.allPlain) return true;
    if (!this.plain.has(line)) {
      const text = this.text.slice(this.start(line), this.end(line));
      this.plain.set(line, ONE_COLUMN_CHARACTERS.test(text));
    }
    return this.plain.get(line);
  }
}

function lineStarts(text) {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    starts[line++] = at + 1;
  }
  return starts;
}

/** The index of the last of some ascending numbers that is not above `most`; 0 if all are. */
export function lastAtMost(numbers, most) {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Units two texts share at their start and, without overlap, at their end. */
export function sharedEnds(before, after) {
  if (before === after) return { head: before.length, tail: 0 };
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  let [i, j] = [before.length, after.length];
  while (tail < most - head && before.charCodeAt(--i) === after.charCodeAt(--j)) tail++;
  return { head, tail };
}

/** The text as a textarea would hold it: its line ends are line feeds. */
export function withLineFeeds(text) {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

const GRAPHEMES = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/**
 * Gives, for offsets in `text`, where the character they lie in begins, as people see characters:
 * a cut inside an emoji or before a combining mark would tear the glyph.
 */
export function characterStarts(text) {
  if (ONE_COLUMN_CHARACTERS.test(text)) return (at) => at;
  if (!GRAPHEMES) return (at) => wholeCharacter(text, at);
  const segments = GRAPHEMES.segment(text);
  return (at) => (at < text.length ? segments.containing(at).index : at);
}

/** `at`, or the offset before it where it would split a surrogate pair. */
export function wholeCharacter(text, at) {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
