"""Where the code and data of a program lie in a Macintosh now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from emu.debug.requests import LoadedSegment
from emu.toolbox.macintosh import Macintosh

GLOBALS = "globals below A5"
"""The name of the segment below A5."""

_SECTION = re.compile(r"section \d+")


def loaded_segments(mac: Macintosh) -> tuple[LoadedSegment, ...]:
    """The segments that are in memory.

    They are "CODE 1" and so on and "globals below A5" of a 68K program, "section 0" and so on of a
    PowerPC program.
    """
    if mac.cpu.architecture == "m68k":
        return tuple(_m68k(mac))
    return tuple(
        LoadedSegment(region.name, region.address, region.size)
        for region in mac.layout.sections
        if _SECTION.match(region.name)
    )


def _m68k(mac: Macintosh) -> Iterator[LoadedSegment]:
    blocks = {
        block.handle: block
        for zone in mac.memory.zones
        for block in zone.blocks.values()
        if block.handle
    }
    found = set()
    for file in mac.resources.files:
        for entry in file.entries:
            block = blocks.get(entry.handle)
            if entry.type == "CODE" and block is not None and entry.id not in found:
                found.add(entry.id)
                yield LoadedSegment(f"CODE {entry.id}", block.content, block.logical)
    layout = mac.layout
    yield LoadedSegment(GLOBALS, layout.globals_start, layout.a5 - layout.globals_start)
