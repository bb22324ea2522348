// The page of `macproof play`: joins the connection with what is seen of it.

import { Calls } from "./calls.js";
import { Connection } from "./connection.js";
import { Cursor } from "./cursor.js";
import { Differences } from "./differences.js";
import { Files } from "./files.js";
import { Keyboard, Mouse } from "./input.js";
import { Pace } from "./pace.js";
import { Findings, showItems, showValues } from "./panels.js";
import { Recording } from "./recording.js";
import { Screen, scaleFor } from "./screen.js";
import { Sound } from "./sound.js";
import { Timeline } from "./timeline.js";

// Of page.css, in CSS pixels: what is left and right of a screen, the least width of the panels
// beside it, and the height of the timeline below it.
const EDGES = 60;
const PANELS = 288;
const BELOW = 100;

const find = (id) => document.getElementById(id);
const send = (message) => connection.send(message);

const screens = [new Screen(find("screen-0")), new Screen(find("screen-1"))];
const canvas = screens[0].canvas;
const figures = [...document.querySelectorAll("figure")];
const overlays = [...document.querySelectorAll(".differences")];
const differences = new Differences(find("differences"), screens, overlays);
const cursor = new Cursor(canvas, [...document.querySelectorAll(".pointer")]);
const sound = new Sound(find("mute"));
const pace = new Pace(find("pace"));
const recording = new Recording(find("script"), send);
const calls = new Calls(find("calls"), send);
const findings = new Findings(find("findings"), ({ n }) => timeline.stopAt(n));
const timeline = new Timeline(
  Object.fromEntries(
    ["state", "notice", "pause", "slider", "moment", "fork"].map((id) => [id, find(id)]),
  ),
  send,
);
let isDouble = false;

/** The room for one screen, in CSS pixels: `most` is the width if no panel is beside it. */
function roomForScreen() {
  const count = isDouble ? 2 : 1;
  if (document.fullscreenElement) {
    return { width: innerWidth / count, height: innerHeight, most: innerWidth / count };
  }
  const top = find("screens").getBoundingClientRect().top + scrollY;
  const most = (document.documentElement.clientWidth - EDGES) / count;
  const width = isDouble ? most : most - PANELS;
  return { width, height: innerHeight - top - BELOW, most };
}

/** Show the screens at the size that is chosen, or the largest that has room. */
function resize() {
  const chosen = document.querySelector("#sizes :checked").value;
  const choice = document.fullscreenElement ? "fit" : chosen;
  const scale = scaleFor(choice, screens[0], roomForScreen());
  for (const screen of screens) screen.resize(scale);
  for (const screen of screens) screen.align(); // where all of them have their sizes
  cursor.resize(scale);
  differences.resize(scale);
}

/** Begin with the program that the server has. */
function begin(hello) {
  document.title = `${hello.title} (macproof play)`;
  find("title").textContent = hello.title;
  find("machine").textContent = [hello.machine, hello.cpu].filter(Boolean).join(", ");
  isDouble = hello.screens === 2;
  figures[1].hidden = !isDouble;
  find("differences").hidden = !isDouble;
  for (const caption of document.querySelectorAll("figcaption")) caption.hidden = !isDouble;
  for (const screen of screens) screen.begin(hello.width, hello.height);
  recording.begin(hello.title);
  resize();
  calls.ask();
}

/** Show where the program is. Its mouse is not the user's own where it repeats what was done. */
function showMoment(message) {
  timeline.show(message);
  const place = message.mouse && { h: message.mouse[0], v: message.mouse[1] };
  cursor.point(0, message.now < message.last ? place : null);
  if (isDouble) cursor.point(1, place);
}

/** Draw a rectangle of one screen. */
function draw(frame) {
  screens[frame.screen]?.draw(frame);
  pace.drawn();
}

const connection = new Connection({
  pixels: draw,
  hello: begin,
  cursor: (message) => cursor.show(message),
  moment: showMoment,
  ended: (message) => timeline.ended(message),
  lost: (reason, wasGreeted) => timeline.lost(reason, wasGreeted),
  calls: (message) => calls.add(message),
  findings: (message) => findings.show(message),
  windows: (message) => showItems(find("windows"), message),
  heap: (message) => showValues(find("heap"), message),
  resources: (message) => showItems(find("resources"), message),
  sound: (message) => sound.play(message),
  step: (message) => recording.show(message),
  script: (message) => recording.save(message),
  file: (message) => files.answer(message),
  difference: (message) => differences.show(message),
  refused: ({ text }) => timeline.refused(text),
});

/** Send what the user does while the program runs; what is let go of is always let go. */
function act(message) {
  const isLetGo = ["release", "held", "key_up"].includes(message.do);
  if (!timeline.isLive && !isLetGo) return;
  if (message.do === "press" || message.do === "key_down") pace.pressed();
  if (isDouble && message.do === "move") cursor.point(1, message);
  send(message);
}

/** Let the page have the keys again. */
function leave() {
  canvas.blur();
  find("pause").focus();
}

/** Tell whether the next key is pressed with Command. */
function latched(isOn) {
  canvas.classList.toggle("latched", isOn);
  find("latch").textContent = isOn ? "Command goes with the next key." : "";
}

new Mouse(screens[0], act);
new Keyboard(canvas, {
  isLive: () => timeline.isLive,
  send: act,
  leave,
  latched,
});
const files = new Files(find("files"), find("screens"), send);

find("end").addEventListener("click", () => timeline.end());
find("sizes").addEventListener("change", resize);
addEventListener("resize", resize);
document.addEventListener("fullscreenchange", resize);
find("full").addEventListener("click", async () => {
  await find("screens").requestFullscreen();
  canvas.focus();
  // Where the browser can, all keys go to the program, Ctrl+W included.
  await navigator.keyboard?.lock?.().catch(() => {});
});
// Ctrl+W closes the page where it was meant for the program.
addEventListener("beforeunload", (event) => {
  if (connection.isOpen && timeline.isLive) event.preventDefault();
});

/** Figures for whoever measures how quick this page is. */
export const figuresOfPace = () => pace.figures();
