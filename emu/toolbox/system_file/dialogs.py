"""The dialogs for choosing files: 'DLOG' and 'DITL' of the system file.

Programs take these templates and change them, or add items of their own. The places in SFGetFile's
are Apple's, as copies have them that programs bring; other sizes and places are macproof's own.
Source of IDs and item numbers: Inside Macintosh I, The Standard File Package; Inside Macintosh:
Files, chapter 3.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import pascal_string

_USER, _BUTTON, _TEXT, _FIELD = 0, 4, 8, 16
_DISABLED = 128
_DIALOG_BOX = 1
"""dBoxProc."""


@dataclass(frozen=True, slots=True)
class _Item:
    """An item: its kind, its place, and its title or text."""

    kind: int
    top: int
    left: int
    bottom: int
    right: int
    text: str = ""

    @property
    def data(self) -> bytes:
        """It in an item list: nil, place, kind and text, with an even number of bytes."""
        text = pascal_string(self.text.encode("mac_roman"))
        place = self.top, self.left, self.bottom, self.right
        return struct.pack(">IhhhhB", 0, *place, self.kind) + text + bytes(1 - len(text) % 2)


def _button(top: int, left: int, title: str) -> _Item:
    return _Item(_BUTTON, top, left, top + 18, left + 80, title)


def _hidden_item(kind: int) -> _Item:
    return _Item(kind, 1100, 20, 1118, 100)


_LIST, _SCROLL_BAR = _Item(_USER, 32, 12, 128, 230), _Item(_USER, 32, 229, 128, 245)
_VOLUME = _Item(_USER | _DISABLED, 6, 250, 26, 344)

# Where buttons lie matters: THINK C 5.0 moves Cancel down to have room for one of its own.
_GET = (
    _button(138, 256, "Open"),
    _hidden_item(_BUTTON),
    _button(163, 256, "Cancel"),
    _Item(_USER | _DISABLED, 39, 232, 59, 347),
    _button(68, 256, "Eject"),
    _button(93, 256, "Drive"),
    _Item(_USER, 39, 12, 185, 230),
    _Item(_USER, 39, 229, 185, 245),
    _Item(_USER | _DISABLED, 124, 252, 125, 340),
    _hidden_item(_TEXT | _DISABLED),
)
_PUT = (
    _button(74, 12, "Save"),
    _button(74, 120, "Cancel"),
    _Item(_TEXT | _DISABLED, 8, 12, 24, 200, "Save as:"),
    _Item(_USER | _DISABLED, 6, 205, 26, 300),
    _button(30, 212, "Eject"),
    _button(52, 212, "Drive"),
    _Item(_FIELD, 34, 14, 50, 196),
    _Item(_USER | _DISABLED, 8, 204, 92, 205),
)
_OPEN = (
    _button(100, 256, "Open"),
    _button(122, 256, "Cancel"),
    _hidden_item(_TEXT | _DISABLED),
    _VOLUME,
    _button(32, 256, "Eject"),
    _button(54, 256, "Desktop"),
    _LIST,
    _Item(_USER, 6, 32, 25, 225),
    _Item(_USER | _DISABLED, 86, 252, 87, 340),
)
_SAVE = (
    _button(146, 256, "Save"),
    *_OPEN[1:],
    _Item(_FIELD, 148, 16, 164, 226),
    _Item(_TEXT | _DISABLED, 130, 14, 146, 228, "Save as:"),
    _Item(_USER, 76, 256, 94, 336),
)

_GET_FILE, _PUT_FILE, _OPEN_FILE, _SAVE_FILE = -4000, -3999, -6042, -6043
_DIALOGS = {
    _GET_FILE: (Rectangle(0, 0, 200, 348), _GET),
    _PUT_FILE: (Rectangle(0, 0, 104, 304), _PUT),
    _OPEN_FILE: (Rectangle(0, 0, 148, 344), _OPEN),
    _SAVE_FILE: (Rectangle(0, 0, 176, 344), _SAVE),
}

TEMPLATES = {
    number: struct.pack(
        ">5hBxBxIhx", r.top, r.left, r.bottom, r.right, _DIALOG_BOX, 0, 0, 0, number
    )
    for number, (r, _) in _DIALOGS.items()
}
"""The contents of the 'DLOG' resources by their IDs."""


def _listed(items: tuple[_Item, ...]) -> bytes:
    return struct.pack(">h", len(items) - 1) + b"".join(item.data for item in items)


ITEM_LISTS = {number: _listed(items) for number, (_, items) in _DIALOGS.items()}
"""The contents of the 'DITL' resources by their IDs."""

_PRINT_BUTTONS = _button(12, 304, "OK"), _button(38, 304, "Cancel")
STYLE_ITEMS, JOB_ITEMS = (
    _listed((*_PRINT_BUTTONS, _Item(_TEXT | _DISABLED, 14, 16, 30, 290, title)))
    for title in ("Page Setup", "Print all pages, one copy")
)
"""Item lists of the Printing Manager's dialogs, which a program may extend."""
