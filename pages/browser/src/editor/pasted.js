// What the JSON was when it was pasted, as the server is told of it.

/** What stands for the JSON today; of what else is converted the JSON itself is sent. */
const COUNTED = ["python", "javascript", "lines", "toon"];

/** What is asked with, of a text that was `converted` (pastes.js), or of none. */
export function pastedAs(converted) {
  const { id, name } = converted ?? {};
  return COUNTED.includes(name) ? { pasted: id, was: name } : {};
}
