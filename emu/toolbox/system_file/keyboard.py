"""Characters and virtual key codes of the Macintosh keyboard.

Source: Inside Macintosh V, p. 191 (virtual key codes), and I, p. 247 (character codes).
"""

from __future__ import annotations

from collections.abc import Iterable

from emu.toolbox.records.results import Modifier

LETTERS = {
    "a": 0x00, "s": 0x01, "d": 0x02, "f": 0x03, "h": 0x04, "g": 0x05, "z": 0x06, "x": 0x07,
    "c": 0x08, "v": 0x09, "b": 0x0B, "q": 0x0C, "w": 0x0D, "e": 0x0E, "r": 0x0F, "y": 0x10,
    "t": 0x11, "1": 0x12, "2": 0x13, "3": 0x14, "4": 0x15, "6": 0x16, "5": 0x17, "=": 0x18,
    "9": 0x19, "7": 0x1A, "-": 0x1B, "8": 0x1C, "0": 0x1D, "]": 0x1E, "o": 0x1F, "u": 0x20,
    "[": 0x21, "i": 0x22, "p": 0x23, "l": 0x25, "j": 0x26, "'": 0x27, "k": 0x28, ";": 0x29,
    "\\": 0x2A, ",": 0x2B, "/": 0x2C, "n": 0x2D, "m": 0x2E, ".": 0x2F, "`": 0x32, " ": 0x31,
}  # fmt: skip
"""Virtual key codes by the characters on the keys."""

NAMED = {
    "return": (0x0D, 0x24),
    "enter": (0x03, 0x4C),
    "tab": (0x09, 0x30),
    "escape": (0x1B, 0x35),
    "backspace": (0x08, 0x33),
    "delete": (0x7F, 0x75),
    "left": (0x1C, 0x7B),
    "right": (0x1D, 0x7C),
    "up": (0x1E, 0x7E),
    "down": (0x1F, 0x7D),
    "home": (0x01, 0x73),
    "end": (0x04, 0x77),
    "help": (0x05, 0x72),
    "space": (0x20, 0x31),
}
"""Character code and virtual key code of other keys by their names."""

SHIFTED = dict(zip('!@#$%^&*()_+{}:"<>?|~', "1234567890-=[];',./\\`", strict=True))
"""What is on the keys of the characters that need the shift key."""

MODIFIERS = {
    "command": Modifier.cmdKey,
    "shift": Modifier.shiftKey,
    "capslock": Modifier.alphaLock,
    "option": Modifier.optionKey,
    "control": Modifier.controlKey,
}
"""Bits of an event's modifiers by name."""

MODIFIER_KEYS = {"command": 0x37, "shift": 0x38, "capslock": 0x39, "option": 0x3A, "control": 0x3B}
"""Virtual key codes of the modifier keys."""


def key_map(held: Iterable[str]) -> bytes:
    """The 16 bytes of the global KeyMap while some modifier keys are held down."""
    bits = bytearray(16)
    for name in held:
        code = MODIFIER_KEYS[name]
        bits[code // 8] |= 1 << code % 8
    return bytes(bits)


def is_held(bits: bytes, name: str) -> bool:
    """Whether the bytes of KeyMap say that a modifier key is held down."""
    code = MODIFIER_KEYS[name]
    return bits[code // 8] >> code % 8 & 1 == 1


def key_message(key: str) -> int:
    """The message of a key event: virtual key code in the second byte, character in the first.

    Args:
        key: a character, or a name such as "return".

    Raises:
        ValueError: there is no such key.
    """
    if key in NAMED:
        character, code = NAMED[key]
    elif len(key) == 1:
        if key == "\n":
            return key_message("return")
        character = key.encode("mac_roman")[0]  # UnicodeEncodeError is a ValueError
        code = LETTERS.get(SHIFTED.get(key, key.lower()), 0)
    else:
        raise ValueError(f"there is no key {key!r}; there are {', '.join(NAMED)}")
    return code << 8 | character
