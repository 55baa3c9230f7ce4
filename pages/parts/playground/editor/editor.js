// The component: two panes that convert into each other, and what they report to Python.

const SIDES = ["json", "toon"];

/** How often the server may have lost a text before this session gives up until the next edit. */
const MOST_MISSES = 3;

/** Milliseconds after the last answer until Python gets a report, and until figures are spoken. */
const REPORT_DELAY = 800;
const SPEECH_PAUSE = 1_500;

/** A textarea holds only line feeds, so what is shown, sent and counted has them. */
const LINE_ENDS_NOTE = {
  message: "The line ends of this file (carriage returns) are shown and counted as line feeds.",
};

const otherSide = (side) => (side === "json" ? "toon" : "json");

/** Texts by component key: they outlive the component, which a change of pages removes. */
const STORE = (window.__tokenLabEditors ??= {});

/** One mounted component. It applies Python's document once per version and never undoes typing. */
class Session {
  constructor(parent, data) {
    this.root = parent.querySelector(".editor");
    this.data = data;
    this.kept = STORE[data.key];
    this.look = this.kept?.look ?? { colour: "kinds", whitespace: false };
    this.notes = [];
    this.revision = 0;
    this.misses = 0;
    this.ending = new AbortController();
    const { signal } = this.ending;
    this.courier = new Courier((flight) => this.exchange(flight), {
      patience: () => (this.isLarge ? LARGE_PATIENCE : PATIENCE),
      onReach: (reached) => this.showReach(reached),
    });
    this.panes = this.newPanes(signal);
    this.ladder = new Ladder(this.root, (next) => this.setTriggerValue("next", next));
    wireToolbar(this.root, this.look, (name) => this.lookChanged(name), signal);
  }

  newPanes(signal) {
    const template = this.root.querySelector("template");
    const panes = {};
    for (const side of SIDES) {
      const section = template.content.firstElementChild.cloneNode(true);
      this.root.querySelector(".panes").append(section);
      panes[side] = new Pane(section, side, {
        look: this.look,
        liveLimit: () => this.data.limits.live,
        onEdit: () => this.edited(side),
        onTake: (pane, text) => this.taken(side, text),
        onRefuse: (pane, message) => this.refuse(side, message),
        signal,
      });
      const save = section.querySelector(".download");
      const name = () => `${this.data.name}.${side}`;
      save.addEventListener("click", () => download(panes[side].text, name(), side), { signal });
      section.querySelector(".clear").addEventListener("click", () => this.clear(), { signal });
    }
    return panes;
  }

  get source() {
    return this.panes[this.side];
  }

  get target() {
    return this.panes[otherSide(this.side)];
  }

  get isLarge() {
    return this.source.text.length > this.data.limits.live;
  }

  /** Whether the text is large and nobody has asked to measure it. */
  get isWaiting() {
    return this.isLarge && !this.asked;
  }

  // -- what Python gives -----------------------------------------------------------------

  /** Called on every run of the component: a new document, new options, or a new theme. */
  update({ data, setStateValue, setTriggerValue }) {
    const options = JSON.stringify(data.options);
    const changed = this.options !== undefined && this.options !== options;
    Object.assign(this, { data, setStateValue, setTriggerValue, options });
    setPalette(this.root);
    if (this.version !== data.document.version) this.open(data.document);
    else if (changed) this.convertAgain();
    for (const side of SIDES) {
      this.panes[side].setTokenizer(data.labels);
      this.panes[side].paint();
    }
  }

  open(document) {
    const before = this.version;
    this.version = document.version;
    if (before === undefined && this.kept?.version === document.version) this.restore();
    // A lower version than before comes from a new Python session, after a restart of the server.
    // It has never seen what was typed into this page; the next report tells it.
    else if (!(before > document.version && this.typed)) this.load(document);
    this.convertAgain();
  }

  restore() {
    this.side = this.kept.side;
    this.typed = this.kept.typed;
    this.asked = this.kept.asked;
    for (const side of SIDES) this.panes[side].show(this.kept.texts[side]);
  }

  load({ side, text }) {
    this.side = side;
    this.typed = false;
    this.asked = false;
    this.conversion = null;
    clearTimeout(this.reportTimer); // nothing of the new document is to be reported yet
    this.notes = text.includes("\r") ? [LINE_ENDS_NOTE] : [];
    for (const pane of Object.values(this.panes)) this.forget(pane);
    this.target.show("");
    this.source.show(text);
    this.remember();
  }

  forget(pane) {
    pane.setError(null);
    pane.setStale(false);
    pane.setNotices([]);
    pane.setComparison(null, null);
  }

