"""Where execution is on one path, and how a path ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import z3

from emu.lift.pcode.operations import Space, Varnode
from emu.lift.terms import Value
from emu.prove.paths.cells import ByteCells


@dataclass(slots=True)
class PathState:
    """A call under way, on one path.

    Attributes:
        address: the instruction.
        step: which of its operations comes next.
        registers: the registers.
        temporaries: the values that operations hand on within an instruction.
        memory: guest memory.
        conditions: what holds of the inputs on this path.
        instructions: how many were executed.
        rounds: how often the path has parted at an instruction, by its address.
    """

    address: int
    registers: ByteCells
    memory: ByteCells
    temporaries: ByteCells
    step: int = 0
    conditions: tuple[z3.BoolRef, ...] = ()
    instructions: int = 0
    rounds: dict[int, int] = field(default_factory=dict)

    def fork(self, *conditions: z3.BoolRef) -> PathState:
        """A copy, of which conditions hold besides."""
        return replace(
            self,
            registers=self.registers.copy(),
            memory=self.memory.copy(),
            temporaries=self.temporaries.copy(),
            conditions=(*self.conditions, *conditions),
            rounds=dict(self.rounds),
        )

    def read(self, where: Varnode) -> Value:
        """The value of a register, a temporary or a constant."""
        if where.space is Space.CONSTANT:
            return where.offset
        return self._cells(where).get(where.offset, where.size)

    def write(self, where: Varnode, value: Value) -> None:
        """Change a register or a temporary."""
        self._cells(where).put(where.offset, where.size, value)

    def _cells(self, where: Varnode) -> ByteCells:
        if where.space is Space.MEMORY:
            return self.memory
        return self.registers if where.space is Space.REGISTER else self.temporaries


class PathEnding(StrEnum):
    """How a path ends."""

    RETURNED = "returned"
    WILD = "wild access"
    LEFT = "not lifted"
    ENDLESS = "endless"


@dataclass(frozen=True, slots=True)
class Path:
    """A path at its end.

    Attributes:
        ending: how it ends.
        state: what it leaves.
        why: for any other ending than `PathEnding.RETURNED`, what happened, as a clause with its
            place.
    """

    ending: PathEnding
    state: PathState
    why: str = ""
