// The component of Streamlit: two panes that convert into each other.

import { ask } from "../shared/ask.js";
import { LAB, SIDES, TITLES, otherSide, paneOf } from "../shared/lab.js";
import { mounted } from "../shared/lasting.js";
import { bytesOf } from "../shared/transfer.js";
import { drawBar, drawDelimiters } from "./bars.js";
import { Best } from "./best.js";
import { Exchange } from "./exchange.js";
import { LINE_ENDS_NOTE, fillNotices, grouped, megabytes } from "./facts.js";
import { roundTripInWords, showBadge } from "./facts.js";
import { Hover } from "./hover.js";
import { EMPTY, Ladder, NO_FORM, PENDING, WAITING } from "./ladder.js";
import { Pane } from "./pane.js";
import { Pastes } from "./pastes.js";
import { Reports } from "./reports.js";
import { FIRST_LOOK, wireTools } from "./shortcuts.js";
import { withLineFeeds } from "./text.js";
import { Work } from "./work.js";

/** What stands beside an empty pane. */
const NOTHING = { id: null, text: "" };

/** Texts by component key: they outlive the component, which a change of pages removes. */
const STORE = (window.__tokenLabEditors ??= {});

/** One mounted component. It applies Python's document once per version and never undoes typing. */
class Session {
  constructor(parent, data) {
    this.root = parent.querySelector(".editor");
    this.data = data;
    this.kept = STORE[data.key];
    this.look = { ...FIRST_LOOK, ...this.kept?.look };
    this.notes = [];
    this.revision = 0;
    this.ending = new AbortController();
    /** Ends what this session listens to and asks. */
    this.signal = this.ending.signal;
    // A session before, at the same place, leaves its drawings.
    for (const closed of this.root.querySelectorAll(".pane, .panes > .tip")) closed.remove();
    this.panes = { json: new Pane(this, "json"), toon: new Pane(this, "toon") };
    this.pastes = new Pastes(this);
    this.work = new Work(this);
    LAB.editors += 1;
    this.reports = new Reports(this);
    this.exchange = new Exchange(this);
    this.best = new Best(this);
    this.ladder = new Ladder(this);
    this.hover = new Hover(this);
    wireTools(this);
  }

  get source() {
    return this.panes[this.side];
  }

  get target() {
    return this.panes[otherSide(this.side)];
  }

  get isLarge() {
    return this.source.length > this.data.limits.live;
  }

  /** Whether the text is large and nobody has asked to measure it. */
  get isWaiting() {
    return this.isLarge && !this.asked;
  }

  /** What the controls say, with the delimiter of the pane. */
  get chosen() {
    return { ...this.data.options, delimiter: this.delimiter };
  }

  /** Called on every run of the component: a new document, new options, or a new theme. */
  update({ data, setStateValue, setTriggerValue }) {
    const { document, options: { delimiter } } = data;
    const isNew = this.version !== document.version;
    const isKept = this.kept?.work.version === document.version;
    if (this.version === undefined && isKept) {
      this.given = delimiter;
      this.delimiter = this.kept.work.delimiter ?? delimiter; // Python may not have heard of it
    } else if ((isNew && document.delimited) || this.given !== delimiter) {
      // What followed another text does not stay with one that came with its own.
      this.given = this.delimiter = delimiter;
      this.isFollowing = false;
    }
    Object.assign(this, { data, setStateValue, setTriggerValue });
    const options = JSON.stringify(this.chosen);
    const isOther = this.options !== options;
    this.options = options;
    if (isNew) this.open(document, isKept);
    else if (isOther) this.convertAgain();
    this.showService();
  }

  open(document, isKept) {
    const isMounted = this.version === undefined;
    this.isSettled = isKept ? this.kept.work.delimiter !== null : document.delimited;
    this.version = document.version;
    if (isMounted && isKept) this.restore();
    // The server was started again: its first document never replaces what this window has. The
    // next report tells the new session of it.
    else if (document.first && LAB.work) this.resume(LAB.work);
    else this.load(document);
    this.isFollowing = !this.isSettled;
    this.convertAgain();
  }

