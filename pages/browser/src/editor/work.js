// What the keeper is told of the text in the panes.

import { LAB, TYPED, newEntry } from "../shared/lab.js";
import { sharedEnds, stringOf } from "./text.js";

/** Units at both ends by which a text is told from an edited one. */
const COMPARED = 2_000;

/** The ends of a text, or of a document of the editor, by which it is told; null if it is blank. */
function endsOf(text) {
  const cut = (from, to) => text.sliceString?.(from, to) ?? text.slice(from, to);
  const { length } = text;
  const most = Math.min(length, COMPARED);
  const [first, last] = [cut(0, most), cut(length - most, length)];
  const isBlank = length <= 2 * COMPARED && !first.trim() && !last.trim();
  return isBlank ? null : { length, first, last };
}

/** Whether `after` are the ends of another text and no edit of `before`: they share little. */
function isOther(before, after) {
  const most = Math.min(before.length, after.length, COMPARED);
  const { head } = sharedEnds(before.first.slice(0, most), after.first.slice(0, most));
  const { tail } = sharedEnds(before.last.slice(-most), after.last.slice(-most));
  return head + tail < 0.3 * most;
}

/** The text typed last, under one id as long as it is the same text, edited. */
export class Work {
  constructor(session) {
    this.session = session;
    this.replaced = null;
    this.name = undefined;
    this.sample = undefined;
    this.settled = null;
  }

  get now() {
    const { pastes, source, version, isSettled } = this.session;
    const { entry, name, sample } = this;
    const { doc } = source.code;
    const { origin } = pastes;
    const side = origin?.side ?? source.side;
    const delimiter = isSettled ? this.session.delimiter : null;
    return {
      entry, version, side, name, sample, delimiter,
      // This is made with every key, and only who reads the text needs it as a string.
      get text() {
        return origin?.text ?? stringOf(doc);
      },
    };
  }

  /** A document comes in place of what was typed, which can be brought back. */
  replace({ name, kept, sample, text }) {
    const { side, source } = this.session;
    const isLost = side && endsOf(source.code.doc) && !this.sample;
    if (isLost) this.replaced = this.now;
    LAB.headline = null;
    Object.assign(this, { name, sample, entry: kept ?? newEntry(), settled: endsOf(text) });
  }

  resume({ entry, name, sample }) {
    Object.assign(this, { entry, name, sample, settled: endsOf(this.session.source.code.doc) });
  }

  /** A text pasted over the one before, or after that was cleared, is another one. */
  edited() {
    const ends = endsOf(this.session.source.code.doc);
    if (this.settled && (!ends || isOther(this.settled, ends))) this.entry = newEntry();
    Object.assign(this, { name: TYPED, sample: false, settled: ends, replaced: null });
    LAB.headline = null;
  }

  tell() {
    LAB.work = this.now;
    LAB.events.dispatchEvent(new Event("work"));
  }
}
