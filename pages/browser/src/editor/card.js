// The place of the answer on the page: the editors move it here, above the controls.

import { LAB } from "../shared/lab.js";
import { lasting } from "../shared/lasting.js";

export default lasting(({ parentElement }) => {
  const place = parentElement.querySelector(".card");
  if (LAB.place === place) return;
  LAB.place = place;
  LAB.events.dispatchEvent(new Event("place"));
});
