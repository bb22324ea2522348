"""What the check of instructions finds."""

from __future__ import annotations

from dataclasses import dataclass

REFUTES, UNDECIDED, NOTE = "refutes", "undecided", "note"
"""How much a finding weighs. One that refutes: the program does not run on the real processor.
One that leaves the verdict undecided: it runs there, but what it does there is not what was
executed here. A note changes no verdict."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """An instruction that the processor has not, or has and others have not.

    Attributes:
        address: where it is.
        mnemonic: its name, or its words in hexadecimal where it has none.
        why: what is wrong with it, and who has it; a clause without its subject.
        weight: one of `REFUTES`, `UNDECIDED` and `NOTE`.
        place: the address in words: function and line; "" before it was looked up.
    """

    address: int
    mnemonic: str
    why: str
    weight: str = REFUTES
    place: str = ""

    def __str__(self) -> str:
        return f"{self.place or hex(self.address)}: {self.mnemonic} {self.why}"
