"""The managers, one module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.manager import Manager

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

MANAGERS: dict[str, type[Manager]] = {}
"""By the name under which a Macintosh has each; they start in this order."""


def make_managers(mac: Macintosh) -> dict[str, Manager]:
    """All of them, not yet started."""
    return {name: manager(mac) for name, manager in MANAGERS.items()}
