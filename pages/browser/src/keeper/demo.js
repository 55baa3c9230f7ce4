// The demo: the answer about what is open as five pictures on the whole screen, each one figure.

import { LAB } from "../shared/lab.js";

/** What is shown before there is an answer. */
const NOTHING = {
  title: "No answer yet",
  figure: "",
  words: "The demo shows the answer about the JSON in the playground.",
  drawing: "",
  saves: false,
};

/** Opens the pictures, and leads through them with the arrow keys. */
export class Demo {
  constructor(root, keeper) {
    this.keeper = keeper;
    this.dialog = root.querySelector("dialog.demo");
    this.find = (name) => this.dialog.querySelector(`.${name}`);
    root.querySelector(".open-demo").addEventListener("click", () => this.open());
    this.find("close").addEventListener("click", () => this.dialog.close());
    this.find("back").addEventListener("click", () => this.go(-1));
    this.find("on").addEventListener("click", () => this.go(1));
    this.dialog.addEventListener("close", () => this.leave());
    // Opened before there was an answer, it shows the answer as soon as that comes.
    LAB.events.addEventListener("work", () => this.isWaiting && this.keeper.headline && this.fill());
    this.dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.go(step);
    });
  }

  open() {
    this.fill();
    this.keeper.answer().catch(() => {}); // it says that there is none
    this.dialog.showModal();
    // A browser that does not let us still shows the dialog in its whole window.
    document.documentElement.requestFullscreen?.().catch(() => {});
  }

  fill() {
    const { headline } = this.keeper;
    this.isWaiting = !headline;
    this.scenes = headline?.drawn.demo ?? [NOTHING];
    this.at = 0;
    this.draw();
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }

  go(step) {
    const at = this.at + step;
    if (at < 0 || at >= this.scenes.length) return;
    this.at = at;
    this.draw();
  }

  draw() {
    const { title, figure, words, drawing, saves } = this.scenes[this.at];
    this.find("step").textContent = `${this.at + 1} of ${this.scenes.length}`;
    this.find("title").textContent = title;
    this.find("figure").textContent = figure;
    this.find("figure").classList.toggle("saves", saves);
    this.find("words").textContent = words;
    this.find("picture").innerHTML = drawing;
    this.find("back").disabled = this.at === 0;
    this.find("on").disabled = this.at === this.scenes.length - 1;
  }
}
