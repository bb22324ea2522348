"""The Help menu, which programs ask for as a resource or by HMGetHelpMenuHandle.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 3 "Help Manager" (kHMHelpMenuID); and
Macintosh Toolbox Essentials, chapter 3 "Menu Manager". The words are macproof's own.
"""

from __future__ import annotations

import struct

from emu.toolbox.guest.guest_access import pascal_string

HELP_MENU = -16490
_TITLE, _LINE = "Help", "-"
_ITEMS = ("About Balloon Help…", _LINE, "Show Balloons")
_PLAIN_ITEM = bytes(4)
"""Neither an icon nor a key, mark or style."""


def _help_menu() -> bytes:
    enabled = sum(1 << n for n, title in enumerate((_TITLE, *_ITEMS)) if title != _LINE)
    items = (pascal_string(title.encode("mac_roman")) + _PLAIN_ITEM for title in _ITEMS)
    start = struct.pack(">h8xI", HELP_MENU, enabled)  # its size and definition are filled in
    return start + pascal_string(_TITLE.encode("mac_roman")) + b"".join(items) + b"\0"


SYSTEM_MENUS = {HELP_MENU: _help_menu()}
"""The contents of the 'MENU' resources by their IDs."""
