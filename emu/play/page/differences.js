// Where the screens of two programs differ: an outline on both, and what it is in words.

import { tell } from "./panels.js";

export class Differences {
  #panel;
  #screens;
  #canvases;
  #rectangles = [];
  #scale = 1;

  /** `canvases` lie above the two screens. */
  constructor(panel, screens, canvases) {
    this.#panel = panel;
    this.#screens = screens;
    this.#canvases = canvases;
  }

  /** Show how the programs differ now; `what` is empty if they do not. */
  show({ what, rectangles = [] }) {
    this.#rectangles = rectangles;
    this.#panel.querySelector(".what").textContent = what;
    tell(this.#panel, what ? Math.max(1, rectangles.length) : 0);
    if (what) this.#panel.open = true;
    this.#draw();
  }

  /** The screens are shown at another size. */
  resize(scale) {
    this.#scale = scale;
    this.#draw();
  }

  #draw() {
    const { width, height } = this.#screens[0];
    for (const canvas of this.#canvases) {
      canvas.hidden = !this.#rectangles.length;
      canvas.width = width * this.#scale;
      canvas.height = height * this.#scale;
      canvas.style.width = `${canvas.width / devicePixelRatio}px`;
      const context = canvas.getContext("2d");
      context.lineWidth = 2 * devicePixelRatio;
      context.strokeStyle = getComputedStyle(canvas).color;
      for (const rectangle of this.#rectangles) {
        const [left, top, wide, high] = rectangle.map((value) => value * this.#scale);
        const edge = context.lineWidth / 2;
        context.strokeRect(left - edge, top - edge, wide + 2 * edge, high + 2 * edge);
      }
    }
  }
}
