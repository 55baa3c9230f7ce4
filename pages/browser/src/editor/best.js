// What to send, where that is no TOON: shown in place of the TOON, to be read and not edited.

import { button, element } from "../shared/dom.js";
import { fill } from "./facts.js";

export class Best {
  constructor(session) {
    this.session = session;
    this.pane = session.panes.toon;
    this.wish = "best";
    this.turn = 0;
    // Who goes into the TOON wants to see it.
    const onFocus = () => this.choose("toon");
    this.pane.find("code").addEventListener("focusin", onFocus, { signal: session.signal });
  }

  /** Offers what a headline says to send, if it stands in neither pane; nothing for null. */
  offer(headline) {
    const { best = "", bars = [], proof } = headline ?? {};
    const isElsewhere = best && !best.startsWith("toon") && best !== "as-typed";
    this.proof = proof;
    this.offered = isElsewhere ? offersOf(bars, best) : {};
    const { exchange, side } = this.session;
    this.show(side === "json" && !exchange.isLong ? this.wish : "toon");
  }

  choose(wish) {
    this.wish = wish;
    if (this.offered?.best) this.show(wish);
  }

  async show(wish) {
    const turn = ++this.turn;
    const { offered, pane } = this;
    const shown = wish in offered ? wish : "toon";
    const isOpen = shown !== "toon" && Boolean(offered.best);
    const text = isOpen ? await this.session.exchange.sent(shown) : null;
    if (turn !== this.turn) return;
    fill(pane.find("shown"), offered.best ? this.drawnChoice(shown) : []);
    pane.find("best-text")?.remove();
    pane.section.classList.toggle("shows-best", isOpen);
    if (text === null) return;
    const about = { className: "best-text", tabIndex: 0, ariaLabel: offered[shown].label };
    pane.surface.append(element("pre", about, text));
  }

  /** A switch for each text; beside them that what is shown comes back. */
  drawnChoice(shown) {
    const switches = Object.entries(this.offered).map(([wish, { words }]) => {
      const about = { ariaPressed: String(wish === shown) };
      return button("", words, () => this.choose(wish), about);
    });
    if (shown === "toon") return switches;
    const proven = element("span", { className: "badge", title: this.proof }, TABLE.badges.proven);
    proven.dataset.look = "proven";
    return [...switches, proven];
  }
}

/** The texts that can be shown: TOON, minified JSON where that is not it, and what to send. */
function offersOf(bars, best) {
  const named = (format) => bars.find((bar) => bar.format === format);
  const toon = bars.find(({ format }) => format.startsWith("toon"));
  const minified = best === TABLE.baseline ? null : named(TABLE.baseline);
  const { label, figure } = named(best);
  return {
    toon: { label: "TOON", words: `TOON ${toon?.figure ?? ""}` },
    ...(minified && { minified: { label: minified.label, words: `Minified ${minified.figure}` } }),
    best: { label, words: `✓ ${label} ${figure}` },
  };
}
