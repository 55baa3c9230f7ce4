// The answer above the panes: what to do, what that saves, and bars on one scale.

import { button, element } from "../shared/dom.js";
import { LAB } from "../shared/lab.js";
import { copy } from "../shared/transfer.js";
import { PENDING } from "./age.js";
import { fillError, fillOffers, grouped } from "./facts.js";

/** Milliseconds for which a button says that it has copied. */
const COPIED = 1_500;

/**
 * Shows a headline of `toon.costs.headline` and its bars, which the server has drawn.
 *
 * It stands where the page has a place for it (card.js), so that controls come between the answer
 * and the panes; else above the panes.
 */
export class Ladder {
  constructor(session) {
    const { root, signal } = session;
    this.session = session;
    this.root = root.querySelector(".answer");
    this.links = root.querySelector(".next");
    this.find("legend").innerHTML = TABLE.legend;
    this.wire(signal);
    this.moveIn();
    LAB.events.addEventListener("place", () => this.moveIn(), { signal });
    signal.addEventListener("abort", () => root.prepend(this.root));
  }

  /** Goes to the place that the page has for the answer, if there is one. */
  moveIn() {
    const { place } = LAB;
    if (place?.isConnected && this.root.parentNode !== place) place.replaceChildren(this.root);
  }

  wire(signal) {
    const on = (name, event, act) => this.find(name).addEventListener(event, act, { signal });
    for (const name of ["calls", "together"]) {
      on(name, "change", ({ target }) => {
        const [number, most] = [numberIn(target.value), this.session.data.limits[name]];
        const isTaken = Number.isInteger(number) && number > 0 && number <= most;
        target.setCustomValidity(isTaken ? "" : `A whole number from 1 to ${grouped(most)}`);
        if (target.reportValidity()) this.session.goOn({ page: "assume", [name]: number });
        else this.assume(true);
      });
    }
    on("to-code", "click", () => {
      this.session.goOn({ page: "code" });
      document.querySelector(".st-key-bill_box")?.scrollIntoView({ behavior: "smooth" });
    });
    on("to-reading", "click", () => this.session.goOn({ page: "reading" }));
    for (const [name, wish] of [["send", "best"], ["try", "untested"]]) {
      on(name, "click", () => this.copy(name, wish));
    }
  }

  find(name) {
    return this.root.querySelector(`.${name}`);
  }

  get isEmpty() {
    return this.root.dataset.state === "empty";
  }

  get isOld() {
    return this.root.dataset.state === "nothing";
  }

  show(headline) {
    const { data, work } = this.session;
    const sample = work.now.sample ? data.title : "";
    this.links.dataset.state = "stale"; // until they are offered anew
    for (const box of [this.root, this.session.root]) box.classList.toggle("is-sample", !!sample);
    document.documentElement.classList.toggle("own-text", !sample);
    if (headline.nothing) return this.age(headline.lead);
    this.root.style.minHeight = "";
    this.root.classList.remove("pending");
    this.root.dataset.state = "fresh";
    this.root.dataset.look = headline.look;
    this.root.classList.toggle("noted", headline.note !== "");
    const isChange = headline.look !== "same";
    const { bars, best, note } = headline;
    const today = sample ? "this JSON" : bars[0].label;
    const [rate, million] = headline.rate.split(" a ");
    const isPlain = best === TABLE.baseline || best === "as-typed";
    const about = data.reads[best.split("-")[0]] ?? data.reads.other;
    const [reads, known] = isPlain ? ["", ""] : about;
    this.words = {
      act: headline.act,
      from: isChange ? headline.today : "",
      arrow: isChange ? "→" : "",
      to: isChange ? headline.cost : headline.today,
      unit: "tokens",
      change: headline.figure,
      worth: headline.money,
      rate,
      million: million && `a ${million}${headline.paid}`,
      send: headline.copy,
      untested: headline.untested && `${headline.untested} ·`,
      try: headline.untested && "Copy",
      why: [...bars.map(({ told }) => told), ...headline.why].filter(Boolean).join(" "),
      "versus-today": `vs ${today}`,
      "to-reading": reads,
      aged: "",
    };
    for (const [name, text] of Object.entries(this.words)) this.find(name).textContent = text;
    const { traffic, together } = data.options;
    this.find("to-reading").title = known;
    this.find("assumes").hidden = !headline.money;
    this.assumed = { calls: traffic.calls, together };
    this.assume();
    const [among, list, untried] = this.find("tried").children;
    among.textContent = headline.among;
    list.replaceChildren(...headline.tried.map((format) => element("li", "", format)));
    untried.textContent = headline.untried;
    this.find("note").textContent = note && `The note to the model: “${note}”`;
    this.find("bars").innerHTML = headline.drawn.bars;
    if (sample) this.find("called").textContent = capitalised(today);
  }

  /** Writes what the money assumes into its boxes, each as wide as its number; over what somebody is
   * typing only if it `isRefused`. */
  assume(isRefused = false) {
    for (const name of ["calls", "together"]) {
      const box = this.find(name);
      const number = Number(this.assumed[name]);
      if (!isRefused && box.matches(":focus") && numberIn(box.value) !== number) continue;
      box.disabled = Number.isNaN(number);
      box.value = box.disabled ? this.assumed[name] : grouped(number);
      const commas = box.value.split(",").length - 1; // half as wide as digits
      box.style.width = `${box.value.length - commas / 2}ch`;
    }
  }

  /** Lists what would help most besides, each a button that opens it. */
  offer(steps) {
    this.links.dataset.state = "fresh";
    this.links.hidden = !steps.length;
    const offered = JSON.stringify(steps);
    if (offered === this.offered) return; // a button that is being pressed must stay
    this.offered = offered;
    this.links.replaceChildren(
      ...steps.map((step) => {
        const title = step.gain ? `${step.gain} against what to send now` : "";
        return button("step-on", step.label, () => this.session.goOn(step), { title });
      }),
    );
  }

  /** What is in the panes has no answer, says the sentence: no figure of another text stays. */
  age(sentence) {
    if (this.root.dataset.state === "fresh") {
      // What stands below must not move while somebody types.
      this.root.style.minHeight = `${this.root.getBoundingClientRect().height}px`;
    }
    this.root.dataset.state = "nothing";
    this.links.dataset.state = "stale";
    this.links.hidden = true;
    this.session.best.offer(null);
    this.find("bars").replaceChildren();
    this.root.classList.toggle("pending", sentence === PENDING);
    this.find("aged").textContent = sentence;
  }

  /** Shows why the text cannot be read, and buttons that convert it; nothing for null. */
  explain(error, onOffer) {
    const box = this.find("error");
    box.hidden = !error;
    if (error) fillError(box, error);
    fillOffers(this.find("offers"), error?.offers ?? [], onOffer);
  }

  async copy(name, wish) {
    const pressed = this.find(name);
    const text = await this.session.exchange.sent(wish);
    pressed.textContent = text !== null && (await copy(text)) ? "Copied" : "Not allowed";
    setTimeout(() => (pressed.textContent = this.words[name]), COPIED);
  }
}

function capitalised(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The number in a box, whose thousands may be set apart; NaN if it holds none. */
function numberIn(text) {
  return Number(text.replace(/[\s,.](?=\d{3}(?!\d))/g, ""));
}
