"""The managers, one module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.manager import Manager
from emu.toolbox.managers.events import EventManager
from emu.toolbox.managers.fonts import FontManager
from emu.toolbox.managers.quickdraw import QUICKDRAW_MANAGERS
from emu.toolbox.managers.windows import WindowManager
from emu.toolbox.managers.window_updates import WindowUpdates
from emu.toolbox.managers.window_tracking import WindowTracking

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

MANAGERS: dict[str, type[Manager]] = {
    "events": EventManager,
    **QUICKDRAW_MANAGERS,
    "fonts": FontManager,
    "windows": WindowManager,
    "window_updates": WindowUpdates,
    "window_tracking": WindowTracking,
}
"""By the name under which a Macintosh has each; they start in this order."""


def make_managers(mac: Macintosh) -> dict[str, Manager]:
    """All of them, not yet started."""
    return {name: manager(mac) for name, manager in MANAGERS.items()}
