// The delimiters of TOON, compared where one chooses them.

import { button, element } from "../shared/dom.js";
import { fill } from "./facts.js";

/**
 * Draws a button for each of `costs`, by the names of delimiters, into the head of the pane, each
 * with the note to the model as in the answer; pointed at, it says what it is the sum of.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const buttons = Object.entries(costs).map(([name, { tokens, note, cost }]) => {
    const title = note ? `${tokens} + ${note} note` : "";
    const about = { ariaPressed: String(name === chosen), title };
    const choice = button("", `${name} `, () => onPick(name), about);
    choice.append(element("b", "", cost));
    choice.dataset.delimiter = name;
    return choice;
  });
  fill(pane.find("delimiters"), buttons);
}
