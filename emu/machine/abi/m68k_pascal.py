"""The 68K convention of Pascal, and what is known of classic applications of unknown compilers.

Scratch registers are D0-D2, A0-A1 and FP0-FP3; A5 belongs to the application. In Pascal the caller
makes room for the result, then pushes the arguments from left to right; the routine removes them
and leaves the result on top of the stack. Every argument takes an even number of bytes. One byte
lies in the upper half of its word, as MOVE.B to the stack leaves it. A struct of more than 4 bytes
is passed by its address, and so is the room for such a result.
Sources: Inside Macintosh volume I, "Using Assembly Language"; Inside Macintosh: Mac OS Runtime
Architectures, chapter 11, "Pascal Calling Conventions". Pascal's own CHAR lies in the lower half of
its word: declare it as short. How a double is passed has not been confirmed, so it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from emu.base.errors import UsageError
from emu.machine.abi.call_form import CallForm, Piece, ValueForm, is_aggregate, stack_piece
from emu.machine.abi.m68k_retro68 import M68kRetro68
from emu.machine.cpu import Cpu
from emu.program import GuestType

_SCRATCH_FLOATS = ("fp2", "fp3")


class M68kClassic(M68kRetro68):
    """Calls routines without arguments of classic 68K applications.

    An application may hold routines of Pascal and of C, and nothing in it says which is which. Both
    call a routine without arguments alike; any other needs a convention that a person names.
    """

    name: ClassVar[str] = "m68k-pascal"

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        kept = super().preserved(cpu)
        return {name: bits for name, bits in kept.items() if name not in _SCRATCH_FLOATS}

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        if parameters:
            raise UsageError(
                f"{self.name}: whether a routine of this application takes its arguments as Pascal "
                "or as C does is not known, so only routines without any can be called; a case "
                "says which with convention:"
            )
        return super().form(cpu, parameters, result)


class M68kPascal(M68kClassic):
    """Calls routines of Pascal, and those of C that are declared ``pascal``."""

    name: ClassVar[str] = "pascal"

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        passed: list[ValueForm] = []
        at = 0
        for kind in reversed(parameters):  # the last one is on top of the stack
            passed.insert(0, self._place(kind, at))
            at += _even(4 if passed[0].by_address else kind.size)
        returned = None if result is None else self._place(result, at)
        room = 0
        if result is not None and returned is not None:
            room = _even(4 if returned.by_address else result.size)
        return CallForm(tuple(passed), returned, at + room, popped=at)

    def _place(self, kind: GuestType, at: int) -> ValueForm:
        if kind.size <= 4:
            return stack_piece(kind.size, at)
        if not is_aggregate(kind):
            raise UsageError(f"{self.name}: it is not known how a {kind.name} is passed")
        return ValueForm((Piece(0, 4, at),), by_address=True)


def _even(size: int) -> int:
    return size + size % 2
