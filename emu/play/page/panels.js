// What is known of the program beside its screen: findings, and tables of facts.

const MOST = 500; // items of a list, and rows of a table, that are shown

/** Make an element with a text or with children. */
export function element(name, content = "", attributes = {}) {
  const made = document.createElement(name);
  made.append(...(Array.isArray(content) ? content : [content]));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Say how many there are, and show the sentence for none. */
export function tell(panel, count) {
  panel.querySelector(".count").textContent = count ? count.toLocaleString("en") : "";
  panel.querySelector(".empty").hidden = count > 0;
}

/** Findings; one that is clicked is gone to. */
export class Findings {
  #panel;
  #go;
  #known = 0;

  constructor(panel, go) {
    this.#panel = panel;
    this.#go = go;
  }

  /** Show all findings there are; true if there are more than before. */
  show({ items }) {
    const shown = items.slice(0, MOST).map((item) => element("li", [this.#button(item)]));
    this.#panel.querySelector("ol").replaceChildren(...shown);
    tell(this.#panel, items.length);
    const isMore = items.length > this.#known;
    this.#known = items.length;
    return isMore;
  }

  #button(item) {
    const words = [
      element("strong", String(item.check)),
      element("span", String(item.problem)),
      element("span", `${item.place}, moment ${item.moment}`, { class: "quiet" }),
    ];
    const button = element("button", words, { type: "button", title: "Go to this moment" });
    button.addEventListener("click", () => this.#go(item));
    return button;
  }
}

/** A value in words: yes and no, a list by commas, a number with its thousands parted. */
function words(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "number" ? value.toLocaleString("en") : String(value ?? "");
}

function cell(value) {
  return element("td", words(value), typeof value === "number" ? { class: "number" } : {});
}

function heading(key, scope) {
  return element("th", key.replaceAll("_", " "), { scope });
}

function row(cells) {
  return element("tr", cells);
}

function table(items) {
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = items.slice(0, MOST).map((item) => row(keys.map((key) => cell(item[key]))));
  const head = element("thead", [row(keys.map((key) => heading(key, "col")))]);
  return element("table", [head, element("tbody", rows)]);
}

/** Show rows of a table, and how many more there are that the server has not sent. */
export function showItems(panel, { items, more = 0 }) {
  const left = more + Math.max(0, items.length - MOST);
  const parts = items.length ? [table(items)] : [];
  if (left) parts.push(element("p", `and ${words(left)} more`, { class: "quiet" }));
  panel.querySelector(".facts").replaceChildren(...parts);
  tell(panel, items.length + more);
}

/** Show single values by their names. */
export function showValues(panel, { is: _, ...values }) {
  const rows = Object.entries(values).map(([key, value]) => row([heading(key, "row"), cell(value)]));
  panel.querySelector(".facts").replaceChildren(element("table", [element("tbody", rows)]));
  panel.querySelector(".empty").hidden = rows.length > 0;
}
