// Text in and out of a pane: clipboard, dropped text and files, downloads.

import { element } from "./dom.js";

/** Milliseconds for which a button says that it has copied. */
const COPIED = 1_500;

/** UTF-8 bytes of a text. */
export function bytesOf(text) {
  return new Blob([text]).size;
}

/** Offers a text or a blob as a file. */
export function saveAs(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href, download: name });
  link.click();
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Puts `text` on the clipboard; false if the browser does not let us. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS there is no navigator.clipboard, but the old way works.
    return copyBySelection(text);
  }
}

/** Copies a text, null for none; the pressed button says so, and then again its own `words()`. */
export async function copyBy(pressed, text, words) {
  pressed.textContent = text !== null && (await copy(text)) ? "Copied" : "Not allowed";
  setTimeout(() => (pressed.textContent = words()), COPIED);
}

function copyBySelection(text) {
  let focused = /** @type {HTMLElement} */ (document.activeElement);
  while (focused?.shadowRoot?.activeElement) {
    focused = /** @type {HTMLElement} */ (focused.shadowRoot.activeElement);
  }
  const scratch = element("textarea", { value: text, style: "position: fixed; opacity: 0" });
  document.body.append(scratch);
  scratch.select();
  const copied = document.execCommand("copy");
  scratch.remove();
  focused?.focus?.({ preventScroll: true });
  return copied;
}
