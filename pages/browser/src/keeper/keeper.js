// Keeps what is open, brings it back, and writes it into the address.

import { ask, queryOf } from "../shared/ask.js";
import { LAB, newEntry } from "../shared/lab.js";
import { lasting } from "../shared/lasting.js";
import { watchConnection } from "./connection.js";
import { Demo } from "./demo.js";
import { HistoryDialog, ShareDialog } from "./dialogs.js";
import { mayHoldKeys } from "./keys.js";
import { LONGEST_LINKED, SAFE_LINK, documentOf, pack, packedIn, unpack } from "./link.js";
import {
  LONGEST_KEPT,
  STATE_KEY,
  Shelf,
  claim,
  forgetState,
  isKeeping,
  rememberState,
  rememberedState,
} from "./storage.js";

/** Milliseconds after the last change until it is stored, and until the address has it. */
const SAVE_DELAY = 200;
const LINK_DELAY = 500;

/** Milliseconds that a page may stay hidden until Python has what is to be brought back. */
const HIDDEN_AT_MOST = 4_000;

/** Milliseconds until it is given up: a slow machine still runs the page for the first time. */
const RESTORED_WITHIN = 30_000;

/** How often a state is sent again that Python did not get: the page was about to change. */
const MOST_TRIES = 3;

/** One per window: it keeps what the components report, whichever page is shown. */
class Keeper {
  constructor() {
    this.shelf = new Shelf();
    this.options = {};
    this.stored = {};
    this.api = "";
    /** @type {any} */
    this.asked = null;
    this.show = undefined;
    /** What the demo shows, as HTML. */
    this.slides = "";
    LAB.events.addEventListener("work", () => this.changed());
    const opened = (/** @type {CustomEvent} */ { detail }) => this.openDocument(detail);
    LAB.events.addEventListener("state", opened);
    window.addEventListener("pagehide", () => this.saveNow());
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === STATE_KEY && newValue === null) this.forget(); // another tab has
    });
    window.addEventListener("hashchange", (event) => this.hashChanged(event));
    watchConnection({ wake: () => this.wake(Date.now()), note: (words) => this.note(words) });
  }

  // -- what Python says --------------------------------------------------------------------

  /** Called on every run of every page. */
  update({ data, setTriggerValue }) {
    const known = this.session;
    this.deck = data.deck;
    if (data.deck?.slides && data.deck.asked === this.presented) {
      this.slides = data.deck.slides;
      LAB.events.dispatchEvent(new Event("slides"));
    }
    this.session = data.session;
    this.send = (state) => setTriggerValue("state", state);
    this.wake = (now) => setTriggerValue("woke", now);
    this.drawDeck = (now) => setTriggerValue("deck", now);
    if (known !== data.session && data.taken === null) return this.restore(data, known !== undefined);
    if (this.isLooking) return;
    if (this.state && this.state.at !== data.taken && this.tries-- > 0) return this.sendAgain();
    this.isRestoring = false;
    document.documentElement.classList.remove("token-lab-restoring");
    this.adopt(data.document);
    if (JSON.stringify(data.options) !== JSON.stringify(this.options)) LAB.headline = null;
    this.take(data);
    this.changed(); // Streamlit has dropped the state from the address, if the page is another
  }

  take({ options, model, api, asked, document }) {
    Object.assign(this, { options, model, api, asked });
    this.isFirstDocument = document.first;
  }

  /** What the controls say, with the delimiter of the pane: Python may hear of it later. */
  get chosen() {
    const { delimiter = this.options.delimiter } = LAB.work ?? {};
    return { ...this.options, delimiter: delimiter ?? undefined };
  }

  /** Takes over a document that Python opened where no editor reports it. */
  adopt(given) {
    if (LAB.editors || LAB.work?.version === given.version) return;
    const text = given.text ?? this.state?.text;
    if (typeof text !== "string") return;
    const { version, side, name, sample } = given;
    const entry = given.kept ?? newEntry();
    LAB.work = { entry, version, side, text, name, sample };
    LAB.headline = null;
  }

  // -- the demo and the card ---------------------------------------------------------------

  /** The answer to what is open as `demo` or `card`; "" where it has none, or has changed. */
  async drawing(draw) {
    const { work } = LAB;
    const { asked, api } = this;
    if (!work) return "";
    const { side, text } = work;
    const { strict, indent } = asked;
    const { ok, id } = await ask(`${api}/convert`, { from: side, strict, indent }, { text });
    if (!ok) return "";
    const answer = await ask(`${api}/answer`, { ...queryOf({ [side]: id }, asked), draw }, {});
    const isAbout = LAB.work === work && JSON.stringify(this.asked) === JSON.stringify(asked);
    return isAbout && answer ? answer.drawn : "";
  }

  /** Asks for what the demo shows: a page may have a deck of its own, which Python draws then. */
  async present() {
    this.slides = "";
    this.presented = Date.now();
    if (this.deck) return this.drawDeck(this.presented);
    this.slides = await this.drawing("demo").catch(() => ""); // it says that there is none
    LAB.events.dispatchEvent(new Event("slides"));
  }

  // -- bringing back -----------------------------------------------------------------------

  /** A new session of Python knows nothing: it gets what is open, linked to, or kept. */
  async restore(data, isAlive) {
    this.isRestoring = this.isLooking = true;
    const state = isAlive ? this.alive(data) : await this.found().catch(() => null);
    this.isLooking = false;
    if (state === null) {
      this.isRestoring = false;
      this.first = JSON.stringify(data.options);
      this.take(data);
      this.adopt(data.document);
      return;
    }
    if (!isAlive) {
      const { classList } = document.documentElement;
      classList.add("token-lab-restoring"); // what is about to be replaced is not shown
      setTimeout(() => classList.remove("token-lab-restoring"), HIDDEN_AT_MOST);
    }
    this.sendState(state);
    setTimeout(() => {
      if (!this.isRestoring) return;
      this.isRestoring = false; // keeping goes on with what the server shows
      this.tries = 0;
      this.note("What was kept could not be brought back. It is in History.");
    }, RESTORED_WITHIN);
  }

  /** The server was started again under an open page: the editors themselves keep their text. */
  alive({ page }) {
    if (!LAB.work || (page === "" && LAB.editors)) return { text: null, options: this.chosen };
    const { entry, side, text, name, sample } = LAB.work;
    return { side, text, name, sample, kept: entry, options: this.chosen };
  }

  /** What a page that was just loaded is to show; null for the first document. */
  async found() {
    const last = isKeeping() ? rememberedState() : null;
    const kept = last && (await this.kept(last));
    this.hash = packedIn(location.hash);
    // A page that was on its way out had the address before while it wrote the next.
    const isOwnLink = !this.hash || [last?.hash, last?.earlier].includes(this.hash);
    if (isOwnLink && (typeof kept?.text === "string" || !this.hash)) return kept;
    return (await this.linked(this.hash)) ?? kept;
  }

  linked(packed) {
    return unpack(packed).catch(({ message }) => {
      this.note(message);
      return null;
    });
  }

  async kept({ id, options, isOwn }) {
    await this.shelf.takeLast().catch(() => {});
    const entry = await this.shelf.get(id).catch(() => null);
    if (!entry) return { text: null, options };
    const { side, text, name, sample } = entry;
    // Another tab may go on with its text under this id.
    const isFree = isOwn && (await claim(id));
    return { side, text, name, sample, kept: isFree ? id : null, options };
  }

  /** Python takes a state once, and says so by its time; one that was lost is sent again. */
  sendState(state) {
    this.state = { ...state, at: performance.now() };
    this.tries = MOST_TRIES;
    this.sendAgain();
  }

  sendAgain() {
    const { document, at } = this.state;
    this.send(document ? { document, at } : this.state); // the text is in the document
  }

  /** Opens a document that a person dropped, or a link in the page that is open. */
  openDocument(text) {
    try {
      this.sendState({ document: text, text: JSON.parse(text).text });
    } catch {
      this.note("This state file is damaged: it is not JSON.");
    }
  }

  async hashChanged({ oldURL, newURL }) {
    const { hash, pathname } = new URL(newURL);
    const packed = packedIn(hash);
    const isElsewhere = new URL(oldURL).pathname !== pathname;
    if (isElsewhere || !packed || packed === this.hash) return;
    const linked = await this.linked(packed);
    if (linked) this.sendState(linked);
  }

  reopen({ id, side, text, name, sample }) {
    this.sendState({ side, text, name, sample, kept: id, options: {} });
  }

  // -- keeping -----------------------------------------------------------------------------

  changed() {
    if (this.isRestoring) return;
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => this.save(), SAVE_DELAY);
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => this.writeLink(), LINK_DELAY);
  }

  /** What is waiting to be stored, or not stored yet, goes before the page does. */
  saveNow() {
    if (this.saveTimer === undefined && !this.storing) return;
    clearTimeout(this.saveTimer);
    if (this.isToKeep) this.shelf.putLast(this.entry);
    this.save();
  }

  get isToKeep() {
    return isKeeping() && LAB.work && !mayHoldKeys(LAB.work.text) && !this.isRestoring;
  }

  get entry() {
    const { entry: id, side, text, name, sample } = LAB.work;
    const { figure, against } = LAB.headline ?? {};
    return { id, time: Date.now(), side, text, name, sample, figure, against };
  }

  async save() {
    this.saveTimer = undefined;
    if (!this.isToKeep) return;
    const { entry, stored } = this;
    this.remember();
    if (entry.text.length > LONGEST_KEPT)
      return this.noteOnce("This text is too large to be kept in the browser.");
    if (entry.text === this.removed) return;
    const isNew = stored.id !== entry.id;
    if (!isNew && stored.text === entry.text && stored.figure === entry.figure) return;
    this.stored = this.storing = entry;
    try {
      if (isNew) claim(entry.id);
      await this.shelf.put(entry);
      if (isNew) await this.shelf.prune(entry.id);
    } catch {
      this.stored = {};
      this.noteOnce("This browser does not keep your work: its storage is full or forbidden.");
    }
    if (this.storing === entry) this.storing = undefined;
  }

  /** What is waiting to be stored is listed too. */
  async listed() {
    if (this.saveTimer !== undefined) {
      clearTimeout(this.saveTimer);
      await this.save();
    }
    return this.shelf.list().catch(() => []);
  }

  /** Removes a text; one that is still open is kept again once it is edited. */
  async remove({ text }) {
    await this.shelf.removeText(text).catch(() => {});
    this.removed = text;
    this.stored = {};
  }

  async forget() {
    clearTimeout(this.saveTimer);
    clearTimeout(this.linkTimer);
    this.saveTimer = this.linking = this.storing = undefined;
    forgetState();
    await this.shelf.clear().catch(() => {});
    this.stored = {};
    this.setHash("");
  }

  // -- the address -------------------------------------------------------------------------

  /** The address of what is open, or null where it would be too long to be passed on. */
  async link() {
    const text = LAB.work?.text;
    if (text === undefined || text.length > LONGEST_LINKED || mayHoldKeys(text)) return null;
    const packed = await pack(documentOf(LAB.work, this.chosen));
    const address = `${location.origin}${location.pathname}#s=${packed}`;
    return address.length <= SAFE_LINK ? address : null;
  }

  /** Writes the link into the address; one to what everybody sees first says nothing. */
  async writeLink() {
    const isSeenFirst =
      LAB.work?.sample && this.isFirstDocument && this.first === JSON.stringify(this.options);
    const linking = (this.linking = {});
    const link = isSeenFirst || !this.isToKeep ? null : await this.link();
    if (linking !== this.linking) return; // all was forgotten meanwhile, or a newer one is written
    this.setHash(link ? packedIn(new URL(link).hash) : "");
    if (this.isToKeep) this.remember();
  }

  remember() {
    const { chosen: options, hash, earlier } = this;
    rememberState({ id: LAB.work.entry, options, hash, earlier });
  }

  setHash(packed) {
    if (packed !== this.hash) this.earlier = this.hash;
    this.hash = packed;
    const hash = packed && `#s=${packed}`;
    if (location.hash === hash || (!packed && !packedIn(location.hash))) return;
    history.replaceState(history.state, "", location.pathname + location.search + hash);
  }

  // -- what is said ------------------------------------------------------------------------

  note(sentence) {
    this.sentence = sentence;
    this.show?.(sentence);
  }

  noteOnce(sentence) {
    if (this.said !== sentence) this.note((this.said = sentence));
  }
}

const KEEPER = (window.__tokenLabKeeper ??= new Keeper());
const WIRED = new WeakSet();

/** Makes what the page draws of the keeper work. */
function wire(root) {
  for (const Made of [HistoryDialog, ShareDialog, Demo]) new Made(root, KEEPER);
  const note = root.querySelector(".note");
  KEEPER.show = (sentence) => {
    note.querySelector(".message").textContent = sentence;
    note.hidden = !sentence;
  };
  KEEPER.show(KEEPER.sentence ?? "");
  note.querySelector(".dismiss").addEventListener("click", () => KEEPER.note(""));
}

export default lasting((component) => {
  const root = component.parentElement.querySelector(".keeper");
  if (!WIRED.has(root)) {
    WIRED.add(root);
    wire(root);
  }
  KEEPER.update(component);
});
