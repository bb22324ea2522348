// A Macintosh's screen in a canvas: its pixels, its size, its cursor.

export class Screen {
  #context;
  #canvas;

  constructor(canvas) {
    this.#canvas = canvas;
    // Pixels only ever come from the server, so a canvas in memory is the quickest.
    this.#context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }

  get canvas() {
    return this.#canvas;
  }

  get width() {
    return this.#canvas.width;
  }

  get height() {
    return this.#canvas.height;
  }

  /** Begin with an empty screen of a size in the Macintosh's pixels. */
  begin(width, height) {
    this.#canvas.width = width;
    this.#canvas.height = height;
  }

  draw({ left, top, width, height, pixels }) {
    this.#context.putImageData(new ImageData(pixels, width, height), left, top);
  }

  /** Its pixels, four bytes in one number, for comparison. */
  pixels() {
    const { data } = this.#context.getImageData(0, 0, this.width, this.height);
    return new Uint32Array(data.buffer);
  }

  /** Show each of its pixels as `scale` by `scale` pixels of this computer's screen. */
  resize(scale) {
    const style = this.#canvas.style;
    style.width = `${(this.width * scale) / devicePixelRatio}px`;
    style.height = `${(this.height * scale) / devicePixelRatio}px`;
  }

  /** Begin at a whole pixel of this computer's screen, so that none at an edge is cut. */
  align() {
    const figure = this.#canvas.parentElement;
    figure.style.translate = "none";
    const { left, top } = this.#canvas.getBoundingClientRect();
    const [h, v] = [left + scrollX, top + scrollY]
      .map((at) => Math.round(at * devicePixelRatio) / devicePixelRatio - at);
    figure.style.translate = `${h}px ${v}px`;
  }

  /** The place of an event in the Macintosh's pixels, kept on the screen. */
  place(event) {
    const box = this.#canvas.getBoundingClientRect();
    const h = Math.floor(((event.clientX - box.left) * this.width) / box.width);
    const v = Math.floor(((event.clientY - box.top) * this.height) / box.height);
    const within = (value, end) => Math.min(Math.max(value, 0), end - 1);
    return { h: within(h, this.width), v: within(v, this.height) };
  }
}

/**
 * The scale at which screens are shown, in pixels of this computer for each of the Macintosh's.
 *
 * It is a whole number, so that all pixels are equally large: 1x and 2x mean one and two CSS
 * pixels, as near as a whole number comes to it, and "fit" the largest that has room. Only where
 * the window is narrower than the Macintosh's screen "fit" is a fraction.
 */
export function scaleFor(choice, screen, room) {
  if (choice !== "fit") return Math.max(1, Math.round(Number(choice) * devicePixelRatio));
  const fits = Math.min(room.width / screen.width, room.height / screen.height);
  const most = Math.min(1, (room.most / screen.width) * devicePixelRatio);
  return Math.max(most, Math.floor(fits * devicePixelRatio));
}
