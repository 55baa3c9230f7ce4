// The delimiters of TOON, compared where one chooses them.

import { element } from "../shared/dom.js";

/**
 * Draws a button for each of `costs`, by the names of delimiters, into the head of the pane, each
 * with the note to the model as in the answer, and in place of the text's tokens what they sum up to.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const buttons = Object.entries(costs).map(([name, { cost }]) => {
    const button = element("button", "", `${name} `);
    button.append(element("b", "", cost));
    button.type = "button";
    button.dataset.delimiter = name;
    button.setAttribute("aria-pressed", String(name === chosen));
    button.addEventListener("click", () => onPick(name));
    return button;
  });
  const box = pane.find("delimiters");
  box.hidden = buttons.length === 0;
  box.replaceChildren(...buttons);
  const { tokens, note, cost } = costs[chosen] ?? {};
  pane.find("noted").textContent = note ? `${cost} tokens (${tokens} + ${note} note)` : "";
}
