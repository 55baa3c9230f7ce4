// What is shown about a pane: figures, comparison, error, notices. Text is never set as HTML.

import { element } from "../shared/dom.js";

/** The editor holds only line feeds, so what is shown, sent and counted has them. */
export const LINE_ENDS_NOTE = {
  message: "The line ends of this file (carriage returns) are shown and counted as line feeds.",
};

const NOTICES_SHOWN = 5;

/** 1234567 -> "1,234,567" */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/** Bytes as decimal megabytes: "20.0 MB". */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
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

export function placeInWords({ line, column }) {
  if (!line) return "";
  return column ? `line ${line}, column ${column}` : `line ${line}`;
}

/** One error in words, for screen readers. */
export function errorInWords(error) {
  const offers = (error.offers ?? []).map(({ label }) => `Button: ${label}`);
  return [error.message, placeInWords(error), error.hint, ...offers].filter(Boolean).join(". ");
}

/** Fills `box` with an error: what, where, the line with a caret below the column, a hint. */
export function fillError(box, error) {
  box.replaceChildren(
    element("p", "what", error.message, ...part("place", placeInWords(error))),
    error.source ? drawnSource(error) : "",
    error.hint ? element("p", "hint", `Hint: ${error.hint}`) : "",
  );
}

/** A part of a sentence, where there is one. */
function part(className, text) {
  return text ? [" ", element("span", className, text)] : [];
}

/** Fills `list` anew, and hides it where it is empty; the focus stays on what is chosen in it. */
export function fill(list, items) {
  const hadFocus = list.contains(list.getRootNode().activeElement);
  list.hidden = items.length === 0;
  list.replaceChildren(...items);
  if (hadFocus) list.querySelector(":checked")?.focus();
}

/** The server sends as much of the line as can be shown, and where the column is in that. */
function drawnSource({ source: text, source_column: column }) {
  const source = element("pre", "source", text);
  source.tabIndex = 0; // for keys that scroll it
  if (column) {
    // The text before the caret is repeated invisibly, so that the caret also stands right below
    // wide characters and tabs.
    const before = element("span", "unseen", [...text].slice(0, column - 1).join(""));
    source.append(element("div", "caret", before, element("span", "mark", "^")));
  }
  return source;
}

/** Lists notices, at most five and how many more there are. */
export function fillNotices(list, notices) {
  const items = notices.slice(0, NOTICES_SHOWN).map((notice) => {
    const rest = [...part("place", placeInWords(notice)), ...part("hint", notice.hint)];
    return element("li", "notice", notice.message, ...rest);
  });
  const more = notices.length - items.length;
  if (more > 0) items.push(element("li", "more", `and ${grouped(more)} more`));
  fill(list, items);
}
