// When the server is asked.

import { Unreachable } from "../shared/ask.js";

/** Milliseconds without a key before a text is sent, and the longest wait while keys come. */
export const QUIET = 150;
const BEHIND = 400;

/** Milliseconds after which a call is given up, and between attempts to reach the server. */
export const PATIENCE = 10_000;
export const LARGE_PATIENCE = 180_000;
const RETRIES = [1_000, 2_000, 4_000, 8_000, 15_000];

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
    let isReached = true;
    try {
      await this.work(this.flight.signal);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      isReached = false;
    } finally {
      clearTimeout(escape);
      this.flight = null;
    }
    if (this.closed) return;
    const wasReached = this.failures === 0;
    this.failures = isReached ? 0 : this.failures + 1;
    if (isReached !== wasReached) this.onReach();
    const pause = RETRIES[Math.min(this.failures, RETRIES.length) - 1];
    if (!isReached) this.timer = setTimeout(() => this.run(), pause);
    else if (this.again !== null) this.poke(this.again);
  }
}
