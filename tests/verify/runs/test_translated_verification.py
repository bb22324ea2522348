"""A verification without a named engine: translated code makes calls, Unicorn makes the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.cases.find import load_case
from emu.cases.programs.programs import Selection, programs_of
from emu.commands.interface.options import on_engines
from emu.engines import usual_engine
from emu.engines.native_code.process import TranslatedProcess
from emu.engines.usual_engine import UsualEngine
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, StoppedCall
from emu.verify.batches import benches
from emu.verify.documents.comparison_document import translated_clause
from emu.verify.runs import schedule
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.runs.verdicts import CallCounts, Result
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.verification import Verification, verify
from tests.small_cases import SmallCases

FEW = 12


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))
    benches._kept_case.cache_clear()


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is translated after its first scene."""
    monkeypatch.setattr(schedule, "FEWEST_INSTRUCTIONS", 0)


def four_shifts(**changes: object) -> Selection:
    case = load_case("four-shifts")
    programs = programs_of(case, cpus=["68040"], builds=["O2"], use="prebuilt")
    return replace(programs, **changes)  # type: ignore[arg-type]


def facts(found: Verification) -> dict[str, object]:
    """What must not depend on the engine."""
    (result,) = found.report.results
    left_out = {"engine", "translated", "untranslated", "reasons"}
    names = (name for name in type(result).__dataclass_fields__ if name not in left_out)
    of_result = {name: getattr(result, name) for name in names}
    return {**of_result, "unreached": found.report.unreached}


@pytest.mark.usefixtures("always")
def test_translated_code_makes_calls_and_finds_what_unicorn_finds() -> None:
    programs = four_shifts()
    usual = verify(programs.case, programs, scenes=FEW, jobs=1)
    unicorn = verify(programs.case, on_engines(programs, ["unicorn"]), scenes=FEW, jobs=1)
    assert facts(usual) == facts(unicorn)
    (result,) = usual.report.results
    assert result.engine.startswith("unicorn ")
    assert "translated (pypcode " in result.engine
    assert result.name == "68040 O2"
    assert 0 < result.translated < result.calls
    (alone,) = unicorn.report.results
    assert (alone.translated, alone.untranslated) == (0, 0)
    assert "translated" not in alone.engine
    text = str(usual.document)
    calls, made = result.calls, result.translated
    assert f"{made} of {calls} calls in translated code, {calls - made} on unicorn: the" in text
    assert usual.document.checks[0].properties["translated_calls"] == str(made)
    assert usual.report.receipt.engine == result.engine
    assert usual.report.unreached is not None
    (share,) = usual.report.unreached.shares
    assert 0 < share.executed <= share.total
    said = f"Executed: {share.executed} of {share.total} lines with code of 68040 O2."
    assert said in text


def test_programs_that_execute_little_are_not_translated() -> None:
    programs = four_shifts()
    (result,) = verify(programs.case, programs, scenes=FEW, jobs=1).report.results
    assert result.instructions is not None
    assert result.instructions.count * FEW < schedule.FEWEST_INSTRUCTIONS
    assert (result.translated, result.untranslated) == (0, 0)


def in_this_process() -> Result:
    """What becomes of a program whose calls translated code makes here."""
    programs = four_shifts()
    case, subject = programs.case, programs[0]
    scenes = Scenes.make(case, plan_scenes(case, FEW, 1))
    (result,) = run_programs(case, [subject], scenes, is_first=False, translated=[subject])
    return result


def refuse(*_: object) -> None:
    raise EngineRefusal("there is no room")


def test_where_nothing_can_be_translated_unicorn_makes_all_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mmap.PAGESIZE", 1 << 14)
    result = in_this_process()
    assert (result.verdict, result.translated, result.untranslated) == ("verified", 0, 0)
    assert "translated" not in result.engine


