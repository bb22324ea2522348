// The program asks for a file: a dialog of this page answers in place of the Macintosh's.

import { element } from "./panels.js";

export class FileQuestion {
  #dialog;
  #send;

  constructor(dialog, send) {
    this.#dialog = dialog;
    this.#send = send;
    dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#answer(this.#path());
    });
    dialog.querySelector(".cancel").addEventListener("click", () => this.#answer(null));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#answer(null);
    });
    dialog.querySelector("select").addEventListener("dblclick", () => this.#answer(this.#path()));
  }

  /** Ask; `files` are the paths on the Macintosh's disk. */
  ask({ saving, name = "", files = [] }) {
    const [list, field] = [this.#list, this.#field];
    this.#dialog.querySelector("h2").textContent = saving
      ? "Where does the program save this?"
      : "Which file does the program open?";
    list.replaceChildren(...files.map((path) => element("option", path)));
    list.hidden = saving || !files.length;
    this.#dialog.querySelector(".none").hidden = saving || files.length > 0;
    field.parentElement.hidden = !saving;
    field.value = name;
    this.#dialog.querySelector(".answer").textContent = saving ? "Save" : "Open";
    this.#dialog.querySelector(".answer").disabled = !saving && !files.length;
    if (!saving && files.length) list.selectedIndex = 0;
    if (!this.#dialog.open) this.#dialog.showModal();
    if (saving) field.select();
    else list.focus();
  }

  /** The question is gone, as when the user goes to another moment. */
  close() {
    if (this.#dialog.open) this.#dialog.close();
  }

  get #list() {
    return this.#dialog.querySelector("select");
  }

  get #field() {
    return this.#dialog.querySelector("input");
  }

  #path() {
    return this.#field.parentElement.hidden ? this.#list.value : this.#field.value;
  }

  #answer(path) {
    if (path === "") return;
    this.close();
    this.#send({ do: "answer_file", path });
  }
}
