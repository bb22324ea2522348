"""The driver of the screen, which its graphics device names.

Programs ask it for its mode, and set the colours of the hardware without the Color Manager's
knowledge: the device's colour table stays as it is. What is set so is kept and answered, and not
shown. A depth is changed by SetDepth alone.
Source: Designing Cards and Drivers for the Macintosh Family, third edition, chapter 9 (csCodes,
parameters).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.hardware.system_drivers import SystemDriver, SystemDrivers
from emu.toolbox.managers.quickdraw.color.devices import VIDEO_DRIVER, GraphicsDevices
from emu.toolbox.records.fields import int16, pointer, uint8
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.quickdraw import ColorSpec
from emu.toolbox.records.record import Record
from emu.toolbox.records.results import ResultCode

_NAME = ".Display_Video"

_RESET, _KILL, _MODE, _ENTRIES, _GAMMA, _GRAY, _INTERRUPT = 0, 1, 2, 3, 4, 6, 7
_PAGES, _BASE_ADDRESS, _DEFAULT_MODE = 4, 5, 9
"""csCodes; those of the second line are questions alone."""

_BY_VALUE = -1


class VDPageInfo(Record):
    """A mode and a page of the screen."""

    csMode = int16()
    csData = pointer()
    csPage = int16()
    csBaseAddr = pointer()


class VDSetEntryRecord(Record):
    """Colours: how many less one, and from which on; -1 if each says where it belongs."""

    csTable = pointer()
    csStart = int16()
    csCount = int16()


class VDFlagRecord(Record):
    """A flag or a small number."""

    csMode = uint8()


@dataclass(slots=True)
class VideoDriver(SystemDriver):
    """The driver; its parameters lie where csParam points to."""

    guest: GuestAccess
    devices: GraphicsDevices
    colors: dict[int, bytes] = field(default_factory=dict)
    flags: dict[int, int] = field(default_factory=dict)

    def control(self, block: CntrlParam) -> int:
        """Do a command; its result code."""
        code, place = block.csCode, self._parameters(block)
        if code == _KILL:
            return 0
        if not place:
            return ResultCode.paramErr
        if code in (_RESET, _MODE):
            return self._set_mode(VDPageInfo(self.guest, place), is_reset=code == _RESET)
        if code == _ENTRIES:
            return self._entries(VDSetEntryRecord(self.guest, place), stores=True)
        if code in (_GRAY, _INTERRUPT):
            self.flags[code] = VDFlagRecord(self.guest, place).csMode
            return 0
        return 0 if code == _GAMMA else ResultCode.controlErr

    def status(self, block: CntrlParam) -> int:
        """Answer a question; the result code."""
        code, place = block.csCode, self._parameters(block)
        if not place:
            return ResultCode.paramErr
        page = VDPageInfo(self.guest, place)
        if code == _MODE:
            page.csMode, page.csPage = self.devices.screen_mode(), 0
        elif code == _PAGES:
            page.csPage = 1
        elif code == _ENTRIES:
            return self._entries(VDSetEntryRecord(self.guest, place), stores=False)
        elif code in (_GRAY, _INTERRUPT):
            VDFlagRecord(self.guest, place).csMode = self.flags.get(code, 0)
        elif code == _DEFAULT_MODE:
            VDFlagRecord(self.guest, place).csMode = self.devices.screen_mode()
        elif code != _BASE_ADDRESS:
            return ResultCode.statusErr
        if code in (_MODE, _BASE_ADDRESS):
            page.csBaseAddr = self.devices.host.layout.screen
        return 0

    def _parameters(self, block: CntrlParam) -> int:
        """Where the parameters lie; 0 if no memory is there."""
        place = self.guest.u32(block.address + CntrlParam.csParam.offset)
        return place if self.guest.is_mapped(place, VDPageInfo.size) else 0

    def _set_mode(self, page: VDPageInfo, *, is_reset: bool) -> int:
        """Set the mode that the screen has; another is refused."""
        mode = self.devices.screen_mode()
        if is_reset:
            page.csMode, page.csPage = mode, 0
        if (page.csMode, page.csPage) != (mode, 0):
            return ResultCode.controlErr
        page.csBaseAddr = self.devices.host.layout.screen
        return 0

    def _entries(self, entries: VDSetEntryRecord, *, stores: bool) -> int:
        """Set colours, or tell them: those of the device's table until others are set."""
        table = self.devices.entries()
        count = min(entries.csCount + 1, len(table))
        size = ColorSpec.size
        if count < 0 or not self.guest.is_mapped(entries.csTable, max(count, 1) * size):
            return ResultCode.paramErr
        for number in range(count):
            at = entries.csTable + number * size
            given = self.guest.read(at, size)
            is_by_value = entries.csStart == _BY_VALUE
            place = ColorSpec.value.of(given) if is_by_value else entries.csStart + number
            if not 0 <= place < len(table):
                return ResultCode.paramErr
            if stores:
                self.colors[place] = given[2:]
            else:
                self.guest.write(at + 2, self.colors.get(place, table[place]))
        return 0


class VideoDrivers(Manager):
    """Has the driver in a machine whose screen has a graphics device."""

    plumbing = True

    _drivers: SystemDrivers
    _devices: GraphicsDevices

    def start(self) -> None:
        """The driver is open from the beginning."""
        if self.host.has_color:
            self._drivers.add(_NAME, VIDEO_DRIVER, VideoDriver(self.guest, self._devices))
            self._drivers.open(_NAME.encode("ascii"))
