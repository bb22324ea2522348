"""Lower bounds: the fewest cycles in which a processor can execute some instructions.

A bound only uses how many instructions of a kind the processor can start or finish per cycle. It
ignores all stalls, so no program can be faster, whatever its code and the machine's memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Prefixes of mnemonics that the 601's integer unit does not execute: branches and operations on
# condition bits go to the branch unit, floating-point arithmetic to the floating-point unit.
# Floating-point loads and stores, such as lfs and stfd, do use the integer unit.
_NOT_INTEGER = ("b", "cr", "mcrf", "f")


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower bound.

    Attributes:
        cycles: the fewest cycles that the instructions can take.
        why: the rule that it follows from, as a clause.
    """

    cycles: float
    why: str


def least_cycles(cpu: str, mix: Mapping[str, float]) -> Bound:
    """The fewest cycles in which a processor can execute some instructions.

    Args:
        cpu: the processor's name.
        mix: the number of executed instructions, by mnemonic.

    Returns:
        The bound; 0 cycles for an unknown processor.
    """
    everything = sum(mix.values())
    if cpu == "601":
        integer = sum(
            count for mnemonic, count in mix.items() if not mnemonic.startswith(_NOT_INTEGER)
        )
        return Bound(integer, "its one integer unit starts at most one instruction per cycle")
    if cpu == "68040":
        return Bound(everything, "its one pipeline finishes at most one instruction per cycle")
    if cpu == "68000":
        return Bound(4 * everything, "it needs 4 cycles to fetch the first word of an instruction")
    return Bound(0.0, "its limits are not known")
