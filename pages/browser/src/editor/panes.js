// The two panes of a session, made of the template in the page.

import { SIDES } from "../shared/sides.js";
import { download } from "../shared/transfer.js";
import { Pane } from "./pane.js";
import { rewrite } from "./rewrite.js";

/** The panes by their side; those of a session before, at the same place, are closed. */
export function openPanes(session, signal) {
  const { root } = session;
  const template = root.querySelector("template");
  const panes = {};
  for (const closed of root.querySelectorAll(".pane, .panes > .tip")) closed.remove();
  for (const side of SIDES) {
    const section = template.content.firstElementChild.cloneNode(true);
    root.querySelector(".panes").append(section); // the bar between them stays
    panes[side] = new Pane(section, side, {
      look: session.look,
      liveLimit: () => session.data.limits.live,
      bytesLimit: () => session.data.limits.bytes,
      onEdit: () => session.edited(side),
      onTake: (text) => session.taken(side, text),
      onRefuse: (message) => session.refuse(side, message),
      onOffer: (way) => rewrite(session, panes[side], way, signal),
      signal,
    });
    const save = section.querySelector(".download");
    const name = () => `${session.data.name}.${side}`;
    save.addEventListener("click", () => download(panes[side].text, name(), side), { signal });
    section.querySelector(".clear").addEventListener("click", () => session.clear(), { signal });
  }
  return panes;
}
