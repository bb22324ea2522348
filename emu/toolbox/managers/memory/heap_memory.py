"""The bytes of a heap zone in guest memory, and the byte that its free memory is filled with."""

from __future__ import annotations

import struct
from collections.abc import Callable

from emu.machine.memory.memory import GuestMemory

_LONG = struct.Struct(">I")
_SMALL = 4096
"""Bytes up to which memory is filled and compared as a whole, without an array."""


class HeapMemory:
    """Reads and writes bytes by their guest addresses.

    Args:
        memory: guest memory.
        filling: the byte that free memory holds.

    Attributes:
        filling: as above.
        base: the guest address of the first byte of ``bytes``.
        bytes: all of guest memory.
    """

    def __init__(self, memory: GuestMemory, filling: int) -> None:
        self.base = memory.base
        self.bytes = memory.buffer.data.cast("B")
        self._array = memory.buffer
        self.fill_with(filling)

    def fill_with(self, filling: int) -> None:
        """Let free memory hold another byte from now on; nothing is written."""
        self.filling, self._filled = filling, bytes([filling]) * _SMALL

    def put(self, address: int, value: int) -> None:
        """Store a 32-bit word."""
        _LONG.pack_into(self.bytes, address - self.base, value)

    def get(self, address: int) -> int:
        """A 32-bit word."""
        return int(_LONG.unpack_from(self.bytes, address - self.base)[0])

    def read(self, address: int, size: int) -> bytes:
        """A copy of bytes."""
        return bytes(self.bytes[address - self.base :][:size])

    def write(self, address: int, data: bytes) -> None:
        """Store bytes."""
        address -= self.base
        self.bytes[address : address + len(data)] = data

    def copy(self, source: int, target: int, size: int) -> None:
        """Copy bytes between places that may overlap."""
        source -= self.base
        target -= self.base
        self.bytes[target : target + size] = self.bytes[source : source + size]

    def fill(self, start: int, end: int) -> None:
        """Fill the memory between two addresses."""
        size = end - start
        start -= self.base
        if size <= _SMALL:
            self.bytes[start : start + size] = self._filled[:size]
        else:
            self._array[start : start + size] = self.filling

    def words(self, start: int, end: int, usual: int) -> list[int]:
        """The indices of the 32-bit words between two addresses that are not the usual one."""
        piece = self._array[start - self.base : end - self.base]
        places: list[int] = (piece.view(">u4") != usual).nonzero()[0].tolist()
        return places

    def first_stray(self, start: int, end: int) -> int | None:
        """The first address between two that holds another byte than free memory; None if none."""
        size, offset = end - start, start - self.base
        if size <= _SMALL and self.bytes[offset : offset + size] == self._filled[:size]:
            return None
        differs = self._array[offset : offset + size] != self.filling
        return start + int(differs.argmax()) if differs.any() else None

    def note_writes(self, note: Callable[[int, int], object]) -> None:
        """Call a function with address and size of all that is about to be written from now on."""
        put, copy, fill, write = self.put, self.copy, self.fill, self.write

        def noted_put(address: int, value: int) -> None:
            note(address, _LONG.size)
            put(address, value)

        def noted_copy(source: int, target: int, size: int) -> None:
            note(target, size)
            copy(source, target, size)

        def noted_write(address: int, data: bytes) -> None:
            note(address, len(data))
            write(address, data)

        def noted_fill(start: int, end: int) -> None:
            note(start, end - start)
            fill(start, end)

        vars(self).update(put=noted_put, copy=noted_copy, write=noted_write, fill=noted_fill)
