// What a key of this computer is on the Macintosh: names as in macproof's scripts.

const NAMES = {
  Enter: "return",
  Tab: "tab",
  Escape: "escape",
  Backspace: "backspace",
  Delete: "delete",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  Help: "help",
  Insert: "help",
  " ": "space",
};

const MODIFIERS = {
  Meta: "command",
  OS: "command",
  Control: "command",
  Alt: "option",
  Shift: "shift",
  CapsLock: "capslock",
};

/** The Macintosh's modifier that a key is, if it is one. */
export function modifierOf(event) {
  return Object.hasOwn(MODIFIERS, event.key) ? MODIFIERS[event.key] : null;
}

/** The modifiers held down during an event of the mouse or the keyboard. */
export function modifiersOf(event) {
  // AltGr makes characters such as @ and is no key of the Macintosh; Windows calls it Ctrl and Alt.
  const graph = event.getModifierState("AltGraph");
  const held = [];
  if (!graph && (event.metaKey || event.ctrlKey)) held.push("command");
  if (event.shiftKey) held.push("shift");
  if (!graph && event.altKey) held.push("option");
  if (event.getModifierState("CapsLock")) held.push("capslock");
  return held;
}

/** The character or the name of a key; null for a key that the Macintosh does not have. */
export function keyOf(event) {
  if (event.code === "NumpadEnter") return "enter";
  if (Object.hasOwn(NAMES, event.key)) return NAMES[event.key];
  // A name of several letters is that of another key, such as F5 or the first half of an accent.
  return [...event.key].length === 1 ? event.key : null;
}
