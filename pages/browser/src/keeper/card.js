// The answer as a picture for a chat. It is light whatever the page is.

import { element } from "../shared/dom.js";
import { PARTS } from "../shared/parts.js";
import { TITLES } from "../shared/sides.js";

const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;
const EDGE = 56;
const RIGHT = CARD_WIDTH - EDGE;

const INK = "#0c1118";
const FAINT = "#59636f";
const RULE = "#d5dbe3";
/** What a change means: a saving, a cost, none, or one that is not recommended. */
const SIGNS = { saves: TABLE.saves.light, costs: TABLE.costs.light, same: INK, apart: FAINT };
/** The colours of the kinds and of the explanation, each with that of the figures on it. */
const FILLS = [...TABLE.kinds.light, "#ffffff"];
const ON_FILLS = ["#ffffff", INK, INK, "#ffffff", INK];

/**
 * A PNG of 1200 x 630 of a headline of `toon.costs.headline`.
 *
 * `name` is what the payload is called, `side` what it was typed on, `model` who is asked, with the
 * band of its figures: "GPT-5 · exact".
 */
export async function drawCard(headline, { name, model, side }) {
  const weights = [400, 600, 700].map((weight) => `${weight} 20px "Source Sans"`);
  await Promise.allSettled(weights.map((font) => document.fonts.load(font)));
  const canvas = element("canvas");
  canvas.width = CARD_WIDTH;
  canvas.height = CARD_HEIGHT;
  const card = new Card(canvas.getContext("2d"));
  card.drawFrame(name, TITLES[side], model);
  if (headline.nothing) card.paragraph(headline.lead, 150, { size: 44, lines: 6, weight: 600 });
  else card.drawAnswer(headline);
  return new Promise((resolve, reject) => {
    const done = (blob) => (blob ? resolve(blob) : reject(new Error("no picture")));
    canvas.toBlob(done, "image/png");
  });
}

class Card {
  constructor(pen) {
    this.pen = pen;
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
  }

  // -- words -------------------------------------------------------------------------------

  /** Text as large as `size`, smaller where `room` is less, and shortened where that is too small. */
  say(text, x, y, { size, least = size, weight = 400, colour = INK, room = Infinity, right = false }) {
    let shown = text;
    for (let now = size; now >= least; now -= 1) {
      this.setFont(weight, now);
      if (this.width(text) <= room) break;
    }
    const letters = [...text];
    while (this.width(shown) > room && letters.length) {
      letters.pop();
      shown = `${letters.join("").trimEnd()}…`;
    }
    this.pen.fillStyle = colour;
    this.pen.textAlign = right ? "right" : "left";
    this.pen.fillText(shown, x, y);
    return this.width(shown);
  }

  /** Text in lines below `top`, smaller until it takes at most `lines`; gives its lower end. */
  paragraph(text, top, { size, lines, weight = 400, colour = INK }) {
    let found = [];
    for (let now = size; now >= 14; now -= 1) {
      this.setFont(weight, now);
      found = this.wrapped(text, RIGHT - EDGE);
      size = now;
      if (found.length <= lines) break;
    }
    found.forEach((line, number) => {
      const y = top + size + 1.25 * size * number;
      this.say(line, EDGE, y, { size, weight, colour, room: RIGHT - EDGE });
    });
    return top + 1.25 * size * found.length;
  }

