// What the editors report to Python and to screen readers, once nothing has changed for a moment.

import { LAB, SIDES, TITLES, TYPED } from "../shared/lab.js";

/** Milliseconds after the last answer until Python gets a report, and until figures are spoken. */
const REPORT_DELAY = 800;
const SPEECH_PAUSE = 1_500;

/** Milliseconds until a report is tried again: Streamlit drops what comes while a page runs. */
const RUN_PAUSE = 100;

/**
 * Milliseconds after a click without a report; the page runs by then. Streamlit redraws for one
 * alone of two requests that it sends together, and mounts the editor anew if their runs follow
 * each other closely: the first takes away what the second has drawn.
 */
const CLICK_PAUSE = 1_000;

/** Milliseconds that a press waits for a run at most. */
const PATIENCE = 3_000;

const isRunning = () => document.querySelector("[data-test-script-state=running]") !== null;

export class Reports {
  constructor(session) {
    this.session = session;
    this.told = -Infinity;
  }

  /** Figures are shown: both reports follow, unless something changes before. */
  settle() {
    this.close();
    this.timer = setTimeout(() => this.tell(this.latest), REPORT_DELAY);
    const { panes, root } = this.session;
    this.speechTimer = setTimeout(() => {
      const figures = (side) => `${TITLES[side]}: ${panes[side].find("figures").textContent}`;
      root.querySelector(".spoken[role=status]").textContent = SIDES.map(figures).join(". ");
    }, SPEECH_PAUSE);
  }

  /** The text has changed: what was to be reported is outdated. */
  cancel() {
    clearTimeout(this.timer);
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.speechTimer);
  }

  /** What the panes hold, by what was converted last. */
  get latest() {
    const { exchange, work, version, delimiter } = this.session;
    const { ids, valid, from: side } = exchange.conversion;
    const given = work.name === TYPED ? null : work.name;
    return { ...ids, side, valid, version, waiting: false, given, delimiter };
  }

  tell(edit) {
    const sent = JSON.stringify(edit);
    if (sent === this.sent) return;
    if (isRunning() || performance.now() - LAB.clicked < CLICK_PAUSE) {
      this.timer = setTimeout(() => this.tell(edit), RUN_PAUSE);
      return;
    }
    this.sent = sent;
    this.told = performance.now();
    this.session.setStateValue("edit", edit);
  }

  /**
   * Tells in place of a report what was pressed, once the run for the last report has ended: a report
   * on the way would draw into the page that a next step leaves.
   */
  goOn(next, pressed = performance.now()) {
    if (this.session.signal.aborted) return;
    this.close();
    const now = performance.now();
    const isTaken = isRunning() || now - this.told < CLICK_PAUSE;
    if (isTaken && now - pressed < PATIENCE) setTimeout(() => this.goOn(next, pressed), RUN_PAUSE);
    else {
      this.told = now;
      this.session.setTriggerValue("next", next);
    }
  }
}
