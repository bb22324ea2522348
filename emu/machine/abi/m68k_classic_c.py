"""The 68K conventions of the C compilers of the time: THINK C, MPW C and Metrowerks CodeWarrior.

All of them push the arguments from right to left, and the caller removes them. D0-D2, A0-A1 and
FP0-FP3 are scratch registers; a result of up to 4 bytes comes in D0, where the upper bits of a
narrower one mean nothing. For a larger struct the caller passes the address of room for it, before
the first argument. They differ in this:

THINK C: every argument takes an even number of bytes, a char in the upper byte of its word. ``int``
has 16 bits, or 32 with the option "4-byte ints".
Sources: Mixed Mode Manager, kThinkCStackBased; Inside Macintosh: Mac OS Runtime Architectures,
chapter 11, "SC Compiler C Calling Conventions", for the result of a struct.

MPW C: whole numbers of fewer than 4 bytes are extended to 4.
Source: MPW C Reference; Inside Macintosh: Mac OS Runtime Architectures, chapter 11.

CodeWarrior: arguments as in THINK C, but pointers return in A0. ``int`` has 16 or 32 bits, by the
option "4-Byte Ints".
Source: CodeWarrior C, C++, and Assembly Language Reference, pragmas ``pointers_in_A0``, ``mpwc``.

None of these compilers was at hand, so no rule has been measured. How they pass floats depends on
options, and has not been confirmed: floats are refused, and so are 64-bit results and, of MPW C,
structs of fewer than 4 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from emu.base.errors import UsageError
from emu.machine.abi.call_form import (
    CallForm,
    Piece,
    ValueForm,
    is_aggregate,
    stack_piece,
    widened,
)
from emu.machine.abi.m68k_pascal import M68kClassic
from emu.machine.cpu import Cpu
from emu.program import GuestType


class _ClassicC(M68kClassic):
    """What they share; arguments as in THINK C."""

    long_double: ClassVar[GuestType | None] = None

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        returned = None if result is None else self._returned(result)
        at = 4 if returned is not None and returned.by_address else 0
        passed = []
        for kind in parameters:
            if kind.kind == "float":
                raise self._unknown(kind, "passed")
            passed.append(self._argument(kind, at))
            at += -(-kind.size // self.slot) * self.slot
        return CallForm(tuple(passed), returned, at)

    def _returned(self, kind: GuestType) -> ValueForm:
        if is_aggregate(kind) and kind.size not in (1, 2, 4):
            return ValueForm((Piece(0, 4, 0),), by_address=True)
        if kind.kind == "float" or kind.size > 4:
            raise self._unknown(kind, "returned")
        if is_aggregate(kind):
            return ValueForm((Piece(0, kind.size, 4 - kind.size, "d0"),))
        register = self.pointer_register if kind.kind == "pointer" else "d0"
        return ValueForm((Piece(0, 4, 0, register),), widened(kind) if kind.size < 4 else None)

    def _unknown(self, kind: GuestType, verb: str) -> UsageError:
        return UsageError(f"{self.name}: it is not known how a {kind.name} is {verb}")


class ThinkC(_ClassicC):
    """Calls routines that THINK C compiled with its usual ``int`` of 16 bits."""

    name: ClassVar[str] = "think-c-16"
    int_size: ClassVar[int] = 2


class ThinkCLong(ThinkC):
    """Calls routines that THINK C compiled with ``int`` of 32 bits."""

    name: ClassVar[str] = "think-c-32"
    int_size: ClassVar[int] = 4


class MpwC(_ClassicC):
    """Calls routines that MPW C compiled."""

    name: ClassVar[str] = "mpw-c"
    slot: ClassVar[int] = 4

    def _argument(self, kind: GuestType, at: int) -> ValueForm:
        if kind.size >= 4:
            return stack_piece(kind.size, at)
        if is_aggregate(kind):
            raise self._unknown(kind, "passed")
        return ValueForm((Piece(0, 4, at),), widened(kind))


class CodeWarrior(_ClassicC):
    """Calls routines that CodeWarrior compiled for the 68K with ``int`` of 16 bits."""

    name: ClassVar[str] = "codewarrior-16"
    pointer_register: ClassVar[str] = "a0"
    int_size: ClassVar[int] = 2


class CodeWarriorLong(CodeWarrior):
    """Calls routines that CodeWarrior compiled for the 68K with ``int`` of 32 bits."""

    name: ClassVar[str] = "codewarrior-32"
    int_size: ClassVar[int] = 4
