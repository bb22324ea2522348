"""The 68K convention of Apple's and other classic compilers, for routines without arguments.

Scratch registers are D0-D2, A0-A1 and FP0-FP3; A5 belongs to the application. In Pascal the caller
makes room for the result and the routine removes its arguments; in C the caller removes them. An
application of one of these compilers may hold routines of both kinds, and nothing in it says which
is which. Therefore only routines without arguments can be called: both kinds call them alike.
Source: Inside Macintosh volume I, "Using Assembly Language"; MPW C Reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from emu.base.errors import UsageError
from emu.machine.abi.call_form import CallForm
from emu.machine.abi.m68k_retro68 import M68kRetro68
from emu.machine.cpu import Cpu
from emu.program import GuestType

_SCRATCH_FLOATS = ("fp2", "fp3")


class M68kPascal(M68kRetro68):
    """Calls procedures without arguments of classic 68K applications."""

    name: ClassVar[str] = "m68k-pascal"

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        kept = super().preserved(cpu)
        return {name: bits for name, bits in kept.items() if name not in _SCRATCH_FLOATS}

    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        if parameters:
            raise UsageError(
                f"{self.name}: whether a routine of this application takes its arguments as Pascal "
                "or as C does is not known, so only routines without any can be called"
            )
        return super().form(cpu, parameters, result)
