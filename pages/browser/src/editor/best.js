// What to send, where that is no TOON: shown in place of the TOON, to be read and not edited.

import { button, element } from "../shared/dom.js";
import { fill } from "./facts.js";

export class Best {
  constructor(session) {
    this.session = session;
    this.pane = session.panes.toon;
    this.isWished = true;
    this.turn = 0;
    // Who goes into the TOON wants to see it.
    const onFocus = () => this.choose(false);
    this.pane.find("code").addEventListener("focusin", onFocus, { signal: session.signal });
  }

  /** Offers what a headline says to send, if it stands in neither pane; nothing for null. */
  offer(headline) {
    const best = headline?.best ?? "";
    const bar = headline?.bars.find(({ format }) => format === best);
    const isElsewhere = bar && !best.startsWith("toon") && best !== "as-typed";
    const toon = headline?.bars.find(({ format }) => format.startsWith("toon"));
    const labels = [`TOON ${toon?.figure ?? ""}`, `✓ ${bar?.label} ${bar?.figure}`];
    this.offered = isElsewhere ? { label: bar.label, labels, proof: headline.proof } : null;
    const { exchange, side } = this.session;
    this.show(this.isWished && side === "json" && !exchange.isLong);
  }

  choose(isWished) {
    this.isWished = isWished;
    if (this.offered) this.show(isWished);
  }

  async show(isWanted) {
    const turn = ++this.turn;
    const { offered } = this;
    const isOpen = Boolean(isWanted && offered);
    const text = isOpen ? await this.session.exchange.sent() : null;
    if (turn !== this.turn) return;
    fill(this.pane.find("shown"), offered ? drawnChoice(offered, isOpen, (is) => this.choose(is)) : []);
    this.pane.find("best-text")?.remove();
    this.pane.section.classList.toggle("shows-best", isOpen);
    if (text === null) return;
    const about = { className: "best-text", tabIndex: 0, ariaLabel: offered.label };
    this.pane.surface.append(element("pre", about, text));
  }
}

/** The TOON or what to send, as two switches; beside them that what is shown comes back. */
function drawnChoice({ labels, proof }, isOpen, onChoose) {
  const switches = labels.map((each, place) => {
    const about = { ariaPressed: String(Boolean(place) === isOpen) };
    return button("", each, () => onChoose(Boolean(place)), about);
  });
  if (!isOpen) return switches;
  const proven = element("span", { className: "badge", title: proof }, TABLE.badges.proven);
  proven.dataset.look = "proven";
  return [...switches, proven];
}
