"""The screen's video driver: the colours that the hardware shows, whatever the colour table says.

Games fade by it, since the Color Manager's tables and the programs that look at them stay as they
are. A table for gamma correction is kept and has no effect on pictures.
Sources: Apple's "Designing Cards and Drivers for the Macintosh Family" (1992), the chapter on video
drivers, and its header Video.h, for csCodes and records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emu.quickdraw.color_space import IndexedColorSpace
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.hardware.system_drivers import SystemDriver, SystemDrivers
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices, mode_of
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.records.fields import int16, int32, pointer
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.quickdraw import ColorSpec, GDevice
from emu.toolbox.records.record import Record
from emu.toolbox.records.results import ResultCode

NAME, REFERENCE = ".Display_Video", ~48
"""That of unit 48: drivers of cards and of built-in video have the units from there on."""

_SET_MODE, _SET_COLORS, _SET_GAMMA, _GRAY_PAGE = 2, 3, 4, 5
_WITHOUT_EFFECT = frozenset((0, 1, 6, 7, 9))
"""Reset, KillIO, colours as grays, interrupts, and the mode after a restart."""
_MODE, _COLORS, _PAGES, _BASE, _GRAYS, _INTERRUPTS, _GAMMA, _DEFAULT_MODE = 2, 3, 4, 5, 6, 7, 8, 9
_BY_VALUE = -1
_GAMMA_HEADER = (0, 0, 0, 1, 256, 8)
"""gVersion, gType, gFormulaSize, gChanCnt, gDataCnt and gDataWidth of a GammaTbl."""
_LARGEST_GAMMA = 12 + 3 * 256


class VDEntryRecord(Record):
    """Colours to be set or told: csCount + 1 entries from csStart on, or (-1) by their values."""

    csTable = pointer()
    csStart = int16()
    csCount = int16()


class VDPageInfo(Record):
    """A mode of the screen, and a page of it."""

    csMode = int16()
    csData = int32()
    csPage = int16()
    csBaseAddr = pointer()


@dataclass(slots=True)
class _VideoDriver(SystemDriver):
    """The driver of the one screen there is, which has one page."""

    guest: GuestAccess
    memory: MemoryManager
    bit_maps: BitMaps
    _gamma: int = 0

    def control(self, block: CntrlParam) -> int:
        """Set colours or a gamma table, or fill the screen with gray."""
        code, place = block.csCode, self._parameters(block)
        if not place and code not in _WITHOUT_EFFECT:
            return ResultCode.paramErr
        if code == _SET_COLORS:
            return self._set_colors(VDEntryRecord(self.guest, place))
        if code == _SET_MODE:
            if VDPageInfo(self.guest, place).csMode & 0xFF != self._mode:
                return ResultCode.paramErr
            self._tell_page(place)
        elif code == _SET_GAMMA:
            self._set_gamma(self.guest.u32(place))
        elif code == _GRAY_PAGE:
            self._fill_with_gray()
        elif code not in _WITHOUT_EFFECT:
            return ResultCode.controlErr
        return 0

    def status(self, block: CntrlParam) -> int:
        """Tell the mode, the colours, where the pixels are, or the gamma table."""
        code, place = block.csCode, self._parameters(block)
        if not place:
            return ResultCode.paramErr
        if code == _COLORS:
            return self._tell_colors(VDEntryRecord(self.guest, place))
        if code in (_MODE, _BASE):
            self._tell_page(place)
        elif code == _PAGES:
            VDPageInfo(self.guest, place).csPage = 1
        elif code in (_GRAYS, _INTERRUPTS):
            self.guest.put8(place, 0)
        elif code == _DEFAULT_MODE:
            self.guest.put8(place, self._mode)
        elif code == _GAMMA:
            self.guest.put32(place, self._gamma_table())
        else:
            return ResultCode.statusErr
        return 0

    def _parameters(self, block: CntrlParam) -> int:
        """The address of the record that csParam leads to; 0 if there is no memory."""
        place = self.guest.u32(block.address + CntrlParam.csParam.offset)
        return place if self.guest.is_mapped(place, VDPageInfo.size) else 0

    @property
    def _mode(self) -> int:
        return mode_of(self.bit_maps.screen.depth)

    def _tell_page(self, place: int) -> None:
        page = VDPageInfo(self.guest, place)
        page.csMode, page.csPage = self._mode, 0
        page.csBaseAddr = self.bit_maps.host.layout.screen

    def _places(self, wanted: VDEntryRecord, size: int) -> list[tuple[int, ColorSpec]]:
        """The entries of a request, and which colours they are of; those outside are left out."""
        entries = []
        for number in range(min((wanted.csCount & 0xFFFF) + 1, size)):
            entry = ColorSpec(self.guest, wanted.csTable + ColorSpec.size * number)
            place = entry.value if wanted.csStart == _BY_VALUE else wanted.csStart + number
            if 0 <= place < size:
                entries.append((place, entry))
        return entries

    def _set_colors(self, wanted: VDEntryRecord) -> int:
        space = self.bit_maps.display.space
        if not isinstance(space, IndexedColorSpace):
            return ResultCode.controlErr
        palette = space.palette.copy()
        for place, entry in self._places(wanted, len(palette)):
            palette[place] = np.frombuffer(entry.read(), ">u2")[1:] >> 8
        self.bit_maps.show(palette)
        return 0

    def _tell_colors(self, wanted: VDEntryRecord) -> int:
        space = self.bit_maps.display.space
        if not isinstance(space, IndexedColorSpace):
            return ResultCode.statusErr
        for place, entry in self._places(wanted, len(space.palette)):
            levels = space.palette[place].astype(">u2") * 257
            self.guest.write(entry.address + 2, levels.astype(">u2").tobytes())
        return 0

    def _gamma_table(self) -> int:
        """The address of the table that there is; at first each level stands for itself."""
        if not self._gamma:
            self._gamma = self.memory.new_pointer(_LARGEST_GAMMA, clear=True)
            header = np.array(_GAMMA_HEADER, ">i2").tobytes()
            self.guest.write(self._gamma, header + bytes(range(256)))
        return self._gamma

    def _set_gamma(self, source: int) -> None:
        if source and source != self._gamma_table():
            self.guest.write(self._gamma, self.guest.read(source, _LARGEST_GAMMA))

    def _fill_with_gray(self) -> None:
        """Every other pixel black, as before the desktop is there."""
        screen = self.bit_maps.screen
        rows, columns = np.indices((screen.bounds.height, screen.bounds.width))
        black, white = (screen.space.pixel((level,) * 3) for level in (0, 255))
        screen.put(screen.bounds, np.where((rows + columns) % 2, white, black))


class VideoDriver(Manager):
    """Puts the driver into a machine whose screen has colours; its device knows its number."""

    plumbing = True

    _memory: MemoryManager
    _drivers: SystemDrivers
    _devices: GraphicsDevices
    _bit_maps: BitMaps

    def start(self) -> None:
        """The driver is open before any program runs."""
        if self._bit_maps.screen.depth > 1:
            driver = _VideoDriver(self.guest, self._memory, self._bit_maps)
            self._drivers.add(NAME, REFERENCE, driver)
            self._drivers.open(NAME.encode())
            device = self._devices.get_main_device()
            GDevice(self.guest, self._memory.address(device)).gdRefNum = REFERENCE
