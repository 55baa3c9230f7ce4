// Making elements, and filling them.

/** A new element with a class and, if given, text. */
export function element(tag, className, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Writes into a node's only text node; nothing is touched where nothing changes. */
export function setText(node, text) {
  if (!node.firstChild) node.append("");
  if (node.firstChild.data !== text) node.firstChild.data = text;
}
