// The delimiters of TOON, compared where one chooses them.

import { element, radios } from "../shared/dom.js";
import { fill } from "./facts.js";

/**
 * Draws a choice for each of `costs`, by the names of delimiters, into the head of the pane, each
 * with the note to the model as in the answer; pointed at, it says what it is the sum of.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const box = pane.find("delimiters");
  const hadFocus = box.contains(box.getRootNode().activeElement);
  const words = Object.entries(costs).map(([name, { cost }]) => [
    name,
    [`${name} `, element("b", "", cost)],
  ]);
  const choices = radios("delimiter", Object.fromEntries(words), chosen, onPick);
  for (const choice of choices) {
    const { tokens, note } = costs[choice.firstElementChild.value];
    choice.title = note ? `${tokens} + ${note} note` : "";
  }
  fill(box, choices);
  if (hadFocus) box.querySelector(":checked")?.focus();
}
