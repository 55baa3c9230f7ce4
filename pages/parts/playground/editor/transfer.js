// Text in and out of a pane: clipboard, dropped text and files, downloads.

const MIME_TYPES = { json: "application/json", toon: "text/plain" };

/** UTF-8 bytes of a text. */
function bytesOf(text) {
  return new Blob([text]).size;
}

/** Offers `text` as a file named `name`. */
function download(text, name, side) {
  save(new Blob([text], { type: `${MIME_TYPES[side]};charset=utf-8` }), name);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Puts `text` on the clipboard; false if the browser does not let us. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS there is no navigator.clipboard, but the old way works.
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const focused = document.activeElement;
  const scratch = document.createElement("textarea");
  scratch.value = text;
  scratch.style.cssText = "position: fixed; opacity: 0";
  document.body.append(scratch);
  scratch.select();
  const copied = document.execCommand("copy");
  scratch.remove();
  focused?.focus?.({ preventScroll: true });
  return copied;
}

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
function interceptTransfers(surface, textarea, { limit, take, refuse, signal }) {
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
