// What stands in the head of a pane: the delimiters of TOON, and below them one thing to know about
// the text and what can be done.

import { element, radios } from "../shared/dom.js";
import { paneOf } from "../shared/lab.js";
import { bytesOf } from "../shared/transfer.js";
import { fill, megabytes } from "./facts.js";

/**
 * Draws a choice for each of `costs`, by the names of delimiters, into the head of the pane, each
 * with the note to the model as in the answer; pointed at, it says what it is the sum of.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const words = Object.entries(costs).map(([name, { cost }]) => [
    name,
    [`${name} `, element("b", "", cost)],
  ]);
  const choices = radios("delimiter", Object.fromEntries(words), chosen, onPick);
  for (const choice of choices) {
    const { tokens, note } = costs[choice.firstElementChild.value];
    choice.title = note ? `${tokens} + ${note} note` : "";
  }
  fill(pane.find("delimiters"), choices);
}

/** What an error page of HTML says first. */
const STATUS = /<(?:title|h1)\b[^>]*>\s*([45]\d\d [^<\n]{1,40}?)\s*</i;

/** Shows in the bar of a pane what matters most now, or nothing. */
export function drawBar(session, pane) {
  const { side } = pane;
  const { pastes, refused, source, data } = session;
  const { replaced } = session.work;
  pane.find("clear").hidden = side !== session.side || !session.isLarge;
  if (refused?.side === side) {
    pane.setBar(refused.message, [["Dismiss", () => session.refuse(null, "")]]);
  } else if (side === session.side && session.isWaiting) {
    const [size, most] = [bytesOf(source.text), data.limits.live].map(megabytes);
    const followed = `Large payload (${size}): up to ${most} is followed by itself.`;
    const works = "Editing, Find, folding, Copy and Download work.";
    pane.setBar(`${followed} ${works}`, [["Measure", () => session.measure()]]);
  } else if (side === "json" && pastes.isShown) {
    pane.setBar(wasPasted(pastes), [["Undo", () => pane.code.replace(pastes.converted.text)]]);
  } else if (replaced && paneOf(replaced.side) === side) {
    const bringBack = () => {
      const { replaced: now } = session.work; // the bar stays where another text was replaced
      pane.code.replace(now.text);
      session.resume(now);
    };
    pane.setBar("Your text before is not lost.", [["Bring it back", bringBack]]);
  } else {
    pane.setBar("");
  }
}

/** What was pasted, and what became of it; what was lost with code is a notice of its own. */
function wasPasted({ converted, origin }) {
  const [, status] = (converted.name === "html" && converted.text.match(STATUS)) || [];
  if (status) return `You pasted an error page (${status}).`;
  const said = converted.said && `: ${converted.said}`;
  const more = origin ? ". It is counted as you pasted it" : said;
  return `This was ${converted.title}. It is JSON now${more}.`;
}
