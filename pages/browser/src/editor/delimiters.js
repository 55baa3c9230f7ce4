// The delimiters of TOON, compared where one chooses them.

import { button, element } from "../shared/dom.js";
import { fill } from "./facts.js";

/**
 * Draws a button for each of `costs`, by the names of delimiters, into the head of the pane, each
 * with the note to the model as in the answer, and in place of the text's tokens what they sum up to.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const buttons = Object.entries(costs).map(([name, { cost }]) => {
    const about = { ariaPressed: String(name === chosen) };
    const choice = button("", `${name} `, () => onPick(name), about);
    choice.append(element("b", "", cost));
    choice.dataset.delimiter = name;
    return choice;
  });
  fill(pane.find("delimiters"), buttons);
  const { tokens, note, cost } = costs[chosen] ?? {};
  pane.find("noted").textContent = note ? `${cost} tokens (${tokens} + ${note} note)` : "";
}
