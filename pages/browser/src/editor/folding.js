// Folding: what a line opens is looked for only when somebody folds it, because it may be megabytes.

import { codeFolding, foldable, foldEffect, foldedRanges, foldService, unfoldEffect } from "@codemirror/language";
import { gutter, GutterMarker } from "@codemirror/view";
import { element } from "../shared/dom.js";

class Marker extends GutterMarker {
  constructor(isOpen) {
    super();
    this.isOpen = isOpen;
  }

  eq(other) {
    return this.isOpen === other.isOpen;
  }

  toDOM() {
    const [sign, title] = this.isOpen ? ["⌄", "Fold"] : ["›", "Unfold"];
    return element("span", { title }, sign);
  }
}

const OPEN = new Marker(true);
const FOLDED = new Marker(false);

/** The folded range that begins in a line, or null. */
function foldedIn(state, { from, to }) {
  let found = null;
  foldedRanges(state).between(from, to, (start, end) => {
    if (start >= from && !found) found = { from: start, to: end };
  });
  return found;
}

/** What stands for folded lines. It opens when it is pressed: a click on it would be lost where the
 * press, which moves the caret, has it drawn anew. */
function placeholderDOM(_view, open) {
  const title = "Show the folded lines";
  const about = { className: "cm-foldPlaceholder", title, ariaLabel: title, onmousedown: open };
  return element("span", about, "…");
}

function toggle(view, line) {
  const folded = foldedIn(view.state, line);
  const range = folded ?? foldable(view.state, line.from, line.to);
  if (range) view.dispatch({ effects: (folded ? unfoldEffect : foldEffect).of(range) });
  return Boolean(range);
}

/**
 * `opens(line, doc)` says at once whether a line opens something, `end(doc, line)` where that ends;
 * -1 if nowhere.
 */
export function folding({ opens, end }) {
  const range = (state, from, to) => {
    const line = state.doc.lineAt(from);
    if (!opens(line, state.doc)) return null;
    const start = line.from + line.text.trimEnd().length;
    const stop = end(state.doc, line);
    return stop > start && stop > to ? { from: start, to: stop } : null;
  };
  const marker = (view, block) => {
    const line = view.state.doc.lineAt(block.from);
    if (foldedIn(view.state, line)) return FOLDED;
    return opens(line, view.state.doc) ? OPEN : null;
  };
  return [
    codeFolding({ placeholderDOM }),
    foldService.of(range),
    gutter({
      class: "folds",
      lineMarker: marker,
      lineMarkerChange: (update) => foldedRanges(update.state) !== foldedRanges(update.startState),
      initialSpacer: () => OPEN,
      domEventHandlers: { click: (view, block) => toggle(view, view.state.doc.lineAt(block.from)) },
    }),
  ];
}
