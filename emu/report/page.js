"use strict";
// Scenes tell what is pointed at, and arrow keys go from object to object.
for (const scene of document.querySelectorAll(".scenes")) {
  const told = scene.querySelector(".told");
  const shapes = [...scene.querySelectorAll(".shape")];

  const tell = (shape) => {
    const partners = shape.dataset.partners.split(" ");
    for (const other of shapes) {
      const number = other.dataset.number;
      other.classList.toggle("here", number === shape.dataset.number);
      other.classList.toggle("partner", partners.includes(number));
    }
    told.textContent = shape.getAttribute("aria-label");
  };

  for (const shape of shapes) {
    shape.addEventListener("pointerenter", () => tell(shape));
    shape.addEventListener("focus", () => tell(shape));
  }

  scene.addEventListener("keydown", (event) => {
    const from = event.target.closest(".shape");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!from || !step) return;
    const own = [...from.ownerSVGElement.querySelectorAll(".shape")];
    const to = own[(own.indexOf(from) + step + own.length) % own.length];
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
    event.preventDefault();
  });
}

// What can be moved sideways can be reached with Tab, so that the arrow keys move it.
const reach = () => {
  for (const box of document.querySelectorAll(".scroll, pre")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("resize", reach);
addEventListener("toggle", reach, true);
reach();

// Rows of a long table are searched, chosen by a word, and sorted by the column that is clicked.
for (const box of document.querySelectorAll(".searchable")) {
  const [head, body] = [box.querySelector("thead tr"), box.querySelector("tbody")];
  const [search, choice] = [box.querySelector("input"), box.querySelector("select")];
  const rows = [...body.rows].map((row) => {
    const cells = [...row.cells].map((cell) => cell.textContent.trim());
    const words = [...row.querySelectorAll(".tone")].map((word) => word.lastChild.data);
    return { row, cells, words: new Set([...words, ...cells]), text: cells.join(" ").toLowerCase() };
  });

  const show = () => {
    const text = search.value.toLowerCase();
    const word = choice ? choice.value : "";
    let count = 0;
    for (const one of rows) {
      const fits = one.text.includes(text) && (!word || one.words.has(word));
      one.row.hidden = !fits;
      count += fits;
    }
    box.querySelector("output").textContent = count.toLocaleString("en");
  };

  const number = (text) => (/^[\d,.]+/.test(text) ? parseFloat(text.replaceAll(",", "")) : NaN);
  const sort = (index, sign) => {
    const compare = (one, other) => {
      const [a, b] = [one.cells[index], other.cells[index]];
      const [x, y] = [number(a), number(b)];
      return sign * (isNaN(x) || isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y);
    };
    body.append(...[...rows].sort(compare).map((one) => one.row));
  };

  [...head.cells].forEach((cell, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      const rises = cell.getAttribute("aria-sort") !== "ascending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", rises ? "ascending" : "descending");
      sort(index, rises ? 1 : -1);
    });
  });
  search.addEventListener("input", show);
  if (choice) choice.addEventListener("change", show);
  box.querySelector(".search").hidden = false;
}

// A link to what is folded opens it.
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const folded = target && target.closest("details");
  if (folded) {
    folded.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();
