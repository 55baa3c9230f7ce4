// Making elements, and filling them.

/** A new element with a class and, if given, text. */
export function element(tag, className, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** The `index`-th child of `parent`, made by `make` if there are not so many yet. */
export function childAt(parent, index, make) {
  while (parent.childNodes.length <= index) parent.append(make());
  return parent.childNodes[index];
}

/** Writes into a node's only text node; nothing is touched where nothing changes. */
export function setText(node, text) {
  if (!node.firstChild) node.append("");
  if (node.firstChild.data !== text) node.firstChild.data = text;
}

/** Hides the children of `parent` from the `index`-th on. */
export function hideFrom(parent, index) {
  for (let child = parent.childNodes[index]; child; child = child.nextSibling) child.hidden = true;
}
