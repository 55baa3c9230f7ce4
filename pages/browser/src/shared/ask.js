// What the server is asked, and what it answers.

/** There was no usable answer: the call will be repeated. */
export class Unreachable extends Error {}

/** The server refused, with a message to show. */
export class Refused extends Error {}

/**
 * What the server answers at `address`; a `text` is posted, and each value of a list is asked. Null
 * where the server no longer has a text that is asked about.
 */
export async function ask(address, query, { text = undefined, signal = undefined }) {
  const pairs = ([name, value]) => [value].flat().map((each) => [name, each]);
  const asked = new URLSearchParams(Object.entries(query).flatMap(pairs));
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  // A browser sends a string of megabytes several times as slowly, and nothing moves meanwhile.
  const posted = text === undefined ? {} : { method: "POST", headers, body: new Blob([text]) };
  let response, body;
  try {
    response = await fetch(`${address}?${asked}`, { ...posted, signal });
    body = await response.json();
  } catch {
    throw new Unreachable();
  }
  if (response.status > 500) throw new Unreachable();
  if (response.ok) return body.missing ? null : body;
  throw new Refused(body.error?.message ?? `The server answered with status ${response.status}.`);
}

/** The query about a text, by its name and by what the controls say. */
export function queryOf(name, { strict, indent, model, together, explained_cached, explain, traffic }) {
  return { ...name, strict, indent, model, together, explained_cached, ...traffic, explain };
}
