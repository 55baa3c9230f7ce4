// What the keeper and the editors of one window share.

/**
 * It outlives the components, as pages change. `work` is what is open; the editors write it, and
 * the keeper where there are none (`editors`). `clicked` is the time of the last click, `place` where
 * the page has the answer. A text has no delimiter until it has an answer, or one was chosen.
 *
 * @typedef {{ entry: string, version: number, side: string, text: string, name: string,
 *   sample: boolean, delimiter?: string | null }} Open
 * @typedef {{ events: EventTarget, work: Open | null, headline: any, editors: number,
 *   clicked: number, place: Element | null }} Lab
 */

const isFirst = !window.__tokenLab;
const nothing = { work: null, headline: null, editors: 0, clicked: -Infinity, place: null };

/** @type {Lab} */
export const LAB = (window.__tokenLab ??= { events: new EventTarget(), ...nothing });
if (isFirst) document.addEventListener("click", () => (LAB.clicked = performance.now()), true);

/** The name of a text that somebody typed, or has edited. */
export const TYPED = TABLE.typed;

/** An id for a text that is to be kept beside the others. */
export function newEntry() {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

/** Whether a text is a state to open (toon/playground/state.py), and no payload. */
export function isDocument(text) {
  return /^\s*\{\s*"tokenLab"\s*:\s*\d/.test(text.slice(0, 100));
}

/** The two sides, and what people call them and the code that is read as JSON. */
export const SIDES = ["json", "toon"];
export const TITLES = TABLE.sides;

export const otherSide = (side) => (side === "json" ? "toon" : "json");

/** The side of the pane that shows a text of `side`. */
export const paneOf = (side) => (side === "toon" ? "toon" : "json");
