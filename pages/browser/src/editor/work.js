// What the keeper (pages/parts/keeper) is told of the text in the panes.

import { LAB, TYPED, newEntry } from "../shared/lab.js";
import { sharedEnds } from "./lines.js";

/** Units at both ends by which a text is told from an edited one. */
const COMPARED = 2_000;

/** Whether `after` is another text and no edit of `before`: they share little at both ends. */
function isOther(before, after) {
  const most = Math.min(before.length, after.length, COMPARED);
  const { head } = sharedEnds(before.slice(0, most), after.slice(0, most));
  const { tail } = sharedEnds(before.slice(-most), after.slice(-most));
  return head + tail < 0.3 * most;
}

/** The text typed last, under one id as long as it is the same text, edited. */
export class Work {
  constructor(session) {
    this.session = session;
    this.replaced = null;
    this.name = undefined;
    this.sample = undefined;
    LAB.editors += 1;
  }

  get now() {
    const { source, version, side, typed } = this.session;
    const [name, sample] = typed ? [TYPED, false] : [this.name, this.sample];
    return { entry: this.entry, version, side, text: source.text, name, sample };
  }

  /** A document comes in place of what was typed, which can be brought back. */
  replace({ name, kept, sample, text }) {
    const { typed, side, source } = this.session;
    const isLost = side && source.text.trim() && (typed || !this.sample);
    if (isLost) this.replaced = this.now;
    LAB.headline = null;
    Object.assign(this, { name, sample, entry: kept ?? newEntry(), settled: text });
  }

  resume({ entry, name, sample, text }) {
    Object.assign(this, { entry, name, sample, settled: text });
  }

  /** A text pasted over the one before, or after that was cleared, is another one. */
  edited() {
    const { text } = this.session.source;
    const isEmpty = !text.trim();
    if (this.settled && (isEmpty || isOther(this.settled, text))) this.entry = newEntry();
    this.settled = isEmpty ? "" : text;
    this.replaced = null;
    LAB.headline = null;
  }

  tell() {
    LAB.work = this.now;
    LAB.events.dispatchEvent(new Event("work"));
  }

  /** The answer to the text that is open, or null where it is of an older one. */
  answered(headline) {
    LAB.headline = headline?.nothing ? null : headline;
    this.tell();
  }

  close() {
    LAB.editors -= 1;
  }
}
