// A state as a link and as a file: the JSON document of toon/playground/state.py.

import { isDocument } from "../shared/lab.js";

/** Characters of a whole address that chats, mails and proxies pass on uncut. */
export const SAFE_LINK = 8_000;

/** A longer text does not fit into a link however well it is packed. */
export const LONGEST_LINKED = 400_000;

/** Characters of a document that a link may make this browser unpack. */
const MOST_UNPACKED = 1_000_000;

/** A state as a document of version 1. */
export function documentOf({ side, text, name }, options) {
  return JSON.stringify({ tokenLab: 1, side, text, name, options });
}

/** What stands after `#s=` for a document: raw deflate as base64url. */
export async function pack(text) {
  const packing = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packing).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * The document that `packed` holds, as it stands and the text in it: what a stranger wrote is read
 * by Python alone. Throws what is wrong, as a sentence.
 */
export async function unpack(packed) {
  let document, text;
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    document = await inflated(bytes);
    ({ text } = JSON.parse(document));
  } catch {
    throw new Error("This link is damaged: what follows # cannot be read.");
  }
  const isState = isDocument(document) && typeof text === "string";
  if (!isState) throw new Error("This link holds no text for the editors.");
  return { document, text };
}

async function inflated(bytes) {
  const unpacking = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = unpacking.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST_UNPACKED) throw new Error("too large");
  }
}

/** The packed document in an address' hash; "" where there is none. */
export function packedIn(hash) {
  return hash.startsWith("#s=") ? hash.slice(3) : "";
}
