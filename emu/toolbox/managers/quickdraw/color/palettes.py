"""Colour tables of the screen, and the Palette Manager.

The screen shows the colours that a program sets in its table; colours of palettes are drawn as the
nearest that there are.
Sources: Inside Macintosh V, chapter 6 "The Color Manager" (SetEntries, SaveEntries, RestoreEntries)
and chapter 7 "The Palette Manager" (the records and the routines).
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import BACKGROUND, FOREGROUND, Colors, Ink
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.managers.quickdraw.ports.inks import rgb
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable, GDevice

HEADER = 16
"""Bytes of a Palette record before its entries; the first word is how many there are."""
ENTRY = 16
"""Bytes of an entry: its colour, its usage and tolerance, and what is the manager's own."""
USAGE = struct.Struct(">hh")
EXPLICIT = 8
"""pmExplicit, a usage: the entry stands for the pixel value of its number, whatever its colour."""
_BY_VALUE = -1
_DEFAULT = 0xFFFFFFFF


class Palettes(Manager):
    """Tables of colours, and which of them a window wants."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _colors: Colors
    _devices: GraphicsDevices
    _bit_maps: BitMaps

    def __post_init__(self) -> None:
        self._of_window: dict[int, int] = {}
        self._protected: set[int] = set()

    # -- the screen's table ------------------------------------------------------------------------

    def entries(self, table: int) -> tuple[int, int]:
        """The address of a table's first entry, and how many it has; nil means the screen's."""
        record = ColorTable(self.guest, self._memory.address(table or self._devices.table()))
        return record.address_of(ColorTable.ctTable), record.ctSize + 1

    @routine("PROCEDURE SetEntries (start: INTEGER; count: INTEGER; aTable: Ptr)")
    def set_entries(self, start: int, count: int, source: int) -> None:
        """Set colours of the screen's table: from a place on, or (-1) those that entries name."""
        first, size = self.entries(0)
        for number in range(min(count + 1, size)):
            entry = self.guest.read(source + ColorSpec.size * number, ColorSpec.size)
            place = ColorSpec.value.of(entry) if start == _BY_VALUE else start + number
            if 0 <= place < size and place not in self._protected:
                self.guest.write(first + ColorSpec.size * place + 2, entry[2:])
        self._show_changed_table()

    def _show_changed_table(self) -> None:
        """Show the device's colours; by a new seed programs see that there are others."""
        table = ColorTable(self.guest, self._memory.address(self._devices.table()))
        table.ctSeed = self._colors.new_seed()
        self._bit_maps.show_table()

    @routine("PROCEDURE ProtectEntry (index: INTEGER; protect: BOOLEAN)")
    def protect_entry(self, index: int, protect: bool) -> None:
        """Keep SetEntries from changing a colour of the screen's table, or let it again."""
        if protect:
            self._protected.add(index)
        else:
            self._protected.discard(index)

    @routine("PROCEDURE ReserveEntry (index: INTEGER; reserve: BOOLEAN)")
    def reserve_entry(self, index: int, reserve: bool) -> None:
        """Keep a colour from other programs that look for one; there is no other program."""

    @routine("FUNCTION GetCTSeed: LONGINT")
    def get_ct_seed(self) -> int:
        """A number by which a new colour table is told from all others."""
        return self._colors.new_seed()

    def _requested(self, request: int) -> list[int]:
        count = self.guest.i16(request) + 1
        return [self.guest.i16(request + 2 + 2 * number) for number in range(max(count, 0))]

    @routine("PROCEDURE SaveEntries (srcTable,resultTable: CTabHandle; VAR selection: ReqListRec)")
    def save_entries(self, source: int, result: int, selection: int) -> None:
        """Copy the colours that a list names into a table, which gets as many entries."""
        count = len(self._requested(selection))
        size = ColorTable.size + ColorSpec.size * count
        if result and self._memory.handle_size(result) < size:
            data = self._memory.contents(result).ljust(size, b"\0")
            self._memory.set_contents(result, data)
        if result:
            ColorTable(self.guest, self._memory.address(result)).ctSize = count - 1
        self._copy(source, result, selection, gather=True)

    @routine("PROCEDURE RestoreEntries (srcTable,dstTable: CTabHandle; VAR selection: ReqListRec)")
    def restore_entries(self, source: int, target: int, selection: int) -> None:
        """Copy a table's colours, one after the other, to the places that a list names."""
        self._copy(source, target, selection, gather=False)
        if target in (0, self._devices.table()):
            self._show_changed_table()

    def _copy(self, source: int, target: int, selection: int, *, gather: bool) -> None:
        (read, readable), (write, writable) = self.entries(source), self.entries(target)
        for number, place in enumerate(self._requested(selection)):
            here, there = (place, number) if gather else (number, place)
            if 0 <= here < readable and 0 <= there < writable:
                color = self.guest.read(read + ColorSpec.size * here, ColorSpec.size)
                self.guest.write(write + ColorSpec.size * there, color)

    @routine("PROCEDURE SetDeviceAttribute (gdh: Handle; attribute: INTEGER; value: BOOLEAN)")
    def set_device_attribute(self, device: int, attribute: int, value: bool) -> None:
        """Set a flag of a device."""
        record = GDevice(self.guest, self._memory.address(device))
        if 0 <= attribute < 16:
            bit = 1 << attribute
            record.gdFlags = record.gdFlags | bit if value else record.gdFlags & ~bit

    # -- palettes ----------------------------------------------------------------------------------

    @routine(
        "FUNCTION NewPalette (entries: INTEGER; srcColors: CTabHandle; srcUsage: INTEGER; "
        "srcTolerance: INTEGER): PaletteHandle"
    )
    def new_palette(self, count: int, colors: int, usage: int, tolerance: int) -> int:
        """Make a palette of the first colours of a table; black ones for nil."""
        count = max(count, 0)
        values = [bytes(6)] * count
        if colors:
            first, size = self.entries(colors)
            for number in range(min(count, size)):
                values[number] = self.guest.read(first + ColorSpec.size * number + 2, 6)
        uses = USAGE.pack(usage, tolerance).ljust(ENTRY - 6, b"\0")
        data = struct.pack(">h", count).ljust(HEADER, b"\0")
        return self._memory.handle_from(data + b"".join(color + uses for color in values))

    @routine("FUNCTION GetNewPalette (PaletteID: INTEGER): PaletteHandle")
    def get_new_palette(self, number: int) -> int:
        """A copy of a 'pltt' resource; nil if there is none."""
        data = self._resources.data("pltt", number)
        return self._memory.handle_from(data) if data is not None else 0

    @routine("PROCEDURE DisposePalette (srcPalette: PaletteHandle)")
    def dispose_palette(self, palette: int) -> None:
        """Free a palette."""
        self._of_window = {w: p for w, p in self._of_window.items() if p != palette}
        self._memory.dispose_handle(palette)

    @routine(
        "PROCEDURE SetPalette (dstWindow: WindowPtr; srcPalette: PaletteHandle; cUpdates: BOOLEAN)",
        trap=0xAA95,
        imports=("NSetPalette",),
    )
    def set_palette(self, window: int, palette: int, updates: bool) -> None:
        """Say which palette a window wants; -1 is the one of all that have none."""
        self._of_window[window] = palette

    @routine("FUNCTION GetPalette (srcWindow: WindowPtr): PaletteHandle")
    def get_palette(self, window: int) -> int:
        """The palette of a window; nil if it has none."""
        return self._of_window.get(window, 0)

    @routine("PROCEDURE ActivatePalette (srcWindow: WindowPtr)")
    def activate_palette(self, window: int) -> None:
        """Give the screen a window's colours: it keeps its own."""

    @routine("PROCEDURE PmForeColor (dstEntry: INTEGER)")
    def foreground(self, entry: int) -> None:
        """Draw with a colour of the current window's palette."""
        self._use(entry, FOREGROUND)

    @routine("PROCEDURE PmBackColor (dstEntry: INTEGER)")
    def background(self, entry: int) -> None:
        """Draw on a colour of the current window's palette."""
        self._use(entry, BACKGROUND)

    def current(self) -> int:
        """The palette of the current window, or the one of all that have none; 0 for none."""
        port = self._quickdraw.port
        return self._of_window.get(port) or self._of_window.get(_DEFAULT, 0)

    def _use(self, entry: int, ink: Ink) -> None:
        palette = self.current()
        data = self._memory.contents(palette) if palette else b""
        place = HEADER + ENTRY * entry
        if entry >= 0 and place + ENTRY <= len(data):
            usage, _ = USAGE.unpack_from(data, place + 6)
            if usage & EXPLICIT:
                self._colors.set_index(ink, entry)
            else:
                self._colors.set_color(ink, rgb(data[place : place + 6]))
