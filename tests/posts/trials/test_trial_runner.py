"""The bench: what becomes of a call on one given scene, whatever that is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import ProgramError, UsageError
from emu.base.processes.workers import Workers
from emu.cases.find import load_case
from emu.cases.programs.subject import Subject
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from posts.trials.locations import find_location
from posts.trials.trial import Setup, TrialOutcome, try_scenes
from posts.trials.trial_runner import TrialRunner
from pyref.scene import scene_from_corners
from pyref.sectors.four_shifts import determine_collisions

MACS = ("68000", "68040", "601")
PAIR = scene_from_corners([(10, 10), (20, 20), (300, 300)])
OFF = scene_from_corners([(-40, 10), (-45, 12)])
RING = scene_from_corners([(704, 128)])  # where objects have 12 bytes
BEYOND = scene_from_corners([(672, 0)])


@pytest.fixture(scope="module")
def bench() -> Iterator[TrialRunner]:
    """A bench with programs that need no compiler."""
    with TrialRunner(programs="prebuilt", jobs=2) as one:
        yield one


def test_a_scene_that_the_reference_knows(bench: TrialRunner):
    found = bench.run("four-shifts", PAIR)
    assert tuple(found) == MACS
    for cpu, outcome in found.items():
        assert outcome.cpu == cpu
        assert outcome.returned
        assert outcome.agrees is True
        assert outcome.comparisons > 300
        assert outcome.values["gCollisionArray"][:3].tolist() == [1, 1, 0]


def test_a_scene_that_the_reference_refuses(bench: TrialRunner):
    with pytest.raises(ValueError, match="is outside"):
        determine_collisions(OFF)
    for outcome in bench.run("four-shifts", OFF).values():
        assert outcome.returned
        assert outcome.agrees is None
        assert "is outside" in outcome.difference
        assert outcome.comparisons == 0
        assert outcome.values["gCollisionArray"][:2].tolist() == [0, 0]


def test_a_call_that_never_returns_and_what_it_left(bench: TrialRunner):
    setup = Setup(blocks=5000)
    found = bench.start("four-shifts", [RING, PAIR], setup, cpus=["68040"])()["68040"]
    assert found[0].fault is not None
    assert found[0].fault.kind == "budget"
    assert found[0].values["gObjects.obj_link"][0] == 0
    assert found[1].agrees is True, "the next call is not the worse for it"


def test_places_that_are_watched_and_read(bench: TrialRunner):
    places = ("gSectorArray[99]", "gSectorArray[98]", "gSectorArray[0]")
    setup = Setup(watch=places, read=places)
    outcome = bench.run("four-shifts", BEYOND, setup)["68040"]
    assert outcome.stored == {"gSectorArray[99]": True, "gSectorArray[98]": True, places[2]: True}
    assert outcome.pointers == {places[0]: "gObjects[0]", places[1]: "null", places[2]: "null"}
    assert outcome.instructions > 1000
    inside = bench.run("four-shifts", PAIR, Setup(watch=("gObjects[3].sector_link",)))["68040"]
    assert inside.stored == {"gObjects[3].sector_link": False}


def test_a_wrong_reference_is_seen(bench: TrialRunner, monkeypatch: pytest.MonkeyPatch):
    """In this process, where it can be replaced."""
    case = load_case("four-shifts")
    (subject,) = bench.subjects(case, cpus=["68040"])
    right = try_scenes(case.path, subject, Setup(), [PAIR])[0]
    assert right.agrees is True
    monkeypatch.setattr(
        "pyref.sectors.four_shifts.determine_collisions",
        lambda scene: determine_collisions(scene_from_corners(scene.corners + 300)),
    )
    monkeypatch.setattr(
        "pyref.sectors.four_shifts.X_LIMIT", 100_000
    )  # the moved scene is to be refused by nobody
    wrong = try_scenes(case.path, subject, Setup(), [scene_from_corners([(10, 10), (20, 20)])])[0]
    assert wrong.agrees is False
    assert "expected" in wrong.difference


def test_a_worker_that_goes_down_is_told_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
):
    with (
        TrialRunner(cpus=("68040",), programs="prebuilt", jobs=1) as other,
        monkeypatch.context() as m,
    ):
        m.setattr("posts.trials.trial_runner.try_scenes", _end)
        (outcome,) = other.run("four-shifts", PAIR).values()
        m.undo()
        after = other.run("four-shifts", scene_from_corners([(10, 10), (20, 20)]))["68040"]
    assert after.agrees is True
    assert "brought the engine's process down" in outcome.crash
    assert not outcome.returned
    assert outcome.agrees is None


def _end(*_: object) -> list[TrialOutcome]:
    os._exit(3)


def test_the_same_scenes_are_run_once(bench: TrialRunner, monkeypatch: pytest.MonkeyPatch):
    calls = []
    submit = Workers.submit

    def counted(self: Workers, *arguments: object, **how: object) -> object:
        calls.append(arguments)
        return submit(self, *arguments, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Workers, "submit", counted)
    scene = scene_from_corners([(1, 1)])
    first = bench.run("four-shifts", scene)
    second = bench.run("four-shifts", scene)
    bench.run("four-shifts", scene_from_corners([(1, 1)]))
    assert len(calls) == 6
    assert first["601"] is second["601"]


@pytest.mark.parametrize(
    ("text", "offset", "size"),
    [
        ("gSectorArray", 0, 4),
        ("gSectorArray[99]", 396, 4),
        ("gSectorArray[-9]", -36, 4),
        ("gSectorArray[2] + 6", 14, 4),
        ("gSectorArray[2] - 1", 7, 4),
    ],
)
def test_places(bench: TrialRunner, text: str, offset: int, size: int):
    (subject,) = bench.subjects(load_case("four-shifts"), cpus=["68040"])
    machine = machine_of(subject)
    base = machine.program.variable("gSectorArray").address
    place = find_location(machine, text)
    assert (place.address - base, place.size) == (offset, size)


def machine_of(subject: Subject) -> BareMachine:
    return BareMachine(read_elf(subject.program), CPUS[subject.cpu], heap_size=4096)


def test_places_of_members_and_of_the_heap(bench: TrialRunner):
    (subject,) = bench.subjects(load_case("four-shifts"), cpus=["68040"])
    machine = machine_of(subject)
    objects = machine.program.variable("gObjects").address
    assert find_location(machine, "gObjects[-1].obj_link").address == objects - 4
    heap = machine.memory.region("heap")
    assert find_location(machine, "heap").address == heap.address
    assert find_location(machine, "heap_end - 100").address == heap.end - 100
    for wrong in ("gObjects[1", "gObjects[1].nothing", "2", "gObjects -1"):
        with pytest.raises(UsageError):
            find_location(machine, wrong)
    with pytest.raises(ProgramError):
        find_location(machine, "gNothing[1]")


def test_what_the_bench_refuses(bench: TrialRunner):
    with pytest.raises(UsageError, match="there is no case"):
        bench.run("four-shift", PAIR)
    with pytest.raises(UsageError, match="has no build O9"), TrialRunner(builds=("O9",)) as other:
        other.run("four-shifts", PAIR)
    with pytest.raises(UsageError, match="has programs for"), TrialRunner(cpus=("mips",)) as other:
        other.run("four-shifts", PAIR)


def test_several_builds_have_names_of_their_own():
    with TrialRunner(builds=("O2", "period"), cpus=("601",), programs="prebuilt") as both:
        found = both.run("four-shifts", PAIR)
    assert list(found) == ["601 O2", "601 period"]
    assert np.array_equal(
        found["601 O2"].values["gSectorArray"], found["601 period"].values["gSectorArray"]
    )


def test_a_source_in_place_of_a_case_s_own(
    compilers: Callable[..., None], changed: Callable[..., str], tmp_path: Path
):
    compilers("68040")
    source = tmp_path / "blind.cpp"
    source.write_text(changed({"gCollisionArray[b - gObjects] = 1;": ";"}))
    with TrialRunner(cpus=("68040",), sources={"four-shifts": source}) as other:
        outcome = other.run("four-shifts", PAIR)["68040"]
    assert outcome.agrees is False
    assert "gCollisionArray[0] is 0, expected 1" in outcome.difference
