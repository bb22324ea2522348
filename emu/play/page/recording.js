// The script that is recorded: its steps as they come, and what the user adds and saves.

import { tell } from "./panels.js";

/** Offer contents to the user as a file. */
function download(name, contents, type) {
  const url = URL.createObjectURL(new Blob([contents], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The name of a script, which names the file with the exact events; null if it names none. */
function nameOf(yaml) {
  return /^ +events: "?([^"\n]+)\.events\.yaml"?$/m.exec(yaml)?.[1] ?? null;
}

export class Recording {
  #panel;
  #name = "program";

  constructor(panel, send) {
    this.#panel = panel;
    const form = panel.querySelector("form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send({ do: "expect_text", text: form.elements.text.value });
      form.reset();
    });
    panel.querySelector("#save").addEventListener("click", () => send({ do: "save_script" }));
    panel.querySelector("#compare").addEventListener("click", () => send({ do: "compare_picture" }));
  }

  /** Begin anew with a program of this title. */
  begin(title) {
    this.#name = title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "program";
    this.show({ yaml: "" });
    this.#panel.querySelector(".saved").textContent = "";
  }

  /** Show the whole script as it is now, its end in view. */
  show({ yaml }) {
    const steps = this.#panel.querySelector("pre");
    const isEmpty = !yaml.trim();
    steps.textContent = yaml;
    steps.hidden = isEmpty;
    steps.scrollTop = steps.scrollHeight;
    tell(this.#panel, yaml.match(/^ *- /gm)?.length ?? 0);
    this.#panel.querySelector(".empty").hidden = !isEmpty;
  }

  /** Save what the server answered: the steps, the exact events, and pictures to compare with. */
  save({ yaml, events, pictures = {} }) {
    const name = nameOf(yaml) ?? this.#name;
    const files = [];
    if (yaml) files.push([`${name}.yaml`, yaml, "application/yaml"]);
    if (events) files.push([`${name}.events.yaml`, events, "application/yaml"]);
    for (const [picture, png] of Object.entries(pictures)) {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      files.push([picture.endsWith(".png") ? picture : `${picture}.png`, bytes, "image/png"]);
    }
    for (const file of files) download(...file);
    const names = files.map(([each]) => each).join(", ");
    const together = files.length > 1 ? " They belong into one folder." : "";
    this.#panel.querySelector(".saved").textContent = `Saved: ${names}.${together}`;
  }
}
