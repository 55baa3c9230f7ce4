// A drawing as a picture: the fonts of a page are not known to an image, so they are put into it.

import { element } from "./dom.js";

/** The whole app. @returns {HTMLElement} */
export const appOf = () => document.querySelector("[data-testid='stApp']");

/**
 * A PNG of an SVG, drawn at so many pixels and `margin` from the edges, with `below` more under it.
 * `paint(pen, canvas)` is called before the drawing is.
 */
export async function pngOf(drawing, width, height, { margin = 0, below = 0, paint = undefined } = {}) {
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = await fontOf(getComputedStyle(appOf()).fontFamily.split(",")[0]);
  drawing.prepend(style);
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  const text = new XMLSerializer().serializeToString(drawing);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const size = { width: width + 2 * margin, height: height + 2 * margin + below };
  const canvas = element("canvas", size);
  const pen = canvas.getContext("2d");
  paint?.(pen, canvas);
  pen.drawImage(image, margin, margin);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))));
  });
}

const fonts = new Map();

/** The page's font as a rule that holds it; "" where it cannot be read. */
function fontOf(family) {
  if (!fonts.has(family)) fonts.set(family, readFont(family).catch(() => ""));
  return fonts.get(family);
}

async function readFont(family) {
  const isIt = (rule) =>
    rule instanceof CSSFontFaceRule &&
    rule.style.fontStyle !== "italic" &&
    rule.style.fontFamily === family;
  for (const sheet of document.styleSheets) {
    const rule = [...sheet.cssRules].find(isIt);
    const file = /** @type {CSSFontFaceRule} */ (rule)?.style.getPropertyValue("src").match(/url\("([^"]+)"\)/)?.[1];
    if (!file) continue;
    const font = await (await fetch(new URL(file, sheet.href ?? location.href))).blob();
    const reader = new FileReader();
    await new Promise((resolve, reject) => {
      reader.onload = resolve;
      reader.onerror = reject;
      reader.readAsDataURL(font);
    });
    return `@font-face { font-family: ${family}; font-weight: 100 900; src: url("${reader.result}") }`;
  }
  return "";
}
