// What every call of a component by Streamlit goes through.

import { button, element } from "./dom.js";

const FAULT =
  "This part of the page failed. Your text is safe: this browser keeps it. Reload the page, or " +
  "open another text from History.";

/** Each component has styles of its own, so that the sentence brings them along. */
const BOX =
  "display: flex; flex-wrap: wrap; gap: 12px; align-items: center; padding: 12px 16px;" +
  "border: 1px solid var(--st-red-color); border-radius: var(--st-base-radius);" +
  "background: var(--st-background-color); color: var(--st-text-color);" +
  "font: 14px/1.5 var(--st-font)";
const BUTTON =
  "font: inherit; color: inherit; padding: 4px 12px; cursor: pointer; background: none;" +
  "border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius)";

/**
 * The default export of a component: calls `draw(component)`, which may return what ends it.
 *
 * Streamlit runs what a call returned when the component is removed, but also at once where newer
 * data overtook the call while the module was loading, and the component is still there then. So
 * only what the last call returned ends anything. A call that fails says so in the component's
 * place, and the next one tries again.
 */
export function lasting(draw) {
  const last = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    const call = {};
    last.set(parentElement, call);
    let end;
    try {
      end = draw(component);
      sayFault(parentElement, false);
    } catch (error) {
      console.error(error);
      sayFault(parentElement, true);
    }
    return () => {
      if (last.get(parentElement) === call) end?.();
    };
  };
}

/** Shows the sentence in place of what the component has drawn, or takes it away again. */
function sayFault(parent, isFault) {
  const before = parent.querySelector(".fault-of-part");
  if (!isFault && !before) return;
  before?.remove();
  for (const drawn of parent.children) drawn.hidden = isFault;
  if (!isFault) return;
  const reload = button("", "Reload", () => location.reload(), { style: BUTTON });
  const about = { className: "fault-of-part", role: "alert", style: BOX };
  parent.append(element("div", about, FAULT, reload));
}
