"""Code resources of the System file: one trap word each, with which macproof does their work.

The trap words of definition functions belong to no routine of a Macintosh; a package's is its own.
They have the bit that lets a routine of the Toolbox return to the caller of the code (Inside
Macintosh I, "Using Assembly Language").
"""

from __future__ import annotations

BUTTONS_TRAP = 0xABE0
WINDOWS_TRAP = 0xABE2
STANDARD_MENU_TRAP = 0xABF8
KEY_TRANSLATOR_TRAP = 0xABE1
_AUTO_POP = 0x400

CONTROL_DEFINITIONS = {0: (BUTTONS_TRAP | _AUTO_POP).to_bytes(2, "big")}
"""The code of 'CDEF' resources, by ID: push buttons, check boxes and radio buttons."""

MENU_DEFINITIONS = {0: (STANDARD_MENU_TRAP | _AUTO_POP).to_bytes(2, "big")}
"""The code of 'MDEF' resources, by ID."""

WINDOW_DEFINITIONS = {0: (WINDOWS_TRAP | _AUTO_POP).to_bytes(2, "big")}
"""The code of 'WDEF' resources, by ID: windows with square corners."""

_PACKAGE_TRAPS = (
    (0, 0xA9E7),
    (2, 0xA9E9),
    (3, 0xA9EA),
    (4, 0xA9EB),
    (5, 0xA9EC),
    (6, 0xA9ED),
    (7, 0xA9EE),
    (12, 0xA82E),
)
PACKAGES = {number: (trap | _AUTO_POP).to_bytes(2, "big") for number, trap in _PACKAGE_TRAPS}
"""The code of 'PACK' resources, by ID (Inside Macintosh I, "The Package Manager"; V for 12)."""
