"""The keyboard layout of the USA, a 'KCHR' resource.

Source: Inside Macintosh: Text, appendix C (the resource's format); the characters are those that
Apple's manuals show in the windows of Key Caps.
"""
# ruff: noqa: RUF001 (characters that look like others are what this is about)

from __future__ import annotations

import struct

from emu.toolbox.system_file.keyboard import LETTERS, MODIFIERS, NAMED, SHIFTED

_VERSION = 2
_CODES = 128
_COMMAND, _SHIFT, _CAPS_LOCK, _OPTION, _CONTROL = (bit >> 8 for bit in MODIFIERS.values())
_RIGHT = {1 << 5: _SHIFT, 1 << 6: _OPTION, 1 << 7: _CONTROL}
"""The bits of the modifier keys on the right, and those that mean the same on the left."""

_ROW = "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./"
_WITH_OPTION = "`¡™£¢∞§¶•ªº–≠œ∑´®†¥¨ˆøπ“‘«åß∂ƒ©˙∆˚¬…æΩ≈ç√∫˜µ≤≥÷"
_WITH_BOTH = "`⁄€‹›ﬁﬂ‡°·‚—±Œ„´‰ˇÁ¨ˆØ∏”’»ÅÍÎÏ˝ÓÔ\uf8ffÒÚÆ¸˛Ç◊ı˜Â¯˘¿"
"""The characters of the keys in ``_ROW`` with Option, and with Option and Shift."""

_KEYPAD = {
    **dict(zip("01234567", range(0x52, 0x5A), strict=True)),
    **{"8": 0x5B, "9": 0x5C, ".": 0x41, "*": 0x43, "+": 0x45, "/": 0x4B, "-": 0x4E, "=": 0x51},
    "\x1b": 0x47,
}
_DEAD = {
    "`": ("`", "aàeèiìoòuùAÀEÈIÌOÒUÙ"),
    "e": ("´", "aáeéiíoóuúAÁEÉIÍOÓUÚ"),
    "u": ("¨", "aäeëiïoöuüyÿAÄEËIÏOÖUÜYŸ"),
    "i": ("ˆ", "aâeêiîoôuûAÂEÊIÎOÔUÛ"),
    "n": ("˜", "aãnñoõAÃNÑOÕ"),
}
"""Keys that, with Option, wait for a letter: the mark, and letters with what becomes of them."""


def _table(changed: dict[str, str]) -> bytes:
    """Characters by virtual key codes: those on the keys, but for some."""
    table = bytearray(_CODES)
    for byte, code in NAMED.values():
        table[code] = byte
    for character, code in (*_KEYPAD.items(), *LETTERS.items()):
        table[code] = changed.get(character, character).encode("mac_roman")[0]
    return bytes(table)


def _dead_table(key: str, mark: str, pairs: str) -> bytes:
    letters = (pairs + " " + mark).encode("mac_roman")
    table = struct.pack(">BBH", _TABLES.index(_OPTION), LETTERS[key], len(letters) // 2)
    return table + letters + mark.encode("mac_roman") * 2


_CAPITALS = {letter: letter.upper() for letter in LETTERS}
_SHIFTED = _CAPITALS | {key: character for character, key in SHIFTED.items()}
_OPTIONS = dict(zip(_ROW, _WITH_OPTION, strict=True))
_OPTIONS |= {key: "\0" for key in _DEAD}
_TABLES = [0, _SHIFT, _CAPS_LOCK, _OPTION, _OPTION | _SHIFT, _CONTROL]
_CHARACTERS = [
    _table({}),
    _table(_SHIFTED),
    _table(_CAPITALS),
    _table(_OPTIONS | {" ": "\xa0"}),
    _table(dict(zip(_ROW, _WITH_BOTH, strict=True)) | {" ": "\xa0"}),
    _table({key: chr(ord(key) & 31) for key in LETTERS if key.isalpha() or key in "[]\\"}),
]


def _which(modifiers: int) -> int:
    """The table for a set of modifier keys."""
    for right, left in _RIGHT.items():
        modifiers |= left if modifiers & right else 0
    if modifiers & _CONTROL:
        return _TABLES.index(_CONTROL)
    if modifiers & _OPTION:
        both = modifiers & (_SHIFT | _CAPS_LOCK)
        return _TABLES.index(_OPTION | (_SHIFT if both else 0))
    if modifiers & _COMMAND:
        return 0
    return _TABLES.index(_SHIFT if modifiers & _SHIFT else modifiers & _CAPS_LOCK)


US_LAYOUT = b"".join(
    (
        struct.pack(">H", _VERSION),
        bytes(map(_which, range(256))),
        struct.pack(">H", len(_TABLES)),
        *_CHARACTERS,
        struct.pack(">H", len(_DEAD)),
        *(_dead_table(key, mark, pairs) for key, (mark, pairs) in _DEAD.items()),
    )
)
