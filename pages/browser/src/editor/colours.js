// The colours of a text: runs from the server, moved with what was edited since, and painted over
// the lines that are drawn. No element is made for them: a browser takes long for elements.

import { ChangeSet, StateEffect, StateField } from "@codemirror/state";
import { ViewPlugin } from "@codemirror/view";
import { changeOf, lastUpTo } from "./text.js";

/** @typedef {import("@codemirror/view").EditorView} View */

/** Names of highlights, which hover.css and code.css give their colours; whitespace has none. */
const SHADES = { kinds: ["kind-0", "kind-1", null, "kind-3"], tokens: ["token-0", "token-1"] };

/** Texts of longer drawn lines are painted anew with every update. */
const LONG_LINE = 2_000;

/** Parts of drawn text in one or more shades; they look so until `clear`. */
export class Paint {
  /** @type {[Highlight, AbstractRange][]} */
  ranges = [];

  add(name, startContainer, startOffset, endContainer, endOffset) {
    if (typeof Highlight === "undefined") return; // a browser without colours
    if (!CSS.highlights.has(name)) CSS.highlights.set(name, new Highlight());
    const shade = CSS.highlights.get(name);
    const range = new StaticRange({ startContainer, startOffset, endContainer, endOffset });
    shade.add(range);
    this.ranges.push([shade, range]);
  }

  /** Paints what is drawn of a span. */
  cover(/** @type {View} */ view, [from, to], name) {
    const [start, end] = [Math.max(from, view.viewport.from), Math.min(to, view.viewport.to)];
    if (start >= end) return;
    const [first, last] = [view.domAtPos(start, 1), view.domAtPos(end, -1)];
    this.add(name, first.node, first.offset, last.node, last.offset);
  }

  clear() {
    for (const [shade, range] of this.ranges) shade.delete(range);
    this.ranges = [];
  }
}

/**
 * The runs of one text, and what was edited since they were made.
 * @typedef {{ ends: Uint32Array, shades: Uint8Array, names: string[],
 *   since: import("@codemirror/state").ChangeDesc }} Runs
 */

/** `runs` as /measure sends them, `colour` "kinds" or "tokens"; null if they do not tile. */
function runsOf(runs, colour, length, since) {
  const isByKind = colour === "kinds";
  const [ends, shades] = [new Uint32Array(runs.length), new Uint8Array(runs.length)];
  let end = 0;
  runs.forEach((run, index) => {
    ends[index] = end += isByKind ? run >>> 2 : run;
    shades[index] = isByKind ? run & 3 : index & 1;
  });
  return end === length ? { ends, shades, names: SHADES[colour], since } : null;
}

/** Calls `each(from, to, name)` for the runs between two offsets of the text as it is now. */
function runsBetween({ ends, shades, names, since }, from, to, each) {
  since.iterGaps((before, now, length) => {
    const [start, stop] = [Math.max(from, now), Math.min(to, now + length)];
    if (start >= stop) return;
    const shift = now - before;
    let at = start;
    for (let index = lastUpTo(ends, start - shift) + 1; at < stop; index++) {
      const end = Math.min(ends[index] + shift, stop);
      const name = names[shades[index]];
      if (end > at && name) each(at, end, name);
      at = end;
    }
  });
}

/** @type {import("@codemirror/state").StateEffectType<Runs>} */
const setRuns = StateEffect.define();

const RUNS = StateField.define({
  create: () => /** @type {Runs} */ (null),
  update(found, change) {
    for (const effect of change.effects) if (effect.is(setRuns)) return effect.value;
    if (!found || !change.docChanged) return found;
    return { ...found, since: found.since.composeDesc(change.changes.desc) };
  },
});

/** The effect that colours what is shown now, `shown`, by `runs` of `text`; none for null. */
export function coloured(text, shown, runs, colour) {
  const change = changeOf(text, shown);
  const since = ChangeSet.of(change ?? [], text.length).desc;
  return setRuns.of(runs && runsOf(runs, colour, text.length, since));
}

/** Paints the lines that are drawn; those that are as they were keep their paint. */
class Painter {
  /** @type {Map<Element, { nodes: Text[], parts: string[], ends: Uint32Array, paint: Paint }>} */
  lines = new Map();

  constructor(view) {
    this.paint(view);
  }

  update({ view, startState, state, docChanged }) {
    const isNew = startState.field(RUNS) !== state.field(RUNS);
    if (isNew && !docChanged) this.paint(view);
  }

  docViewUpdate(view) {
    this.paint(view);
  }

  paint(/** @type {View} */ view) {
    const runs = view.state.field(RUNS);
    const gone = new Set(this.lines.keys());
    for (const line of runs ? view.contentDOM.children : []) {
      if (!line.classList.contains("cm-line")) continue;
      gone.delete(line);
      const [nodes, known] = [textsIn(line), this.lines.get(line)];
      const parts = nodes.map(({ data }) => data);
      const isKept =
        known?.ends === runs.ends &&
        known.nodes.length === nodes.length &&
        nodes.every((node, index) => node === known.nodes[index] && parts[index] === known.parts[index]);
      if (isKept && line.textContent.length < LONG_LINE) continue;
      known?.paint.clear();
      this.lines.set(line, { nodes, parts, ends: runs.ends, paint: painted(view, nodes, runs) });
    }
    for (const line of gone) {
      this.lines.get(line).paint.clear();
      this.lines.delete(line);
    }
  }

  destroy() {
    for (const { paint } of this.lines.values()) paint.clear();
  }
}

/** The texts that a line is drawn with, but for what stands for something folded. */
function textsIn(line) {
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node; (node = texts.nextNode()); ) {
    if (!node.parentElement.closest("[contenteditable=false]")) found.push(node);
  }
  return found;
}

function painted(view, nodes, runs) {
  const paint = new Paint();
  for (const node of nodes) {
    const from = view.posAtDOM(node);
    runsBetween(runs, from, from + node.data.length, (start, end, name) => {
      paint.add(name, node, start - from, node, end - from);
    });
  }
  return paint;
}

export const colouring = [RUNS, ViewPlugin.fromClass(Painter)];
