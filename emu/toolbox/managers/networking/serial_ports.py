"""The serial ports: what is written to them is kept, and nothing ever comes in.

Port A is the modem's and port B the printer's. Each has a driver for what comes in and one for
what goes out. No handshaking holds output back: the bytes of a program that asks for it go out.
Sources: Inside Macintosh: Devices, chapter 7 "Serial Driver" (routines, csCodes, p. 7-26 for
SerStaRec); Inside Macintosh II, chapter 9 "The Serial Drivers" (SerShk).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.host import Host
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.hardware.system_drivers import (
    DriverError,
    SystemDriver,
    SystemDrivers,
)
from emu.toolbox.records.fields import uint8
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.record import Record
from emu.toolbox.records.results import ResultCode

PORTS = {".AIn": -6, ".AOut": -7, ".BIn": -8, ".BOut": -9}
"""The drivers by name, and their reference numbers."""

_MOST_COMMANDS = (230, 115)
_COMMANDS = frozenset((1, *range(8, 32), *_MOST_COMMANDS))
"""The csCodes of control calls: 1 kills what is under way, 8 to 31 and two speeds set the port."""
_INPUT_COUNT, _STATE, _VERSION = 2, 8, 9
_DRIVER_VERSION = 6
_PARAMETERS = CntrlParam.csParam.offset

_PATIENCE = 5 * 60 * 1_000_000
"""Microseconds of the program's clock for which it may do nothing but ask how much has come in: no
protocol waits so long for an answer."""


class SerStaRec(Record):
    """The state of a port (Devices, p. 7-26)."""

    cumErrs = uint8()
    xOffSent = uint8()
    rdPend = uint8()
    wrPend = uint8()
    ctsHold = uint8()
    xOffHold = uint8()


@dataclass(slots=True)
class _SerialDriver(SystemDriver):
    """One direction of a port."""

    host: Host
    name: str
    _asks_since: int = -1

    @property
    def is_output(self) -> bool:
        """Whether bytes go out by it."""
        return self.name.endswith("Out")

    def read(self, count: int) -> bytes:
        """Nothing comes in: a Mac waits for ever, and so the run ends."""
        if self.is_output:
            raise DriverError(ResultCode.readErr)
        if count > 0:
            raise self._stopped(f"waits for {count:,} bytes from")
        return b""

    def input_count(self) -> int:
        """How many bytes have come in: none, and who asks for nothing else ends the run."""
        now = self.host.clock.now()
        if self.host.looked_at > self._asks_since:
            self._asks_since = now
        if now - self._asks_since > _PATIENCE:
            raise self._stopped("has asked for five minutes whether bytes have come from")
        return 0

    def _stopped(self, what: str) -> Exception:
        return self.host.stopped(
            f"the program {what} the serial port {self.name}, and nothing is connected to it"
        )

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if not self.is_output:
            raise DriverError(ResultCode.writErr)
        self.host.outputs.keep_serial(data)

    def control(self, block: CntrlParam) -> int:
        """Set speed, handshaking or a buffer: nobody is there to notice."""
        return 0 if block.csCode in _COMMANDS else ResultCode.controlErr

    def status(self, block: CntrlParam) -> int:
        """How much has come in, or how the port is."""
        place = block.address + _PARAMETERS
        if block.csCode == _INPUT_COUNT:
            self.host.guest.put32(place, self.input_count())
        elif block.csCode == _STATE:
            SerStaRec(block.guest, place).clear()
        elif block.csCode == _VERSION:
            self.host.guest.put16(place, _DRIVER_VERSION << 8)
        else:
            return ResultCode.statusErr
        return 0


class SerialPorts(Manager):
    """The drivers, and the routines that 68K programs bring as glue."""

    plumbing = True

    _drivers: SystemDrivers

    def start(self) -> None:
        """Put the drivers into the machine."""
        for name, reference in PORTS.items():
            self._drivers.add(name, reference, _SerialDriver(self.host, name))

    def _set(self, reference: int) -> int:
        """Nothing that can be set has an effect; notOpenErr if the port is not open."""
        try:
            driver = self._drivers.find(reference)
        except DriverError as error:
            return error.code
        return ResultCode.badUnitErr if driver is None else 0

    @routine("FUNCTION RAMSDOpen (whichPort: SignedByte): OSErr")
    def open_ram_driver(self, port: int) -> int:
        """Open both drivers of a port: 0 the modem's, 1 the printer's."""
        letter = b"AB"[port & 1 : (port & 1) + 1]
        self._drivers.open(b"." + letter + b"In")
        self._drivers.open(b"." + letter + b"Out")
        return 0

    @routine("PROCEDURE RAMSDClose (whichPort: SignedByte)")
    def close_ram_driver(self, port: int) -> None:
        """Close both drivers of a port."""
        for reference in (PORTS[".BIn"], PORTS[".BOut"]) if port & 1 else (-6, -7):
            if self._drivers.is_open(reference):
                self._drivers.close(reference)

    @routine("FUNCTION SerReset (refNum: INTEGER; serConfig: INTEGER): OSErr")
    def reset(self, reference: int, configuration: int) -> int:
        """Set speed, parity and stop bits."""
        return self._set(reference)

    @routine("FUNCTION SerSetBuf (refNum: INTEGER; serBPtr: Ptr; serBLen: INTEGER): OSErr")
    def set_buffer(self, reference: int, buffer: int, length: int) -> int:
        """Give the driver a buffer for what comes in."""
        return self._set(reference)

    @routine("FUNCTION SerHShake (refNum: INTEGER; flags: Ptr): OSErr")
    def set_handshake(self, reference: int, flags: int) -> int:
        """Say how both sides tell each other to wait."""
        return self._set(reference)

    @routine("FUNCTION SerSetBrk (refNum: INTEGER): OSErr")
    @routine("FUNCTION SerClrBrk (refNum: INTEGER): OSErr")
    def set_break(self, reference: int) -> int:
        """Begin or end a break."""
        return self._set(reference)

    @routine("FUNCTION SerGetBuf (refNum: INTEGER; VAR count: LONGINT): OSErr")
    def get_count(self, reference: int, count: int) -> int:
        """How many bytes have come in: none."""
        result = self._set(reference)
        driver = None if result else self._drivers.find(reference)
        self.guest.put32(count, driver.input_count() if isinstance(driver, _SerialDriver) else 0)
        return result

    @routine("FUNCTION SerStatus (refNum: INTEGER; VAR serSta: Ptr): OSErr")
    def get_status(self, reference: int, state: int) -> int:
        """The state of a port: no errors, and nothing held back."""
        SerStaRec(self.guest, state).clear()
        return self._set(reference)
