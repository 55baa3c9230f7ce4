// What two texts share, and a text as the editor holds it.

/** @typedef {import("@codemirror/state").Text} Doc */

/** Units two texts share at their start and, without overlap, at their end. */
export function sharedEnds(before, after) {
  if (before === after) return { head: before.length, tail: 0 };
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  let [i, j] = [before.length, after.length];
  while (tail < most - head && before.charCodeAt(--i) === after.charCodeAt(--j)) tail++;
  return { head, tail };
}

/** The one change that makes `after` of `before`; null where they are the same. */
export function changeOf(before, after) {
  if (before === after) return null;
  const { head, tail } = sharedEnds(before, after);
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}

/** The text as the editor holds it: its line ends are line feeds. */
export function withLineFeeds(text) {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** @type {WeakMap<Doc, string>} */
const STRINGS = new WeakMap();

/**
 * A document of the editor as a string, which is made once, and only when somebody asks. Joined it is
 * flat; `toString` gives one of a million parts, which the first who reads it has to flatten.
 */
export function stringOf(/** @type {Doc} */ doc) {
  let text = STRINGS.get(doc);
  if (text === undefined) STRINGS.set(doc, (text = doc.toJSON().join("\n")));
  return text;
}

/** The index of the last of some ascending numbers, by `step`, that is not above `most`; or -1. */
export function lastUpTo(numbers, most, step = 1) {
  let [low, high] = [-1, numbers.length / step - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle * step] <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
