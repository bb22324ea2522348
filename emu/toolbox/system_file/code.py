"""Code resources of the System file: one trap word each, with which macproof does their work.

The trap words belong to no routine of a Macintosh. They have the bit that lets a routine of the
Toolbox return to the caller of the code (Inside Macintosh I, "Using Assembly Language").
"""

from __future__ import annotations

BUTTONS_TRAP = 0xABE0
STANDARD_MENU_TRAP = 0xABF8
_AUTO_POP = 0x400

CONTROL_DEFINITIONS = {0: (BUTTONS_TRAP | _AUTO_POP).to_bytes(2, "big")}
"""The code of 'CDEF' resources, by ID: push buttons, check boxes and radio buttons."""

MENU_DEFINITIONS = {0: (STANDARD_MENU_TRAP | _AUTO_POP).to_bytes(2, "big")}
"""The code of 'MDEF' resources, by ID."""
