"""Which pixels of guest memory the program's BitMap and PixMap records lead to."""

from __future__ import annotations

from emu.base.errors import UsageError
from emu.quickdraw import BitMap
from emu.toolbox.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.quickdraw import BitMap as BitMapRecord
from emu.toolbox.records.quickdraw import PixMap


class BitMaps(Manager):
    """Pixels by the addresses of the records that describe them."""

    title = "QuickDraw"

    _memory: MemoryManager

    def at(self, address: int) -> BitMap:
        """The pixels that a BitMap or PixMap record leads to; they are those of the guest.

        Raises:
            GuestStopped: it is not one that can be drawn.
        """
        guest = self.guest
        if self._is_port_bits(address):
            address = self._memory.address(guest.u32(address))
        record = PixMap(guest, address)
        base, row_bytes, bounds = record.baseAddr, record.rowBytes, record.bounds
        depth = record.pixelSize if row_bytes & 0x8000 else 1
        if base == self.host.layout.screen:
            depth = self.host.settings.depth
        row_bytes &= 0x3FFF
        try:
            return BitMap(guest.view(base, row_bytes * bounds.height), row_bytes, bounds, depth)
        except UsageError as error:
            raise self.host.stopped(f"there is {error}, at 0x{address:x}") from error

    def base_address(self, address: int) -> int:
        """Where the pixels of a BitMap or PixMap record begin; 0 if its handle is none."""
        if self._is_port_bits(address):
            handle = self.guest.u32(address)
            address = self._memory.address(handle) if self._memory.is_handle(handle) else 0
        return self.guest.u32(address) if address else 0

    def _is_port_bits(self, address: int) -> bool:
        """Whether a record is the portBits of a colour port, where the handle of its PixMap is."""
        return BitMapRecord(self.guest, address).rowBytes & 0xC000 == 0xC000
