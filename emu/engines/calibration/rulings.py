"""What a judgement about engines is: who is wrong, and what the manual leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Ruling:
    """Which engines are wrong about a part of the result of some instructions.

    Attributes:
        architecture: the processor's.
        forms: patterns of the forms of instructions, as for file names.
        parts: patterns of names of registers; "memory"; "stops" for an engine that does not come
            back.
        wrong: the names of the engines that are wrong.
        says: what is right.
        source: where the manual says so.
        in_modes: whether it is only about probes with another rounding mode or precision than that
            of a reset.
    """

    architecture: str
    forms: tuple[str, ...]
    parts: tuple[str, ...]
    wrong: frozenset[str]
    says: str
    source: str
    in_modes: bool = False


@dataclass(frozen=True, slots=True)
class UndefinedBits:
    """Bits of the result of some instructions that the manual leaves open; they are not compared.

    Attributes:
        architecture: the processor's.
        forms: patterns of the forms of instructions.
        parts: patterns of names of registers.
        bits: which bits of the register are left open.
        source: where the manual says so.
    """

    architecture: str
    forms: tuple[str, ...]
    parts: tuple[str, ...]
    bits: int
    source: str


def is_about(ruling: Ruling | UndefinedBits, architecture: str, form: str, part: str) -> bool:
    """Whether a judgement is about a part of the result of an instruction."""
    return (
        ruling.architecture == architecture
        and any(fnmatchcase(form, pattern) for pattern in ruling.forms)
        and any(fnmatchcase(part, pattern) for pattern in ruling.parts)
    )


UNICORN, QEMU, MUSASHI = "unicorn", "qemu-user", "musashi"
"""The names of the engines."""
