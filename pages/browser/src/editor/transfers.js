// Text and files that come into a pane.

import { isDocument } from "../shared/lab.js";
import { bytesOf } from "../shared/transfer.js";
import { megabytes } from "./facts.js";

/** The text of a dropped file; null if it is not UTF-8, or a folder. */
async function textOfFile(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** Why a text takes more than `most` bytes; null if it does not. */
export function excess(text, most) {
  // A unit takes one to three bytes, so most texts need no counting.
  const bytes = text.length > most ? text.length : text.length * 3 > most ? bytesOf(text) : 0;
  if (bytes <= most) return null;
  const sizes = `${megabytes(bytes)}; the limit is ${megabytes(most)}`;
  return `This text is too large: ${sizes}. Nothing was changed.`;
}

/**
 * Hears of what comes into a pane of `session`, which takes files, whatever is pasted into a sample
 * as it came, and saved states over the whole text. What is returned gives true for the text of a
 * paste that the editor must not take itself.
 */
export function interceptTransfers(pane, session) {
  const take = (text, caret) => session.pastes.open(pane.side, text, caret);
  const refuse = (message) => session.refuse(pane.side, message);
  const onDrop = async (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation(); // the editor would write it where it was dropped
    const text = await textOfFile(file);
    if (text === null) refuse(`${file.name} is not UTF-8 text; nothing was changed.`);
    else take(text);
  };
  pane.surface.addEventListener("drop", onDrop, { capture: true });
  // Without this the browser would open a dropped file instead of handing it over.
  pane.surface.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  return (text) => {
    const most = session.data.limits.bytes;
    const { from, to } = pane.code.state.selection.main;
    if (session.work.sample && from === to) {
      take(text, text.length);
      return true;
    }
    const isLong = 3 * (pane.length - to + from + text.length) > most;
    const after = isLong ? pane.text.slice(0, from) + text + pane.text.slice(to) : "";
    const refused = excess(after, most);
    if (refused) refuse(refused);
    else if (to - from === pane.length && isDocument(text)) take(text);
    else return false;
    return true;
  };
}
