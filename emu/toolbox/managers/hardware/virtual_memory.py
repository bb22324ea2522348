"""The Virtual Memory Manager's routines on a Macintosh whose memory is all there.

Programs that work at interrupt time hold or lock their buffers without asking Gestalt ('vm  ' is
0); each page always has the physical address that it has.
Sources: Inside Macintosh: Memory, chapter 3 "Virtual Memory Manager" (registers, selectors in its
assembly-language summary).
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager

_MEMORY_DISPATCH, _DEFER_USER_FUNCTION = 0xA05C, 0xA08F
_FUNCTION = "PROCEDURE Function (argument: LONGINT)"


def _stays(name: str, selector: int) -> Callable[..., int]:
    def stay(self: VirtualMemory, address: int, count: int) -> int:
        return 0

    stay.__doc__ = "Keep pages where they are, or no longer: all of them always stay."
    return routine(
        f"FUNCTION {name} (address: Ptr; count: LONGINT): OSErr",
        trap=_MEMORY_DISPATCH,
        registers="A0,A1 -> D0",
        selector=("D0", selector),
    )(stay)


class VirtualMemory(Manager):
    """Pages that are never paged out."""

    plumbing = True

    hold = _stays("HoldMemory", 0)
    unhold = _stays("UnholdMemory", 1)
    lock = _stays("LockMemory", 2)
    unlock = _stays("UnlockMemory", 3)
    lock_contiguous = _stays("LockMemoryContiguous", 4)

    @routine(
        "FUNCTION DeferUserFn (userFunction: ProcPtr; argument: LONGINT): OSErr",
        trap=_DEFER_USER_FUNCTION,
        registers="A0,D0 -> D0",
    )
    def defer(self, function: int, argument: int) -> int:
        """Call a routine as soon as page faults are safe, which is at once."""
        self.host.call_guest(function, _FUNCTION, argument, registers="A0")
        return 0
