// Files that are put on the Macintosh's disk: dragged onto its screen, or chosen.

import { element } from "./panels.js";

const LARGEST = 16 << 20; // bytes: a file goes through memory here, on the way, and at its end

const SENT = "was sent to the Macintosh";

/** The bytes of a file in base64. */
function encoded(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

export class Files {
  #panel;
  #send;
  #count = 0;
  #sent = new Map(); // by their names, the words about files that were sent

  /** Files are dropped on `target`, or chosen in the panel. */
  constructor(panel, target, send) {
    this.#panel = panel;
    this.#send = send;
    const chosen = panel.querySelector("input");
    chosen.addEventListener("change", async () => {
      await this.#take([...chosen.files]);
      chosen.value = "";
    });
    // Without this a file that misses the screen would be opened in place of this page.
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => event.preventDefault());
    target.addEventListener("dragover", () => target.classList.add("target"));
    for (const kind of ["dragleave", "drop"]) {
      target.addEventListener(kind, () => target.classList.remove("target"));
    }
    target.addEventListener("drop", (event) => this.#take([...event.dataTransfer.files]));
  }

  async #take(files) {
    for (const file of files) this.#tell(file.name, await this.#put(file));
  }

  /** Send a file; why it was not sent, or what became of it. */
  async #put(file) {
    if (file.size > LARGEST) return `is larger than ${LARGEST >> 20} MB and was not sent`;
    const data = await encoded(file).catch(() => null);
    if (data === null) return "cannot be read; a folder is put there file by file";
    this.#send({ do: "file", name: file.name, data });
    return SENT;
  }

  /** Say what became of a file that was sent, when the program has looked for an event. */
  answer({ name, problem }) {
    const words = this.#sent.get(name);
    if (!words) return;
    words.textContent = problem ? ` is not on the disk: ${problem}.` : " is on the Macintosh’s disk.";
  }

  #tell(name, what) {
    this.#count += 1;
    this.#panel.open = true;
    this.#panel.querySelector(".count").textContent = String(this.#count);
    const words = element("span", ` ${what}.`);
    if (what === SENT) this.#sent.set(name.normalize("NFC"), words);
    this.#panel.querySelector("ul").append(element("li", [element("strong", name), words]));
  }
}
