"""The findings of the check of instructions."""

from __future__ import annotations

from dataclasses import dataclass

from emu.report.limits import Natural

REFUTES, UNDECIDED, NOTE = "refutes", "undecided", "note"
"""The weight of a finding. `REFUTES`: the program does not run on the real processor. `UNDECIDED`:
it runs there, but what it does there differs from what was executed here. `NOTE`: the verdict does
not change."""


@dataclass(frozen=True, slots=True, order=True)
class InstructionFinding:
    """An instruction that the processor lacks, or that only this processor of its family has.

    Attributes:
        address: where it is.
        mnemonic: its name, or its words in hexadecimal if it has no name.
        why: what is wrong with it, and which processors have it; a clause without its subject.
        weight: one of `REFUTES`, `UNDECIDED` and `NOTE`.
        place: the function and line of the address; "" until it is looked up.
    """

    address: Natural
    mnemonic: str
    why: str
    weight: str = REFUTES
    place: str = ""

    @property
    def is_in_routine(self) -> bool:
        """Whether the address lies in something that the program has a name for."""
        return " " in self.place

    def __str__(self) -> str:
        return f"{self.place or hex(self.address)}: {self.mnemonic} {self.why}"
