"""Bytes that hold numbers or parts of terms: registers, and guest memory.

A term that was stored whole is read back as the same term, whatever lies between, since each byte
knows of which value it is which byte. So terms stay as small as the program makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import z3

from emu.lift.terms import Value, joined, part

Byte: TypeAlias = "int | tuple[z3.BitVecRef, int, int]"
"""A number; or a term, its size in bytes, and which of its bytes it is, 0 for the highest."""


class ByteCells:
    """Bytes by their addresses.

    Args:
        missing: gives the byte at an address where nothing was put yet.
        held: bytes that are there already; they are not copied.
    """

    __slots__ = ("_held", "_missing")

    def __init__(self, missing: Callable[[int], Byte], held: dict[int, Byte] | None = None) -> None:
        self._missing = missing
        self._held = {} if held is None else held

    def copy(self) -> ByteCells:
        """The same bytes, to be changed apart."""
        return ByteCells(self._missing, self._held.copy())

    @property
    def bytes(self) -> Mapping[int, Byte]:
        """The bytes that were put or read."""
        return self._held

    def put(self, address: int, size: int, value: Value) -> None:
        """Put a value of some bytes, the highest first."""
        held = self._held
        if isinstance(value, int):
            for place, byte in enumerate(value.to_bytes(size, "big")):
                held[address + place] = byte
        else:
            for place in range(size):
                held[address + place] = (value, size, place)

    def get(self, address: int, size: int) -> Value:
        """The value of some bytes."""
        runs: list[tuple[Value, int]] = []
        last: tuple[z3.BitVecRef, int, int] | None = None  # the term of a run, its size, its start
        for place in range(address, address + size):
            byte = self._held.get(place)
            if byte is None:
                byte = self._held[place] = self._missing(place)
            if isinstance(byte, int):
                runs.append((byte, 1))
                last = None
                continue
            term, whole, index = byte
            if last is not None and term is last[0] and index == last[2] + runs[-1][1]:
                count = runs[-1][1] + 1
                runs[-1] = (part(term, whole, last[2], count), count)
            else:
                last = (term, whole, index)
                runs.append((part(term, whole, index, 1), 1))
        return joined(runs)
