"""The Toolbox Utilities that pack bytes.

Source: Inside Macintosh I, Toolbox Utilities, "Byte Manipulation".
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.ports.recorder import pack_bits

_NOTHING = 128


class PackingUtilities(Manager):
    """Runs of equal bytes take two bytes, other bytes one more than they are."""

    title = "Toolbox Utilities: packing"

    @routine("PROCEDURE PackBits (VAR srcPtr,dstPtr: Ptr; srcBytes: INTEGER)")
    def pack_bits(self, source: int, target: int, count: int) -> None:
        """Pack bytes, and advance both pointers."""
        guest = self.guest
        start, end = guest.u32(source), guest.u32(target)
        packed = pack_bits(guest.read(start, max(count, 0)))
        guest.write(end, packed)
        guest.put32(source, start + max(count, 0))
        guest.put32(target, end + len(packed))

    @routine("PROCEDURE UnpackBits (VAR srcPtr,dstPtr: Ptr; dstBytes: INTEGER)")
    def unpack_bits(self, source: int, target: int, count: int) -> None:
        """Unpack until there are so many bytes, and advance both pointers."""
        guest, place, found = self.guest, self.guest.u32(source), bytearray()
        while len(found) < count:
            flag = guest.u8(place)
            place += 1
            if flag < _NOTHING:
                found += guest.read(place, flag + 1)
                place += flag + 1
            elif flag > _NOTHING:
                found += guest.read(place, 1) * (257 - flag)
                place += 1
        start = guest.u32(target)
        guest.write(start, bytes(found[: max(count, 0)]))
        guest.put32(source, place)
        guest.put32(target, start + max(count, 0))
