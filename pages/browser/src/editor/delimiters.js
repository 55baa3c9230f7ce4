// The delimiters of TOON, compared where one chooses them.

import { element } from "../shared/dom.js";

/**
 * Draws a button for each of `costs`, by the names of delimiters, into the head of the pane, and
 * behind its own tokens what they are with the note to the model.
 */
export function drawDelimiters(pane, costs, chosen, onPick) {
  const buttons = Object.entries(costs).map(([name, { tokens }]) => {
    const button = element("button", "", `${name} `);
    button.append(element("b", "", tokens));
    button.type = "button";
    button.dataset.delimiter = name;
    button.setAttribute("aria-pressed", String(name === chosen));
    button.addEventListener("click", () => onPick(name));
    return button;
  });
  const box = pane.find("delimiters");
  box.hidden = buttons.length === 0;
  box.replaceChildren(...buttons);
  const { note, cost } = costs[chosen] ?? {};
  pane.find("noted").textContent = note ? `+ ${note} note = ${cost}` : "";
}
