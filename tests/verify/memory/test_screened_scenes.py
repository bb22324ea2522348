"""Checks by translated code: what they alone find, what they leave alone, and who proves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import macproof
from emu.cases.programs.subject import UNICORN, Subject
from emu.checks.levels import CheckLevel
from emu.checks.memory import LeftCalls
from emu.engines.native_code import screen as screen_module
from emu.engines.native_code.process import translated_process
from emu.lift.native.call_loop import OVERTIME_SIGNAL
from emu.lift.shadow.checked_places import AccessPlace, CheckedPlace, CheckedPlaces
from emu.machine import Budget
from emu.machine.calls.call_screen import CallScreen
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.engine.watch.accesses import Access
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.calls.call_sequence import CallSequence
from emu.verify.memory import screened_scenes
from emu.verify.memory.memory_checks import SceneChecks
from emu.verify.memory.screened_scenes import HookPlan, ScreenedScenes
from emu.verify.places import bound_case
from emu.verify.runs import odd_addresses
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.runs.schedule import Run, _run_task
from emu.verify.scenes.sample import EVERY_SCENE
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.memory.test_memory_checks import CASE, REFERENCE, SOURCE

pytestmark = pytest.mark.slow

CPUS = pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
Programs = Callable[..., tuple[macproof.Case, Subject]]


@pytest.fixture
def program(tmp_path: Path, compilers: Callable[..., None]) -> Programs:
    """A case with some lines in its routine, and its program."""
    compilers("68000", "601")

    def make(
        cpu: str, body: str, before: str = "", build: str = "O0"
    ) -> tuple[macproof.Case, Subject]:
        (tmp_path / "work.c").write_text(SOURCE.format(body=body, before=before))
        (tmp_path / "case.yaml").write_text(CASE.format(more="").lstrip())
        (tmp_path / "work_reference.py").write_text(REFERENCE)
        case = macproof.load_case(tmp_path)
        return case, macproof.programs_of(case, cpus=[cpu], builds=[build]).subjects[0]

    return make


def scenes_of(case: macproof.Case) -> Scenes:
    scenes = Scenes.make(case, plan_scenes(case, 2, 1994))
    bench_rows = [row for row, one in enumerate(scenes.preparations) if not one.is_odd]
    return scenes.take(bench_rows)


def screened(case: macproof.Case, subject: Subject) -> tuple[list[str], ScreenedScenes, CallScreen]:
    """The kinds of mistakes that translated code and Unicorn's hooks tell together."""
    scenes = scenes_of(case)
    bench = Bench.of(case, subject, screened=True)
    images = bench.before(scenes.scenes, scenes.preparations)
    checks = ScreenedScenes(subject, bench, images, scenes.specs)
    memory = checks.judge(checks.run())
    screen = bench.machine.calls.screen
    assert screen is not None and memory.is_complete and not screen.left
    return [str(one.kind) for one in memory.violations], checks, screen


def hooked(case: macproof.Case, subject: Subject) -> list[str]:
    """The kinds that hooks tell alone."""
    scenes = scenes_of(case)
    bench = Bench.of(case, subject, checked=True)
    images = bench.before(scenes.scenes, scenes.preparations)
    checks = SceneChecks(bench, images, scenes.specs)
    memory = checks.judge(checks.run())
    assert memory is not None
    return [str(one.kind) for one in memory.violations]


UNSTORED = {
    "a comparison with one number": "volatile short x; if (x == 12345) gSink = 1;",
    "a range of a few numbers": (
        "volatile unsigned short x; if ((unsigned short)(x - 301) < 9) gSink = 1;"
    ),
    "a switch": "volatile short x; switch (x) { case 77: gSink = 1; break; case 999: gSink = 2; }",
    "ten bits that are compared with one number": (
        "volatile short x; if ((x & 0x3FF) == 0x123) gSink = 1;"
    ),
    "a result": "volatile short x; count += x == 12345;",
    "a second one, long after the first": (
        "volatile short x, y, i; gSink = (x & 0) + 1; for (i = 0; i < 3; i++) gSink += i;"
        " if (y == 12345) gSink = 1;"
    ),
}
"""Routines that depend on what nobody has stored, in a way that no other bytes show."""


@CPUS
@pytest.mark.parametrize("what", UNSTORED)
def test_undefined_bits_are_found_where_other_bytes_show_nothing(
    program: Programs, cpu: str, what: str
) -> None:
    case, subject = program(cpu, UNSTORED[what])
    assert hooked(case, subject) == []
    found, checks, _ = screened(case, subject)
    assert found == ["undefined"] and checks.denied == ()


