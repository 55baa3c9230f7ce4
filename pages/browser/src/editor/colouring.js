// The colours of a text: runs from the server, laid over the text as edited since.

import { sharedEnds } from "./lines.js";

const KIND_CLASSES = ["kind-0", "kind-1", "kind-2", "kind-3"];
const TOKEN_CLASSES = ["token-0", "token-1"];

/**
 * The runs of one text. `align` relates them to the text shown now: lines untouched at its start
 * and end keep their colours, all others have none until the next answer.
 */
export class Colouring {
  /** `runs` as /measure sends them, `colour` "kinds" or "tokens"; null if they do not tile. */
  static of(text, runs, colour) {
    if (!runs) return null;
    const colouring = new Colouring(text, runs, colour);
    return colouring.covered === text.length ? colouring : null;
  }

  constructor(text, runs, colour) {
    this.text = text;
    this.ends = new Uint32Array(runs.length);
    this.classes = new Array(runs.length);
    let end = 0;
    runs.forEach((run, index) => {
      end += colour === "kinds" ? run >>> 2 : run;
      this.ends[index] = end;
      this.classes[index] = colour === "kinds" ? KIND_CLASSES[run & 3] : TOKEN_CLASSES[index & 1];
    });
    this.covered = end;
    this.align(text);
  }

  /** Relates the runs to `text`, the one shown now. */
  align(text) {
    this.shown = text.length;
    this.shared = sharedEnds(this.text, text);
    this.same = this.text.length === text.length && this.shared.head === text.length;
  }

  /** Where the line at `start`..`end` of the shown text lies in the coloured text, or -1. */
  locate(start, end) {
    // The line feed must be shared too, or the line may have been longer or shorter before.
    if (this.same || end < this.shared.head) return start;
    const inTail = start > this.shown - this.shared.tail;
    return inTail ? start + this.text.length - this.shown : -1;
  }

  /** Calls `each(length, className)` for the runs between two offsets of the coloured text. */
  between(from, to, each) {
    let index = this.indexAt(from);
    for (let at = from; at < to; index++) {
      const end = Math.min(this.ends[index], to);
      if (end > at) each(end - at, this.classes[index]);
      at = end;
    }
  }

  /** The first run that ends after `offset`. */
  indexAt(offset) {
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
