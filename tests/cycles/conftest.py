"""Counted calls, an independent count of the same, and a small model with known prices."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import unicorn
from numpy.typing import NDArray
from unicorn import unicorn_const

from emu.cases.case_file import read_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of
from emu.cycles.base.model import ASSUMPTION, MANUAL, Code, CycleModel, Instruction, Source
from emu.machine import CPUS, BareMachine
from emu.machine.engine.base import models
from emu.program import read_elf
from emu.verify.batches.bench import Bench

ROOT = Path(__file__).parents[2]
PREBUILT = ROOT / "mac_src" / "prebuilt"
CALLS = ROOT / "tests" / "programs"

Block = tuple[int, int]


@functools.cache
def calls_machine(cpu: str) -> BareMachine:
    """A machine around the program of `tests/programs/calls.cpp`."""
    family = "ppc" if cpu == "601" else "m68k"
    return BareMachine(read_elf(CALLS / f"calls-{family}.elf"), CPUS[cpu], heap_size=8192)


@functools.cache
def four_shifts(cpu: str, build: str) -> tuple[BareMachine, int]:
    """A machine around a build of four-shifts, and the address of its routine."""
    machine = BareMachine(read_elf(PREBUILT / f"four-shifts-{cpu}-{build}.elf"), CPUS[cpu])
    return machine, machine.program.function("_DetermineCollisions")


def images(machine: BareMachine, objects: int, count: int) -> NDArray[np.uint8]:
    """Images of random scenes, to begin a call with."""
    case = read_case(ROOT / "mac_src" / "four_shifts" / "case.yaml")
    scenes = [scene_of(case, SceneName("uniform", objects, seed)) for seed in range(count)]
    return Bench.lay(case, machine).before(scenes).before


class OneByOne:
    """What calls execute, seen by hooks in Python on every block and on every instruction."""

    def __init__(
        self,
        machine: BareMachine,
        routine: int,
        before: NDArray[np.uint8],
        arguments: tuple[int, ...] = (),
    ) -> None:
        self._machine = machine
        self._gate = machine.memory.region("gate")
        self.sequences: list[list[Block]] = []
        self.instructions: Counter[int] = Counter()
        for image in before:
            sequence: list[Block] = []

            def on_block(uc: unicorn.Uc, address: int, size: int, into: list[Block]) -> None:
                if address not in self._gate:
                    into.append((address, size))

            def on_instruction(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
                if address not in self._gate:
                    self.instructions[address] += 1

            # One at a time: with hooks on instructions the engine makes long blocks shorter.
            self._run(routine, image, arguments, unicorn_const.UC_HOOK_BLOCK, on_block, sequence)
            self._run(routine, image, arguments, unicorn_const.UC_HOOK_CODE, on_instruction, None)
            self.sequences.append(sequence)

    def _run(
        self, routine: int, image: Any, arguments: tuple[int, ...], kind: int, hook: Any, data: Any
    ) -> None:
        machine = self._machine
        start, until = machine.calls.prepare(machine.site_of_words(routine, *arguments), image)
        engine = models.open_engine(machine.cpu, models.find_model(machine.cpu))
        models.map_memory(engine, machine.memory)
        engine.hook_add(kind, hook, data)
        engine.emu_start(start, until)
        assert machine.calls.has_returned()

    @property
    def edges(self) -> dict[tuple[int, int, int, int], int]:
        """How often each edge was taken."""
        counts: dict[tuple[int, int, int, int], int] = {}
        for sequence in self.sequences:
            for before, block in zip([(0, 0), *sequence], sequence, strict=False):
                key = (*before, *block)
                counts[key] = counts.get(key, 0) + 1
        return counts


KNOWN = Source(MANUAL, "a page")
GUESSED = Source(ASSUMPTION, "a guess")


class FakeModel(CycleModel):
    """Instructions of two bytes on 68K and four on PowerPC; prices that can be added in the head.

    An instruction costs 1, plus 1/4 for each different byte value of the instruction before it
    that is odd, plus 8 at the beginning of a call. So an edge's price depends on what ran before.
    """

    cpu = "68040"
    title = "a fake"
    megahertz = 10.0

    def __init__(self, size: int = 2) -> None:
        self.size = size
        self.decoded = 0

    def decode(self, code: bytes, address: int) -> Code:
        self.decoded += 1
        return tuple(
            Instruction(
                address + place,
                self.size,
                f"op{code[place] >> 4:x}",
                code[place : place + self.size].hex(),
                "cell",
            )
            for place in range(0, len(code), self.size)
        )

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        prices = []
        last = before[-1] if before else None
        for instruction in block:
            extra = 8.0 if last is None else 0.25 * sum(b & 1 for b in bytes.fromhex(last.text))
            prices.append(1.0 + extra)
            last = instruction
        return tuple(prices)

    def source(self, instruction: Instruction) -> Source:
        return GUESSED if instruction.mnemonic == "op4" else KNOWN

    def sensitivities(self) -> Mapping[str, CycleModel]:
        return {}

    def assumptions(self) -> tuple[str, ...]:
        return ("everything",)


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()
