// The delimiters of TOON, compared where one chooses them.

import { button, element } from "../shared/dom.js";
import { fill } from "./facts.js";

/**
 * Draws a button for each of `costs`, by the names of delimiters, into the head of the pane, and
 * behind its own tokens what they are with the note to the model.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const buttons = Object.entries(costs).map(([name, { tokens }]) => {
    const about = { ariaPressed: String(name === chosen) };
    const choice = button("", `${name} `, () => onPick(name), about);
    choice.append(element("b", "", tokens));
    choice.dataset.delimiter = name;
    return choice;
  });
  fill(pane.find("delimiters"), buttons);
  const { note, cost } = costs[chosen] ?? {};
  pane.find("noted").textContent = note ? `+ ${note} note = ${cost}` : "";
}
