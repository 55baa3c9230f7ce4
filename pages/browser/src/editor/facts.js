// What is shown about a pane: figures, comparison, error, notices. Text is never set as HTML.

import { element } from "../shared/dom.js";

/** The editor holds only line feeds, so what is shown, sent and counted has them. */
export const LINE_ENDS_NOTE = {
  message: "The line ends of this file (carriage returns) are shown and counted as line feeds.",
};

const NOTICES_SHOWN = 5;
const SOURCE_WIDTH = 80;

/** 1234567 -> "1,234,567" */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

export function counted(number, unit) {
  return `${grouped(number)} ${unit}${number === 1 ? "" : "s"}`;
}

/** Bytes as decimal megabytes: "20.0 MB". */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The tokens of a text, as the server says them: "≈ 196 tokens ±4 %". */
export function figuresInWords({ words }) {
  return words;
}

/** The round trip as a badge; null while it is unknown. */
export function roundTripInWords(roundTrip) {
  if (!roundTrip || roundTrip.ok === null) return null;
  return roundTrip.ok
    ? { look: "proven", text: TABLE.badges.proven, title: TABLE.badges.same }
    : { look: "failed", text: `${TABLE.badges.fails}: ${roundTrip.message}` };
}

/** Shows `words` ({look, text, title}) in a badge, or hides it for null. */
export function showBadge(badge, words) {
  badge.hidden = !words;
  badge.textContent = words?.text ?? "";
  badge.title = words?.title ?? "";
  badge.dataset.look = words?.look ?? "";
}

function placeInWords({ line, column }) {
  if (!line) return "";
  return column ? `line ${line}, column ${column}` : `line ${line}`;
}

/** An error as a badge, for where its box below is out of view; null if there is none. */
export function faultInWords(error) {
  if (!error) return null;
  const text = [placeInWords(error), error.message].filter(Boolean).join(": ");
  return { look: "failed", text, title: text };
}

/** One error in words, for screen readers. */
export function errorInWords(error) {
  const offers = (error.offers ?? []).map(({ label }) => `Button: ${label}`);
  return [error.message, placeInWords(error), error.hint, ...offers].filter(Boolean).join(". ");
}

/** Fills `box` with an error: what, where, the line with a caret below the column, a hint. */
export function fillError(box, error) {
  const place = placeInWords(error);
  const what = element("p", "what", error.message);
  if (place) what.append(" ", element("span", "place", place));
  const parts = [what];
  if (error.source) parts.push(drawnSource(error));
  if (error.hint) parts.push(element("p", "hint", `Hint: ${error.hint}`));
  box.replaceChildren(...parts);
}

/** Fills `box` with a button for each conversion of the text to JSON; rewrite.js hears them. */
export function fillOffers(box, offers) {
  const buttons = offers.map(({ name, label }) => {
    const button = element("button", "button", label);
    button.type = "button";
    button.dataset.rewrite = name;
    return button;
  });
  box.hidden = buttons.length === 0;
  box.replaceChildren(...buttons);
}

function drawnSource(error) {
  const { text, column } = clippedSource(error);
  const source = element("pre", "source", text);
  source.tabIndex = 0; // for keys that scroll it
  if (column) {
    // The text before the caret is repeated invisibly, so that the caret also stands right below
    // wide characters and tabs.
    const before = element("span", "unseen", [...text].slice(0, column - 1).join(""));
    const caret = element("div", "caret");
    caret.append(before, element("span", "mark", "^"));
    source.append(caret);
  }
  return source;
}

/** At most 80 characters of the line around the column, and the column in them (1-based). */
function clippedSource({ source, column, source_column: clippedColumn }) {
  const at = clippedColumn ?? column;
  const characters = [...source];
  if (characters.length <= SOURCE_WIDTH + 2) return { text: source, column: at };
  const wanted = (at ?? 1) - 1 - Math.floor(SOURCE_WIDTH * 0.6);
  const start = Math.min(Math.max(0, wanted), characters.length - SOURCE_WIDTH);
  const [head, end] = [start > 0 ? "…" : "", start + SOURCE_WIDTH];
  const tail = end < characters.length ? "…" : "";
  const text = head + characters.slice(start, end).join("") + tail;
  return { text, column: at && at - start + head.length };
}

/** Lists notices, at most five and how many more there are. */
export function fillNotices(list, notices) {
  const items = notices.slice(0, NOTICES_SHOWN).map(noticeItem);
  const more = notices.length - items.length;
  if (more > 0) items.push(element("li", "more", `and ${grouped(more)} more`));
  list.hidden = items.length === 0;
  list.replaceChildren(...items);
}

function noticeItem(notice) {
  const item = element("li", "notice", notice.message);
  const place = placeInWords(notice);
  if (place) item.append(" ", element("span", "place", place));
  if (notice.hint) item.append(" ", element("span", "hint", notice.hint));
  return item;
}
