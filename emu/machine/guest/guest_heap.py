"""The guest heap of a machine: memory for arguments, and objects that Python puts there."""

from __future__ import annotations

from typing import Any

import numpy as np

from emu.base.arguments import require, whole_number
from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.machine.guest.guest_values import GuestObject, fill_array, mac_roman, store
from emu.machine.guest.typed_views import view_of
from emu.machine.memory.memory import GuestMemory
from emu.program import GuestType, Program
from emu.program.model.types import array_of

_ALIGNMENT = 16
_BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))


class GuestHeap:
    """Gives out the memory of the region ``heap``, from its beginning on; nothing is taken back.

    Args:
        program: the program, whose types objects have.
        memory: guest memory; it may have no heap.
    """

    def __init__(self, program: Program, memory: GuestMemory) -> None:
        self._program = program
        self._memory = memory
        self._region = memory.find_region("heap")
        self._free = self._region.address if self._region is not None else 0

    def allocate(self, size: int) -> int:
        """Allocate memory; its address is a multiple of 16.

        Raises:
            UsageError: there is no heap, or it is full; or the size is no whole number.
        """
        size, address = whole_number(size, "size"), self._free
        if self._region is None or address + size > self._region.end:
            raise UsageError(
                f"the guest heap has no room for {size} bytes; build the Machine with a larger "
                "heap_size"
            )
        self._free = -(-(address + size) // _ALIGNMENT) * _ALIGNMENT
        return address

    def borrow(self, size: int) -> int:
        """The address of free memory, without allocating it: the next allocation gets the same."""
        address = self.allocate(size)
        self._free = address
        return address

    def new(self, kind: str, count: int | None, members: dict[str, Any]) -> GuestObject:
        """Make an object, or an array of ``count`` objects; see `Machine.new`."""
        count = None if count is None else whole_number(count, "count")
        if count is not None and members:
            raise UsageError(
                f"an array of {kind} is made of zeros; give it values afterwards: "
                f'made[0]["{next(iter(members))}"] = ...'
            )
        element = self._type(require(kind, str, "kind", "the name of a type"))
        whole = element if count is None else array_of(element, (count,))
        placed = self._place(whole, bytes(whole.size))
        fields = {field.name: field.type for field in element.fields}
        for name, given in members.items():
            if name not in fields:
                raise UsageError(f"{kind} has no member {name}{did_you_mean(name, fields)}")
            target = placed.value.view(np.ndarray)[name]
            if fields[name].shape:
                fill_array(fields[name], target, given, f"{kind}.{name}")
            else:
                store(fields[name], target.reshape(()), given, f"{kind}.{name}")
        return placed

    def _type(self, kind: str) -> GuestType:
        """A type by its name; one that ends with a * is a pointer."""
        target = kind.removesuffix("*").rstrip()
        if target == kind:
            return self._program.type(kind)
        inner = self._type(target).name if target != "void" else target
        return GuestType(f"{inner}*", "pointer", np.dtype(">u4"), target=inner)

    def buffer(self, data: bytes | int) -> GuestObject:
        """Make a buffer of bytes; see `Machine.buffer`."""
        if isinstance(data, int):
            data = whole_number(data, "data")
        try:
            content = bytes(data)
        except (TypeError, ValueError):
            wanted = "bytes, or how many of 0; c_string and pascal_string take text"
            raise UsageError(f"data is {data!r:.80}, and has to be {wanted}") from None
        return self._place(array_of(_BYTE, (len(content),)), content)

    def c_string(self, text: str | bytes) -> GuestObject:
        """Make a text for C; see `Machine.c_string`."""
        content = mac_roman(text)
        if 0 in content:
            raise UsageError(f"{text!r:.80} has a 0 inside, which would end it in C")
        return self.buffer(content + b"\0")

    def pascal_string(self, text: str | bytes, size: int) -> GuestObject:
        """Make a text for Pascal; see `Machine.pascal_string`."""
        content, size = mac_roman(text), whole_number(size, "size", 1)
        if len(content) >= min(size, 256):
            room = min(size, 256) - 1
            raise UsageError(f"{text!r:.80} has {len(content)} characters, more than {room}")
        return self.buffer((bytes([len(content)]) + content).ljust(size, b"\0"))

    def _place(self, kind: GuestType, content: bytes) -> GuestObject:
        address = self.allocate(max(1, kind.size))
        data = self._memory.view(address, kind.size)
        data[:] = np.frombuffer(content, np.uint8)
        return GuestObject(address, kind, view_of(kind, data))
