// The keys that work on the whole page, and the list of them.

import { element } from "../shared/dom.js";
import { IS_MAC, wireFinders } from "./find.js";
import { wireSplitter } from "./splitter.js";
import { wireToolbar } from "./toolbar.js";

/**
 * By `event.code`, so that no keyboard's letters matter. Alt+Shift, and Control+Shift on a Mac,
 * where Option types characters: browsers, screen readers and input methods leave both free with
 * these keys.
 */
const SHORTCUTS = [
  { code: "Digit1", key: "1", name: "Go to the JSON editor", act: ({ json }) => json.focus() },
  { code: "Digit2", key: "2", name: "Go to the TOON editor", act: ({ toon }) => toon.focus() },
  { code: "KeyC", key: "C", name: "Copy TOON", act: ({ toon }) => toon.find("copy").click() },
  { code: "KeyN", key: "N", name: "Open the next sample", act: (panes, next) => next() },
  { code: "KeyF", key: "F", name: "Format JSON", act: ({ json }) => json.find("format")?.click() },
];

const MODIFIERS = IS_MAC ? ["Control", "Shift"] : ["Alt", "Shift"];

/** Keys of which the browser has its own, or which need no others, for the list. */
const OTHERS = [
  { keys: [IS_MAC ? "Command" : "Ctrl", "F"], name: "Find, in an editor" },
  { keys: ["Enter"], name: "Next place found; with Shift the one before" },
  { keys: ["Escape"], name: "Close Find" },
  { keys: ["?"], name: "This list, outside of text" },
];

/** Wires everything above the panes, and between them. */
export function wireTools(session, signal) {
  const { root, look } = session;
  const onLook = (name) => {
    if (name === "wrap") for (const pane of Object.values(session.panes)) pane.rewrap();
    session.lookChanged(name);
  };
  wireToolbar(root, look, onLook, signal);
  wireSplitter(root, look, () => session.remember(), signal);
  wireFinders(session, signal);
  wireShortcuts(session, signal);
}

/** Wires the keys, and the button and the dialog with their list. */
function wireShortcuts(session, signal) {
  const dialog = session.root.querySelector(".keys");
  const listed = SHORTCUTS.map(({ key, name }) => ({ keys: [...MODIFIERS, key], name }));
  dialog.querySelector("tbody").replaceChildren(...[...listed, ...OTHERS].map(rowOfKeys));
  const next = () => session.setTriggerValue("sample", "next");
  const show = () => dialog.open || dialog.showModal();
  session.root.querySelector(".help").addEventListener("click", show, { signal });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close(), { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      const act = isPlainQuestion(event) ? show : shortcutOf(event)?.act;
      if (!act || (dialog.open && act !== show)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) act(session.panes, next);
    },
    { signal, capture: true },
  );
}

function shortcutOf({ code, altKey, ctrlKey, shiftKey, metaKey }) {
  const held = IS_MAC ? ctrlKey && !altKey : altKey && !ctrlKey;
  return held && shiftKey && !metaKey ? SHORTCUTS.find((each) => each.code === code) : undefined;
}

/** Whether "?" was typed where it writes nothing. */
function isPlainQuestion(event) {
  const [target] = event.composedPath();
  const writes = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  return event.key === "?" && !writes && !event.ctrlKey && !event.altKey && !event.metaKey;
}

function rowOfKeys({ keys, name }) {
  const row = document.createElement("tr");
  const cell = document.createElement("td");
  keys.forEach((key, index) => cell.append(...(index ? [" + "] : []), element("kbd", "", key)));
  row.append(element("td", "", name), cell);
  return row;
}
