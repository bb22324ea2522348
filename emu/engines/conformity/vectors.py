"""A test vector: one instruction, the state before it, and the state that must follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class VectorState:
    """A processor and the memory that a vector names.

    Attributes:
        registers: the values of registers by their names; flags, too ("sr", "cr", "xer").
        memory: bytes by their addresses.
        pc: the address of the instruction, or of the one that follows.
    """

    registers: Mapping[str, int]
    memory: Mapping[int, int]
    pc: int


@dataclass(frozen=True, slots=True)
class Vector:
    """One instruction with what it must do.

    Attributes:
        group: what the source of the vectors calls the instruction ("ADD.b").
        name: the vector's name in its file, by which it is found again.
        before: the state before.
        after: the state that must follow; a register that it does not name may have any value.
        exception: the number of the exception that the processor takes; None if it takes none.
        ignored: bits that the processor's manual leaves undefined, by names of registers.
    """

    group: str
    name: str
    before: VectorState
    after: VectorState
    exception: int | None = None
    ignored: Mapping[str, int] | None = None


class VectorOutcome(StrEnum):
    """What the engine did with a vector.

    Attributes:
        PASSED: the state that must follow.
        REPORTED: the exception that the processor takes was reported as what it is.
        REFUSED: it stopped and said that it cannot execute this.
        WRONG: another state, another exception, or none.
        SKIPPED: the vector cannot be asked this way.
    """

    PASSED = "passed"
    REPORTED = "reported"
    REFUSED = "refused"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class VectorResult:
    """What came of a vector.

    Attributes:
        outcome: in one word.
        why: what differs, or why it was refused or skipped; "" if nothing has to be said.
    """

    outcome: VectorOutcome
    why: str = ""