  /** Lines of whole words; figures keep their units, which no-break spaces join. */
  wrapped(text, room) {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
      if (this.width(longer) <= room) lines.splice(-1, 1, longer);
      else lines.push(word);
    }
    return lines.filter(Boolean);
  }

  setFont(weight, size) {
    this.pen.font = `${weight} ${size}px "Source Sans", sans-serif`;
  }

  width(text) {
    return this.pen.measureText(text).width;
  }

  box(x, y, width, height, colour) {
    this.pen.fillStyle = colour;
    this.pen.fillRect(x, y, width, height);
  }

  // -- parts -------------------------------------------------------------------------------

  /** What stands on every card: the product and the payload above, the model below. */
  drawFrame(name, title, model) {
    this.box(EDGE, 48, 34, 7, "#3b82c4");
    this.box(EDGE, 59, 21, 7, "#3b82c4");
    this.box(EDGE, 70, 14, 7, "#1a9c78");
    this.say("Token lab", EDGE + 48, 73, { size: 28, weight: 700 });
    /** @type {Intl.DateTimeFormatOptions} */
    const format = { day: "numeric", month: "short", year: "numeric" };
    const date = new Date().toLocaleDateString("en-GB", format);
    const rest = ` · ${title} · ${date}`;
    const look = { size: 22, colour: FAINT, right: true };
    const taken = this.say(rest, RIGHT, 73, look);
    this.say(name, RIGHT - taken, 73, { ...look, room: 440 });
    this.box(EDGE, 568, RIGHT - EDGE, 1, RULE);
    this.say(model, EDGE, 600, { size: 22, weight: 600, room: 560 });
  }

  drawAnswer(headline) {
    const taken = this.say(headline.figure, EDGE, 196, {
      size: 108,
      least: 60,
      weight: 700,
      room: 600,
      colour: SIGNS[headline.look],
    });
    const beside = EDGE + taken + 36;
    const room = RIGHT - beside;
    const above = headline.money ? 156 : 192;
    this.say(headline.against, beside, above, { size: 26, least: 18, colour: FAINT, room });
    this.say(headline.money, beside, 194, { size: 28, least: 18, weight: 600, room });
    const below = this.paragraph(headline.act, 224, { size: 32, lines: 2, weight: 600 });
    const credits = headline.bars.map(({ credit }) => credit);
    const why = [...credits, ...headline.why].filter(Boolean).join(" ");
    if (why) this.paragraph(why, below + 6, { size: 20, lines: 2, colour: FAINT });
    this.drawBars(headline.bars);
    const proof = { size: 20, least: 14, colour: FAINT, room: 500, right: true };
    this.say(headline.proof, RIGHT, 600, proof);
  }

  /** The bars on one scale, and below them what their colours mean. */
  drawBars(bars) {
    const most = Math.max(...bars.map(({ cost }) => cost), 1);
    const top = 338 + 29 * (3 - bars.length);
    bars.forEach((bar, number) => this.drawBar(bar, most, top + 58 * number));
    let left = EDGE + 200;
    const y = top + 58 * bars.length;
    for (const [part, key] of PARTS.entries()) {
      if (!bars.some((bar) => [...bar.kinds, bar.explanation][part])) continue;
      this.fill(part, left, y + 16, 16, 16);
      left += 24 + this.say(TABLE.parts[key], left + 24, y + 31, { size: 18, colour: FAINT }) + 24;
    }
  }

  /** A text of the ladder: its name, its tokens by kind, and the step to it. */
  drawBar(bar, most, top) {
    const apart = bar.look === "apart";
    const called = { size: 22, least: 15, colour: apart ? FAINT : INK, room: 185 };
    this.say(bar.label, EDGE, top + 28, called);
    const tokens = [...bar.kinds, bar.explanation];
    let left = EDGE + 200;
    for (const part of PARTS.keys()) {
      const width = (440 * tokens[part]) / most;
      if (width) this.drawPiece(part, left, top, width, bar.parts[part], apart);
      left += width;
    }
    this.say(bar.figure, 800, top + 28, { size: 24, least: 8, weight: 600, room: 95, right: true });
    const step = { size: 22, weight: 600, colour: SIGNS[bar.look] };
    const taken = bar.vs_today ? this.say(bar.vs_today, 822, top + 28, step) + 10 : 0;
    const room = RIGHT - 822 - taken;
    const beside = bar.vs_today ? bar.sum : "tokens";
    this.say(beside, 822 + taken, top + 28, { size: 18, least: 13, colour: FAINT, room });
  }

  /** A part of a bar, with its figure where that fits; paler in a bar that stands apart. */
  drawPiece(part, left, top, width, figure, apart) {
    this.pen.globalAlpha = apart ? 0.5 : 1;
    this.fill(part, left, top, width, 40);
    this.pen.globalAlpha = 1;
    this.setFont(400, 17);
    const taken = this.width(figure);
    if (taken + 8 > width) return;
    const colour = apart ? INK : ON_FILLS[part];
    this.say(figure, left + (width - taken) / 2, top + 26, { size: 17, colour });
  }

  /** A box in the colour of a part; the explanation has an outline instead. */
  fill(part, left, top, width, height) {
    this.box(left, top, width, height, FILLS[part]);
    if (PARTS[part] !== "explanation") return;
    this.pen.strokeStyle = FAINT;
    this.pen.strokeRect(left + 0.5, top + 0.5, Math.max(width - 1, 0), height - 1);
  }
}
