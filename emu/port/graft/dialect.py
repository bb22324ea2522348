"""How GCC is asked to make code that lives among the old program's.

Some of what an old convention does otherwise, GCC does by itself when it is asked to. What is left,
such as where a char lies in its word, is done at the border between both; see `m68k_border`.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.abi.call_form import UNIVERSAL
from emu.machine.cpu import CPUS
from emu.port.graft import m68k, powerpc
from emu.port.graft.assembly import separated
from emu.port.graft.m68k_floats import with_second_exponents

SEPARATE = (
    "-fno-builtin",
    "-fno-inline",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-ra",
    "-fno-ipa-icf",
    "-fno-ipa-pure-const",
    "-fno-ipa-reference",
    "-fno-ipa-modref",
    "-fno-ipa-bit-cp",
    "-fno-ipa-vrp",
    "-fno-ipa-stack-alignment",
    "-fno-partial-inlining",
    "-fno-toplevel-reorder",
    "-fno-tree-loop-distribute-patterns",
    "-fno-function-cse",
)
"""Flags by which no function is made with what another one does, so that each can be exchanged. By
the last one but one no loop becomes a call of memset; by the last one every call names its
function."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How code for an old program is compiled.

    Attributes:
        convention: how the functions of the old program call each other.
        inner: how GCC's do, with these flags.
        flags: flags of GCC.
    """

    convention: str
    inner: str
    flags: tuple[str, ...]

    def separated(self, text: str, unit: str) -> str:
        """The assembler text of a unit with separate names for definitions and for their uses."""
        if self.convention == powerpc.CONVENTION:
            return separated(powerpc.with_calls(text), unit, powerpc.vector)
        outer = CALLING_CONVENTIONS[self.convention]
        in_d0 = getattr(outer, "pointer_register", "") == "d0"
        if getattr(outer, "wide_cast", None) == UNIVERSAL:
            text = with_second_exponents(text)
        return separated(m68k.with_calls(text, pointers_in_d0=in_d0), unit)


def dialect_of(convention: str, cpu: str) -> Dialect:
    """How code for an old program of a convention is compiled.

    Raises:
        UsageError: nothing is compiled for that convention.
    """
    if CPUS[cpu].architecture == "powerpc":
        return Dialect(powerpc.CONVENTION, powerpc.CONVENTION, (*SEPARATE, *powerpc.FLAGS))
    if convention not in m68k.CONVENTIONS:
        raise UsageError(
            f"no function can be compiled for the convention {convention}"
            f"{did_you_mean(convention, m68k.CONVENTIONS)}"
        )
    inner, flags = m68k.inner_convention(convention, has_fpu=CPUS[cpu].has_fpu)
    return Dialect(convention, inner, (*SEPARATE, *flags))
