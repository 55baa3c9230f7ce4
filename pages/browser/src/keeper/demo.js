// The demo: the answer about what is open as five pictures on the whole screen, each one figure.

import { element } from "../shared/dom.js";
import { LAB } from "../shared/lab.js";
import { PARTS } from "../shared/parts.js";

/** Cells of the picture that shows what a hundred tokens are. */
const CELLS = 100;

/** Opens the pictures, and leads through them with the arrow keys. */
export class Demo {
  constructor(root, keeper) {
    this.keeper = keeper;
    this.dialog = root.querySelector("dialog.demo");
    this.find = (name) => this.dialog.querySelector(`.${name}`);
    root.querySelector(".open-demo").addEventListener("click", () => this.open());
    this.find("close").addEventListener("click", () => this.dialog.close());
    this.find("back").addEventListener("click", () => this.go(-1));
    this.find("on").addEventListener("click", () => this.go(1));
    this.dialog.addEventListener("close", () => this.leave());
    // Opened before there was an answer, it shows the answer as soon as that comes.
    LAB.events.addEventListener("work", () => this.isWaiting && this.keeper.headline && this.fill());
    this.dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.go(step);
    });
  }

  open() {
    this.fill();
    this.dialog.showModal();
    // A browser that does not let us still shows the dialog in its whole window.
    document.documentElement.requestFullscreen?.().catch(() => {});
  }

  fill() {
    const { headline } = this.keeper;
    this.isWaiting = !headline;
    this.pictures = headline ? picturesOf(headline) : [nothing()];
    this.at = 0;
    this.draw();
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  go(step) {
    const at = this.at + step;
    if (at < 0 || at >= this.pictures.length) return;
    this.at = at;
    this.draw();
  }

  draw() {
    const { title, figure, words, picture, isSaving } = this.pictures[this.at];
    this.find("step").textContent = `${this.at + 1} of ${this.pictures.length}`;
    this.find("title").textContent = title;
    this.find("figure").textContent = figure;
    this.find("figure").classList.toggle("saves", Boolean(isSaving));
    this.find("words").textContent = words;
    this.find("picture").replaceChildren(picture);
    this.find("back").disabled = this.at === 0;
    this.find("on").disabled = this.at === this.pictures.length - 1;
  }
}

function nothing() {
  const words = "Open the playground: the demo shows the answer about the JSON there.";
  return { title: "Nothing is open", figure: "", words, picture: element("div") };
}

/** The five pictures of a headline of `toon.costs.headline`; without money there are four. */
function picturesOf(headline) {
  const bars = headline.bars.filter(({ look }) => look !== "apart");
  const [today, minified] = bars;
  const best = bars.at(-1);
  const pictures = [
    {
      title: "What one payload costs today",
      figure: `${today.figure} tokens`,
      words: "Names, quotes and blanks are paid like the data.",
      picture: drawnBars([today], today.cost),
    },
    {
      title: "Of a hundred tokens, so many are your data",
      figure: `${share(today)} of 100`,
      words: "All others are names, punctuation and whitespace.",
      picture: drawnCells(today),
    },
  ];
  if (minified && minified !== best) {
    pictures.push({
      title: "Minify it: any JSON library does that",
      figure: minified.vs_today,
      isSaving: true,
      words: `${today.figure} tokens become ${minified.figure}.`,
      picture: drawnBars([today, minified], today.cost),
    });
  }
  pictures.push({
    title: headline.act,
    figure: `${best.figure} tokens`,
    isSaving: headline.look === "saves",
    words: [best.credit, ...headline.why].filter(Boolean).join(" "),
    picture: drawnBars(bars, today.cost),
  });
  if (headline.year) {
    pictures.push({
      title: `${headline.month} a month`,
      figure: `${headline.year} a year`,
      words: `${headline.calls} payloads a month, ${headline.rate} of input${headline.paid}.`,
      isSaving: true,
      picture: drawnMoney(bars, headline.months),
    });
  }
  return pictures;
}

/** How many of a hundred tokens are values. */
function share({ kinds, cost }) {
  return Math.round((CELLS * kinds.at(-1)) / cost);
}

function drawnBars(bars, most) {
  const drawn = bars.map((bar) => {
    const strip = element("div", "strip");
    strip.style.width = `${(100 * bar.cost) / most}%`;
    [...bar.kinds, bar.explanation].forEach((tokens, part) => {
      if (!tokens) return;
      const piece = element("span", `part-${part}`, bar.parts[part]);
      piece.title = TABLE.parts[PARTS[part]];
      piece.style.flexGrow = tokens;
      strip.append(piece);
    });
    const row = element("div", "row");
    row.append(element("b", "called", bar.label), strip);
    return row;
  });
  const box = element("div", "bars");
  box.append(...drawn, legend(bars));
  return box;
}

function legend(bars) {
  const box = element("p", "legend");
  PARTS.forEach((part, place) => {
    if (!bars.some((bar) => [...bar.kinds, bar.explanation][place])) return;
    const name = element("span", "", TABLE.parts[part]);
    name.prepend(element("i", `part-${place}`));
    box.append(name);
  });
  return box;
}

/** A hundred cells, of which as many are of a kind as a hundred tokens have. */
function drawnCells(bar) {
  const box = element("div", "cells");
  let end = 0;
  let drawn = 0;
  bar.kinds.forEach((tokens, part) => {
    end += (CELLS * tokens) / bar.cost;
    for (; drawn < Math.round(end); drawn++) box.append(element("i", `part-${part}`));
  });
  const both = element("div", "hundred");
  both.append(box, legend([bar]));
  return both;
}

/** What each step costs a month, as columns of one scale. */
function drawnMoney(bars, months) {
  const box = element("div", "columns");
  const most = bars[0].cost;
  bars.forEach((bar, place) => {
    const column = element("div", "column");
    const fill = element("div", "fill");
    fill.style.height = `${(80 * bar.cost) / most}%`;
    column.append(element("b", "", months[place]), fill, element("span", "", bar.label));
    box.append(column);
  });
  return box;
}
