// The answer above the panes: what to do, what that saves, and bars on one scale.

import { button } from "../shared/dom.js";
import { LAB } from "../shared/lab.js";
import { copyBy } from "../shared/transfer.js";
import { fill, fillError } from "./facts.js";

/** Milliseconds for which an answer may be of the text before. */
const MOMENT = 500;

/** Why what stands is no answer to the text in the panes. */
export const PENDING = "The answer to this text is being worked out.";
export const NO_FORM = "This payload has no TOON form.";
export const EMPTY = "Paste your JSON: what to send, and what that saves, appears here.";
export const WAITING = "This text is too large to follow every key: press Measure.";
export const UNREACHED = "The server cannot be reached.";

/**
 * Shows a headline of `toon.costs.headline` and its bars, which the server has drawn, and takes it
 * away where it is not of the text in the panes.
 *
 * It stands where the page has a place for it (card.js), so that controls come between the answer
 * and the panes; else above the panes.
 */
export class Ladder {
  constructor(session) {
    const { root, signal, reports } = session;
    this.session = session;
    this.timer = null;
    this.root = root.querySelector(".answer");
    this.links = root.querySelector(".next");
    this.find("legend").innerHTML = TABLE.legend;
    const onClick = (name, act) => this.find(name).addEventListener("click", act, { signal });
    onClick("ask-service", () => reports.goOn({ page: "service", edit: reports.latest }));
    onClick("to-reading", () => reports.goOn({ page: "reading" }));
    const copyOn = (name, wish) =>
      onClick(name, async () => {
        copyBy(this.find(name), await session.exchange.sent(wish), () => this.words[name]);
      });
    copyOn("send", "best");
    copyOn("try", "untested");
    this.moveIn();
    LAB.events.addEventListener("place", () => this.moveIn(), { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(this.timer);
      root.prepend(this.root);
    });
  }

  /** Goes to the place that the page has for the answer, if there is one. */
  moveIn() {
    const { place } = LAB;
    if (place?.isConnected && this.root.parentNode !== place) place.replaceChildren(this.root);
  }

  find(name) {
    return this.root.querySelector(`.${name}`);
  }

  get isOld() {
    return this.root.dataset.state === "nothing";
  }

  /** Newer text: the answer goes in a moment, unless the new one comes before. */
  expire(sentence) {
    this.sentence = sentence;
    this.timer ??= setTimeout(() => this.doubt(this.sentence), MOMENT);
  }

  /** There will be no answer to this text; while keys come, the next text may have one. */
  fail(sentence) {
    if (this.isOld) this.doubt(sentence);
    else this.expire(sentence);
  }

  /** The answer goes now; before the first one, says in a moment that there is none. */
  doubt(sentence) {
    if (this.root.dataset.state === "empty" && this.timer === null) return this.expire(sentence);
    this.stopTimer();
    this.age(sentence);
  }

  stopTimer() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  /** Shows the answer; one that is not of the latest text goes in a moment. */
  take(headline, isLatest) {
    this.stopTimer();
    this.show(headline);
    if (!isLatest) this.expire(PENDING);
  }

  show(headline) {
    const { data, work } = this.session;
    const sample = work.now.sample ? data.title : "";
    this.links.dataset.state = "stale"; // until they are offered anew
    for (const box of [this.root, this.session.root]) box.classList.toggle("is-sample", !!sample);
    document.documentElement.classList.toggle("own-text", !sample);
    if (headline.nothing) {
      this.age(headline.lead);
      this.isAnswered = true;
      return;
    }
    this.root.style.minHeight = "";
    this.root.classList.remove("pending");
    this.root.dataset.state = "fresh";
    this.root.dataset.look = headline.look;
    this.root.classList.toggle("noted", headline.note !== "");
    const isChange = headline.look !== "same";
    const { bars, best } = headline;
    const today = sample ? "this JSON" : bars[0].label;
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
      assumes: headline.assumed && `for ${headline.assumed}`,
      shared: headline.shared,
      send: headline.copy,
      untested: headline.untested && `${headline.untested} ·`,
      try: headline.untested && "Copy",
      why: [...bars.map(({ told }) => told), ...headline.why].filter(Boolean).join(" "),
      "versus-today": `vs ${today}`,
      "to-reading": reads,
      aged: "",
    };
    for (const [name, text] of Object.entries(this.words)) this.find(name).textContent = text;
    this.find("to-reading").title = known;
    this.find("bars").innerHTML = headline.drawn;
    if (sample) this.find("called").textContent = today[0].toUpperCase() + today.slice(1);
  }

  /** Says for which models the answer is another, and lists what would help most, as buttons. */
  offer({ next: steps, flips }) {
    this.find("flips").textContent = flips;
    this.links.dataset.state = "fresh";
    this.links.hidden = !steps.length;
    const offered = JSON.stringify(steps);
    if (offered === this.offered) return; // a button that is being pressed must stay
    this.offered = offered;
    this.links.replaceChildren(
      ...steps.map((step) => {
        const title = step.gain ? `${step.gain} against what to send now` : "";
        return button("step-on", step.label, () => this.session.reports.goOn(step), { title });
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
    this.isAnswered = false;
    this.session.showService();
    this.root.classList.toggle("pending", sentence === PENDING);
    this.find("aged").textContent = sentence;
  }

  /**
   * Shows what the service of the model's maker counts of the text in the panes, `service`, beside
   * our figures or in their place, or the button that asks it; where no text has an answer, neither.
   */
  showService({ asks, words, bars }, isCounted) {
    const isAlone = this.isOld && this.isAnswered;
    this.root.classList.toggle("counted", isAlone && isCounted);
    this.find("ask-service").textContent = isAlone && !isCounted ? asks : "";
    this.find("asked").textContent = isCounted && !isAlone ? words : "";
    if (!isAlone || !isCounted) return;
    this.find("aged").textContent = words;
    this.find("bars").innerHTML = bars;
  }

  /** Shows why the text cannot be read, and buttons that convert it; nothing for null. */
  explain(error, onOffer) {
    const box = this.find("error");
    box.hidden = !error;
    if (error) fillError(box, error);
    const offers = error?.offers ?? [];
    const buttons = offers.map((offer) => button("button", offer.label, () => onOffer(offer)));
    fill(this.find("offers"), buttons);
  }
}
