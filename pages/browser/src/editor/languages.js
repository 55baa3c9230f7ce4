// JSON and TOON for the editor: what is a string there, what closes, indents and folds. The colours
// come from the server, which knows better what everything is.

import { indentService, LanguageSupport, StreamLanguage } from "@codemirror/language";
import { folding } from "./folding.js";

const STRING = /"(?:[^"\\]|\\.)*"?/;

/** Characters that are read at once: a browser reads a flat text three times as fast as its lines. */
const CHUNK = 65_536;

/** Pieces that are told apart only so that brackets in strings are no brackets. */
function languageOf(name, indentOnInput) {
  return StreamLanguage.define({
    name,
    languageData: { closeBrackets: { brackets: ["[", "{", '"'] }, indentOnInput },
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(STRING)) return "string";
      if (stream.match(/[[\]{}]/)) return "bracket";
      if (!stream.match(/[^\s"[\]{}]+/)) stream.next();
      return null;
    },
  });
}

/** Columns that a line is indented by; -1 for a blank one. */
const indentOf = (text) => text.search(/\S/);

/** The text before an offset that is to become a line's end, or else the last line above it. */
function lineAbove({ state }, offset) {
  const line = state.doc.lineAt(offset);
  if (offset > line.from) return line.text.slice(0, offset - line.from);
  for (let number = line.number - 1; number > 0; number--) {
    const { text } = state.doc.line(number);
    if (text.trim()) return text;
  }
  return "";
}

/** One step more below a line that `opens`, one less for a line that `closes`, if any does. */
function indenting(opens, closes = null) {
  return indentService.of((context, offset) => {
    const above = lineAbove(context, offset);
    const steps = Number(opens.test(above)) - Number(closes?.test(context.textAfterPos(offset)) ?? 0);
    return Math.max(0, Math.max(0, indentOf(above)) + steps * context.unit);
  });
}

const json = new LanguageSupport(languageOf("json", /^\s*[\]}]$/), [
  indenting(/[[{]\s*$/, /^\s*[\]}]/),
  folding({
    opens: ({ text }) => /[[{]\s*$/.test(text.slice(-100)),
    end: (doc, { from, text }) => closing(doc, from + text.trimEnd().length),
  }),
]);

/** Where the bracket that was opened before `from` is closed; -1 if it is not. */
function closing(doc, from) {
  let [depth, isQuoted, isEscaped] = [1, false, false];
  for (let at = from; at < doc.length; at += CHUNK) {
    const chunk = doc.sliceString(at, at + CHUNK);
    for (let index = 0; index < chunk.length; index++) {
      const unit = chunk.charCodeAt(index);
      if (isEscaped) isEscaped = false;
      else if (isQuoted && unit === 0x5c) isEscaped = true;
      else if (unit === 0x22) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (unit === 0x5b || unit === 0x7b) depth++;
      else if ((unit === 0x5d || unit === 0x7d) && --depth === 0) return at + index;
    }
  }
  return -1;
}

const toon = new LanguageSupport(languageOf("toon", /^\s*-\s$/), [
  indenting(/:\s*$/),
  folding({
    opens: (line, doc) => {
      if (line.number === doc.lines || indentOf(line.text) < 0) return false;
      return indentOf(doc.line(line.number + 1).text) > indentOf(line.text);
    },
    end: lastIndented,
  }),
]);

/** The end of the last line below `line` that is indented more, before the first that is not. */
function lastIndented(doc, { to, text }) {
  const least = indentOf(text);
  let [at, end] = [to + 1, to];
  for (const below of doc.iterRange(Math.min(to + 1, doc.length))) {
    if (below === "\n") {
      at += 1;
      continue;
    }
    const indent = indentOf(below);
    if (indent >= 0 && indent <= least) break;
    at += below.length;
    if (indent >= 0) end = at;
  }
  return end;
}

export const LANGUAGES = { json, toon };
