"""The standard colour tables, which a Macintosh with Color QuickDraw has in its ROM.

Source: Inside Macintosh V, "Color Manager": 'clut' 1, 2, 4 and 8 are the standard colours of so
many bits a pixel; 32 more stands for as many greys.
"""

from __future__ import annotations

import numpy as np

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.quickdraw.palette import Palette, gray_palette, standard_palette
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable

GRAYS = 32
"""What is added to a depth for a table of greys."""

_DEPTHS = (1, 2, 4, 8)


def table_bytes(palette: Palette, seed: int) -> bytes:
    """A ColorTable record with the colours of a palette."""
    header, entries = ColorTable.copied(), np.zeros(len(palette), ColorSpec.dtype())
    header.ctSeed, header.ctSize = seed, len(palette) - 1
    entries["value"] = range(len(palette))
    entries["rgb"] = [tuple(int(part) * 257 for part in color) for color in palette]
    return header.read() + entries.tobytes()


def rom_resources() -> ResourceFork:
    """The resources in ROM that programs ask RGetResource for."""
    tables = {depth: standard_palette(depth) for depth in _DEPTHS}
    tables |= {GRAYS + depth: gray_palette(depth) for depth in _DEPTHS}
    return ResourceFork(
        tuple(Resource("clut", n, "", 0, table_bytes(p, n)) for n, p in tables.items())
    )