  restore() {
    const { asked, converted, states, work } = this.kept;
    this.kept = null; // its states hold on to the session before, which has its own
    this.asked = asked;
    this.pastes.converted = converted;
    for (const side of SIDES) this.panes[side].code.open(states[side].doc, states[side]);
    this.resume(work);
  }

  /** Goes on with a text of this window. */
  resume(work) {
    this.side = paneOf(work.side);
    if (!this.pastes.isShown) {
      this.source.code.show(work.text);
      if (work.side !== this.side) this.pastes.last = work.text;
    }
    this.work.resume(work);
    this.remember();
  }

  load(document) {
    const { text } = document;
    const side = paneOf(document.side);
    this.work.replace(document);
    Object.assign(this, { side, asked: false, measuring: false });
    this.reports.cancel(); // nothing of the new document is to be reported yet
    this.pastes.forget();
    const isNew = !document.kept && !document.sample;
    if (isNew || side !== document.side) this.pastes.last = text;
    this.notes = text.includes("\r") ? [LINE_ENDS_NOTE] : [];
    for (const pane of Object.values(this.panes)) pane.forget();
    this.target.code.open("");
    this.source.code.open(text);
    this.remember();
  }

  /** What was said of the text goes, but for its error; the other side is of another one. */
  outdate(error = null) {
    this.source.forget(error);
    this.target.forget();
    this.target.setStale(true);
    this.compareDelimiters(null);
  }

  convertAgain() {
    this.revision++;
    this.refused = null;
    this.showBars();
    this.ladder.doubt(this.isWaiting ? WAITING : PENDING);
    if (this.isWaiting) this.exchange.rest();
    else this.exchange.ask(0);
  }

  edited(side) {
    Object.assign(this, { side, asked: false, measuring: false, notes: [], refused: null });
    this.isSettled = !this.isFollowing;
    this.work.edited();
    this.revision++;
    this.reports.cancel();
    this.remember();
    this.showBars();
    if (!this.isWaiting) {
      this.ladder.expire(PENDING);
      return this.exchange.ask();
    }
    // A large text waits to be measured: what is shown of another text is marked, here and below.
    this.exchange.rest();
    this.outdate();
    this.ladder.doubt(WAITING);
    const { version } = this;
    this.reports.tell({ json: null, toon: null, side, valid: false, version, waiting: true });
  }

  refuse(side, message) {
    this.refused = { side, message };
    this.showBars();
  }

  /** Writes the TOON with another delimiter; one that a person chose is kept. */
  pick(delimiter, isChosen = true) {
    if (isChosen) Object.assign(this, { isFollowing: false, isSettled: true });
    if (delimiter === this.delimiter) return;
    this.delimiter = delimiter;
    this.options = JSON.stringify(this.chosen);
    this.revision++;
    this.remember();
    this.ladder.expire(PENDING);
    this.exchange.ask(0);
  }

  /** Converts and measures a large text, once. */
  measure() {
    this.source.setBar(`Measuring ${megabytes(bytesOf(this.source.text))} …`);
    this.asked = this.measuring = true;
    this.remember();
    this.ladder.doubt(PENDING);
    this.exchange.ask(0);
  }

  lookChanged(name) {
    this.remember();
    for (const side of SIDES) {
      if (name === "colour") this.panes[side].code.colour("", null, null);
      else this.panes[side].code.lookChanged();
    }
    // Figures and colours are asked for anew of what is converted.
    const isToColour = name === "colour" && !this.isWaiting && this.exchange.conversion;
    if (isToColour) this.exchange.measuring.poke(0);
  }

  /** The server's names of the texts shown, once it has all that was typed. */
  get knownIds() {
    const found = this.exchange.conversion;
    return found?.revision === this.revision ? found.ids : {};
  }

  remember() {
    const { json, toon } = this.panes;
    STORE[this.data.key] = {
      asked: this.asked,
      converted: this.pastes.converted,
      states: { json: json.code.state, toon: toon.code.state },
      ids: this.knownIds,
      look: this.look,
      work: this.work.now,
    };
    this.work.tell();
  }

  /** What `route` answers to a query, and to a text that is posted (requests.js). */
  ask(route, query, { text = undefined, signal = this.signal } = {}) {
    return ask(`${this.data.api}/${route}`, query, { text, signal });
  }

