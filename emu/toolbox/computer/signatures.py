"""How Toolbox routines are called, by a published table that knows more of them than macproof has.

It names a routine that a program calls and macproof lacks, and takes its arguments apart. The tests
hold macproof's own declarations against it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

WIDTHS = {"b": 2, "w": 2, "l": 4}
"""How many bytes an argument takes on the stack: a byte, a word or a long."""


@dataclass(frozen=True, slots=True)
class TrapSignature:
    """A line of the table.

    Attributes:
        name: the routine.
        trap: its trap word.
        selector: its number, if several routines share the trap.
        stack: the widths of its arguments on the stack, a letter each: b, w, l, or "?".
        registers: the registers of its other arguments, in small letters.
        result: the width of its result; "" for none.
    """

    name: str
    trap: int
    selector: int | None
    stack: str
    registers: str
    result: str

    @property
    def stack_size(self) -> int | None:
        """The bytes of its arguments on the stack; None if that is not known."""
        return None if "?" in self.stack else sum(WIDTHS[letter] for letter in self.stack)


@functools.cache
def signatures() -> Mapping[str, TrapSignature]:
    """The table by name."""
    text = resources.files("emu.toolbox").joinpath("signatures.txt").read_text()
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {line[0]: _signature(line) for line in lines}


def _signature(line: list[str]) -> TrapSignature:
    name, trap, selector, stack, registers, result, _ = ("" if w == "-" else w for w in line)
    number = int(selector, 16) if selector else None
    return TrapSignature(name, int(trap, 16), number, stack, registers.lower(), result)


def with_trap(word: int) -> list[TrapSignature]:
    """The routines behind a trap word, whatever its flag bits."""
    significant = 0xFBFF if word & 0x800 else 0xF0FF
    found = signatures().values()
    return [one for one in found if (one.trap ^ word) & significant == 0]


def as_text(letter: str, word: int) -> str:
    """An argument of a width, as text; ``word`` holds it in its lower bits."""
    if letter == "b":
        return f"0x{word & 0xFF:02x}"
    return str((word & 0xFFFF ^ 0x8000) - 0x8000) if letter == "w" else f"0x{word:08x}"
