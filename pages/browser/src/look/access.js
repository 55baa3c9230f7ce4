// What Streamlit's own elements lack for those who use the keyboard.

import { lasting } from "../shared/lasting.js";
import { appOf } from "../shared/picture.js";
import { offerPictures } from "./pictures.js";

/** Texts that scroll can be reached, and so scrolled, with the keyboard. */
function reachTexts() {
  /** @type {NodeListOf<HTMLElement>} */
  const texts = document.querySelectorAll("[data-testid='stCode'] pre");
  for (const text of texts) {
    const isHigh = text.scrollHeight > text.clientHeight;
    if (isHigh || text.scrollWidth > text.clientWidth) text.tabIndex = 0;
    else text.removeAttribute("tabindex");
  }
}

/** Milliseconds after the end of typing in a field in which a press on a page waits; and at most. */
const JUST_LEFT = 400;
const PATIENCE = 3_000;
const PAGES = "[data-testid='stTopNavLink'], [data-testid='stSidebarNavLink']";

/**
 * A press on a page that takes the focus from a field comes to the server together with what was
 * typed there, and Streamlit loses one of the two. So it waits until the server has run.
 */
function holdPresses(signal) {
  let left = -Infinity;
  /** @type {EventTarget} */
  let typedIn = null;
  const on = (name, act, capture = false) =>
    document.addEventListener(name, act, { signal, capture });
  on("input", (event) => (typedIn = event.composedPath()[0]));
  on("focusout", (event) => {
    const [field] = event.composedPath();
    if (field !== typedIn || !/^(INPUT|TEXTAREA)$/.test(field.tagName)) return;
    typedIn = null;
    left = performance.now();
  });
  const onClick = (event) => {
    const link = event.target.closest?.(PAGES);
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    const isSoon = performance.now() - left < JUST_LEFT;
    if (!link || !isSoon || isElsewhere || !event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const press = () => {
      const isRunning = document.querySelector("[data-test-script-state=running]");
      if (isRunning && performance.now() - left < PATIENCE) setTimeout(press, 50);
      else link.click();
    };
    setTimeout(press, JUST_LEFT / 2);
  };
  on("click", onClick, true);
}

function mend() {
  reachTexts();
  // Where the pages are folded away, their button says "Pages" (look.css), aloud too.
  const fold = document.querySelector("[data-testid='stExpandSidebarButton']");
  fold?.setAttribute("aria-label", "Pages");
  offerPictures();
  // The theme is the app's, and the patterns stand beside the app.
  const app = appOf();
  const patterns = /** @type {SVGElement} */ (document.querySelector("svg.patterns"));
  if (app) patterns.style.colorScheme = getComputedStyle(app).colorScheme;
}

/** Mends once for all changes before a frame: it measures texts, which takes a page time. */
function mendSoon() {
  awaited ??= requestAnimationFrame(() => {
    awaited = null;
    mend();
  });
}

let awaited = null;
let end = null;

/** Begins to mend the page; returns what ends it. */
function begin() {
  document.body.insertAdjacentHTML("beforeend", TABLE.patterns);
  const observer = new MutationObserver(mendSoon);
  observer.observe(document.getElementById("root"), { childList: true, subtree: true });
  const ending = new AbortController();
  holdPresses(ending.signal);
  mend();
  return () => {
    observer.disconnect();
    ending.abort();
    cancelAnimationFrame(awaited);
    document.querySelector("svg.patterns").remove();
    awaited = end = null;
  };
}

export default lasting(() => {
  end ??= begin();
  return end;
});