  /** Whether figures of `job` may be shown, of the text before too: by the model chosen now. */
  isAbout({ version, options }) {
    const isChosen = JSON.stringify(options) === this.options;
    return version === this.version && isChosen && !this.isWaiting;
  }

  /** Shows a conversion and returns what the panes now hold; `last` is what they held. */
  take(job, answer, last) {
    const { side, from, text } = job;
    const other = otherSide(side);
    const stays = { id: last?.ids[other] ?? null, text: this.target.text };
    const converted = answer.ok ? answer.to : text.trim() ? stays : NOTHING;
    const isLatest = job.revision === this.revision;
    if (answer.ok) this.takeConverted(answer, text, isLatest);
    else if (isLatest) this.takeError(answer.error, text);
    return {
      ...job,
      valid: answer.ok,
      ids: { [from]: answer.id, [side]: answer.shown ?? answer.id, [other]: converted.id },
      texts: { [side]: text, [other]: withLineFeeds(converted.text) },
    };
  }

  takeConverted({ to, notices, offers = [] }, text, isLatest) {
    // What was pasted meanwhile is still to be asked about.
    const [offer] = isLatest && this.pastes.take(text) ? offers : [];
    if (offer) this.pastes.convert(this.source, offer);
    this.source.setError(null);
    this.target.forget();
    this.target.code.show(to.text);
    this.source.setStale(false);
    fillNotices(this.source.find("notices"), [...this.notes, ...notices]);
  }

  takeError(error, text) {
    const [offer] = this.pastes.take(text) ? (error.offers ?? []) : [];
    if (offer && !offer.asks) return this.pastes.convert(this.source, offer, error);
    if (text.trim() !== "") return this.showError(error);
    // An empty pane shows its placeholder; that is no error, and nothing is beside it.
    this.target.code.show(NOTHING.text);
    this.showError(null);
  }

  showError(error) {
    this.outdate(error);
    const stops = `Not valid ${TITLES[this.side]}: it stops at line ${grouped(error?.line ?? 0)}.`;
    this.ladder.fail(!error ? EMPTY : error.line ? stops : NO_FORM);
  }

  showFigures(answer, { texts, valid }, colour) {
    for (const side of SIDES) {
      if (!answer[side]) continue;
      this.panes[side].setFigures(answer[side], texts[side]);
      this.panes[side].code.colour(texts[side], answer[side].runs, colour);
    }
    const badge = this.panes.toon.find("round-trip");
    if (valid) showBadge(badge, roundTripInWords(answer.round_trip));
    this.reports.settle();
  }

  /** What was asked about the latest text is shown. */
  measured() {
    this.measuring = false;
    if (!this.signal.aborted) this.showBars();
  }

  showAnswer(headline, about) {
    const isLatest = about.revision === this.revision;
    this.ladder.take(headline, isLatest);
    this.isSettled ||= isLatest;
    this.compareDelimiters(headline, about);
    this.showService();
    LAB.headline = isLatest && !headline.nothing ? headline : null;
    this.work.tell();
  }

  /** Shows what the service counted, if that was the text in the panes. */
  showService() {
    const { service } = this.data;
    this.ladder.showService(service, Object.values(this.knownIds).includes(service.id));
  }

  /** Shows what TOON takes with each delimiter, and what to send beside it; a new text is written with the cheapest. */
  compareDelimiters(headline, about) {
    const isShown = this.side === "json" && this.data.options.indent === 2;
    const { delimiter, delimiters } = headline ?? {};
    const shown = isShown ? (delimiters ?? {}) : {};
    if (this.isFollowing && shown[delimiter]) this.pick(delimiter, false);
    this.best.offer(headline, about);
    const isAsShown = headline?.best.startsWith("toon") && delimiter === this.delimiter;
    this.panes.toon.setNote(isAsShown ? headline.note : "");
    drawDelimiters(this.panes.toon, shown, this.delimiter, (name) => this.pick(name));
  }

  showBars() {
    if (this.measuring) return;
    for (const side of SIDES) drawBar(this, this.panes[side]);
  }

  close() {
    LAB.editors -= 1;
    this.ending.abort();
    this.exchange.close();
    this.reports.close();
  }
}

export default mounted(Session);
