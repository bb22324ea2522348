"""Regions in guest memory: handles to their data."""

from __future__ import annotations

from emu.base.errors import UsageError
from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import MisuseError
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.quickdraw import Region

_KEPT = 64
_INNER_PLANE = Rectangle(-32767, -32767, 32766, 32766)


class RegionHandles(Manager):
    """Reads and writes regions, and keeps those it has decoded last."""

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._regions: dict[bytes, PixelRegion] = {}

    def region(self, handle: int) -> PixelRegion:
        """The region that a handle leads to.

        Raises:
            MisuseError: it leads to none.
        """
        data = self.region_data(handle)
        region = self._regions.get(data)
        if region is None:
            try:
                region = PixelRegion.decode(data)
            except UsageError as error:
                problem = f"the region handle 0x{handle:x} holds {error}"
                raise self._no_region(problem) from error
            self._keep(data, region)
        return region

    def _no_region(self, problem: str) -> MisuseError:
        return self.host.misuse("not a region", problem)

    def _keep(self, data: bytes, region: PixelRegion) -> None:
        if len(self._regions) >= _KEPT:
            self._regions.clear()
        self._regions[data] = region

    def region_data(self, handle: int) -> bytes:
        """The bytes that a region handle leads to, as many as they say they are.

        Raises:
            MisuseError: the handle is nil or empty.
        """
        if not handle:
            raise self._no_region("a region handle is nil")
        guest = self.guest
        address = guest.u32(handle)
        if not address:
            raise self._no_region(f"the region handle 0x{handle:x} is empty")
        data = guest.read(address, Region.size)
        size = Region.rgnSize.of(data)
        return data if size == Region.size else guest.read(address, max(size, Region.size))

    def set_region(self, handle: int, region: PixelRegion) -> None:
        """Store a region in a handle, whose size becomes the region's."""
        if not handle:
            raise self._no_region("a region handle is nil")
        try:
            data = region.encode()
        except UsageError as error:
            raise self.host.stopped(str(error)) from error
        memory = self._memory
        if memory.handle_size(handle) == len(data):
            self.guest.write(memory.address(handle), data)
        else:
            memory.set_contents(handle, data)
        # What was just stored is mostly what is asked for next. At the plane's edge a little of
        # a region is not stored.
        if len(data) > Region.size and _INNER_PLANE.encloses(region.bounds):
            self._keep(data, region)

    def new_region(self, region: PixelRegion) -> int:
        """A new handle that holds a region; 0 if memory is full."""
        return self._memory.handle_from(region.encode())
