// The switches above the panes, and what the colours of the text mean.

import { SHARE } from "./splitter.js";

/** What the switches say before anybody has pressed one; `share` is where the panes meet. */
export const FIRST_LOOK = { colour: "kinds", whitespace: false, wrap: false, share: SHARE.even };

/** Wires the switches to `look`; `onChange(name)` hears what has changed. */
export function wireToolbar(root, look, onChange, signal) {
  root.querySelector(".tools").addEventListener(
    "click",
    ({ target }) => {
      const { colour, look: name } = target.closest("button")?.dataset ?? {};
      if (colour) look.colour = colour;
      else if (name) look[name] = !look[name];
      else return;
      showLook(root, look);
      onChange(name ?? "colour");
    },
    { signal },
  );
  showLook(root, look);
}

function showLook(root, look) {
  for (const button of root.querySelectorAll(".tools [data-colour], .tools [data-look]")) {
    const { colour, look: name } = button.dataset;
    const pressed = colour ? colour === look.colour : look[name];
    button.setAttribute("aria-pressed", String(pressed));
  }
  for (const legend of root.querySelectorAll(".legend[data-for]")) {
    legend.hidden = legend.dataset.for !== look.colour;
  }
}
