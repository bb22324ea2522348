"""Lists for GDB, as XML: the memory, and the files with symbols.

Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "Memory Map Format" and
"Library List Format".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

from emu.debug.symbols.placed_file import PlacedFile
from emu.machine.memory.memory import MemoryRegion


def memory_map(regions: Iterable[MemoryRegion]) -> str:
    """The list of memory."""
    lines = [
        f'<memory type="{"ram" if region.writable else "rom"}" start="{region.address:#x}" '
        f'length="{region.size:#x}"/>'
        for region in regions
    ]
    return "\n".join(
        [
            '<?xml version="1.0"?>',
            '<!DOCTYPE memory-map PUBLIC "+//IDN gnu.org//DTD GDB Memory Map V1.0//EN" '
            '"http://sourceware.org/gdb/gdb-memory-map.dtd">',
            "<memory-map>",
            *lines,
            "</memory-map>",
            "",
        ]
    )


def library_list(files: Sequence[PlacedFile]) -> str:
    """The list of files with symbols, with how far each section lies from its own address."""
    lines = ['<library-list version="1.0">']
    for file in files:
        lines.append(f"<library name={quoteattr(str(file.path))}>")
        # GDB adds 64-bit numbers, so that a section below its own address needs a large one.
        lines += [
            f'<section address="{distance & 0xFFFF_FFFF_FFFF_FFFF:#x}"/>'
            for distance in file.distances
        ]
        lines.append("</library>")
    return "\n".join([*lines, "</library-list>", ""])
