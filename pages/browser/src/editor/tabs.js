// Tabs as the columns of a table: rows that are drawn have their cells below each other. The text
// is as it was, and what has no tab is not looked at.

import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, ViewPlugin } from "@codemirror/view";

/** Columns of characters: between two cells, in the widest cell that others are aligned with. */
const GAP = 2;
const WIDEST = 24;

/** Longer lines are no rows of a table that somebody looks at. */
const LONGEST = 1_000;

/** Where a tab is no cell's end: in the length of a header, which rows are not aligned with. */
const HEADER = /\[\d*\t\]/;

/** A tab that takes so many columns. */
const tabOf = (columns) =>
  Decoration.mark({ class: "tab", attributes: { style: `width: ${columns}ch` } });

/** Columns that a cell takes: most of what is no Latin letter takes two. */
function columnsOf(cell) {
  let columns = cell.length;
  for (let at = 0; at < cell.length; at++) columns += Number(cell.charCodeAt(at) >= 0x2e80);
  return columns;
}

/** The tables among the lines that are drawn: rows below each other, each as its cells. */
function tablesOf({ state, viewport: { from, to } }) {
  const tables = [];
  let rows = null;
  for (let at = from; at <= to; ) {
    const line = state.doc.lineAt(at);
    at = line.to + 1;
    const isRow = line.length <= LONGEST && line.text.includes("\t");
    const isHeader = isRow && HEADER.test(line.text);
    if (!isRow || isHeader) rows = null;
    if (!isRow) continue;
    if (!rows || isHeader) tables.push((rows = []));
    rows.push({ from: line.from, cells: line.text.split("\t") });
    if (isHeader) rows = null;
  }
  return tables;
}

/** The column at which each cell but the first begins. */
function stopsOf(rows) {
  const widths = [];
  for (const { cells } of rows) {
    cells.slice(0, -1).forEach((cell, place) => {
      widths[place] = Math.min(WIDEST, Math.max(widths[place] ?? 0, columnsOf(cell)));
    });
  }
  let end = 0;
  return widths.map((width) => (end += width + GAP));
}

function drawn(view) {
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  const { from, to } = view.viewport;
  if (!view.state.doc.sliceString(from, to).includes("\t")) return builder.finish();
  for (const rows of tablesOf(view)) {
    const stops = stopsOf(rows);
    for (const row of rows) {
      let [at, column] = [row.from, 0];
      row.cells.slice(0, -1).forEach((cell, place) => {
        at += cell.length;
        column += columnsOf(cell);
        const columns = rows.length > 1 ? Math.max(GAP, stops[place] - column) : GAP;
        builder.add(at, at + 1, tabOf(columns));
        at += 1;
        column += columns;
      });
    }
  }
  return builder.finish();
}

class Tabs {
  constructor(view) {
    this.decorations = drawn(view);
  }

  update({ view, docChanged, viewportChanged }) {
    if (docChanged || viewportChanged) this.decorations = drawn(view);
  }
}

export const tabs = ViewPlugin.fromClass(Tabs, { decorations: ({ decorations }) => decorations });
