// What this browser keeps: texts by id in IndexedDB, the rest in the storages of tab and origin.

import { TITLES, TYPED, newEntry } from "../shared/lab.js";

const STORE_NAME = "payloads";

/** Texts kept at most, those besides that nobody looks for, and their characters together. */
const MOST_ENTRIES = 50;
const MOST_OTHERS = 150;
const MOST_CHARACTERS = 60_000_000;

/** A longer text is not kept: sending it back to the server takes longer than to open its file. */
export const LONGEST_KEPT = 16_000_000;

export const STATE_KEY = "tokenLab";
/** Before the id of an entry that a page stored when it went. */
const LAST_KEY = "tokenLab.last.";
const OFF_KEY = "tokenLab.off";

export const isKeeping = () => attempt(() => localStorage.getItem(OFF_KEY)) === null;

/** What `work` gives, or null where the browser forbids its storage. */
function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

/** The promise of a request to IndexedDB. */
function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * What a kept record holds: a field that is missing, or nothing that we write, falls back by
 * itself. Null without a text.
 */
function entryOf(record) {
  const { id, time, side, text, name, sample, figure, against } = record ?? {};
  if (typeof text !== "string") return null;
  const isSaid = typeof figure === "string" && typeof against === "string";
  return {
    id: typeof id === "string" || typeof id === "number" ? id : newEntry(),
    time: Number.isFinite(time) && Math.abs(time) < 8.64e15 ? time : 0, // what dates can say
    side: Object.hasOwn(TITLES, side) ? side : "json",
    text,
    name: typeof name === "string" && name.trim() ? name : TYPED,
    sample: sample === true,
    ...(isSaid && { figure, against }),
  };
}

/** Texts of this browser: {id, time, side, text, name, sample, figure, against}. */
export class Shelf {
  async open() {
    const request = indexedDB.open("tokenLab", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME, { keyPath: "id" });
    const database = await resultOf(request);
    database.onclose = () => (this.opening = undefined);
    return database;
  }

  /** The database is opened again where it could not be, or was closed by the browser. */
  async store(mode) {
    this.opening ??= this.open();
    this.opening.catch(() => (this.opening = undefined));
    return (await this.opening).transaction(STORE_NAME, mode).objectStore(STORE_NAME);
  }

  /** Stores an entry; a full disk is found when the whole transaction ends, not before. */
  async put(entry) {
    const store = await this.store("readwrite");
    store.put(entry);
    await new Promise((resolve, reject) => {
      store.transaction.oncomplete = resolve;
      store.transaction.onabort = () => reject(store.transaction.error);
    });
  }

  async get(id) {
    return entryOf(await resultOf((await this.store("readonly")).get(id)));
  }

  /** Stores an entry before the page goes: IndexedDB would not be done in time. */
  putLast(entry) {
    attempt(() => localStorage.setItem(LAST_KEY + entry.id, JSON.stringify(entry)));
  }

  /** Shelves what pages that are gone have stored so. */
  async takeLast() {
    for (const key of lastKeys()) {
      const last = attempt(() => entryOf(JSON.parse(localStorage.getItem(key))));
      try {
        const shelved = last && (await this.get(last.id));
        if (last && !(shelved?.time >= last.time)) await this.put(last);
        attempt(() => localStorage.removeItem(key));
      } catch {} // it waits where it is
    }
  }

  async remove(id) {
    await resultOf((await this.store("readwrite")).delete(id));
  }

  /** Removes a text, under whichever ids it is kept. */
  async removeText(text) {
    forgetLast();
    for (const entry of await this.list()) if (entry.text === text) await this.remove(entry.id);
  }

  async clear() {
    await resultOf((await this.store("readwrite")).clear());
  }

  /** All entries, the newest first. */
  async list() {
    const records = await resultOf((await this.store("readonly")).getAll());
    const entries = records.map(entryOf).filter(Boolean);
    return entries.sort((one, other) => other.time - one.time);
  }

  /** Makes room: drops the oldest entries over the bounds, but never the one with this id. */
  async prune(id) {
    const entries = await this.list();
    const listed = new Set(worthListing(entries));
    let [own, others, characters] = [0, 0, 0];
    for (const entry of entries) {
      characters += entry.text.length;
      const isOver = listed.has(entry) ? ++own > MOST_ENTRIES : ++others > MOST_OTHERS;
      if ((isOver || characters > MOST_CHARACTERS) && entry.id !== id) await this.remove(entry.id);
    }
  }
}

/** Those that people look for: no samples as they came, nothing empty, each text once. */
export function worthListing(entries) {
  const seen = new Set();
  return entries.filter(
    ({ text, sample }) => !sample && text.trim() && !seen.has(text) && seen.add(text),
  );
}

/**
 * Whether no other tab goes on with this entry; this one does so until it is closed. A browser
 * gives a duplicate of a tab the same entry.
 */
export function claim(id) {
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    navigator.locks.request(`tokenLab ${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    });
  });
}

function lastKeys() {
  const keys = attempt(() => Object.keys(localStorage)) ?? [];
  return keys.filter((key) => `${key}.`.startsWith(LAST_KEY)); // one from before ids has no dot
}

function forgetLast() {
  for (const key of lastKeys()) attempt(() => localStorage.removeItem(key));
}

/** What the tab works on, {id, options, hash, earlier hash}: the tab's own, or that of the tab used last. */
export function rememberedState() {
  const own = attempt(() => JSON.parse(sessionStorage.getItem(STATE_KEY)));
  const last = own ?? attempt(() => JSON.parse(localStorage.getItem(STATE_KEY)));
  return last && { ...last, isOwn: own !== null };
}

export function rememberState(state) {
  const text = JSON.stringify(state);
  attempt(() => sessionStorage.setItem(STATE_KEY, text));
  attempt(() => localStorage.setItem(STATE_KEY, text));
}

export function forgetState() {
  attempt(() => sessionStorage.removeItem(STATE_KEY));
  attempt(() => localStorage.removeItem(STATE_KEY));
  forgetLast();
}

/** Turns keeping on or off; "off" is all that stays in the browser then. */
export function setKeeping(isOn) {
  attempt(() => (isOn ? localStorage.removeItem(OFF_KEY) : localStorage.setItem(OFF_KEY, "1")));
}
