// What is recommended where that is no TOON, or minified JSON: shown over the TOON, to be read.

import { element, radios } from "../shared/dom.js";
import { fill } from "./facts.js";

export class Best {
  constructor(session) {
    this.session = session;
    this.pane = session.panes.toon;
    this.offered = {};
    this.wish = "best";
    this.turn = 0;
    // Who goes into the TOON wants to see it.
    const onFocus = () => this.choose("toon");
    this.pane.find("code").addEventListener("focusin", onFocus, { signal: session.signal });
  }

  /** Offers what a headline says to send, if it stands in neither pane; nothing for null. */
  offer(headline, about) {
    const { best = "", bars = [], proof } = headline ?? {};
    const isElsewhere = best && !best.startsWith("toon") && best !== "as-typed";
    this.about = about;
    this.offered = isElsewhere ? offersOf(bars, best, proof) : {};
    const { exchange, side } = this.session;
    this.show(side === "json" && !exchange.isLong ? this.wish : "toon");
  }

  choose(wish) {
    this.wish = wish;
    if (this.offered.best) this.show(wish);
  }

  async show(wish) {
    const turn = ++this.turn;
    const { offered, pane } = this;
    // Where minified JSON is the best, it stands there once.
    const wanted = wish === "minified" && !offered.minified ? "best" : wish;
    const isAsked = wanted !== "toon" && offered[wanted];
    const text = isAsked ? await this.session.exchange.sent(wanted, this.about) : null;
    if (turn !== this.turn) return;
    this.draw(text === null ? "toon" : wanted);
    pane.find("best-text")?.remove();
    pane.section.classList.toggle("shows-best", text !== null);
    const label = text === null ? "TOON" : offered[wanted].label;
    pane.label = label;
    pane.copying.textContent = `Copy ${label}`;
    if (text === null) return;
    const about = { className: "best-text", tabIndex: 0, ariaLabel: label };
    pane.surface.append(element("pre", about, text));
  }

  /** A switch for each text, and that what is shown comes back. */
  draw(shown) {
    const words = Object.entries(this.offered).map(([wish, offer]) => [wish, offer.words]);
    const choose = (wish) => this.choose(wish);
    const switches = radios("shown", Object.fromEntries(words), shown, choose);
    const title = this.offered[shown]?.proof;
    const proven = element("span", { className: "badge", title }, TABLE.badges.proven);
    proven.dataset.look = "proven";
    fill(this.pane.find("shown"), title ? [...switches, proven] : switches);
  }
}

/** The texts that can be shown: TOON, minified JSON where that is not it, and what to send. */
function offersOf(bars, best, proof) {
  const labelOf = (format) => bars.find((bar) => bar.format === format)?.label;
  const [label, minified] = [labelOf(best), best !== TABLE.baseline && labelOf(TABLE.baseline)];
  return {
    toon: { label: "TOON", words: "TOON" },
    ...(minified && { minified: { label: minified, words: "Minified" } }),
    best: { label, proof, words: `✓ ${label}` },
  };
}
