// What charts fill their bars with: nobody needs colours to tell two parts apart.

/** What is drawn on a part's colour, one place after the other: nothing, stripes, dots, lines. */
const DRAWN = ["", "M-2 2 2-2M-2 10 10-2M6 10 10 6", "M1 2h2M5 6h2", "M0 4h8"];

/** Every part's pattern, "url(#FAMILY-PLACE)" for a chart; they take no room on the page. */
export function makePatterns() {
  const drawing = shape("svg", { class: "patterns", "aria-hidden": "true" });
  for (const [family, colours] of Object.entries(TABLE.fills)) {
    drawing.append(...colours.map((colour, place) => pattern(`${family}-${place}`, colour, place)));
  }
  return drawing;
}

function pattern(id, [light, dark], place) {
  const size = { width: "8", height: "8" };
  const box = shape("pattern", { id, patternUnits: "userSpaceOnUse", ...size });
  const stroke = "stroke: #12161c; stroke-width: 1.5; stroke-opacity: 0.45";
  box.append(
    shape("rect", { style: `fill: light-dark(${light}, ${dark})`, ...size }),
    shape("path", { style: stroke, d: DRAWN[place % DRAWN.length] }),
  );
  return box;
}

function shape(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
