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
