// Text and files that come into a pane.

import { LAZY } from "./lines.js";

/** What the textarea would hold after `text` was pasted over its selection. */
function spliced(textarea, text) {
  const { value, selectionStart, selectionEnd } = textarea;
  return value.slice(0, selectionStart) + text + value.slice(selectionEnd);
}

/** The text of a dropped file; null if it is not UTF-8. */
async function textOfFile(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/**
 * Gives to `take` what must not go into the textarea at once: long texts, texts that would make it
 * longer than `limit()` units, and files. `refuse` gets a message about files that are not text.
 */
export function interceptTransfers(surface, textarea, { limit, take, refuse, signal }) {
  const onText = (event, text) => {
    const isShort = text.length <= LAZY && textarea.value.length + text.length <= limit();
    if (!text || (isShort && !textarea.hidden)) return;
    event.preventDefault();
    // A text too large for the textarea, which is empty then, is replaced as a whole.
    take(spliced(textarea, text));
  };
  const onFile = async (event, file) => {
    event.preventDefault();
    const text = await textOfFile(file);
    if (text === null) refuse(`${file.name} is not UTF-8 text; nothing was changed.`);
    else take(text);
  };
  const onPaste = (event) => onText(event, event.clipboardData?.getData("text/plain") ?? "");
  const onDrop = (event) => {
    // A dropped file may come with its path as text, so the file goes first.
    const file = event.dataTransfer?.files[0];
    if (file) onFile(event, file);
    else if (!textarea.hidden) onText(event, event.dataTransfer?.getData("text/plain") ?? "");
  };
  surface.addEventListener("paste", onPaste, { signal });
  surface.addEventListener("drop", onDrop, { signal });
  // Without this the browser would open a dropped file instead of handing it over.
  surface.addEventListener("dragover", acceptFiles, { signal });
}

function acceptFiles(event) {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
}
