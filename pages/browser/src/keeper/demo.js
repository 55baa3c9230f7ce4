// The demo: the answer about what is open as slides on the whole screen, each one figure.

import { LAB } from "../shared/lab.js";
import { Dialog } from "./dialogs.js";

/** Opens the slides, which Python has drawn, and leads through them with the arrow keys. */
export class Demo extends Dialog {
  constructor(root, keeper) {
    super(root, keeper, "demo");
    this.nothing = this.find("slides").innerHTML;
    this.onClick("back", () => this.go(-1));
    this.onClick("on", () => this.go(1));
    this.dialog.addEventListener("close", () => {
      this.isWaiting = false;
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    });
    // Opened before there was an answer, it shows the answer as soon as that comes.
    LAB.events.addEventListener("work", () => this.isWaiting && this.keeper.present());
    LAB.events.addEventListener("slides", () => this.isWaiting && this.fill());
    this.dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) this.go(step);
    });
  }

  async open() {
    this.keeper.present();
    this.fill();
    super.open();
    // A browser that does not let us still shows the dialog in its whole window.
    document.documentElement.requestFullscreen?.().catch(() => {});
  }

  fill() {
    const { slides } = this.keeper;
    this.isWaiting = !slides;
    this.find("slides").innerHTML = slides || this.nothing;
    this.slides = [...this.find("slides").children];
    this.at = 0;
    this.draw();
  }

  go(step) {
    if (!this.slides[this.at + step]) return;
    this.at += step;
    this.draw();
  }

  draw() {
    this.slides.forEach((slide, place) => (slide.hidden = place !== this.at));
    this.find("step").textContent = `${this.at + 1} of ${this.slides.length}`;
    this.find("back").disabled = this.at === 0;
    this.find("on").disabled = this.at === this.slides.length - 1;
  }
}
