// The answer above the panes: one figure, one sentence, and bars on one scale.

import { element } from "../shared/dom.js";
import { PARTS } from "../shared/parts.js";
import { classOf } from "./toolbar.js";

/** Draws a headline of `toon.costs.headline`; text is never set as HTML. */
export class Ladder {
  constructor(root, onNext) {
    this.root = root.querySelector(".answer");
    this.links = root.querySelector(".next");
    this.onNext = onNext;
  }

  find(name) {
    return this.root.querySelector(`.${name}`);
  }

  get isEmpty() {
    return this.root.dataset.state === "empty";
  }

  get isOld() {
    return this.root.dataset.state === "stale";
  }

  show(headline) {
    this.links.dataset.state = "stale"; // until they are offered anew
    if (headline.nothing) return this.age(headline.lead);
    this.root.dataset.state = "fresh";
    this.root.dataset.look = headline.look;
    this.find("change").textContent = headline.figure;
    this.find("against").textContent = headline.against;
    this.find("lead").textContent = headline.lead;
    this.find("why").textContent = headline.reasons.map((reason) => `${reason}.`).join(" ");
    this.find("tried").firstElementChild.textContent = headline.among;
    const tried = headline.tried.map((format) => element("li", "", format));
    this.find("tried").lastElementChild.replaceChildren(...tried);
    this.find("money").textContent = headline.money;
    this.find("proof").textContent = headline.proof;
    this.find("proof").hidden = !headline.proof;
    this.find("aged").textContent = "";
    const most = Math.max(...headline.bars.map(({ cost }) => cost), 1);
    this.find("bars").replaceChildren(...headline.bars.map((bar) => drawnBar(bar, most)));
  }

  /** Lists what would help most besides, each a button that opens it. */
  offer(steps) {
    const buttons = steps.map((step) => {
      const button = element("button", "step-on", step.label);
      button.type = "button";
      if (step.gain) {
        button.append(" ", element("b", "gain", step.gain));
        button.title = `${step.gain} against what to send now`;
      }
      button.addEventListener("click", () => this.onNext(step));
      return button;
    });
    this.links.dataset.state = "fresh";
    this.links.hidden = !buttons.length;
    this.links.replaceChildren("Next:", ...buttons);
  }

  /** What is in the panes has no answer, says the sentence: the last one stays, marked as old. */
  age(sentence) {
    const isKept = this.find("bars").childNodes.length > 0;
    this.root.dataset.state = isKept ? "stale" : "nothing";
    this.links.dataset.state = "stale";
    this.find("aged").textContent = isKept ? `${sentence} Shown is the answer before.` : "";
    if (!isKept) this.find("lead").textContent = sentence;
  }
}

function drawnBar(bar, most) {
  const row = element("li", "rung");
  row.dataset.look = bar.look;
  const strip = element("div", "strip");
  strip.style.width = `${(100 * bar.cost) / most}%`;
  const tokens = [...bar.kinds, bar.explanation];
  const shown = PARTS.map((name, part) => part).filter((part) => tokens[part]);
  for (const part of shown) {
    const piece = element("span", classOf(PARTS[part]));
    piece.style.width = `${(100 * tokens[part]) / bar.cost}%`;
    piece.textContent = bar.parts[part];
    strip.append(piece);
  }
  const scale = element("div", "scale");
  scale.append(strip);
  row.title = shown.map((part) => `${TABLE.parts[PARTS[part]]} ${bar.parts[part]}`).join(", ");
  scale.role = "img";
  scale.ariaLabel = row.title;
  const step = element("span", "step", bar.step);
  if (bar.credit) step.append(" ", element("small", "credit", bar.credit));
  row.append(
    element("span", "called", bar.label),
    scale,
    element("span", "tokens", bar.figure),
    step,
  );
  return row;
}