def test_where_memory_cannot_be_laid_unicorn_makes_the_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(UsualEngine, "_process_with", refuse)
    result = in_this_process()
    assert (result.verdict, result.translated) == ("verified", 0)
    assert result.untranslated == sum(result.calls)
    assert result.reasons == ("there is no room",)


def test_a_large_program_is_not_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usual_engine, "MOST_CODE", 100)
    result = in_this_process()
    assert (result.verdict, result.translated, result.untranslated) == ("verified", 0, 0)


def test_after_a_call_that_ends_the_process_unicorn_makes_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = TranslatedProcess.make

    def make(self: TranslatedProcess, count: int, *terms: Any) -> tuple[int, str]:
        assert count > 2
        return real(self, 2, *terms)[0], "did not return"

    monkeypatch.setattr(TranslatedProcess, "make", make)
    result = in_this_process()
    assert (result.verdict, result.translated) == ("verified", 2)
    assert result.reasons == (
        "the call did not return",
        "other calls have ended the process",
    )


def test_engines_that_disagree_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here translated code is made to leave another byte after the third call."""
    real = UsualEngine.run

    def broken(self: UsualEngine, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        stopped = real(self, entry, calls)
        calls.after[2:3, 0] ^= 1
        return stopped

    monkeypatch.setattr(UsualEngine, "run", broken)
    result = in_this_process()
    assert (result.verdict, result.diverged) == ("inconclusive", 0)
    assert result.undecided.startswith("the engines disagree, so this decides nothing: ")
    assert str(result.failures[0]).endswith("; on unicorn: it is right")


@pytest.mark.parametrize(
    ("made", "left", "reasons", "says"),
    [
        (0, 0, (), ""),
        (10, 0, (), "all 10 calls in translated code"),
        (8, 2, ("divs", "trap"), "8 of 10 calls in translated code, 2 on unicorn: divs; trap"),
        (5, 2, ("divs",), "5 of 10 calls in translated code, 5 on unicorn: the first scene; divs"),
        (0, 10, ("trap",), "0 of 10 calls in translated code, 10 on unicorn: trap"),
    ],
)
def test_where_calls_were_made_is_said(
    made: int, left: int, reasons: tuple[str, ...], says: str
) -> None:
    counts = CallCounts(translated=made, untranslated=left)
    assert translated_clause(10, counts, reasons) == says


ADDS = """
short gValues[9]; short gCount; int gSum;
extern "C" void Run() {{ gSum = 0; for (short n = 0; n < gCount; n++) gSum += gValues[n]; {} }}
"""


@pytest.mark.parametrize(
    "mistake",
    [
        "if (gValues[0] > 500) gSum += 1;",
        "if (gValues[0] > 500) gValues[8] = 1;",
        "if (gValues[0] > 500) *(volatile int*) 0x00400000 = 1;",
        'if (gValues[0] > 500) asm volatile("addq.l #1, %%d7" ::: "cc");',
    ],
)
def test_what_is_wrong_is_told_as_on_unicorn(tmp_path: Path, mistake: str) -> None:
    cases = SmallCases(tmp_path)
    answer = "return answer(total=int(scene.values.sum()))"
    case = cases.make(ADDS.format(mistake), answer, "{gSum: total}")
    subject = cases.subject(case, "68040", "O1")
    scenes = Scenes.make(case, plan_scenes(case, FEW, 1))
    mine, its = (
        run_programs(case, [subject], scenes, is_first=False, translated=translated)[0]
        for translated in ([subject], [])
    )
    assert its.verdict != "verified"
    assert "translated" in mine.engine or not sum(mine.calls)
    assert _bytes_of(mine) == _bytes_of(its)
    assert _without_engine(mine) == _without_engine(its)


def _without_engine(result: Result) -> Result:
    return replace(result, engine="", translated=0, untranslated=0, reasons=(), reached=())


def _bytes_of(result: Result) -> set[int]:
    """The addresses of code that was executed: the two engines divide it into other blocks."""
    return {at for start, size in result.reached or () for at in range(start, start + size)}
