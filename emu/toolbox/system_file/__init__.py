"""The System file: resources that every Macintosh has, and that programs ask for.

Texts and pictures are macproof's own; the standard patterns are Apple's. A Macintosh has many more.
Of code resources there are the packages and the standard definition functions of buttons, menus and
windows. Others, such as that of scroll bars, and fonts are not there: the managers do what they do.
"""

from __future__ import annotations

from collections.abc import Mapping

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.system_file.code import (
    CONTROL_DEFINITIONS,
    MENU_DEFINITIONS,
    PACKAGES,
    WINDOW_DEFINITIONS,
)
from emu.toolbox.system_file.cursors import SYSTEM_CURSORS
from emu.toolbox.system_file.dialogs import ITEM_LISTS, TEMPLATES
from emu.toolbox.system_file.icons import SYSTEM_ICONS
from emu.toolbox.system_file.international import NAMES_OF_DAYS_AND_MONTHS, NUMBERS_AND_TIMES
from emu.toolbox.system_file.keyboard_layout import US_LAYOUT
from emu.toolbox.system_file.menus import SYSTEM_MENUS
from emu.toolbox.system_file.patterns import SYSTEM_PATTERNS

_PURGEABLE = 0x20
_OWNER, _MACHINE = -16096, -16413
_STRINGS = {_OWNER: pascal_string(b"macproof"), _MACHINE: pascal_string(b"Macintosh")}
"""The names that the Chooser and the Sharing Setup control panel ask for."""

_CONTENTS: tuple[tuple[str, Mapping[int, bytes]], ...] = (
    ("CDEF", CONTROL_DEFINITIONS),
    ("CURS", SYSTEM_CURSORS),
    ("DITL", ITEM_LISTS),
    ("DLOG", TEMPLATES),
    ("ICON", SYSTEM_ICONS),
    ("INTL", {0: NUMBERS_AND_TIMES, 1: NAMES_OF_DAYS_AND_MONTHS}),
    ("KCHR", {0: US_LAYOUT}),
    ("MDEF", MENU_DEFINITIONS),
    ("MENU", SYSTEM_MENUS),
    ("PACK", PACKAGES),
    ("PAT#", {0: SYSTEM_PATTERNS}),
    ("STR ", _STRINGS),
    ("WDEF", WINDOW_DEFINITIONS),
    ("itl0", {0: NUMBERS_AND_TIMES}),
    ("itl1", {0: NAMES_OF_DAYS_AND_MONTHS}),
)


def system_resources() -> ResourceFork:
    """The resources of the System file."""
    return ResourceFork(
        tuple(
            Resource(type_, number, "", 0 if type_ == "MENU" else _PURGEABLE, data)
            for type_, contents in _CONTENTS
            for number, data in contents.items()
        )
    )
