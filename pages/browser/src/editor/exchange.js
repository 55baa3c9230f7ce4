// What the editors ask of the server: the other side, the answer and the figures, what comes next.

import { Refused, queryOf } from "../shared/ask.js";
import { UNREACHED } from "./ladder.js";
import { Courier, LARGE_PATIENCE, PATIENCE, QUIET } from "./requests.js";

/** How often the server may have lost a text before it is given up until the next edit. */
const MOST_MISSES = 3;

/** Milliseconds without a key before a long text is measured, and before next steps are asked. */
const REST = 600;

/**
 * Asks about the texts of a session, each thing at most once at a time: a conversion shortly after
 * every key; the answer and figures of what was converted, of a long text once the user rests; the
 * next steps once they rest. Nobody can stop a server that works on what is outdated, so nothing
 * is asked that newer text is about to outdate.
 */
export class Exchange {
  constructor(session) {
    this.session = session;
    this.conversion = null;
    this.misses = 0;
    const patience = () => (this.isLong ? LARGE_PATIENCE : PATIENCE);
    const onReach = () => {
      const isReached = this.couriers.every(({ failures }) => !failures);
      session.root.querySelector(".offline").hidden = isReached;
      if (!isReached && this.answered !== session.revision) session.ladder.fail(UNREACHED);
    };
    const courier = (work) => new Courier(work.bind(this), { patience, onReach });
    this.converting = courier(this.convert);
    this.measuring = courier(this.measure);
    this.advising = courier(this.advise);
    this.couriers = [this.converting, this.measuring, this.advising];
  }

  get isLong() {
    return this.session.source.length > this.session.data.limits.typing;
  }

  /** The text has changed, or how it is converted: asks about it after `quiet` milliseconds. */
  ask(quiet) {
    this.misses = 0;
    this.advising.cancel();
    if (this.isLong) this.measuring.cancel();
    this.converting.poke(quiet);
  }

  /** Nothing more is asked but what is under way. */
  rest() {
    for (const courier of this.couriers) courier.cancel();
  }

  close() {
    for (const courier of this.couriers) courier.close();
  }

  /** What `work` gives; what the server refuses is shown, in the pane that was typed in too. */
  async attempt(side, work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { message } = error;
      this.session.refuse(side, message);
      this.session.ladder.fail(message.endsWith(".") ? message : `${message}.`);
      return false;
    }
  }

  async convert(signal) {
    const { session } = this;
    const { revision, version, side, chosen, pastes } = session;
    const { text } = session.source;
    const { delimiter, indent, strict } = chosen;
    const typed = pastes.origin ?? { side, text };
    const job = { revision, version, side, from: typed.side, text, options: chosen };
    const isToMeasure = await this.attempt(side, async () => {
      const query = { from: job.from, delimiter, indent, strict };
      const answer = await session.ask("convert", query, { text: typed.text, signal });
      // The user may have typed into the other pane meanwhile; that must not be overwritten.
      const isSame = version === session.version && side === session.side && !session.isWaiting;
      if (signal.aborted || !isSame) return false;
      this.conversion = session.take(job, answer, this.conversion);
      session.remember();
      // While newer text waits to be converted, a long text is not measured.
      return this.isLatest(job) || !this.isLong;
    });
    if (isToMeasure) this.measuring.poke(this.isLong && !session.asked ? REST : 0);
    else if (this.isLatest(job)) session.measured();
  }

  isLatest({ revision }) {
    return revision === this.session.revision;
  }

  /** Asks for the answer about what was converted last, unless it is there, and for figures. */
  async measure(signal) {
    const about = this.conversion;
    await this.attempt(about.side, async () => {
      if (about.revision !== this.answered && about.valid) await this.answer(about, signal);
      await this.figures(about, signal);
    });
    if (this.isLatest(about)) this.session.measured();
  }

  async answer(about, signal) {
    const headline = await this.about("answer", about, signal);
    if (signal.aborted || !this.session.isAbout(about)) return;
    if (headline === null) return this.convertLost();
    this.answered = about.revision;
    this.session.showAnswer(headline, about);
    this.advising.poke(this.isLong ? REST : QUIET);
  }

  async figures(about, signal) {
    const { data, look } = this.session;
    const { ids, texts, valid, side, options } = about;
    const { tokenizer, strict, indent } = options;
    const units = texts.json.length + texts.toon.length;
    const runs = units <= data.limits.coloured ? look.colour : "none";
    const named = valid ? ids : { [side]: ids[side] };
    const query = { ...named, from: side, tokenizer, strict, indent, runs };
    const answer = await this.session.ask("measure", query, { signal });
    if (signal.aborted || !this.session.isAbout(about)) return;
    if (answer === null) this.convertLost();
    else this.session.showFigures(answer, about, runs);
  }

  /** Asks what comes next, unless newer text has outdated the answer. */
  async advise(signal) {
    const about = this.conversion;
    if (about.revision !== this.answered || !this.isLatest(about)) return;
    const found = await this.about("next", about, signal).catch((error) => {
      if (!(error instanceof Refused)) throw error; // an answer without next steps is one still
    });
    if (found && this.isLatest(about)) this.session.ladder.offer(found);
  }

  /** The text to send behind its note, or minified JSON; null where the server does not give it. */
  async sent(as = "best", about = this.conversion) {
    const found = await this.about("sent", about, undefined, { as }).catch(() => null);
    return found?.text ?? null;
  }

  /** Asks `route` about what was typed, as it was converted. */
  about(route, { ids, from, options }, signal, more = {}) {
    const query = queryOf({ [from]: ids[from] }, options);
    return this.session.ask(route, { ...query, ...more }, { signal });
  }

  /** The server no longer has the texts: it was restarted, or had to make room. */
  convertLost() {
    if (this.misses++ < MOST_MISSES) this.converting.poke(0);
  }
}
