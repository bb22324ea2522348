"""Drivers in a program's resources, as the Device Manager finds them by name.

Source: Inside Macintosh: Devices, chapter 1 ("Driver Resources": the ID is the number of the unit).
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.hardware.program_drivers import FoundDriver, ProgramDrivers
from emu.toolbox.managers.resources.manager import ResourceManager


class DriverResources(Manager):
    """Finds 'DRVR' resources."""

    _resources: ResourceManager
    _drivers: ProgramDrivers

    def start(self) -> None:
        """Let drivers be opened that are in resources."""
        self._drivers.find_resource = self._find

    def _find(self, name: bytes) -> FoundDriver | None:
        found = self._resources.find_named("DRVR", name.decode("mac_roman"))
        handle = self._resources.get("DRVR", found.id) if found is not None else 0
        return FoundDriver(found.id, handle) if found is not None and handle else None
