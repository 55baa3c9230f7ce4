// The bar between the panes, which gives one of them more room.

/** Percent of the width that the JSON pane may have, what it has at first, and a step of keys. */
const SHARE = { least: 20, most: 80, even: 50, step: 5 };

/** Wires the bar to `look.share`; `onChange()` is called once it has been moved. */
function wireSplitter(root, look, onChange, signal) {
  const panes = root.querySelector(".panes");
  const splitter = root.querySelector(".splitter");
  const move = (share) => {
    look.share = Math.min(SHARE.most, Math.max(SHARE.least, share));
    const json = Math.round(look.share);
    panes.style.setProperty("--share", look.share);
    splitter.setAttribute("aria-valuenow", json);
    splitter.setAttribute("aria-valuetext", `JSON ${json} %, TOON ${100 - json} %`);
  };
  const put = (share) => {
    move(share);
    onChange();
  };
  const keys = {
    ArrowLeft: () => look.share - SHARE.step,
    ArrowRight: () => look.share + SHARE.step,
    Home: () => SHARE.least,
    End: () => SHARE.most,
  };
  const on = (name, act) => splitter.addEventListener(name, act, { signal });
  on("pointerdown", (event) => splitter.setPointerCapture(event.pointerId));
  on("pointermove", ({ pointerId, clientX }) => {
    if (!splitter.hasPointerCapture(pointerId)) return;
    const { left, width } = panes.getBoundingClientRect();
    move(((clientX - left) / width) * 100);
  });
  on("pointerup", onChange);
  on("dblclick", () => put(SHARE.even));
  on("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    put(keys[event.key]());
  });
  // The keyboard comes to it between the panes.
  panes.lastElementChild.before(splitter);
  move(look.share);
}
