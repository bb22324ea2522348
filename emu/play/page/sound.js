// What the program plays. Browsers are silent until the user has done something in the page.

export class Sound {
  #context = null;
  #isOn = true;

  constructor(button) {
    const wake = () => this.#wake();
    addEventListener("pointerdown", wake, true);
    addEventListener("keydown", wake, true);
    button.addEventListener("click", () => {
      this.#isOn = !this.#isOn;
      button.setAttribute("aria-pressed", String(this.#isOn));
      if (!this.#isOn) this.#context?.suspend();
      else this.#wake();
    });
  }

  #wake() {
    if (!this.#isOn) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") this.#context.resume();
  }

  /** Play a sound of a message, a WAV file in base64. One that cannot be played is left out. */
  async play({ wav }) {
    if (!this.#isOn || this.#context?.state !== "running") return;
    const bytes = Uint8Array.from(atob(wav), (letter) => letter.charCodeAt(0));
    const decoded = await this.#context.decodeAudioData(bytes.buffer).catch(() => null);
    if (!decoded) return;
    const source = this.#context.createBufferSource();
    source.buffer = decoded;
    source.connect(this.#context.destination);
    source.start();
  }
}
