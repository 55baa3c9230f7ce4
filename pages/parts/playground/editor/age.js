// How old the answer above the panes is: it is marked where it is not of the text in them.

/** Milliseconds for which an answer may be of the text before without a mark. */
const MOMENT = 500;

/** Why what stands is no answer to the text in the panes. */
const PENDING = "The answer to this text is being worked out.";
const UNREADABLE = "This text cannot be read.";
const NO_FORM = "This payload has no TOON form.";
const EMPTY = "There is no text.";
const WAITING = "This text is too large to follow every key: press Measure.";
const UNREACHED = "The server cannot be reached.";

/** The answer that `ladder` shows, and what is said when it is old. */
class Answer {
  constructor(ladder) {
    this.ladder = ladder;
    this.timer = null;
  }

  show(headline, isLatest) {
    this.close();
    this.ladder.show(headline);
    if (!isLatest) this.expire(PENDING);
  }

  /** Newer text: marks the answer as old in a moment, unless the new one comes before. */
  expire(sentence) {
    this.sentence = sentence;
    this.timer ??= setTimeout(() => this.doubt(this.sentence), MOMENT);
  }

  /** There will be no answer to this text; while keys come, the next text may have one. */
  fail(sentence) {
    if (this.ladder.isOld) this.doubt(sentence);
    else this.expire(sentence);
  }

  /** Marks the answer as old now; before the first one, says in a moment that there is none. */
  doubt(sentence) {
    if (this.ladder.isEmpty && this.timer === null) return this.expire(sentence);
    this.close();
    this.ladder.age(sentence);
  }

  close() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}