  convertAgain() {
    this.revision++;
    this.misses = 0;
    this.refused = null;
    this.showBars();
    if (!this.isWaiting) this.courier.poke(0);
  }

  // -- what the user does ----------------------------------------------------------------

  edited(side) {
    this.side = side;
    this.revision++;
    this.misses = 0;
    this.typed = true;
    this.asked = false;
    this.notes = [];
    this.refused = null;
    clearTimeout(this.reportTimer);
    this.remember();
    this.showBars();
    if (this.isWaiting) this.wait();
    else this.courier.poke();
  }

  /** A large text waits to be measured: what is shown of another text is marked, here and below. */
  wait() {
    this.courier.cancel();
    for (const pane of Object.values(this.panes)) this.forget(pane);
    this.target.setStale(true);
    const { side, version } = this;
    this.tell({ json: null, toon: null, side, valid: false, version, waiting: true });
  }

  /** Takes a pasted or dropped text that does not go through the textarea. */
  taken(side, text) {
    const most = this.data.limits.bytes;
    // A unit takes one to three bytes, so most texts need no counting.
    const bytes = text.length > most ? text.length : text.length * 3 > most ? bytesOf(text) : 0;
    if (bytes > most) {
      const sizes = `${megabytes(bytes)}; the limit is ${megabytes(most)}`;
      this.refuse(side, `This text is too large: ${sizes}. Nothing was changed.`);
      return;
    }
    this.panes[side].show(text);
    this.edited(side);
  }

  refuse(side, message) {
    this.refused = { side, message };
    this.showBars();
  }

  clear() {
    this.source.show("");
    this.edited(this.side);
    this.source.textarea.focus();
  }

  /** Converts and measures a large text, once. */
  measure() {
    this.source.setBar(`Measuring ${megabytes(bytesOf(this.source.text))} …`);
    this.asked = true;
    this.measuring = true;
    this.remember();
    this.courier.poke(0);
  }

  lookChanged(name) {
    this.remember();
    for (const side of SIDES) this.panes[side].paint();
    if (name === "colour" && this.look.colour !== "off" && !this.isWaiting) this.courier.poke(0);
  }

  remember() {
    STORE[this.data.key] = {
      version: this.version,
      side: this.side,
      typed: this.typed,
      asked: this.asked,
      texts: { json: this.panes.json.text, toon: this.panes.toon.text },
      ids: (this.conversion?.revision === this.revision && this.conversion.ids) || {},
      look: this.look,
    };
  }

  // -- what the server says --------------------------------------------------------------

