"""An ELF file that stands for the Macintosh itself: what calls a program, and names of traps.

A debugger wants a program before it asks anything else, and learns from it which byte of a word
comes first, and where a backtrace ends. The program's own file would do only if it lay where the
linker thought.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from emu.base.files import write_whole
from emu.debug.symbols.symbol_elf import CodeSection, NamedRoutine, symbol_elf
from emu.machine.memory.memory import MemoryRegion
from emu.toolbox.calls.trap_table import rom_entry
from emu.toolbox.declarations import declarations
from emu.toolbox.guest.layout import ROM_SIZE, ROM_START, SENTINEL

_NAME = "macintosh.elf"
_ENTRY_SIZE = 8
_GATE = "gate"
"""The region from which the routine of a case is called."""
_BEFORE = 4
"""A debugger looks for the caller before the address to which a call returns."""


def write_rom_file(
    architecture: str, folder: Path, distance: int, regions: Sequence[MemoryRegion]
) -> Path:
    """Write the file.

    Args:
        architecture: "m68k" or "powerpc".
        folder: where to.
        distance: how far GDB will move the file's addresses to have the right ones; less than
            those.
        regions: the memory that there is.

    Returns:
        Its path.
    """
    caller = NamedRoutine("Toolbox", SENTINEL - _BEFORE, 2 * _BEFORE)
    traps = tuple(_traps()) if architecture == "m68k" else ()
    sections = [CodeSection("ROM", ROM_START, ROM_SIZE, (caller, *traps))]
    for gate in regions:
        if gate.name == _GATE:
            caller = NamedRoutine("macproof", gate.address, gate.size)
            sections.append(CodeSection(_GATE, gate.address, gate.size, (caller,)))
    moved = [_moved(section, -distance) for section in sections]
    path = folder / _NAME
    write_whole(path, symbol_elf(architecture, moved, entry=caller.address - distance))
    return path


def _moved(section: CodeSection, distance: int) -> CodeSection:
    routines = tuple(replace(one, address=one.address + distance) for one in section.routines)
    return replace(section, address=section.address + distance, routines=routines)


def _traps() -> Iterator[NamedRoutine]:
    for number, routines in declarations("m68k").by_trap.items():
        if None in routines:  # else many routines share the trap
            name = f"_{routines[None].routine.name}"
            yield NamedRoutine(name, rom_entry(number), _ENTRY_SIZE)