@CPUS
def test_each_instruction_is_told_though_the_place_is_looked_at_once(
    program: Programs, cpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, subject = program(cpu, "volatile char *end = gName + 5; gSink = *end + *end;")
    skipped = []
    plain = CheckedPlaces.checked

    def counted(
        places: CheckedPlaces, place: AccessPlace, *, is_store: bool
    ) -> CheckedPlace | None:
        found = plain(places, place, is_store=is_store)
        skipped.append(found)
        return found

    def noted(checked: Callable[..., CheckedPlace | None]) -> list[Access]:
        folder = tmp_path / f"cache {checked.__name__}"
        monkeypatch.setenv("MACPROOF_CACHE", str(folder))
        monkeypatch.setattr(CheckedPlaces, "checked", checked)
        return screened(case, subject)[2].noted()

    once = noted(counted)
    assert any(one is not None and not one.is_store for one in skipped)
    assert len({one.instruction for one in once}) == 2

    def nowhere(
        places: CheckedPlaces, place: AccessPlace, *, is_store: bool
    ) -> CheckedPlace | None:
        return None

    assert noted(nowhere) == once


RIGHT = {
    "a struct is copied with its padding": (
        "struct { char kind; long size; } here; here.kind = 1; here.size = count;"
        " gTo = *(__typeof__(gTo) *)&here; if (gTo.kind) gSink = gTo.size;",
        "",
    ),
    "bit-fields are stored one after the other": (
        "struct { unsigned a : 3, b : 7, c : 6; } f; f.a = 1; f.c = count; f.b = 2;"
        " if (f.a == 1 && f.b == 2) gSink = f.c;",
        "",
    ),
    "a text is searched by words": (
        "union { char c[8]; unsigned long w[2]; } t; t.c[0] = 'a'; t.c[1] = 0;"
        " if ((t.w[0] - 0x01010101UL) & ~t.w[0] & 0x80808080UL) gSink = 1;",
        "",
    ),
    "a buffer is copied of which half was filled": (
        "char from[16], to[16]; short i; for (i = 0; i < 8; i++) from[i] = i;"
        " for (i = 0; i < 16; i++) to[i] = from[i]; for (i = 0; i < 8; i++) gSink += to[i];",
        "",
    ),
    "registers are saved that hold anything": (
        "gSink = Many(count, 2, 3, 4);",
        "__attribute__((noinline)) long Many(long a, long b, long c, long d) {"
        " long e = a * b, f = b * c, g = c * d, h = d * a, i;"
        ' for (i = 0; i < 3; i++) { e += f; f ^= g; g -= h; h += e; asm("" : : : "memory"); }'
        " return e + f + g + h; }",
    ),
    "a mask keeps the stored bits alone": (
        "volatile unsigned char c[2]; c[1] = count; if (*(unsigned short *)c & 0x00FF) gSink = 1;",
        "",
    ),
}


@CPUS
@pytest.mark.parametrize("build", ["O0", "O2"])
@pytest.mark.parametrize("what", RIGHT)
def test_correct_code_is_left_alone(program: Programs, cpu: str, build: str, what: str) -> None:
    found, checks, screen = screened(*program(cpu, *RIGHT[what], build))
    assert (found, checks.denied, screen.disagreements) == ([], (), [])


def test_no_signal_ends_a_call_of_code_with_checks(program: Programs) -> None:
    """It could have stored to the shadow, which is not laid again: the process ends."""
    case, subject = program("68040", "gSink = gSink;")
    assert screened(case, subject)[0] == []
    process = translated_process()
    process._driven.process.send_signal(OVERTIME_SIGNAL)
    assert process._driven.process.wait(10) == -OVERTIME_SIGNAL
    assert screened(case, subject)[0] == []
    assert translated_process() is not process


@CPUS
def test_what_hooks_do_not_see_is_not_told(program: Programs, cpu: str) -> None:
    case, subject = program(cpu, "gSink = ((volatile char *)gName)[5];")
    found, checks, screen = screened(case, subject)
    assert found == ["read-outside"] and checks.denied == ()
    (noted,) = [one for one in screen.noted() if one.kind.name == "READ_OUTSIDE"]
    assert noted.size == 1 and noted.call == 0


def test_hooks_look_where_no_code_can_be_translated(
    program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise EngineRefusal("no process can be kept from the rest")

    monkeypatch.setattr(screen_module, "ScreeningEngine", refuse)
    case, subject = program("68040", "gSink = ((volatile char *)gName)[5];")
    scenes = scenes_of(case)
    bench = Bench.of(case, subject, screened=True)
    images = bench.before(scenes.scenes, scenes.preparations)
    checks = ScreenedScenes(subject, bench, images, scenes.specs)
    memory = checks.judge(checks.run())
    screen = bench.machine.calls.screen
    assert screen is not None and len(screen.left) == len(scenes.specs)
    assert [str(one.kind) for one in memory.violations] == ["read-outside"]


def test_hooks_do_not_wait_for_a_call_that_did_not_return(
    program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, subject = program("68040", "for (;;) gSink = ((volatile char *)gName)[5];")
    scenes = scenes_of(case).first(1)
    bench = Bench.of(case, subject, screened=True)
    usual = bench.machine.budget
    bench.machine.budget = Budget(blocks=1000, patience=0.02)
    given = []

    def noted(of: Bench, *others: Any, **named: Any) -> SceneChecks:
        given.append(of.machine.budget)
        return SceneChecks(of, *others, **named)

    monkeypatch.setattr(screened_scenes, "SceneChecks", noted)
    images = bench.before(scenes.scenes, scenes.preparations)
    checks = ScreenedScenes(subject, bench, images, scenes.specs)
    memory = checks.judge(checks.run())
    assert [str(one.kind) for one in memory.violations] == ["read-outside"]
    assert given == [Budget(blocks=1000, patience=0.02 / 8)]
    on_unicorn = replace(subject, engine=UNICORN, native=None)
    assert bench_for(case, on_unicorn, checked=True).machine.budget == usual


def test_calls_that_hooks_need_not_look_at_are_counted(
    program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise EngineRefusal("no process can be kept from the rest")

    monkeypatch.setattr(screen_module, "ScreeningEngine", refuse)
    case, subject = program("68040", "gSink = ((volatile char *)gName)[5];")
    scenes = scenes_of(case)
    bench = Bench.of(case, subject, screened=True)
    images = bench.before(scenes.scenes, scenes.preparations)
    first = scenes.specs[0]
    for hooked, found in ((set[SceneSpec](), []), ({first}, ["read-outside"])):
        checks = ScreenedScenes(subject, bench, images, scenes.specs, HookPlan(hooked.__contains__))
        memory = checks.judge(checks.run())
        left = len(scenes.specs) - len(hooked)
        assert memory.left == (LeftCalls(left, "no process can be kept from the rest"),)
        assert [str(one.kind) for one in memory.violations] == found


def test_a_verdict_looks_at_every_access_unless_that_is_not_wanted(program: Programs) -> None:
    case, subject = program("68040", "gSink = ((volatile char *)gName)[5];")
    specs = plan_scenes(case, 2, 1994)
    said = {}
    for checks in CheckLevel:
        (result,) = run_programs(
            case, [subject], Scenes.make(case, specs), is_first=False, checks=checks
        )
        said[checks] = result.verdict
        assert (result.memory is None) is (checks is CheckLevel.USUAL)
    assert said == {
        CheckLevel.USUAL: "verified",
        CheckLevel.SCREENED: "refuted",
        CheckLevel.FULL: "refuted",
    }


@CPUS
def test_a_verdict_says_where_no_code_can_be_translated(
    program: Programs, cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = "llvmlite is not installed"
    monkeypatch.setattr(bound_case, "screen_for", lambda *_: None)
    monkeypatch.setattr(odd_addresses, "why_unscreened", lambda *_: why)
    case, subject = program(cpu, "gSink = ((volatile char *)gName)[5];")
    specs = plan_scenes(case, 2, 1994)
    (result,) = run_programs(
        case,
        [subject],
        Scenes.make(case, specs),
        is_first=False,
        watched=EVERY_SCENE,
        checks=CheckLevel.SCREENED,
    )
    assert result.verdict == "verified" and result.memory is not None
    assert result.memory.left == (LeftCalls(len(specs), why),)
    watched = result.alignment.calls if result.alignment is not None else 0
    assert watched == (len(specs) if cpu == "68000" else 0)


CALLED = """
__attribute__((noinline)) long Inner(volatile char *at) {{ asm(""); return {read}; }}
__attribute__((noinline)) void Outer(volatile char *at) {{ gSink = Inner(at); asm(""); }}
"""
KNOWN = [
    ("68000", CheckLevel.USUAL, "Outer(&gFrom.kind + 1);", "*(volatile short *)at", "misaligned"),
    ("68040", CheckLevel.SCREENED, "volatile char x; Outer(&x);", "*at == 99 ? 7 : 4", "undefined"),
    ("601", CheckLevel.SCREENED, "Outer(gName + 5);", "*at", "read-outside"),
    ("68040", CheckLevel.FULL, "Outer(gName + 5);", "*at", "read-outside"),
]


@pytest.mark.parametrize(("cpu", "checks", "body", "read", "kind"), KNOWN)
def test_a_mistake_is_proved_and_its_callers_are_found_once_in_a_run(
    program: Programs,
    monkeypatch: pytest.MonkeyPatch,
    cpu: str,
    checks: CheckLevel,
    body: str,
    read: str,
    kind: str,
) -> None:
    asked = []
    callers = CallSequence.callers

    def counted(*arguments: Any) -> tuple[int, ...]:
        asked.append(arguments)
        return callers(*arguments)

    monkeypatch.setattr(CallSequence, "callers", counted)
    case, subject = program(cpu, body, CALLED.format(read=read))
    run = Run(case, [subject], plan_scenes(case, 150, 1994), checks=checks)
    showing = []
    for call in run.calls(1):
        assert call is not None
        task, results = _run_task(*call)
        run.keep(task, results)
        showing.append(len(results[0].mistakes))
    (result,) = run.results()
    memory = result.alignment if checks is CheckLevel.USUAL else result.memory
    assert memory is not None
    (violation,) = memory.violations
    assert violation.kind == kind
    assert [one.partition(" (")[0] for one in violation.callers] == ["Outer", "Work"]
    assert sum(showing) == len(asked) == 1 and len(showing) > 2
