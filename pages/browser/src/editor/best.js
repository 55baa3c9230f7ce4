// What to send, where that is no TOON: shown in place of the TOON, to be read and not edited.

import { button, element } from "../shared/dom.js";
import { fill } from "./facts.js";

export class Best {
  constructor({ panes, exchange }) {
    this.pane = panes.toon;
    this.exchange = exchange;
    this.isOpen = false;
  }

  /** Offers what a headline says to send, if it stands in neither pane; nothing for null. */
  offer(headline) {
    const best = headline?.best ?? "";
    const bar = headline?.bars.find(({ format }) => format === best);
    const isElsewhere = bar && !best.startsWith("toon") && best !== "as-typed";
    this.label = isElsewhere ? bar.label : "";
    this.called = `✓ ${this.label} ${bar?.figure}`;
    this.show(this.isOpen && isElsewhere);
  }

  async show(isOpen) {
    this.isOpen = isOpen;
    const labels = this.label ? ["TOON", this.called] : [];
    const buttons = labels.map((label, place) => {
      const about = { ariaPressed: String(Boolean(place) === isOpen) };
      return button("", label, () => this.show(Boolean(place)), about);
    });
    fill(this.pane.find("shown"), buttons);
    const text = isOpen ? await this.exchange.sent() : null;
    this.pane.find("best-text")?.remove();
    this.pane.section.classList.toggle("shows-best", this.isOpen);
    if (!this.isOpen || text === null) return;
    const about = { className: "best-text", tabIndex: 0, ariaLabel: this.label };
    this.pane.surface.append(element("pre", about, text));
  }
}