  /** One chain of requests: converts what was typed, unless that is done, then measures. */
  async exchange(signal) {
    const job = {
      revision: this.revision,
      version: this.version,
      side: this.side,
      text: this.source.text,
      options: this.data.options,
      colour: this.look.colour,
    };
    try {
      if (!(await this.convert(job, signal))) return;
      // While newer text waits to be converted, a long text is not measured.
      const isLatest = job.revision === this.revision;
      const isShort = job.text.length <= this.data.limits.typing;
      if (!isLatest && !isShort) return;
      await Promise.all([this.figures(job, signal), this.answer(job, signal)]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refuse(job.side, error.message);
    } finally {
      this.measuring = false;
      if (!this.ending.signal.aborted) this.showBars();
    }
  }

  /** Converts the job's text; true if the panes now hold the result, even if newer text waits. */
  async convert(job, signal) {
    if (this.conversion?.revision === job.revision) return true;
    const answer = await askToConvert(this.data.api, job, signal);
    // The user may have typed into the other pane meanwhile; that must not be overwritten.
    if (signal.aborted || job.version !== this.version || job.side !== this.side) return false;
    this.take(job, answer);
    this.remember();
    return true;
  }

  take(job, answer) {
    const other = otherSide(job.side);
    const last = this.conversion;
    const converted = answer.ok ? answer.to : { id: last?.ids[other] ?? null };
    this.conversion = {
      revision: job.revision,
      valid: answer.ok,
      ids: { [job.side]: answer.id, [other]: converted.id },
      texts: { [job.side]: job.text, [other]: withLineFeeds(converted.text ?? this.target.text) },
    };
    if (answer.ok) this.takeConverted(answer);
    else if (job.revision === this.revision) this.takeError(answer.error, job.text);
  }

  takeConverted({ to, notices }) {
    this.source.setError(null);
    this.forget(this.target);
    this.target.show(to.text);
    this.source.setStale(false);
    this.source.setNotices([...this.notes, ...notices]);
  }

  takeError(error, text) {
    // An empty pane shows its placeholder; that is no error.
    this.source.setError(text.trim() === "" ? null : error);
    this.source.setStale(false);
    this.source.setNotices([]);
    this.target.setError(null);
    this.target.setStale(true);
    this.panes.toon.setComparison(null, null);
  }

  /** Asks for figures and colours of the texts converted last. */
  async figures(job, signal) {
    const { ids, texts, valid } = this.conversion;
    const units = texts.json.length + texts.toon.length;
    const isColoured = job.colour !== "off" && units <= this.data.limits.coloured;
    const runs = isColoured ? job.colour : "none";
    const named = valid ? ids : { [job.side]: ids[job.side] };
    const request = { ids: named, side: job.side, options: job.options, runs };
    const answer = await askToMeasure(this.data.api, request, signal);
    if (signal.aborted || job.version !== this.version) return;
    if (answer === null) this.convertLost();
    else this.showFigures(answer, texts, job.colour);
  }

  /** Asks for the answer about the text converted last; an unreadable one keeps the last answer. */
  async answer(job, signal) {
    const { ids, valid } = this.conversion;
    if (!valid) return this.ladder.age("This is the answer of the last text that could be read.");
    const request = { ids, side: job.side, options: job.options };
    const headline = await askAbout(this.data.api, "answer", request, signal);
    if (signal.aborted || job.version !== this.version) return;
    if (headline) this.ladder.show(headline);
    if (job.revision !== this.revision) return;
    const found = await askAbout(this.data.api, "next", request, signal);
    if (found && job.revision === this.revision) this.ladder.offer(found.next);
  }

  /** The server no longer has the texts: it was restarted, or had to make room. */
  convertLost() {
    this.conversion = { ...this.conversion, revision: null };
    if (this.misses++ < MOST_MISSES) this.courier.poke(0);
  }

  showFigures(answer, texts, colour) {
    for (const side of SIDES) {
      if (!answer[side]) continue;
      this.panes[side].setFigures(answer[side], texts[side]);
      this.panes[side].setColouring(texts[side], answer[side].runs, colour);
    }
    if (this.conversion.valid) {
      const difference = differenceInWords(answer);
      this.panes.toon.setComparison(difference, roundTripInWords(answer.round_trip));
    }
    this.settle();
  }

  // -- reports to Python and to screen readers -------------------------------------------

  settle() {
    clearTimeout(this.reportTimer);
    clearTimeout(this.speechTimer);
    this.reportTimer = setTimeout(() => this.report(), REPORT_DELAY);
    this.speechTimer = setTimeout(() => this.speak(), SPEECH_PAUSE);
  }

  report() {
    const { ids, valid } = this.conversion;
    this.tell({ ...ids, side: this.side, valid, version: this.version, waiting: false });
  }

  tell(edit) {
    const sent = JSON.stringify(edit);
    if (sent === this.sent) return;
    this.sent = sent;
    this.setStateValue("edit", edit);
  }

  speak() {
    const said = SIDES.map((side) => `${TITLES[side]}: ${this.panes[side].figures}`);
    this.root.querySelector(".spoken").textContent = said.join(". ");
  }

  // -- bars ------------------------------------------------------------------------------

  showReach(reached) {
    this.root.querySelector(".offline").hidden = reached;
  }

  showBars() {
    if (this.measuring) return;
    for (const side of SIDES) this.showBar(this.panes[side], side);
  }

  showBar(pane, side) {
    pane.find("clear").hidden = side !== this.side || !this.isLarge;
    if (side === this.side && this.isWaiting) this.ladder.age("This is the answer of the text before.");
    if (this.refused?.side === side) {
      pane.setBar(this.refused.message, [["Dismiss", () => this.refuse(null, "")]]);
    } else if (side === this.side && this.isWaiting) {
      const size = megabytes(bytesOf(pane.text));
      pane.setBar(`Large payload (${size}): not measured yet`, [["Measure", () => this.measure()]]);
    } else {
      pane.setBar("");
    }
  }

  close() {
    this.ending.abort();
    this.courier.close();
    clearTimeout(this.reportTimer);
    clearTimeout(this.speechTimer);
    this.root.querySelector(".panes").replaceChildren();
  }
}

const SESSIONS = new WeakMap();

/**
 * Streamlit calls this at mount and whenever `data` or the theme changes. It calls the last
 * returned function once, when the component is removed.
 */
export default function (component) {
  const { parentElement, data } = component;
  let session = SESSIONS.get(parentElement);
  if (!session) {
    session = new Session(parentElement, data);
    SESSIONS.set(parentElement, session);
  }
  session.update(component);
  return () => {
    SESSIONS.delete(parentElement);
    session.close();
  };
}
