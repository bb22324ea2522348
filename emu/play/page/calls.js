// The log of Toolbox calls: bounded, and only the lines that are seen are in the page.

const MOST = 5000; // lines that are kept
const LINE = 18; // height of a line in CSS pixels, as in page.css
const TYPING = 200; // milliseconds after the last letter of a filter before it is used

/** Put lines behind those that are kept, of which the oldest go. */
function keep(lines, more) {
  for (const line of more) lines.push(line);
  if (lines.length > MOST) lines.splice(0, lines.length - MOST);
}

export class Calls {
  #panel;
  #box;
  #send;
  #lines = [];
  #count = 0; // of all lines that came
  #dropped = 0; // of those that the server left out
  #isHeld = false;
  #late = []; // lines that came while the log is held
  #isDue = false;
  #timer = 0;

  constructor(panel, send) {
    this.#panel = panel;
    this.#box = panel.querySelector(".log");
    this.#send = send;
    panel.addEventListener("toggle", () => this.ask());
    this.#box.addEventListener("scroll", () => this.#plan());
    new ResizeObserver(() => this.#plan()).observe(this.#box);
    this.#find("#filter").addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#filter(), TYPING);
    });
    this.#find("#clear").addEventListener("click", () => this.#clear());
    this.#find("#hold").addEventListener("click", () => this.#hold());
  }

  /** Ask the server for the log if it is seen, or to leave it out. */
  ask() {
    this.#send({ do: "log", on: this.#panel.open, filter: this.#find("#filter").value });
  }

  add({ lines, dropped = 0 }) {
    this.#count += lines.length + dropped;
    this.#dropped += dropped;
    keep(this.#isHeld ? this.#late : this.#lines, lines);
    this.#plan();
  }

  #find(selector) {
    return this.#panel.querySelector(selector);
  }

  /** Lines that are there already are filtered here, those to come by the server. */
  #filter() {
    const wanted = this.#find("#filter").value.toLowerCase();
    this.#lines = this.#lines.filter((line) => line.toLowerCase().includes(wanted));
    this.ask();
    this.#plan();
  }

  #clear() {
    this.#lines = [];
    this.#late = [];
    this.#count = this.#dropped = 0;
    this.#plan();
  }

  #hold() {
    this.#isHeld = !this.#isHeld;
    keep(this.#lines, this.#late.splice(0));
    this.#find("#hold").setAttribute("aria-pressed", String(this.#isHeld));
    this.#plan();
  }

  #plan() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#show();
    });
  }

  #show() {
    const box = this.#box;
    const room = box.firstElementChild;
    const text = room.firstElementChild;
    const follows = box.scrollTop + box.clientHeight >= room.offsetHeight - LINE;
    room.style.height = `${this.#lines.length * LINE}px`;
    if (follows && !this.#isHeld) box.scrollTop = this.#lines.length * LINE;
    const first = Math.floor(box.scrollTop / LINE);
    const end = first + Math.ceil(box.clientHeight / LINE) + 1;
    text.style.top = `${first * LINE}px`;
    text.textContent = this.#lines.slice(first, end).join("\n");
    this.#find(".count").textContent = this.#count ? this.#count.toLocaleString("en") : "";
    this.#find(".note").textContent = this.#note();
  }

  #note() {
    const count = (number) => number.toLocaleString("en");
    if (this.#isHeld) return `Held: ${count(this.#late.length)} lines wait.`;
    if (this.#dropped) return `${count(this.#dropped)} lines came too quickly and are left out.`;
    return this.#count > MOST ? `The last ${count(MOST)} lines are kept.` : "";
  }
}
