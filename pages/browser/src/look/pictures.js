// Every chart can be saved as a picture: a button below it, made when there is time.

import { button } from "../shared/dom.js";
import { appOf, pngOf } from "../shared/picture.js";
import { saveAs } from "../shared/transfer.js";

const CHART = "[data-testid='stVegaLiteChart']";
/** Device pixels of a picture to each pixel of the page; the page's pixels around and below it. */
const SHARP = 2;
const MARGIN = 16;
const FOOTER = 24;

let isAwaited = false;

/** Gives every chart that is drawn its button; many calls do the work once. */
export function offerPictures() {
  if (isAwaited) return;
  isAwaited = true;
  if (window.requestIdleCallback) requestIdleCallback(giveButtons, { timeout: 2_000 });
  else setTimeout(giveButtons, 200);
}

function giveButtons() {
  isAwaited = false;
  for (const chart of document.querySelectorAll(CHART)) {
    const place = chart.closest("[data-testid='stElementContainer']");
    if (!chart.querySelector("svg.marks") || !place) continue;
    // A chart that is drawn anew keeps its place, and the button there.
    const saving = place.querySelector(":scope > .save-picture") ?? buttonOf(place);
    const label = `Save picture: ${chart.ariaLabel ?? "chart"}`;
    if (saving.ariaLabel !== label) saving.ariaLabel = label;
  }
  // A place may be given to something else than a chart.
  for (const button of document.querySelectorAll(".save-picture")) {
    if (!button.parentElement.querySelector(CHART)) button.remove();
  }
}

/** A new button in the place of a chart. */
function buttonOf(place) {
  const act = () => save(place.querySelector(CHART), saving);
  const saving = button("save-picture", "Save picture", act);
  place.append(saving);
  return saving;
}

async function save(chart, saving) {
  try {
    const blob = await pictureOf(chart.querySelector("svg.marks"));
    const words = (chart.ariaLabel ?? "").toLowerCase().match(/[a-z0-9]+/g) ?? ["chart"];
    saveAs(`${words.slice(0, 8).join("-")}.png`, blob, "image/png");
  } catch {
    saving.textContent = "The browser could not make the picture";
  }
}

/** A PNG of a drawing on the page's background, with the product's name below it. */
function pictureOf(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const page = getComputedStyle(appOf());
  const copy = drawing.cloneNode(true);
  copy.prepend(document.querySelector("svg.patterns").cloneNode(true));
  copy.style.colorScheme = page.colorScheme;
  const margin = SHARP * MARGIN;
  const paint = (pen, canvas) => {
    pen.fillStyle = page.backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = page.color;
    pen.font = `600 ${SHARP * 13}px ${page.fontFamily}`;
    pen.textAlign = "right";
    pen.fillText("Token lab", canvas.width - margin, canvas.height - margin);
  };
  return pngOf(copy, SHARP * width, SHARP * height, { margin, below: SHARP * FOOTER, paint });
}
