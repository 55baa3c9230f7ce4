// What every call of a component by Streamlit goes through.

import { button, element } from "./dom.js";

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

/**
 * A component that is one object of the class `Made` in each place, which is made of the place and
 * the first data, is updated with every call and is closed at the end.
 */
export function mounted(Made) {
  const all = new WeakMap();
  return lasting((component) => {
    const { parentElement, data } = component;
    if (!all.has(parentElement)) all.set(parentElement, new Made(parentElement, data));
    const made = all.get(parentElement);
    made.update(component);
    return () => {
      all.delete(parentElement);
      made.close();
    };
  });
}

/** Shows the sentence in place of what the component has drawn, or takes it away again. */
function sayFault(parent, isFault) {
  parent.querySelector(".fault-of-part")?.remove();
  for (const drawn of parent.children) drawn.hidden = isFault;
  if (!isFault) return;
  const reload = button("", "Reload", () => location.reload());
  parent.append(element("div", { className: "fault-of-part", role: "alert" }, TABLE.failed, reload));
}
