// Talking to the server: what is asked, and when.

/** Milliseconds without a key before a text is sent, and the longest wait while keys come. */
export const QUIET = 150;
const BEHIND = 400;

/** Milliseconds after which a call is given up, and between attempts to reach the server. */
export const PATIENCE = 10_000;
export const LARGE_PATIENCE = 180_000;
const RETRIES = [1_000, 2_000, 4_000, 8_000, 15_000];

/** There was no usable answer: the call will be repeated. */
export class Unreachable extends Error {}

/** The server refused, with a message to show. */
export class Refused extends Error {}

export async function ask(url, request) {
  let response;
  let body;
  try {
    response = await fetch(url, request);
    body = await response.json();
  } catch {
    throw new Unreachable();
  }
  if (response.status > 500) throw new Unreachable();
  if (response.ok) return body;
  throw new Refused(body.error?.message ?? `The server answered with status ${response.status}.`);
}

/** Asks for the other side of `text`. */
export function askToConvert(api, { side, text, options }, signal) {
  const { delimiter, indent, strict } = options;
  const query = new URLSearchParams({ from: side, delimiter, indent, strict });
  return ask(`${api}/convert?${query}`, posting(text, signal));
}

/** Asks for `text` as JSON, rewritten in one `way`. */
export function askToRewrite(api, way, text, signal) {
  return ask(`${api}/rewrite?${new URLSearchParams({ as: way })}`, posting(text, signal));
}

function posting(text, signal) {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return { method: "POST", headers, body: text, signal };
}

/** Asks for figures and runs of what was typed on `side`; null if the server no longer has it. */
export async function askToMeasure(api, { ids, side, options, runs }, signal) {
  const { tokenizer, strict, indent } = options;
  const query = new URLSearchParams({ ...ids, from: side, tokenizer, strict, indent, runs });
  const body = await ask(`${api}/measure?${query}`, { signal });
  return body.missing ? null : body;
}

/** Asks `route` about what was typed on `side`; null if the server no longer has it. */
export async function askAbout(api, route, { ids, side, options }, signal) {
  const { strict, indent, model, together, explained_cached, explain, traffic } = options;
  const asked = { [side]: ids[side], strict, indent, model, together, explained_cached, ...traffic };
  const query = new URLSearchParams(asked);
  for (const wording of explain) query.append("explain", wording);
  const body = await ask(`${api}/${route}?${query}`, { signal });
  return body.missing ? null : body;
}

/**
 * Decides when `work(signal)` runs: shortly after the last poke, not much later than the first,
 * never twice at a time, and again with growing pauses while it throws Unreachable.
 *
 * `patience()` gives the milliseconds one run may take; `onReach()` is called when the server
 * becomes reachable or unreachable, which `failures` tells.
 */
export class Courier {
  constructor(work, { patience, onReach }) {
    this.work = work;
    this.patience = patience;
    this.onReach = onReach;
    this.failures = 0;
    this.cancel();
  }

  /** Something has changed: run after `quiet` milliseconds without another poke. */
  poke(quiet = QUIET) {
    const now = performance.now();
    this.first ??= now;
    if (this.flight) {
      this.again = quiet;
      return;
    }
    // While the server is unreachable, typing must not cause more requests.
    if (this.failures && this.timer) return;
    clearTimeout(this.timer);
    const wait = Math.min(quiet, this.first + Math.max(quiet, BEHIND) - now);
    this.timer = setTimeout(() => this.run(), Math.max(0, wait));
  }

  /** Cancels the next run; a run in progress continues. */
  cancel() {
    clearTimeout(this.timer);
    this.timer = null;
    this.first = null;
    this.again = null;
  }

  close() {
    this.closed = true;
    this.cancel();
    this.flight?.abort();
  }

  async run() {
    this.cancel();
    this.flight = new AbortController();
    const escape = setTimeout(() => this.flight.abort(), this.patience());
    const reached = await this.attempt(this.flight.signal).finally(() => {
      clearTimeout(escape);
      this.flight = null;
    });
    if (this.closed) return;
    if (!reached) this.retry();
    else if (this.again !== null) this.poke(this.again);
  }

  async attempt(signal) {
    try {
      await this.work(signal);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (!this.closed && this.failures++ === 0) this.onReach();
      return false;
    }
    const hadFailed = this.failures > 0;
    this.failures = 0;
    if (!this.closed && hadFailed) this.onReach();
    return true;
  }

  retry() {
    const wait = RETRIES[Math.min(this.failures, RETRIES.length) - 1];
    this.timer = setTimeout(() => this.run(), wait);
  }
}
