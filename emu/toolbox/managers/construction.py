"""Makes the managers of a Macintosh, each with those that it uses."""

from __future__ import annotations

from typing import Any

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.host import Host
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.all_managers import MANAGERS


def make_managers(host: Host, dispatcher: Dispatcher) -> dict[str, Manager]:
    """All of them, not yet started."""
    parts: dict[type, Any] = {Host: host, Dispatcher: dispatcher}
    managers: dict[str, Manager] = {}
    for name, kind in MANAGERS.items():
        managers[name] = parts[kind] = kind.made_from(parts)
    return managers
