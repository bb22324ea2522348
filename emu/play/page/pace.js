// How quick it is: pictures a second, and the time from a press to the picture that it made.

const SECOND = 1000;

export class Pace {
  #output;
  #frames = []; // times of the last second's pictures, in milliseconds
  #isDue = false;
  #pressed = null;
  #delays = []; // the last presses, in milliseconds

  constructor(output) {
    this.#output = output;
    setInterval(() => this.#show(), SECOND);
  }

  /** The user has pressed the mouse button or a key. */
  pressed() {
    this.#pressed = performance.now();
  }

  /** Pixels have come. All that come before the next frame of the browser are one picture. */
  drawn() {
    const pressed = this.#pressed;
    this.#pressed = null;
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      const now = performance.now();
      this.#isDue = false;
      this.#frames.push(now);
      if (pressed === null) return;
      this.#delays.push(now - pressed);
      if (this.#delays.length > 100) this.#delays.shift();
    });
  }

  /** Pictures of the last second, and the last delays in milliseconds. */
  figures() {
    const since = performance.now() - SECOND;
    this.#frames = this.#frames.filter((time) => time >= since);
    return { frames: this.#frames.length, delays: [...this.#delays] };
  }

  #show() {
    const { frames, delays } = this.figures();
    const parts = [];
    if (frames) parts.push(`${frames} pictures/s`);
    if (delays.length) parts.push(`${Math.round(delays.at(-1))} ms from press to picture`);
    this.#output.textContent = parts.join(", ");
  }
}
