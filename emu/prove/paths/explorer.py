"""Executes guest instructions along every path that inputs can take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import z3

from emu.lift.decoder import Decoder
from emu.lift.pcode.integers import UnknownOperationError
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode
from emu.lift.terms import (
    DIVISIONS,
    Condition,
    compute,
    condition,
    plain,
    simple_condition,
)
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.solving import Assumptions
from emu.prove.paths.places import Areas, TooManyError
from emu.prove.paths.state import Path, PathEnding, PathState

_MOST_PATHS = 4096
_MOST_TARGETS = 512
_MOST_INSTRUCTIONS = 200_000

_WILD = {
    False: "it reads outside of the memory that it has",
    True: "it stores outside of the memory that it has",
}
_JUMPS = {Opcode.BRANCHIND, Opcode.CALLIND, Opcode.RETURN}


class Explorer:
    """Executes calls of one program.

    Args:
        decoder: gives the instructions.
        areas: the memory that calls can use.
        assumptions: what is known of the inputs.
        most_rounds: how often a path may part at one instruction: the bound of loops.
        where: puts an address in words: "Pinned (pinned.c:12)".
    """

    def __init__(
        self,
        decoder: Decoder,
        areas: Areas,
        assumptions: Assumptions,
        most_rounds: int,
        where: Callable[[int], str],
    ) -> None:
        self._decoder = decoder
        self._areas = areas
        self._assumptions = assumptions
        self._most_rounds = most_rounds
        self._where = where
        self._open: list[PathState] = []
        self._ended: list[Path] = []
        self.executed: set[int] = set()
        """The addresses of the instructions that some path has executed."""

    def paths(self, start: PathState, until: int) -> list[Path]:
        """All paths from a state, which stays as it is, to an address.

        Raises:
            UndecidedError: there are too many paths, or z3 does not decide which are possible.
        """
        self._open, self._ended = [start.fork()], []
        while self._open:
            if len(self._ended) + len(self._open) > _MOST_PATHS:
                raise UndecidedError(f"it has more than {_MOST_PATHS:,} paths")
            state: PathState | None = self._open.pop()
            while state is not None:
                state = self._step(state, until)
        return self._ended

    def _end(self, ending: PathEnding, state: PathState, why: str) -> None:
        self._ended.append(Path(ending, state, f"{why} at {self._where(state.address)}"))

    def _step(self, state: PathState, until: int) -> PathState | None:
        """Execute an instruction; the state after it, or None where the path ends."""
        if state.address == until:
            self._ended.append(Path(PathEnding.RETURNED, state))
            return None
        if state.instructions >= _MOST_INSTRUCTIONS:
            self._end(
                PathEnding.ENDLESS, state, f"{_MOST_INSTRUCTIONS:,} instructions were not enough"
            )
            return None
        instruction = self._decoder.instruction(state.address)
        self.executed.add(state.address)
        try:
            return self._executed(state, instruction)
        except UnknownOperationError as error:
            self._end(PathEnding.LEFT, state, f"{error} is not known on terms,")
        except ZeroDivisionError:
            self._end(PathEnding.LEFT, state, "a division by zero is not lifted,")
        return None

    def _executed(self, state: PathState, instruction: LiftedInstruction) -> PathState | None:
        operations = instruction.operations
        while state.step < len(operations):
            self._assumptions.deadline.milliseconds()
            operation = operations[state.step]
            state.step += 1
            if operation.opcode is Opcode.CBRANCH:
                going = self._parted(state, operation.inputs[1], "the loop")
                for one, goes in going:
                    if goes:
                        self._go(one, operation.inputs[0], instruction)
                        self._open.append(one)
                stays = [one for one, goes in going if not goes]
                if not stays:
                    return None
                state = stays[0]
            elif operation.opcode is Opcode.LEAVE:
                if not self._stays(state, operation.inputs[0], instruction.refusal):
                    return None
            elif operation.opcode in (Opcode.BRANCH, Opcode.CALL):
                self._go(state, operation.inputs[0], instruction)
                if operation.inputs[0].space is Space.MEMORY:
                    return state
            elif operation.opcode in _JUMPS:
                return self._jumped(state, operation.inputs[0])
            elif not self._computed(state, operation):
                return None
        self._arrive(state, instruction.following)
        return state

    def _go(self, state: PathState, target: Varnode, instruction: LiftedInstruction) -> None:
        """Go where a branch leads: to an instruction, or within one."""
        if target.space is Space.MEMORY:
            self._arrive(state, target.offset)
            return
        distance = target.offset - (target.offset >> 8 * target.size - 1 << 8 * target.size)
        state.step += distance - 1
        if state.step >= len(instruction.operations):
            self._arrive(state, instruction.following)

    def _arrive(self, state: PathState, address: int) -> None:
        state.address, state.step = address, 0
        state.instructions += 1

    def _parted(self, state: PathState, where: Varnode, what: str) -> list[tuple[PathState, bool]]:
        """The states in which a condition holds and does not, each with whether it does."""
        truth = condition(state.read(where), where.size)
        truth = truth if isinstance(truth, bool) else simple_condition(truth)
        if isinstance(truth, bool):
            return [(state, truth)]
        both = [
            (answer, whole)
            for answer, whole in ((True, truth), (False, z3.Not(truth)))
            if self._assumptions.allow(*state.conditions, whole)
        ]
        if len(both) == 1:
            return [(state, both[0][0])]
        rounds = state.rounds[state.address] = state.rounds.get(state.address, 0) + 1
        if rounds > self._most_rounds:
            self._end(
                PathEnding.ENDLESS, state, f"{what} goes on beyond {self._most_rounds:,} rounds"
            )
            return []
        return [(state.fork(whole), answer) for answer, whole in both]

    def _stays(self, state: PathState, where: Varnode, refusal: str) -> bool:
        """End the path where lifted code has no meaning; whether there is more of it."""
        truth = condition(state.read(where), where.size)
        why = refusal and f"an instruction is not lifted ({refusal})"
        return self._split(state, truth, PathEnding.LEFT, why or "a form is not lifted")

    def _split(self, state: PathState, truth: Condition, ending: PathEnding, why: str) -> bool:
        """End that part of a path for which something holds; whether another part is left."""
        truth = truth if isinstance(truth, bool) else simple_condition(truth)
        if isinstance(truth, bool):
            if truth:
                self._end(ending, state, why)
            return not truth
        if self._assumptions.allow(*state.conditions, truth):
            self._end(ending, state.fork(truth), why)
        if not self._assumptions.allow(*state.conditions, z3.Not(truth)):
            return False
        state.conditions = (*state.conditions, z3.Not(truth))
        return True

    def _jumped(self, state: PathState, where: Varnode) -> PathState | None:
        """Go to an address that was computed; each that it can be is a path."""
        target = state.read(where)
        target = target if isinstance(target, int) else plain(target)
        if isinstance(target, int):
            self._arrive(state, target)
            return state
        targets = self._assumptions.values(target, state.conditions, _MOST_TARGETS)
        if len(targets) > _MOST_TARGETS:
            self._end(PathEnding.WILD, state, "it jumps anywhere")
            return None
        for one in targets:
            other = state.fork(target == one)
            self._arrive(other, one)
            self._open.append(other)
        return None

    def _computed(self, state: PathState, operation: Operation) -> bool:
        """Execute an operation that only computes, loads or stores; whether the path goes on."""
        opcode, output = operation.opcode, operation.output
        if opcode is Opcode.LOAD or opcode is Opcode.STORE:
            return self._accessed(state, operation)
        assert output is not None
        if not self._has_room(state, operation.inputs, writes=False):
            return False
        values = [state.read(where) for where in operation.inputs]
        if opcode in DIVISIONS and not isinstance(values[1], int):
            is_zero = simple_condition(values[1] == 0)
            why = "a division by zero is not lifted,"
            if not self._split(state, is_zero, PathEnding.LEFT, why):
                return False
        sizes = [where.size for where in operation.inputs]
        if not self._has_room(state, (output,), writes=True):
            return False
        state.write(output, compute(opcode, values, sizes, output.size))
        return True

    def _has_room(self, state: PathState, places: Sequence[Varnode], *, writes: bool) -> bool:
        """End a path that uses a known address that cannot be used; whether it goes on."""
        for where in places:
            if where.space is Space.MEMORY and not self._areas.hold(
                where.offset, where.size, writes=writes
            ):
                self._end(PathEnding.WILD, state, _WILD[writes])
                return False
        return True

    def _accessed(self, state: PathState, operation: Operation) -> bool:
        """Load or store; whether the path goes on."""
        writes = operation.opcode is Opcode.STORE
        where = operation.inputs[1] if writes else operation.output
        assert where is not None
        address = state.read(operation.inputs[0])
        try:
            places = self._areas.places(
                state, address, where.size, self._assumptions, writes=writes
            )
        except TooManyError as error:
            self._end(PathEnding.LEFT, state, str(error))
            return False
        why = _WILD[writes]
        if places is None:
            self._end(PathEnding.WILD, state, why)
            return False
        if places.wild is not None and not self._split(state, places.wild, PathEnding.WILD, why):
            return False
        if writes:
            places.store(state, where.size, state.read(where))
        else:
            state.write(where, places.load(state, where.size))
        return True


def conditions_of(paths: list[Path]) -> Iterator[z3.BoolRef]:
    """What holds on each path, as one condition."""
    for path in paths:
        yield z3.And(True, *path.state.conditions)
