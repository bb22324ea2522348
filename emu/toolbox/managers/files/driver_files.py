"""Calls of the File Manager for a driver, whose name begins with a dot and number is below 0.

Source: Inside Macintosh: Devices, chapter 1 "Device Manager" (PBOpen, PBRead, PBWrite, PBClose).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.hardware.program_drivers import ProgramDrivers
from emu.toolbox.managers.hardware.system_drivers import DriverError, SystemDrivers
from emu.toolbox.records.files import IOParam


@contextlib.contextmanager
def _answering(reference: int) -> Iterator[None]:
    """Make a driver's refusal one of the File Manager's."""
    try:
        yield
    except DriverError as error:
        raise FileError(error.code, driver=reference) from error


class DriverFiles(Manager):
    """Drivers of the machine in the place of open files; each method tells if there is none."""

    _drivers: SystemDrivers
    program: ProgramDrivers

    def open(self, name: bytes, block: IOParam) -> int | None:
        """Open a driver; its result code, or None if the name is none of a driver."""
        reference = self.open_of_machine(name)
        if reference:
            block.ioRefNum = reference
            return 0
        return self.program.open(name, block) if name.startswith(b".") else None

    def open_of_machine(self, name: bytes) -> int:
        """Open a driver of the machine; its reference number, or 0 if the name is none of one."""
        return self._drivers.open(name) if name.startswith(b".") else 0

    def close(self, reference: int) -> bool:
        """Close a driver; False if there is none of this number.

        Raises:
            FileError: the driver refuses.
        """
        with _answering(reference):
            return self._drivers.close(reference)

    def read(self, reference: int, count: int) -> bytes | None:
        """Read from a driver; None if there is none of this number.

        Raises:
            FileError: the driver refuses.
        """
        with _answering(reference):
            driver = self._drivers.find(reference)
            return None if driver is None else driver.read(count)

    def write(self, reference: int, data: bytes) -> bool:
        """Write to a driver; False if there is none of this number.

        Raises:
            FileError: the driver refuses.
        """
        with _answering(reference):
            driver = self._drivers.find(reference)
            if driver is not None:
                driver.write(data)
            return driver is not None
