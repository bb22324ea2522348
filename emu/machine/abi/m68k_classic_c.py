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

Floats, as the code of programs of 1992 to 1995 has them whose sources lie beside them:

THINK C and CodeWarrior pass a float, double or long double as it lies in memory, and a result by
the address of room for it, as that of a struct, with and without instructions of the 68881
(graph3D, both of its programs; DilView; map of CodeWarrior). Code for the 68881 of later THINK C
and the SC compiler leaves it in FP0 (POV-Ray 2.2, OutOfPhase 1.02; Mac OS Runtime Architectures,
chapter 11): that is ``think-c-16-fpu``. THINK C's long double, and its double without the option
"8-byte doubles", is a number of 80 bits in 12 bytes, with the exponent twice.

MPW C passes every float as a number of 80 bits in 10 bytes, and returns one: the exponent in the
lower half of D0, the mantissa in D1 and A0 (POV-Ray 2.2 without FPU). What its option ``-mc68881``
makes has not been seen.

None of these compilers was at hand. 64-bit whole numbers as results are refused, and of MPW C
structs of fewer than 4 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from emu.base.errors import UsageError
from emu.machine.abi.call_form import (
    EXTENDED,
    SANE_EXTENDED,
    UNIVERSAL,
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
from emu.program.model.types import EXTENDED_80, EXTENDED_96


class _ClassicC(M68kClassic):
    """What they share; arguments as in THINK C."""

    long_double: ClassVar[GuestType | None] = None
    wide_cast: ClassVar[np.dtype[Any] | None] = None
    """The form in which a float of 12 bytes is passed; None for the 68881's."""

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        returned = None if result is None else self._returned(cpu, result)
        at = 4 if returned is not None and returned.by_address else 0
        passed = []
        for kind in parameters:
            is_float = kind.kind == "float"
            passed.append(self._float(kind, at) if is_float else self._argument(kind, at))
            size, slot = (passed[-1].size_of(kind), 2) if is_float else (kind.size, self.slot)
            at += -(-size // slot) * slot
        return CallForm(tuple(passed), returned, at)

    def _float(self, kind: GuestType, at: int) -> ValueForm:
        """A float on the stack."""
        if kind.wide is None:
            return stack_piece(kind.size, at)
        if kind.size != EXTENDED_96.size:
            raise self._unknown(kind, "passed")
        return ValueForm((Piece(0, kind.size, at),), self.wide_cast)

    def _returned(self, cpu: Cpu, kind: GuestType) -> ValueForm:
        if kind.kind == "float":
            return self._float_result(cpu, kind)
        if is_aggregate(kind) and kind.size not in (1, 2, 4):
            return ValueForm((Piece(0, 4, 0),), by_address=True)
        if kind.size > 4:
            raise self._unknown(kind, "returned")
        if is_aggregate(kind):
            return ValueForm((Piece(0, kind.size, 4 - kind.size, "d0"),))
        register = self.pointer_register if kind.kind == "pointer" else "d0"
        return ValueForm((Piece(0, 4, 0, register),), widened(kind) if kind.size < 4 else None)

    def _float_result(self, cpu: Cpu, kind: GuestType) -> ValueForm:
        if kind.wide is not None and kind.size != EXTENDED_96.size:
            raise self._unknown(kind, "returned")
        return ValueForm((Piece(0, 4, 0),), self.wide_cast if kind.wide else None, by_address=True)

    def _unknown(self, kind: GuestType, verb: str) -> UsageError:
        return UsageError(f"{self.name}: it is not known how a {kind.name} is {verb}")


class ThinkC(_ClassicC):
    """Calls routines that THINK C compiled with its usual ``int`` of 16 bits."""

    name: ClassVar[str] = "think-c-16"
    int_size: ClassVar[int] = 2
    long_double: ClassVar[GuestType | None] = replace(EXTENDED_96, name="long double")
    wide_cast: ClassVar[np.dtype[Any] | None] = UNIVERSAL


class ThinkCLong(ThinkC):
    """Calls routines that THINK C compiled with ``int`` of 32 bits."""

    name: ClassVar[str] = "think-c-32"
    int_size: ClassVar[int] = 4


class _FloatsInFp0(ThinkC):
    """Functions leave a float in FP0: the code for a 68881 of later THINK C."""

    def _float_result(self, cpu: Cpu, kind: GuestType) -> ValueForm:
        if not cpu.has_fpu:
            raise UsageError(
                f"{self.name}: a {kind.name} is returned in FP0, and a {cpu.name} has none"
            )
        return ValueForm((Piece(0, 12, 0, "fp0"),), EXTENDED)


class ThinkCFpu(_FloatsInFp0):
    """Calls routines of the later THINK C, for a 68881, with its usual ``int`` of 16 bits."""

    name: ClassVar[str] = "think-c-16-fpu"


class ThinkCLongFpu(_FloatsInFp0):
    """Calls routines of the later THINK C, for a 68881, with ``int`` of 32 bits."""

    name: ClassVar[str] = "think-c-32-fpu"
    int_size: ClassVar[int] = 4


class MpwC(_ClassicC):
    """Calls routines that MPW C compiled."""

    name: ClassVar[str] = "mpw-c"
    slot: ClassVar[int] = 4
    long_double: ClassVar[GuestType | None] = replace(EXTENDED_80, name="long double")

    def _float(self, kind: GuestType, at: int) -> ValueForm:
        return ValueForm((Piece(0, 10, at),), SANE_EXTENDED)

    def _float_result(self, cpu: Cpu, kind: GuestType) -> ValueForm:
        pieces = (Piece(0, 2, 2, "d0"), Piece(2, 4, 0, "d1"), Piece(6, 4, 0, "a0"))
        return ValueForm(pieces, SANE_EXTENDED)

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
