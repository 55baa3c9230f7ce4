// Making elements, and filling them.

/** A new element of a class, or with the properties `about`, and what is in it. */
export function element(tag, about, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, typeof about === "string" ? { className: about } : about);
  node.append(...children.filter((child) => (child ?? "") !== ""));
  return node;
}

/** A new button that calls `act`; `about` are more properties of it. */
export function button(className, text, act, about = {}) {
  return element("button", { type: "button", className, onclick: act, ...about }, text);
}

/**
 * A choice of one, as a list of labels: `choices` are words or nodes by their keys, `onPick(key)`
 * hears what is chosen. Together they are one stop of the keyboard.
 */
export function radios(name, choices, chosen, onPick) {
  return Object.entries(choices).map(([key, words]) => {
    const about = { type: "radio", name, value: key, checked: key === chosen };
    const box = element("input", { ...about, onchange: () => onPick(key) });
    return element("label", "", box, element("span", "", ...[words].flat()));
  });
}

/** Whether keys that are pressed, or what is pasted, go into a text or to a dialog. */
export function isWriting(event) {
  const [target, ...around] = event.composedPath();
  const writes = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  return writes || around.some(({ tagName }) => tagName === "DIALOG");
}

/** Writes into a node's only text node; nothing is touched where nothing changes. */
export function setText(node, text) {
  if (!node.firstChild) node.append("");
  if (node.firstChild.data !== text) node.firstChild.data = text;
}
