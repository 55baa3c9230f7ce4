// What the keeper and the editors of one window share.

/**
 * It outlives the components, as pages change. `work` is what is open, {entry, version, side, text,
 * name, sample}; the editors write it, and the keeper where there are none (`editors`). `clicked`
 * is the time of the last click.
 */
const LAB = (window.__tokenLab ??= newLab());

function newLab() {
  const lab = {
    events: new EventTarget(),
    work: null,
    headline: null,
    editors: 0,
    clicked: -Infinity,
  };
  document.addEventListener("click", () => (lab.clicked = performance.now()), true);
  return lab;
}

/** The name of a text that somebody typed, or has edited. */
const TYPED = TABLE.typed;

/** An id for a text that is to be kept beside the others. */
function newEntry() {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

/** Whether a text is a state to open (toon/playground/state.py), and no payload. */
function isDocument(text) {
  return /^\s*\{\s*"tokenLab"\s*:\s*\d/.test(text.slice(0, 100));
}
