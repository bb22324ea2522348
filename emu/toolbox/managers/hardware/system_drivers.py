"""The drivers that a Macintosh brings along, by their names and reference numbers.

Only those of ports and networks are here: the disk is the File Manager's, and the sound the Sound
Manager's. There is no driver of a CD drive, and none of MIDI.
Sources: Inside Macintosh: Devices, chapter 1 "Device Manager" (result codes, p. 1-98); Inside
Macintosh II, chapter 6, for the reference numbers.
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.results import ResultCode


class DriverError(Exception):
    """A driver has refused a call; the program gets the code.

    Attributes:
        code: the result code.
    """

    def __init__(self, code: ResultCode) -> None:
        super().__init__(code.name)
        self.code = code


IN_PROGRESS = 1
"""What ioResult is while an asynchronous call is under way."""


class SystemDriver:
    """A driver; it refuses what is not overridden."""

    def read(self, count: int) -> bytes:
        """Read bytes.

        Raises:
            DriverError: it cannot be done.
        """
        raise DriverError(ResultCode.readErr)

    def write(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            DriverError: it cannot be done.
        """
        raise DriverError(ResultCode.writErr)

    def control(self, block: CntrlParam) -> int:
        """Do a command; its result code."""
        return ResultCode.controlErr

    def status(self, block: CntrlParam) -> int:
        """Answer a question; the result code."""
        return ResultCode.statusErr

    def close(self) -> None:
        """Forget what the program has set."""


class SystemDrivers(Manager):
    """Opens and closes them, and finds the one that a call is for."""

    plumbing = True

    def __post_init__(self) -> None:
        self._drivers: dict[int, SystemDriver] = {}
        self._numbers: dict[bytes, int] = {}
        self._open: set[int] = set()

    def add(self, name: str, reference: int, driver: SystemDriver) -> None:
        """Have one more driver, of a name such as ".AIn"."""
        self._drivers[reference] = driver
        self._numbers[name.lower().encode("ascii")] = reference

    def open(self, name: bytes) -> int:
        """Open a driver; its reference number, or 0 if there is none of this name."""
        reference = self._numbers.get(name.lower(), 0)
        if reference:
            self._open.add(reference)
        return reference

    def is_open(self, reference: int) -> bool:
        """Whether a driver has been opened."""
        return reference in self._open

    def find(self, reference: int) -> SystemDriver | None:
        """The driver of a reference number; None if there is no such driver.

        Raises:
            DriverError: it has not been opened.
        """
        driver = self._drivers.get(reference)
        if driver is not None and reference not in self._open:
            raise DriverError(ResultCode.notOpenErr)
        return driver

    def close(self, reference: int) -> bool:
        """Close a driver; False if there is no such driver.

        Raises:
            DriverError: it has not been opened.
        """
        driver = self.find(reference)
        if driver is None:
            return False
        driver.close()
        self._open.remove(reference)
        return True
