// The Macintosh's cursor as that of this page, as large as the screen is shown.

// Browsers ignore a cursor with more CSS pixels.
const LARGEST = 128;

export class Cursor {
  #canvas;
  #image = null;
  #message = null;
  #scale = 1;
  #pointers;

  /** `pointers` are images that lie above the screens, for a mouse that is not the user's own. */
  constructor(canvas, pointers) {
    this.#canvas = canvas;
    this.#pointers = pointers;
  }

  /** Show a pointer at a place of a screen, in the Macintosh's pixels; at none if it is null. */
  point(screen, place) {
    const pointer = this.#pointers[screen];
    pointer.hidden = !place || !this.#image || !this.#message.visible;
    if (pointer.hidden) return;
    const size = this.#scale / devicePixelRatio;
    pointer.src = this.#image.src;
    pointer.style.width = `${this.#image.width * size}px`;
    pointer.style.left = `${(place.h - this.#message.h) * size}px`;
    pointer.style.top = `${(place.v - this.#message.v) * size}px`;
  }

  /** Take the cursor of a message: a PNG, its hot spot, whether it is seen. */
  async show(message) {
    this.#message = message;
    this.#image = null;
    if (message.png) {
      const image = new Image();
      image.src = `data:image/png;base64,${message.png}`;
      // One that comes while this is decoded is the newer one.
      const isThere = await image.decode().then(() => true, () => false);
      if (this.#message !== message) return;
      if (isThere) this.#image = image;
    }
    this.#apply();
  }

  /** The screen is shown at another size. */
  resize(scale) {
    this.#scale = scale;
    this.#apply();
  }

  #apply() {
    const style = this.#canvas.style;
    if (!this.#message) return;
    if (!this.#message.visible) {
      style.cursor = "none";
    } else if (!this.#image) {
      style.cursor = "default";
    } else {
      this.#draw(style);
    }
  }

  #draw(style) {
    const image = this.#image;
    const most = Math.floor((LARGEST * devicePixelRatio) / Math.max(image.width, image.height));
    const scale = Math.max(1, Math.min(this.#scale, most));
    const copy = document.createElement("canvas");
    copy.width = image.width * scale;
    copy.height = image.height * scale;
    const context = copy.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0, copy.width, copy.height);
    const spot = [this.#message.h, this.#message.v]
      .map((value) => Math.floor((value * scale) / devicePixelRatio))
      .join(" ");
    const url = `url(${copy.toDataURL()})`;
    // A browser that does not know the second form keeps the first.
    style.cursor = `${url} ${spot}, default`;
    style.cursor = `image-set(${url} ${devicePixelRatio}x) ${spot}, default`;
  }
}
