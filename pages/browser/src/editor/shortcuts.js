// The buttons below the panes, the keys that work on the whole page, and the list of them.

import { openSearchPanel } from "@codemirror/search";
import { element, isWriting, radios } from "../shared/dom.js";
import { saveAs } from "../shared/transfer.js";
import { fill } from "./facts.js";

/** How the texts look before anybody has pressed a switch. */
export const FIRST_LOOK = { colour: "kinds", whitespace: false, wrap: false };

const MIME_TYPES = { json: "application/json", toon: "text/plain;charset=utf-8" };

const COLOURS = { kinds: "Kinds", tokens: "Tokens" };

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

export const MOD = IS_MAC ? "Command" : "Ctrl";

/**
 * Alt+Shift, and Control+Shift on a Mac, where Option types characters: browsers, screen readers
 * and input methods leave both free with these keys.
 */
const BOTH = IS_MAC ? ["Control", "Shift"] : ["Alt", "Shift"];

/**
 * All keys, for the list. Those with an `act` are heard here; the others are the editors' own, or
 * need no others.
 */
const KEYS = [
  { keys: [...BOTH, "1"], name: "Go to the JSON editor", act: ({ json }) => json.code.view.focus() },
  { keys: [...BOTH, "2"], name: "Go to the TOON editor", act: ({ toon }) => toon.code.view.focus() },
  { keys: [...BOTH, "C"], name: "Copy what the right pane shows", act: ({ toon }) => toon.copy() },
  { keys: [...BOTH, "N"], name: "Open the next sample", act: (panes, next) => next() },
  { keys: [...BOTH, "F"], name: "Format JSON", act: ({ json }) => json.rewrite("indented") },
  { keys: ["F8"], name: "Go to the error" },
  { keys: [MOD, "F"], name: "Find and replace, in an editor" },
  { keys: ["Enter"], name: "Next place found; with Shift the one before" },
  { keys: ["Escape"], name: "Close Find" },
  { keys: [MOD, "Z"], name: "Undo; with Shift redo" },
  { keys: [MOD, "D"], name: "Select the next place of the same text too" },
  { keys: [MOD, "click"], name: "One more caret; with Alt, drag a rectangle" },
  { keys: [MOD, "]"], name: "Indent more; with [ less" },
  { keys: ["Alt", "↑ or ↓"], name: "Move the line; with Shift copy it" },
  { keys: [MOD, IS_MAC ? "Option" : "Shift", "["], name: "Fold what the line opens; with ] unfold" },
  { keys: ["Ctrl", "Alt", "["], name: "Fold everything; with ] unfold" },
  { keys: [MOD, "Alt", "G"], name: "Go to a line" },
  { keys: ["Tab"], name: "Leave the editor" },
  { keys: ["?"], name: "This list, outside of text" },
];

/** Wires everything below the panes, and the keys. */
export function wireTools(session) {
  const { root, look, panes, signal } = session;
  const onAct = ({ target }) => {
    const { look: name, rewrite, save } = target.closest("button")?.dataset ?? {};
    if (name) {
      look[name] = !look[name];
      showLook(root, look);
      session.lookChanged(name);
    } else if (rewrite) panes.json.rewrite(rewrite);
    else if (save) saveAs(`${session.data.name}.${save}`, panes[save].text, MIME_TYPES[save]);
    else if (target.closest(".copy")) panes.toon.copy();
  };
  const choose = (colour) => {
    look.colour = colour;
    session.lookChanged("colour");
  };
  fill(root.querySelector(".colours"), radios("colour", COLOURS, look.colour, choose));
  showLook(root, look);
  root.querySelector(".tools").addEventListener("click", onAct, { signal });
  wireFind(session);
  wireShortcuts(session);
}

/** Shows on the switches what is on. */
function showLook(root, look) {
  for (const button of root.querySelectorAll(".tools [data-look]")) {
    button.setAttribute("aria-pressed", String(look[button.dataset.look]));
  }
}

/** Opens Find in the pane that was used last: by the button, and by its keys outside of a text. */
function wireFind(session) {
  const { root, panes, signal } = session;
  let last = null;
  const open = () => openSearchPanel((last ?? session.source).code.view);
  const onFocus = ({ target }) => {
    last = Object.values(panes).find(({ section }) => section.contains(target)) ?? last;
  };
  const onKey = (event) => {
    const isFind = event.code === "KeyF" && (IS_MAC ? event.metaKey : event.ctrlKey);
    if (!isFind || event.altKey || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    open();
  };
  root.addEventListener("focusin", onFocus, { signal });
  root.addEventListener("keydown", onKey, { signal });
  root.querySelector(".find").addEventListener("click", open, { signal });
}

/** Wires the keys, and the button and the dialog with their list. */
function wireShortcuts(session) {
  const { root, panes, signal } = session;
  const dialog = root.querySelector(".keys");
  const rows = KEYS.map(({ keys, name }) => {
    const pressed = keys.flatMap((key) => [" + ", element("kbd", "", key)]).slice(1);
    return element("tr", "", element("td", "", name), element("td", "", ...pressed));
  });
  dialog.querySelector("tbody").replaceChildren(...rows);
  const next = () => session.setTriggerValue("sample", "next");
  const show = () => dialog.open || dialog.showModal();
  root.querySelector(".help").addEventListener("click", show, { signal });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close(), { signal });
  const onKey = (event) => {
    const isHeld = event.ctrlKey || event.altKey || event.metaKey;
    const isQuestion = event.key === "?" && !isHeld && !isWriting(event);
    const act = isQuestion ? show : shortcutOf(event)?.act;
    if (!act || (dialog.open && act !== show)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act(panes, next);
  };
  document.addEventListener("keydown", onKey, { signal, capture: true });
}

/** By `event.code`, so that no keyboard's letters matter. */
function shortcutOf({ code, altKey, ctrlKey, shiftKey, metaKey }) {
  const held = IS_MAC ? ctrlKey && !altKey : altKey && !ctrlKey;
  if (!held || !shiftKey || metaKey) return undefined;
  const pressed = code.replace(/^(Digit|Key)/, "");
  return KEYS.find(({ keys, act }) => act && keys.at(-1) === pressed);
}
