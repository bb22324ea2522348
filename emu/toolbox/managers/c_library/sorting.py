"""Sorting and searching in StdCLib, by a C function of the program that compares.

A 68K program has these inside, since its C functions do not take arguments as Pascal's do.
"""

from __future__ import annotations

from functools import cmp_to_key

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.c_library.strings import c_routine

_COMPARE = "FUNCTION Compare (a: Ptr; b: Ptr): LONGINT"


class CSorting(Manager):
    """Routines that call a comparing function."""

    powerpc_only = True

    def _compare(self, routine_: int, a: int, b: int) -> int:
        return int(self.host.call_guest(routine_, _COMPARE, a, b))

    @c_routine("PROCEDURE qsort (base: Ptr; count: UInt32; size: UInt32; compare: ProcPtr)")
    def qsort(self, base: int, count: int, size: int, compare: int) -> None:
        """Sort an array; equal elements keep their order, on which no program may rely."""
        if count < 2 or not size:
            return
        data = self.guest.read(base, count * size)

        def compared(a: int, b: int) -> int:
            return self._compare(compare, base + a, base + b)

        key = cmp_to_key(compared)
        order = sorted(range(0, count * size, size), key=key)
        self.guest.write(base, b"".join(data[place : place + size] for place in order))

    @c_routine(
        "FUNCTION bsearch (wanted: Ptr; base: Ptr; count: UInt32; size: UInt32; "
        "compare: ProcPtr): Ptr"
    )
    def bsearch(self, wanted: int, base: int, count: int, size: int, compare: int) -> int:
        """Find an element of a sorted array."""
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            place = base + middle * size
            order = self._compare(compare, wanted, place)
            if order == 0:
                return place
            low, high = (low, middle) if order < 0 else (middle + 1, high)
        return 0
