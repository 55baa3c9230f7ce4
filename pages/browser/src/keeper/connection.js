// The server may go away, and come back as another one.

import { LAB } from "../shared/lab.js";
import { appOf } from "../shared/picture.js";

const AWAY = "The server cannot be reached. Nothing is lost.";

/**
 * Calls `wake()` when the server is there again, and `note(sentence)` on pages without editors,
 * which say themselves that it is away.
 *
 * A server that comes back may know nothing of this page and ignores what its fragments say.
 * Streamlit does not run the page then, so it has to be run.
 */
export function watchConnection({ wake, note }) {
  const app = appOf();
  let wasAway = false;
  const look = () => {
    const isAway = app.dataset.testConnectionState !== "CONNECTED";
    if (wasAway && !isAway) wake();
    if (wasAway !== isAway && !LAB.editors) note(isAway ? AWAY : "");
    wasAway = isAway;
  };
  const attributeFilter = ["data-test-connection-state"];
  new MutationObserver(look).observe(app, { attributes: true, attributeFilter });
  keepKeys();
}

/** Closes Streamlit's dialog, which takes the keys of whoever is typing, and gives them back. */
function keepKeys() {
  let focused = null;
  document.addEventListener("focusin", (event) => {
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    if (!target.closest("[role=dialog]")) focused = target;
  });
  const close = () => {
    for (const dialog of document.querySelectorAll("[role=dialog]")) {
      if (!dialog.textContent.startsWith("Connection error")) continue;
      const before = focused;
      /** @type {HTMLElement} */ (dialog.querySelector("button[aria-label=Close]"))?.click();
      setTimeout(() => before?.focus({ preventScroll: true }));
    }
  };
  new MutationObserver(close).observe(document.body, { childList: true });
}
