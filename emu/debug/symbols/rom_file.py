"""An ELF file that stands for the Macintosh itself: the area of the ROM, with names of traps.

A debugger wants a program before it asks anything else, and learns from it which byte of a word
comes first. The program's own file would do only if it lay where the linker thought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from emu.base.files import write_whole
from emu.debug.symbols.symbol_elf import CodeSection, NamedRoutine, symbol_elf
from emu.toolbox.calls.m68k import rom_entry
from emu.toolbox.declarations import declarations
from emu.toolbox.guest.layout import ROM_SIZE, ROM_START, SENTINEL

_NAME = "macintosh.elf"
_ENTRY_SIZE = 8


def write_rom_file(architecture: str, folder: Path, distance: int) -> Path:
    """Write the file.

    Args:
        architecture: "m68k" or "powerpc".
        folder: where to.
        distance: how far GDB will move the file's addresses to have the right ones; less than
            those.

    Returns:
        Its path.
    """
    routines = [NamedRoutine("Toolbox", SENTINEL)]
    if architecture == "m68k":
        routines += _traps()
    moved = tuple(replace(each, address=each.address - distance) for each in routines)
    section = CodeSection("ROM", ROM_START - distance, ROM_SIZE, moved)
    path = folder / _NAME
    write_whole(path, symbol_elf(architecture, [section], entry=SENTINEL - distance))
    return path


def _traps() -> Iterator[NamedRoutine]:
    for number, routines in declarations("m68k").by_trap.items():
        if None in routines:  # else many routines share the trap
            name = f"_{routines[None].routine.name}"
            yield NamedRoutine(name, rom_entry(number), _ENTRY_SIZE)
