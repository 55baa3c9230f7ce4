// The switches above the panes, and the colours of the theme.

/** Used where the theme has fewer than four chart colours. */
const FALLBACK_PALETTE = ["#0072b2", "#e69f00", "#9aa5b1", "#00875f"];

/** What the switches say before anybody has pressed one; `share` is where the panes meet. */
const FIRST_LOOK = { colour: "kinds", whitespace: false, wrap: false, share: SHARE.even };

/** Wires the switches to `look`; `onChange(name)` hears what has changed. */
function wireToolbar(root, look, onChange, signal) {
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

/** Sets --kind-0 to --kind-3 from the theme's chart colours. */
function setPalette(root) {
  const value = getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors");
  // Commas within rgb(...) do not part colours.
  const colours = value.split(/,(?![^(]*\))/).map((colour) => colour.trim());
  const usable = colours.filter((colour) => CSS.supports("color", colour));
  const palette = usable.length < 4 ? FALLBACK_PALETTE : usable;
  palette.slice(0, 4).forEach((colour, kind) => root.style.setProperty(`--kind-${kind}`, colour));
}
