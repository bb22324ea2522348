"""Lists for GDB, as XML: the memory, and the files with symbols.

Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "Memory Map Format" and
"Library List Format".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

from emu.debug.symbols.moved_file import MovedFile
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


def library_list(files: Sequence[MovedFile]) -> str:
    """The list of files with symbols."""
    lines = []
    for file in files:
        lines.append(f"<library name={quoteattr(str(file.path))}>")
        lines += ['<section address="0x0"/>'] * file.sections  # how far it lies from its address
        lines.append("</library>")
    return "\n".join(['<library-list version="1.0">', *lines, "</library-list>", ""])
