"""The edges that translated code counts are Unicorn's, for each call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.cycles.base.counting import count_calls
from emu.cycles.models import model_for
from emu.cycles.pricing import price
from emu.engines.native_code.engine import TranslatedEngine
from emu.lift.native import module
from emu.machine.calls.batch import CallTerms
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import StoppedCall
from emu.machine.code_coverage.edges_of_calls import edges_together
from emu.machine.code_coverage.executed_edges import Edge
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import NO_SCENE
from emu.verify.scenes.scene_plan import plan_scenes
from tests.engines.conftest import machine_on


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))


def edges_of(bench: Bench, scenes: Scenes) -> dict[Edge, int]:
    """The edges that the calls of scenes take; none are left to Unicorn on another engine."""
    executed = bench.machine.calls.executed_edges
    assert executed is not None
    edges: Counter[Edge] = Counter()
    for rows in bench.alike(scenes.preparations):
        some = scenes.take(rows)
        images = bench.before(some.scenes, some.preparations)
        executed.take()  # those of calls before
        batch = bench.run(images)
        assert not batch.untranslated
        assert batch.completed == len(rows)
        edges.update(executed.take())
    return dict(edges)


def assert_same_edges(subject: Subject, name: str, scenes: int) -> None:
    case = load_case(name)
    unicorn = Bench.of(case, subject, covers=True)
    counting = Bench.of(case, subject, covers=True, translated=True)
    made = Scenes.make(case, plan_scenes(case, scenes, 1), sample=NO_SCENE)
    expected = edges_of(unicorn, made)
    assert edges_of(counting, made) == expected
    assert sum(expected.values()) > 10


@pytest.mark.parametrize(
    ("name", "cpu"),
    [*(("four-shifts", cpu) for cpu in ("68000", "68040", "601")), ("collider", "601")],
)
def test_edges_of_calls_are_those_of_unicorn(name: str, cpu: str) -> None:
    (subject,) = programs_of(load_case(name), cpus=[cpu], builds=["O2"], use="prebuilt").subjects
    assert_same_edges(subject, name, 3)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
@pytest.mark.parametrize(
    "name",
    [
        "four-shifts",
        "adjacent-as-counted",
        "adjacent-halves-32",
        "brute-force",
        "collider",
        "dhrystone",
        "linear-quadtree",
        "trivial-loops",
    ],
)
def test_edges_and_cycles_of_all_programs_are_those_of_unicorn(cpu: str, name: str) -> None:
    for subject in programs_of(load_case(name), cpus=[cpu], use="prebuilt").subjects:
        assert_same_edges(subject, name, 6)
        assert_same_price(subject, name, 6)


def left_to_unicorn(calls: Calls, terms: CallTerms) -> NoReturn:
    raise AssertionError(f"translated code has left {len(calls)} calls to Unicorn")


def assert_same_price(subject: Subject, name: str, scenes: int, models: Sequence[str] = ()) -> None:
    """Cycles of calls that translated code counts are Unicorn's to the bit, by instruction, too."""
    case = load_case(name)
    made = Scenes.make(case, plan_scenes(case, scenes, 1), sample=NO_SCENE).scenes
    unicorn, counting = (
        Bench.of(case, subject),
        Bench.of(case, subject, covers=True, translated=True),
    )
    counting.machine.calls._counted.count = left_to_unicorn  # type: ignore[method-assign]
    counts = [bench.count(bench.before(made)) for bench in (unicorn, counting)]
    assert counts[0].blocks() == counts[1].blocks()
    assert counts[0].code == counts[1].code
    for cpu in models or [subject.cpu]:
        one, other = (price(each, model_for(cpu)) for each in counts)
        assert one.cycles == other.cycles
        assert (one.instructions, one.mix) == (other.instructions, other.mix)
        assert one.by_address == other.by_address
        assert one.by_source == other.by_source


@pytest.mark.parametrize(
    ("cpu", "models"),
    [("68000", ["68000", "68020", "68030", "68040"]), ("68040", ["68040"]), ("601", ["601"])],
)
def test_cycles_of_calls_are_those_of_unicorn(cpu: str, models: list[str]) -> None:
    (subject,) = programs_of(
        load_case("four-shifts"), cpus=[cpu], builds=["O2"], use="prebuilt"
    ).subjects
    assert_same_price(subject, "four-shifts", 3, models)


def test_calls_that_translated_code_leaves_are_counted_by_unicorn() -> None:
    machine = machine_on(partial(TranslatedEngine, counts=True))
    plain = machine_on(None)
    site = machine.program.function("Bump")
    before = machine.data.copy()[None].repeat(4, axis=0)
    expected = count_calls(plain, site, before)
    assert machine.calls._other is not None
    engine = machine.calls._other.engine
    run = engine.run

    def leaving(entry: CallEntry, calls: Calls) -> StoppedCall | None:
        stopped = run(entry, calls)
        calls.left[2] = "planted"
        return stopped

    engine.run = leaving  # type: ignore[method-assign]
    counts = count_calls(machine, site, before)
    assert counts.blocks() == expected.blocks()
    assert sum(counts.blocks().values()) == 4


@pytest.mark.slow
def test_edges_between_functions_of_llvm_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which run was left has to go from one function of LLVM to the next."""
    monkeypatch.setattr(module, "_MOST_IN_ONE", 40)
    monkeypatch.setattr(module, "_MOST_IN_MANY", 40)
    (subject,) = programs_of(
        load_case("four-shifts"), cpus=["68040"], builds=["O1"], use="prebuilt"
    ).subjects
    assert_same_edges(subject, "four-shifts", 2)


def test_each_call_has_its_own_edges() -> None:
    machine = machine_on(partial(TranslatedEngine, counts=True))
    site = machine.program.function("Bump")
    before = machine.data.copy()[None].repeat(3, axis=0)
    batch = machine.calls.run(site, before)
    (some,) = batch.edges
    assert some.rows.tolist() == [0, 1, 2]
    ((previous, _, address, _),) = some.edges
    assert (previous, address, some.counts.tolist()) == (0, site, [[1], [1], [1]])
    assert edges_together(batch.edges, 3, {1}) == {some.edges[0]: 2}
    assert edges_together(batch.edges, 1) == {some.edges[0]: 1}
