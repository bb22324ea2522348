// The mouse and the keyboard, while the Macintosh's screen has them.

import { keyOf, modifierOf, modifiersOf } from "./keys.js";

/** Sends what the mouse does. A drag goes on outside the canvas. */
export class Mouse {
  #screen;
  #send;
  #pressed = null; // the pointer that holds the button down
  #moved = null; // the newest place that has not been sent

  /** `send` takes a message; it says whether the program may have it. */
  constructor(screen, send) {
    this.#screen = screen;
    this.#send = send;
    const canvas = screen.canvas;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#release(event));
    canvas.addEventListener("lostpointercapture", (event) => this.#release(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #press(event) {
    if (event.button !== 0 || this.#pressed !== null) return;
    event.preventDefault();
    this.#screen.canvas.focus();
    this.#screen.canvas.setPointerCapture(event.pointerId);
    this.#pressed = event.pointerId;
    this.#moved = null;
    this.#send({ do: "press", ...this.#screen.place(event), modifiers: modifiersOf(event) });
  }

  /** The screen shows at most one picture a frame, so one place a frame is enough. */
  #move(event) {
    const isFirst = this.#moved === null;
    this.#moved = this.#screen.place(event);
    if (isFirst) requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    if (this.#moved) this.#send({ do: "move", ...this.#moved });
    this.#moved = null;
  }

  #release(event) {
    if (event.pointerId !== this.#pressed) return;
    this.#pressed = null;
    this.#flush();
    this.#send({ do: "release", ...this.#screen.place(event), modifiers: modifiersOf(event) });
  }
}

/** Sends what the keyboard does while the canvas has the focus. */
export class Keyboard {
  #page;
  #isLatched = false; // whether the next key is pressed with Command
  #isLeaving = false; // whether Control and Alt are held and nothing else was pressed since
  #held = new Map(); // keys of the Macintosh by codes of keys of this computer
  #modifiers = []; // the modifiers that the server takes for held

  /**
   * `page` has what is asked and told: `isLive()`, whether the program takes keys now;
   * `send(message)`; `leave()`, for Control and Alt; `latched(isOn)`, when Command is put on or
   * taken off for one key.
   */
  constructor(canvas, page) {
    this.#page = page;
    canvas.addEventListener("keydown", (event) => this.#down(event));
    canvas.addEventListener("keyup", (event) => this.#up(event));
    canvas.addEventListener("blur", () => this.#blur());
  }

  #down(event) {
    if (!this.#page.isLive()) return;
    const modifier = modifierOf(event);
    const altGraph = event.getModifierState("AltGraph");
    this.#isLeaving = modifier !== null && event.ctrlKey && event.altKey && !altGraph;
    if (modifier) {
      if (modifier === "option") event.preventDefault(); // it would open the browser's menu
      this.#hold(modifiersOf(event));
    } else if (event.key === "F2") {
      event.preventDefault();
      this.#latch(!this.#isLatched);
    } else if (keyOf(event) !== null) {
      event.preventDefault();
      this.#press(event.code, keyOf(event), modifiersOf(event));
    }
  }

  #press(code, key, modifiers) {
    if (this.#held.has(code)) return; // the Macintosh repeats keys itself
    if (this.#isLatched && !modifiers.includes("command")) modifiers.unshift("command");
    this.#latch(false);
    this.#held.set(code, key);
    this.#page.send({ do: "key_down", key, modifiers });
  }

  #up(event) {
    if (this.#isLeaving) {
      this.#isLeaving = false;
      this.#page.leave();
    }
    this.#hold(modifiersOf(event));
    this.#letGo(event.code, this.#modifiers);
    // While Command is held a Mac's browser does not tell that another key was let go.
    if (event.key === "Meta") this.#letGoOfAll();
  }

  #letGo(code, modifiers) {
    if (!this.#held.has(code)) return;
    this.#page.send({ do: "key_up", key: this.#held.get(code), modifiers });
    this.#held.delete(code);
  }

  #letGoOfAll() {
    for (const code of [...this.#held.keys()]) this.#letGo(code, []);
  }

  #hold(modifiers) {
    if (modifiers.join() === this.#modifiers.join()) return;
    this.#modifiers = modifiers;
    this.#page.send({ do: "held", keys: modifiers });
  }

  #latch(isLatched) {
    if (this.#isLatched === isLatched) return;
    this.#isLatched = isLatched;
    this.#page.latched(isLatched);
  }

  #blur() {
    this.#isLeaving = false;
    this.#latch(false);
    this.#letGoOfAll();
    this.#hold([]);
  }
}
