"""Links a program a second time: to other addresses, with its variables in reverse order.

A routine that is right does not depend on where the linker puts it. One that compares the
addresses of two globals, or keeps part of an address, may be right in one place and wrong in
another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from emu.toolchain.builds import Build
from emu.toolchain.objects import sections_of

# Where guest.ld puts code and data, and where they are moved to: below 16 MB, as a 68000 has 24
# bits for addresses, and with other bits throughout. Data begin behind some bytes of their first
# page, which the file must have.
_MOVED = {
    "0x00010000": "0x003A5240",
    "0x00100000": "0x005C7000",
    ".data : {": ".data : { BYTE(0) . = 0xDE0;",
}


MOVED = "+moved"
"""What is added to the name of a build that is linked to another place."""


def moved(build: Build) -> Build:
    """The same build, linked to another place."""
    return replace(build, name=build.name + MOVED, is_moved=True)


def moved_script(script: str, objects: Sequence[Path]) -> str:
    """A linker script that puts everything to another place, and variables in reverse order.

    Args:
        script: the text of ``guest.ld``.
        objects: the object files, in which each variable has a section of its own.
    """
    for usual, other in _MOVED.items():
        script = script.replace(usual, other)
    names = [name for path in objects for name in sections_of(path)]
    for kind in (".data", ".bss"):
        own = [name for name in dict.fromkeys(names) if name.startswith(f"{kind}.")]
        listed = " ".join(f"*({name})" for name in reversed(own))
        script = script.replace(f"*({kind} ", f"{listed} *({kind} ", 1)
    return script
