"""Runs changed scenes on translated code, many at once: those on which nothing is wrong.

A scene alone costs as much work in Python as dozens together. So scenes are laid, called and
compared together, and code counts its jumps for each of them. Of a scene on which anything is wrong
nothing is said here: Unicorn is asked about it, and a finding has its words.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from emu.base.errors import CaseError, ToolMissingError, UsageError
from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.engines.native_code.counting import CountingEngine, JumpCounts
from emu.machine import Cpu
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.memory.memory import GuestMemory
from emu.machine.program_file import program_and_cpu
from emu.program import Program
from emu.search.asked_scene import AskedScene
from emu.search.budget import quick_budget
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.places.bound_case import BoundCase
from emu.verify.scenes.fills import Preparation

_BENCHES_KEPT = 24
_MOST_FAULTS = 2
"""Behind so many calls that do not return, those of the same batch are left to Unicorn."""


@dataclass(frozen=True, slots=True, eq=False)
class CountingBench:
    """A case on a program in translated code that counts jumps.

    Attributes:
        bench: the case on it.
        engine: the engine.
    """

    bench: Bench
    engine: CountingEngine


@dataclass(frozen=True, slots=True, eq=False)
class PreparedScene:
    """A changed scene that the reference accepts, and how memory is filled before its call."""

    asked: AskedScene
    preparation: Preparation


def jumps_of_right_calls(
    case: Case, subject: Subject, scenes: Mapping[int, PreparedScene]
) -> dict[int, JumpCounts]:
    """Make the calls of scenes on a program in translated code.

    Args:
        case: the case.
        subject: the program.
        scenes: the scenes, by their numbers.

    Returns:
        How often each jump was made, by the number of the scene: of those scenes whose calls
        nothing is wrong with. Nothing is said of the others, nor of calls that need Unicorn.
    """
    counting = _counting_bench(case.known_case, subject) if scenes else None
    if counting is None:
        return {}
    numbers = list(scenes)
    alike = counting.bench.alike([scenes[number].preparation for number in numbers])
    found: dict[int, JumpCounts] = {}
    for rows in alike:
        found |= _jumps_of_alike(counting, {numbers[row]: scenes[numbers[row]] for row in rows})
    return found


@functools.lru_cache(maxsize=_BENCHES_KEPT)
def _counting_bench(known_case: KnownCase, subject: Subject) -> CountingBench | None:
    """The bench of a case; None if its calls cannot be made together in translated code."""
    case = read_case(known_case.path, against=known_case.against)
    made: list[CountingEngine] = []

    def make(cpu: Cpu, program: Program, memory: GuestMemory) -> CountingEngine:
        made.append(CountingEngine(cpu, program, memory))
        return made[-1]

    program, cpu = program_and_cpu(subject.of_case(case), None)
    try:
        bench = Bench(BoundCase.on(case, program, cpu, make))
    except (EngineRefusal, ToolMissingError):
        return None
    bench.machine.budget = quick_budget(0.0)  # what Unicorn says here does not count
    is_plain = bench.bound.calls.is_single and not case.before and not bench.has_sanitizers
    return CountingBench(bench, made[-1]) if is_plain else None


def _jumps_of_alike(
    counting: CountingBench, scenes: Mapping[int, PreparedScene], faults: int = 0
) -> dict[int, JumpCounts]:
    """`jumps_of_right_calls` for scenes that have one layout; in halves if some do not fit."""
    bench, numbers = counting.bench, list(scenes)
    each = [scenes[number] for number in numbers]
    try:
        images = bench.before([one.asked.scene for one in each], [one.preparation for one in each])
        expected = bench.expect(images, [one.asked.answer for one in each])
        counting.engine.take_jumps()  # those of earlier calls
        batch = bench.run(expected)
    except EngineRefusal:
        return {}
    except (CaseError, UsageError, PrecedingCallError):
        if len(numbers) == 1:
            return {}
        half = len(numbers) // 2
        parts = numbers[:half], numbers[half:]
        first, second = ({number: scenes[number] for number in part} for part in parts)
        return _jumps_of_alike(counting, first, faults) | _jumps_of_alike(counting, second, faults)
    jumps, done = counting.engine.take_jumps(), batch.completed
    wrong = bench.differences(expected).rows(expected.expected[:done], batch.after)
    doubtful = {*wrong, *batch.violations, *batch.untranslated}
    right = {
        numbers[row]: jumps[row] for row in range(done) if row in jumps and row not in doubtful
    }
    rest = numbers[done + 1 :]  # behind one that does not return
    if not rest or faults == _MOST_FAULTS:
        return right
    return right | _jumps_of_alike(counting, {one: scenes[one] for one in rest}, faults + 1)
