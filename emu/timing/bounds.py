"""What a processor cannot do at all: the fewest cycles that some instructions can take.

This is no pipeline model and has no stalls in it. It only says how many instructions of a kind
a processor can finish in a cycle, which no code and no memory system makes more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# What the 601 need not give to its integer unit: branches and operations on condition bits go to
# the branch unit, arithmetic with fractions to its own. Their loads and stores do use it.
_NOT_INTEGER = ("b", "cr", "mcrf", "f")


@dataclass(frozen=True, slots=True)
class Bound:
    """The fewest cycles.

    Attributes:
        cycles: of the instructions that were asked about.
        why: the rule, as a clause.
    """

    cycles: float
    why: str


def least_cycles(cpu: str, mix: Mapping[str, float]) -> Bound:
    """The fewest cycles that instructions can take on a processor.

    Args:
        cpu: the processor's name.
        mix: how often each instruction is executed, by mnemonic.

    Returns:
        A bound of 0 for a processor of which nothing is known.
    """
    everything = sum(mix.values())
    if cpu == "601":
        integer = sum(
            count for mnemonic, count in mix.items() if not mnemonic.startswith(_NOT_INTEGER)
        )
        return Bound(integer, "its one integer unit begins one instruction in a cycle")
    if cpu == "68040":
        return Bound(everything, "its one pipeline finishes at most one instruction in a cycle")
    if cpu == "68000":
        return Bound(4 * everything, "to fetch an instruction's first word takes it 4 cycles")
    return Bound(0.0, "nothing is known of its limits")
