// How the texts look: the switches below the panes, and the colours in the head of the first.

import { radios } from "../shared/dom.js";
import { fill } from "./facts.js";

/** What the switches say before anybody has pressed one. */
export const FIRST_LOOK = { colour: "kinds", whitespace: false, wrap: false };

const COLOURS = { kinds: "Kinds", tokens: "Tokens" };

/** Wires the switches to `look`; `onChange(name)` hears what has changed. */
export function wireToolbar(root, look, onChange, signal) {
  root.querySelector(".tools").addEventListener(
    "click",
    ({ target }) => {
      const name = target.closest("button")?.dataset.look;
      if (!name) return;
      look[name] = !look[name];
      showLook(root, look);
      onChange(name);
    },
    { signal },
  );
  const choose = (colour) => {
    look.colour = colour;
    onChange("colour");
  };
  fill(root.querySelector(".colours"), radios("colour", COLOURS, look.colour, choose));
  showLook(root, look);
}

function showLook(root, look) {
  for (const button of root.querySelectorAll(".tools [data-look]")) {
    button.setAttribute("aria-pressed", String(look[button.dataset.look]));
  }
}
