"""Cycles of new programs beside those of the program that says what is right."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from emu.base.processes.workers import Workers
from emu.cases.case import Case, Opponent
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.cycles.comparison import (
    FunctionCycles,
    NamedCycles,
    ProgramCycles,
    cycle_comparison,
    cycle_row,
)
from emu.report.document import Points, Section, Table
from emu.timing.old_and_new import MOST_SCENES, _alike, _spread, cycles_beside
from emu.timing.predict import TimedProgram, TimingPlan, predict_program
from emu.toolchain.build_cache import digest_of
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_plan import plan_scenes
from tests.report.schemas import read

PLAN = TimingPlan("uniform", (30,), 3, 1994)
ROOT = Path(__file__).parents[2]
Beside = Callable[..., ProgramCycles]


def against(case: Case, subject: Subject) -> Case:
    """The case, with what a program leaves as what is right."""
    file = subject.program
    name = f"{subject.cpu} {subject.build}"
    return read_case(case.path, against=Opponent(file, subject.cpu, name, digest_of(file)))


@pytest.fixture
def beside(case: Case, prebuilt: Callable[..., list[Subject]]) -> Iterator[Beside]:
    """The cycles of a program of four-shifts beside those of another; each is (CPU, build)."""
    with Workers(1) as workers:

        def compare(new: tuple[str, str], old: tuple[str, str]) -> ProgramCycles:
            one, other = (prebuilt((cpu,), (build,))[0] for cpu, build in (new, old))
            (found,) = cycles_beside(against(case, other), [one], PLAN.specs(30), workers)
            return found

        yield compare


def test_old_and_new_are_what_timing_says_of_each(
    beside: Beside, case: Case, prebuilt: Callable[..., list[Subject]]
) -> None:
    found = beside(("68040", "O2"), ("68040", "O0"))
    predicted = [
        predict_program(case, TimedProgram(prebuilt(("68040",), (build,))[0], "own.cpp"), PLAN)
        for build in ("O0", "O2")
    ]
    old, new = (one.sizes[30] for one in predicted)
    whole = found.whole
    assert whole is not None
    assert (whole.cpu, found.old_cpu, whole.calls) == ("68040", "68040", 3)
    assert whole.old / 3 == pytest.approx(old.cycles)
    assert whole.new / 3 == pytest.approx(new.cycles)
    assert whole.old_instructions / 3 == pytest.approx(old.instructions)
    assert whole.new_instructions / 3 == pytest.approx(new.instructions)
    assert whole.ratio < 0.5


def test_functions_add_up_to_the_routine(beside: Beside) -> None:
    found = beside(("68040", "period"), ("68040", "O0"))
    assert found.whole is not None
    names = [one.name for one in found.functions]
    assert {"_DetermineCollisions", "UpdateSectors", "_UpdateCollisionArray"} <= set(names)
    assert len(set(names)) == len(names)
    for whole, parts in (
        (found.whole.old, [one.cycles.old for one in found.functions]),
        (found.whole.new, [one.cycles.new for one in found.functions]),
    ):
        assert sum(parts) == pytest.approx(whole)
    slower = {one.name for one in found.functions if one.cycles.new > one.cycles.old}
    assert "_UpdateCollisionArray" not in slower


def test_exchanged_programs_have_exchanged_figures(beside: Beside) -> None:
    found, other = (
        one.whole
        for one in (
            beside(("68040", "O2"), ("68040", "O0")),
            beside(("68040", "O0"), ("68040", "O2")),
        )
    )
    assert found is not None
    assert other is not None
    assert (found.old, found.new) == (other.new, other.old)
    assert found.ratio == pytest.approx(1 / other.ratio)


def test_each_processor_has_its_own_model_where_none_prices_both(beside: Beside) -> None:
    found = beside(("601", "O2"), ("68040", "O2"))
    assert found.whole is not None
    assert (found.whole.cpu, found.old_cpu) == ("601", "68040")
    same = beside(("68040", "O2"), ("68000", "O2"))
    assert same.whole is not None
    assert (same.whole.cpu, same.old_cpu) == ("68040", "68040")


def test_what_the_model_cannot_price_is_said(
    case: Case, prebuilt: Callable[..., list[Subject]]
) -> None:
    (old,) = prebuilt(("68000",), ("O2",))
    (new,) = prebuilt(("68040",), ("O0",))
    unknown = dataclasses.replace(new, cpu="68030")
    twice = [unknown, dataclasses.replace(unknown, engine="musashi")]
    with Workers(1) as workers:
        (found,) = cycles_beside(against(case, old), twice, PLAN.specs(30), workers)
    assert found.whole is None
    assert found.why.startswith("68030: no timing for clr.l ")


def test_calls_that_differ_do_not_count(case: Case, bind_case: Callable[..., Bench]) -> None:
    bench, scenes = bind_case("601", "O2"), Scenes.make(case, PLAN.specs(30))
    images = bench.expect(bench.before(scenes.scenes), scenes.references)
    assert _alike(bench, images) == [0, 1, 2]
    place = bench.bound.slots.observed[0].start
    expected = images.expected.copy()  # programs in which values lie alike share the images
    expected[1, place] ^= 0xFF
    assert _alike(bench, dataclasses.replace(images, expected=expected)) == [0, 2]


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_calls_with_a_toolbox_beside_them_are_counted_alike(
    case: Case, prebuilt: Callable[..., list[Subject]], cpu: str
) -> None:
    (subject,) = prebuilt((cpu,), ("O2",))
    scenes = Scenes.make(case, PLAN.specs(30)).scenes
    plain, covering = Bench.of(case, subject), Bench.of(case, subject, covers=True)
    images = covering.before(scenes)
    found = covering.stages(images).calls.count_answered(images)
    expected = plain.count(plain.before(scenes))
    assert found.calls == expected.calls
    assert sorted(found.edges.tolist()) == sorted(expected.edges.tolist())
    assert found.code == expected.code


def test_scenes_are_spread_over_all() -> None:
    specs = TimingPlan("uniform", (5,), 100, 1).specs(5)
    chosen = _spread([*specs, *specs])
    assert len(chosen) == MOST_SCENES
    assert (chosen[0], chosen[-1]) == (specs[0], specs[-1])
    assert len(set(chosen)) == MOST_SCENES
    assert _spread(specs[:7]) == specs[:7]


# -- as it is told -----------------------------------------------------------------------------


def figures(cpu: str, old: float, new: float) -> FunctionCycles:
    return FunctionCycles(cpu, 2, 0, 10, old, 10, new)


def told(section: Section) -> tuple[list[Table], list[str]]:
    tables = [part for part in section.parts if isinstance(part, Table)]
    points = [str(p) for part in section.parts if isinstance(part, Points) for p in part.texts]
    return tables, points


def test_the_sections_name_both_programs_and_the_ratio() -> None:
    one = ProgramCycles(
        "68040 O2", "68040", figures("68040", 400, 100), (NamedCycles("", figures("68040", 4, 1)),)
    )
    other = ProgramCycles("601 O2", "68000", figures("601", 1000, 500))
    lost = ProgramCycles("68000 O2", "", None, why="a call does not return")
    whole, by_function = cycle_comparison([one, other, lost], "Draw of Old.bin")
    (table,), points = told(whole)
    assert table.rows == (
        ("68040 O2", "2", "200.0", "50.0", "0.25"),
        ("601 O2", "2", "500.0", "250.0", "0.50"),
    )
    assert points[0].startswith("Old is Draw of Old.bin.")
    assert "68000 O2: the cycles are not known: a call does not return." in points
    assert [p for p in points if "two processors" in p] == [p for p in points if "601 O2" in p]
    tables, _ = told(by_function)
    assert by_function.is_detail
    assert [table.columns[0] for table in tables] == ["68040 O2", "601 O2"]
    assert tables[0].rows == (("no symbol", "2", "2.0", "0.5", "0.25"),)
    assert not list(cycle_comparison([], "Old.bin"))


def test_a_function_of_one_program_has_no_ratio() -> None:
    assert cycle_row("f", figures("601", 0, 8))[-1] == "-"


ONE = ("--cpu", "601", "--build", "O2", "--programs", "prebuilt", "--scenes", "4")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("four-shifts", *ONE), "no program says what is right for four-shifts: give --against"),
        (("four-shifts", "brute-force"), "--cycles is about the program of one case; name the"),
    ],
)
def test_cycles_need_another_program(
    macproof: Callable[..., Any], words: Sequence[str], message: str
) -> None:
    done = macproof("verify", *words, "--cycles")
    assert done.code == 2
    assert message in done.err


@pytest.mark.slow
def test_every_form_of_the_report_has_the_cycles(
    macproof: Callable[..., Any], tmp_path: Path
) -> None:
    outputs = {form: tmp_path / f"report.{form}" for form in ("json", "html", "md")}
    options = [word for form, path in outputs.items() for word in (f"--{form}", str(path))]
    options[options.index("--md")] = "--markdown"
    old = ROOT / "mac_src" / "prebuilt" / "four-shifts-601-O0.elf"
    done = macproof("verify", "four-shifts", *ONE, "--against", str(old), "--cycles", *options)
    assert done.code == 0
    data = read(outputs["json"], "macproof.report/1")
    (cycles,) = data["cycles"]
    assert cycles["program"] == "601 O2"
    assert cycles["whole"]["new"] < cycles["whole"]["old"]
    ratio = f"{cycles['whole']['new'] / cycles['whole']['old']:.2f}"
    for text in (done.out, outputs["html"].read_text(), outputs["md"].read_text()):
        assert "new over old" in text
        assert ratio in text
    without = macproof("verify", "four-shifts", *ONE, "--against", str(old))
    assert "new over old" not in without.out


@pytest.mark.slow
def test_a_routine_without_a_name_is_told_by_that_of_the_case(
    compilers: Callable[..., None],
) -> None:
    compilers("68000")
    case = read_case(ROOT / "examples" / "old-application" / "case.yaml")
    subjects = programs_of(case, cpus=["68000"], builds=["O2"]).subjects
    specs = TimingPlan("any", (60,), 3, 1).specs(60)
    with Workers(1) as workers:
        (found,) = cycles_beside(case, subjects, specs, workers)
    assert found.functions[0].name == "update"
    assert min(found.functions[0].cycles.old, found.functions[0].cycles.new) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "traps"), [("68000", {"TickCount", "BlockMove"}), ("601", set())])
def test_a_routine_that_asks_the_toolbox(
    compilers: Callable[..., None], cpu: str, traps: set[str]
) -> None:
    """Glue of both programs is the same, and what the Toolbox does is left out."""
    compilers(cpu)
    case = read_case(ROOT / "examples" / "stopwatch" / "case.yaml")
    old, new = programs_of(case, cpus=[cpu], builds=["O0", "O2"]).subjects
    specs = plan_scenes(case, 4, 1)[:4]
    with Workers(1) as workers:
        (found,) = cycles_beside(against(case, old), [new], specs, workers)
    assert found.whole is not None, found.why
    assert found.whole.ratio < 0.7
    glue = {one.name: one.cycles for one in found.functions if one.name in traps}
    assert glue.keys() == traps
    assert all(one.old == one.new > 0 for one in glue.values())
