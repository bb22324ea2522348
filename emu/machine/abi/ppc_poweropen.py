"""The PowerPC convention of Mac OS (PowerOpen), as Retro68's and Apple's compilers have it.

A caller's frame begins with a linkage area of 24 bytes, into which the routine saves CR (at 4), LR
(at 8) and the TOC pointer (at 20). Behind it the frame has room for all arguments, at least for
eight words, although the first eight words travel in r3 to r10 and the first thirteen floats in f1
to f13; a float leaves the general registers of its words unused, unless it is passed in place of
``...``: then it is in both. A struct is passed by value, word by word; Retro68's GCC 12.2 counts
one whose only member is a float among the floats, too, although it travels in general registers
(measured; not known of Apple's compilers). A struct is returned in memory whose address the caller
passes first. Results come in r3, r3 and
r4, or f1. r2 points at the fragment's table of contents. A routine must keep r1, r2, r13-r31,
f14-f31 and the condition register fields 2 to 4.
Source: Inside Macintosh: PowerPC System Software, chapter 1, "PowerPC Stack Structure".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from emu.base.errors import UsageError
from emu.machine.abi.call_form import CallForm, ValueForm, in_words, is_aggregate, lone_field
from emu.machine.abi.ppc_sysv import PpcSysV, float_in_register, word
from emu.machine.cpu import Cpu
from emu.program import GuestType

_LINKAGE = 24
_FLOATS = 13


class PpcPowerOpen(PpcSysV):
    """Calls routines of PowerPC code fragments, at the address of their code."""

    name: ClassVar[str] = "ppc-poweropen"
    red_zone: ClassVar[int] = 224
    has_transition_vectors: ClassVar[bool] = True
    long_double: ClassVar[GuestType | None] = None

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        returned, words = self._result(result)
        floats = 1
        passed = []
        for kind in parameters:
            count = -(-kind.size // 4)
            places = [_place(words + n) for n in range(count)]
            if kind.kind == "float" and floats <= _FLOATS:
                passed.append(self._float(kind, floats))
                floats += 1
            elif count == 1 and not is_aggregate(kind):
                passed.append(word(kind, *places[0]))
            else:
                passed.append(ValueForm(in_words(kind.size, places)))
                lone = lone_field(kind)
                floats += lone is not None and lone.kind == "float"
            words += count
        return CallForm(tuple(passed), returned, _LINKAGE + 4 * max(8, words))

    def _variadic_form(
        self,
        cpu: Cpu,
        parameters: Sequence[GuestType],
        promoted: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallForm:
        form = self.form(cpu, (*parameters, *promoted), result)
        _, words = self._result(result)
        passed = []
        for number, (kind, passing) in enumerate(
            zip((*parameters, *promoted), form.parameters, strict=True)
        ):
            count = -(-kind.size // 4)
            if number >= len(parameters) and kind.kind == "float" and passing.cast is not None:
                places = [_place(words + n) for n in range(count)]
                passing = replace(passing, pieces=(*passing.pieces, *in_words(8, places)))
            passed.append(passing)
            words += count
        return replace(form, parameters=tuple(passed))

    def _float(self, kind: GuestType, number: int) -> ValueForm:
        if kind.wide is not None:
            raise UsageError(f"{self.name}: it is not known how a {kind.name} is passed")
        return float_in_register(number)


def _place(number: int) -> tuple[str, int]:
    """Where the word of an argument lies: a register, or the caller's frame."""
    return (f"r{3 + number}", 0) if number < 8 else ("", _LINKAGE + 4 * number)
