"""QuickDraw, a module for each of its topics."""

from __future__ import annotations

from emu.toolbox.manager import Manager
from emu.toolbox.managers.quickdraw.bits import Bits
from emu.toolbox.managers.quickdraw.colors import Colors
from emu.toolbox.managers.quickdraw.core import Canvas, QuickDraw
from emu.toolbox.managers.quickdraw.cursor import CursorManager
from emu.toolbox.managers.quickdraw.from_resources import GraphicResources
from emu.toolbox.managers.quickdraw.geometry import Geometry
from emu.toolbox.managers.quickdraw.gworlds import GraphicsWorlds
from emu.toolbox.managers.quickdraw.pen import Pen
from emu.toolbox.managers.quickdraw.pictures import Pictures
from emu.toolbox.managers.quickdraw.polygons import Polygons
from emu.toolbox.managers.quickdraw.ports import Ports
from emu.toolbox.managers.quickdraw.procedures import Procedures
from emu.toolbox.managers.quickdraw.regions import Regions
from emu.toolbox.managers.quickdraw.seed_fill import SeedFill
from emu.toolbox.managers.quickdraw.shapes import Shapes
from emu.toolbox.managers.quickdraw.text import Text

QUICKDRAW_MANAGERS: dict[str, type[Manager]] = {
    "quickdraw": QuickDraw,
    "quickdraw_ports": Ports,
    "quickdraw_geometry": Geometry,
    "quickdraw_procedures": Procedures,
    "quickdraw_pen": Pen,
    "quickdraw_shapes": Shapes,
    "quickdraw_regions": Regions,
    "quickdraw_polygons": Polygons,
    "quickdraw_pictures": Pictures,
    "quickdraw_text": Text,
    "quickdraw_bits": Bits,
    "quickdraw_colors": Colors,
    "quickdraw_worlds": GraphicsWorlds,
    "quickdraw_seed_fill": SeedFill,
    "quickdraw_cursor": CursorManager,
    "quickdraw_resources": GraphicResources,
}
"""QuickDraw's parts, by the name under which a Macintosh has each."""

__all__ = ["QUICKDRAW_MANAGERS", "Canvas", "QuickDraw"]
