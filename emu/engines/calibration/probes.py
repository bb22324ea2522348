"""Probes as one guest program, and what an engine answers to each."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from emu.base.processes.workers import ProcessDown, run_apart_reporting
from emu.engines.calibration import operands, stubs
from emu.engines.calibration.instructions import LeftOut, ProbeInstruction
from emu.machine import CPUS, BareMachine
from emu.machine.calls.other_engine import EngineRefusal, MakeEngine
from emu.machine.cpu import Cpu
from emu.program import LineTable, Program, Segment, Symbol

_TOGETHER = 256
"""Instructions of one guest program: Unicorn's time for an exception grows with their number."""

_CRASHED = "ended its process"


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """The probes of a calibration on one processor.

    Attributes:
        processor: its name.
        instructions: what is executed.
        states: how many states each instruction is executed with.
        seed: what the states are made of.
        others: how many instructions of the opcode map could be probed and are not among these.
        left_out: those of the map that cannot be probed.
    """

    processor: str
    instructions: tuple[ProbeInstruction, ...]
    states: int
    seed: int
    others: int = 0
    left_out: tuple[LeftOut, ...] = ()

    @property
    def cpu(self) -> Cpu:
        """The processor."""
        return CPUS[self.processor]

    def __len__(self) -> int:
        return len(self.instructions) * self.states

    def instruction(self, probe: int) -> ProbeInstruction:
        """The instruction of a probe, by the probe's number."""
        return self.instructions[probe // self.states]


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """What an engine has done with a probe.

    Attributes:
        state: the state after it, as `stubs.state_of` lays it out; b"" if it stopped.
        stores: the bytes of memory that it changed, by address.
        stopped: why it did not come back, as the end of a sentence; "" if it did.
    """

    state: bytes
    stores: tuple[tuple[int, int], ...] = ()
    stopped: str = ""

    @property
    def has_crashed(self) -> bool:
        """Whether it ended the engine's process."""
        return self.stopped == _CRASHED


def program_of(plan: ProbePlan, omitted: Collection[int] = ()) -> tuple[Program, list[int]]:
    """The guest program, and the address of the stub of each instruction.

    Args:
        plan: the probes.
        omitted: numbers of instructions that are left out. Stubs stay where they are, since some
            instructions have their own address as an operand.
    """
    code = stubs.dispatch(plan.cpu)
    code += b"\0" * (-len(code) % 16)
    places = []
    nothing = plan.cpu.no_operation
    for number, instruction in enumerate(plan.instructions):
        places.append(stubs.CODE + len(code))
        size = len(instruction.code)
        text = nothing * (size // len(nothing)) if number in omitted else instruction.code
        code += stubs.stub(plan.cpu, text)
        code += b"\0" * (-len(code) % 16)
    data = operands.memory(plan.seed)
    program = Program(
        path=Path(f"probes of the {plan.cpu.name}"),
        architecture=plan.cpu.architecture,
        byte_order=">",
        segments=[
            Segment("code", stubs.CODE, len(code), code, writable=False, executable=True),
            Segment("data", stubs.DATA, len(data), data, writable=True, executable=False),
            Segment("state", stubs.BEFORE, stubs.STATE_SIZE, b"", writable=True, executable=False),
        ],
        symbols=[Symbol("probe", stubs.CODE, len(code), "function")],
        variables={},
        functions={"probe": [stubs.CODE]},
        lines=LineTable(()),
        has_debug_information=False,
    )
    return program, places


def ask(plan: ProbePlan, engine: MakeEngine | None) -> tuple[str, list[ProbeAnswer | None]]:
    """What an engine answers to the probes of a plan.

    It is asked in another process, because some instructions end the process of some engines.

    Args:
        plan: the probes.
        engine: makes the engine; None is Unicorn.

    Returns:
        The engine's name and version, and its answers; None where it was not asked, or says that it
        cannot tell.

    Raises:
        EngineRefusal: the engine cannot execute the probes.
        ToolMissingError: it is not installed.
    """
    answers: list[ProbeAnswer | None] = []
    version = ""
    while len(answers) < len(plan):
        try:
            version = run_apart_reporting(
                _answer, plan, engine, len(answers), on_report=answers.extend
            )
        except ProcessDown:
            answers.append(ProbeAnswer(b"", (), _CRASHED))
            answers += [None] * (-len(answers) % plan.states)
    return version, answers


def _answer(
    plan: ProbePlan,
    engine: MakeEngine | None,
    first: int,
    report: Callable[[list[ProbeAnswer | None]], None],
) -> str:
    """Answer all probes from one on, and report each answer before the next probe begins.

    Args:
        plan: the probes.
        engine: makes the engine; None is Unicorn.
        first: the first probe, which is the first of its instruction.
        report: takes answers.

    Returns:
        The engine's name and version.

    Raises:
        EngineRefusal: the engine cannot execute any of the probes.
    """
    if engine is not None:
        _silence()
    with _machine(replace(plan, instructions=()), engine)[0] as machine:
        version = machine.calls.engine
    for start in range(0, len(plan.instructions), _TOGETHER):
        some = replace(plan, instructions=plan.instructions[start : start + _TOGETHER])
        if first < (start + _TOGETHER) * plan.states:
            _answer_some(some, engine, max(first // plan.states - start, 0), report)
    return version


def _silence() -> None:
    """Drop what the engine prints by itself: Musashi says so before it ends its process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _machine(
    plan: ProbePlan, engine: MakeEngine | None, omitted: Collection[int] = ()
) -> tuple[BareMachine, list[int]]:
    program, places = program_of(plan, omitted)
    return BareMachine(program, plan.cpu, heap_size=0, engine=engine), places


def _answer_some(
    plan: ProbePlan,
    engine: MakeEngine | None,
    first: int,
    report: Callable[[list[ProbeAnswer | None]], None],
) -> None:
    """Answer the probes of the instructions of one program, from one instruction on."""
    refused = _refused(plan, engine, range(len(plan.instructions)))
    machine, places = _machine(plan, engine, refused)
    with machine:
        asked = _Asked(machine, is_unicorn=engine is None)
        for number in range(first, len(plan.instructions)):
            states = operands.states(plan.cpu, plan.instructions[number], plan.states, plan.seed)
            for state in states:
                report([None if number in refused else asked.answer(places[number], state)])


def _refused(plan: ProbePlan, engine: MakeEngine | None, among: range) -> frozenset[int]:
    """The instructions for which the engine refuses the whole program, by their numbers."""
    others = frozenset(range(len(plan.instructions))).difference(among)
    try:
        with _machine(plan, engine, others)[0]:
            return frozenset()
    except EngineRefusal:
        if len(among) == 1:
            return frozenset(among)
    half = len(among) // 2
    return _refused(plan, engine, among[:half]) | _refused(plan, engine, among[half:])


class _Asked:
    """A machine that probes are made on, one after the other."""

    def __init__(self, machine: BareMachine, *, is_unicorn: bool) -> None:
        self._machine = machine
        self._is_unicorn = is_unicorn
        self._image = machine.pristine[np.newaxis].copy()
        self._size = stubs.state_of(machine.cpu).itemsize
        place = machine.data.offset
        self._data = slice(place(stubs.DATA), place(stubs.DATA) + stubs.DATA_SIZE)
        self._before, self._after = place(stubs.BEFORE), place(stubs.AFTER)
        self._next = place(stubs.NEXT)

    def answer(self, stub: int, state: np.void) -> ProbeAnswer | None:
        """What the machine does with one probe; None if it says itself that it cannot tell."""
        image = self._image[0]
        image[self._before : self._before + self._size] = np.frombuffer(state.tobytes(), np.uint8)
        image[self._next : self._next + 4] = np.frombuffer(stub.to_bytes(4, "big"), np.uint8)
        try:
            batch = self._machine.calls.run(stubs.CODE, self._image)
        except EngineRefusal:
            return None
        if batch.fault is not None:
            is_doubtful = self._is_unicorn and batch.fault.kind == "engine"
            return None if is_doubtful else ProbeAnswer(b"", (), batch.fault.reason)
        after = batch.after[0]
        changed = np.flatnonzero(after[self._data] != image[self._data])
        return ProbeAnswer(
            after[self._after : self._after + self._size].tobytes(),
            tuple((stubs.DATA + int(at), int(after[self._data][at])) for at in changed),
        )
