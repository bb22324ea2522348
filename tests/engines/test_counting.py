"""Jumps that translated code counts are those that Unicorn's edges say, for each call."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.engines.native_code.counting import CountingEngine, JumpCounts
from emu.machine.code_coverage.executed_edges import Edge
from emu.verify.batches.bench import Bench
from emu.verify.places.bound_case import BoundCase
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import NO_SCENE
from emu.verify.scenes.scene_plan import plan_scenes
from tests.engines.conftest import machine_on


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))


def jumps_in(edges: dict[Edge, int], sources: set[int]) -> JumpCounts:
    """The jumps of edges between blocks: a block ends at its only jump, if it has one."""
    jumps: Counter[tuple[int, int]] = Counter()
    for (start, size, target, _), count in edges.items():
        last = max((one for one in sources if start <= one < start + size), default=None)
        if last is not None:
            jumps[last, target] += count
    return dict(jumps)


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
@pytest.mark.parametrize("name", ["four-shifts", "collider"])
def test_jumps_of_each_call_are_those_of_unicorn(cpu: str, name: str) -> None:
    case = load_case(name)
    (subject,) = programs_of(case, cpus=[cpu], builds=["O2"], use="prebuilt").subjects
    made: list[CountingEngine] = []

    def make(*given: object) -> CountingEngine:
        made.append(CountingEngine(*given))  # type: ignore[arg-type]
        return made[-1]

    bound = BoundCase.of(case, subject)
    counting = Bench(BoundCase.on(case, bound.machine.program, bound.machine.cpu, make))
    unicorn = Bench.of(case, subject, covers=True)
    scenes = Scenes.make(case, plan_scenes(case, 6, 1), sample=NO_SCENE)
    compared = 0
    for row in range(0, len(scenes.specs), 3):
        some = scenes.take([row])
        counting.run(counting.before(some.scenes, some.preparations))
        (jumps,) = made[0].take_jumps().values()
        before = unicorn.before(some.scenes, some.preparations)
        assert unicorn.machine.executed_edges is not None
        unicorn.machine.executed_edges.take()
        unicorn.run(before)
        edges = unicorn.machine.executed_edges.take()
        assert jumps.pop((0, unicorn.bound.calls.first.routine)) == 1
        expected = jumps_in(edges, {source for source, _ in jumps})
        assert {jump: min(count, 65535) for jump, count in expected.items()} == jumps
        compared += len(jumps)
    assert compared > 10


def test_each_call_has_its_own_jumps() -> None:
    made: list[CountingEngine] = []

    def make(*given: object) -> CountingEngine:
        made.append(CountingEngine(*given))  # type: ignore[arg-type]
        return made[-1]

    machine = machine_on(make)
    start = machine.program.function("Recurse")
    for depth in (3, 20):
        machine.call("Recurse", depth)
        (jumps,) = made[0].take_jumps().values()
        assert sum(count for (_, target), count in jumps.items() if target == start) == depth + 1
    before = machine.data.copy()[None].repeat(3, axis=0)
    machine.run_batch(machine.program.function("Bump"), before)
    of_each = made[0].take_jumps()
    assert list(of_each) == [0, 1, 2]
    assert of_each[0] == of_each[1] == of_each[2] == {(0, machine.program.function("Bump")): 1}
