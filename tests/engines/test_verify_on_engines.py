"""`verify` and `campaign` on other engines than Unicorn, with real compilers and real engines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import macproof
from emu.base.errors import ToolMissingError, UsageError
from emu.campaign.campaign import run_campaign
from emu.cli import main
from emu.engines.qemu_user import QemuUser
from emu.engines.registry import ENGINES, engine_of
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, StoppedCall
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_plan import plan_scenes
from tests.rows import slow_but
from tests.small_cases import SmallCases

pytestmark = pytest.mark.usefixtures("qemu")

ADDS = """
short gValues[9]; short gCount; int gSum;
extern "C" void Run() {{ gSum = 0; for (short n = 0; n < gCount; n++) gSum += gValues[n]; {} }}
"""
WRONG_SOMETIMES = "if (gValues[0] > 500) gSum += 1;"
CRASHES = "if (gValues[0] > 500) *(volatile int*) 0x00400000 = 1;"
STRAY = "gValues[8] = 1;"


def verified(folder: Path, mistake: str, cpu: str = "68040", **choice: object) -> Result:
    """What becomes of `ADDS`, with a mistake in it, on qemu-user."""
    cases = SmallCases(folder)
    case = cases.make(
        ADDS.format(mistake), "return answer(total=int(scene.values.sum()))", "{gSum: total}"
    )
    return cases.verify(case, cpu, "O1", engine="qemu-user")


@pytest.mark.parametrize("cpu", slow_but(["601"], ["68000", "68040", "601"]))
def test_a_right_routine_is_verified(tmp_path: Path, cpu: str) -> None:
    result = verified(tmp_path, "", cpu)
    assert (result.verdict, result.scenes, result.failures) == ("verified", 12, ())
    assert result.engine.startswith("qemu-user ")
    assert result.instructions is None


def test_a_wrong_value_is_refuted_and_unicorn_is_asked(tmp_path: Path) -> None:
    result = verified(tmp_path, WRONG_SOMETIMES)
    assert result.verdict == "refuted"
    assert 0 < result.diverged < 12
    assert str(result.failures[0]).startswith("gSum is ")
    assert str(result.failures[0]).endswith("; the same on unicorn")


@pytest.mark.slow
def test_a_stray_write_is_refuted(tmp_path: Path) -> None:
    result = verified(tmp_path, STRAY)
    assert result.verdict == "refuted"
    assert "gValues[8]" in str(result.failures[0])


@pytest.mark.slow
def test_a_crash_is_told_by_its_scene(tmp_path: Path) -> None:
    result = verified(tmp_path, CRASHES)
    assert result.verdict == "refuted"
    assert "write of 4 bytes to unmapped memory at 0x00400000 (qemu-user" in result.fault
    assert "(any, " in result.fault


def test_engines_that_disagree_decide_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here qemu-user is made to leave another byte after the third call."""
    real = QemuUser.run

    def broken(self: QemuUser, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        stopped = real(self, entry, calls)
        calls.after[2:3, 0] ^= 1
        return stopped

    monkeypatch.setattr(QemuUser, "run", broken)
    cases = SmallCases(tmp_path)
    reference = "return answer(total=int(scene.values.sum()))"
    case = cases.make(ADDS.format(""), reference, "{gSum: total}")
    subject = replace(cases.subject(case, "68040", "O1"), engine="qemu-user")
    scenes = Scenes.make(case, plan_scenes(case, 2, 1))
    (result,) = run_programs(case, [subject], scenes, is_first=False)
    assert (result.verdict, result.diverged) == ("inconclusive", 0)
    assert result.undecided.startswith("the engines disagree, so this decides nothing: ")
    assert str(result.failures[0]).endswith("; on unicorn: it is right")


WORDS = ("verify", "four-shifts", "--build", "O2", "--programs", "prebuilt", "--scenes", "7")


def test_every_engine_of_a_run_has_its_result(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    engines = ("--engine", "unicorn", "--engine", "qemu-user")
    assert main([*WORDS, "--cpu", "68040", *engines, "--json", str(file), "--quiet"]) == 0
    report = json.loads(file.read_text())
    named = [one["engine"] for one in report["results"]]
    assert named[0].startswith("unicorn ")
    assert named[1].startswith("qemu-user ")
    assert named[1].endswith(", m68040")
    assert report["receipt"]["engine"] == ", ".join(named)
    assert [one["isa"]["checked"] for one in report["results"]] == [True, False]


def test_the_terminal_names_engines_and_versions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "--cpu", "601", "--engine", "qemu-user"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"601 O2 on qemu-user: executed by {ENGINES['qemu-user'].describe()}, 604, which" in told


@pytest.mark.slow
def test_a_campaign_on_qemu_finds_what_one_on_unicorn_finds(tmp_path: Path) -> None:
    selection = macproof.programs_of("four-shifts", cpus=["68040"], builds=["O2"], use="prebuilt")
    reports = [
        run_campaign(
            tmp_path / engine, replace(selection, engines=(engine,)), scenes=40, shard=20, jobs=1
        )
        for engine in ("unicorn", "qemu-user")
    ]
    assert [one.verdict for one in reports] == ["verified"] * 2
    assert reports[0].answers_sha256 == reports[1].answers_sha256
    assert reports[0].results[0].comparisons == reports[1].results[0].comparisons
    assert reports[1].results[0].engine.startswith("qemu-user ")
    with pytest.raises(UsageError, match="engine is qemu-user"):
        run_campaign(tmp_path / "qemu-user", selection, scenes=40, shard=20)


def test_a_missing_engine_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    selection = macproof.programs_of("four-shifts", cpus=["68040"], use="prebuilt")
    with pytest.raises(ToolMissingError, match="apt-get install qemu-user") as caught:
        macproof.verify("four-shifts", replace(selection, engines=("qemu-user",)), scenes=7)
    assert caught.value.exit_code == 3


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no engine qemu; did you mean qemu-user\?"):
        engine_of("qemu")


HALVES = """
short gValues[9]; short gCount; int gSum;
extern "C" void Run() {{
  gSum = 0;
  for (short n = 0; n < gCount; n++) {{
    short value = gValues[n] - 500, *place = &value;
    asm volatile("{}.w (%1)" : "+m"(value) : "a"(place) : "cc");
    gSum += value;
  }}
}}
"""
HALF = "return answer(total=int(sum((int(value) - 500) >> 1 for value in scene.values)))"


@pytest.mark.parametrize(
    ("engine", "shift", "verdict"),
    [
        ("unicorn", "asr", "verified"),
        ("unicorn", "lsr", "refuted"),
        ("qemu-user", "lsr", "inconclusive"),
        *(("musashi", *one) for one in (("asr", "verified"), ("lsr", "refuted"))),
        *(("translated", *one) for one in (("asr", "verified"), ("lsr", "refuted"))),
    ],
)
def test_a_shift_of_a_word_in_memory_is_not_taken_for_another(
    tmp_path: Path, engine: str, shift: str, verdict: str
) -> None:
    try:
        engine_of(engine).describe()
    except ToolMissingError as error:
        pytest.skip(str(error))
    cases = SmallCases(tmp_path)
    case = cases.make(HALVES.format(shift), HALF, "{gSum: total}")
    if engine == "qemu-user":
        with pytest.raises(EngineRefusal, match="LSR of a word in memory, which QEMU executes"):
            cases.verify(case, "68040", "O1", engine=engine)
        return
    result = cases.verify(case, "68040", "O1", engine=engine)
    assert result.verdict == verdict
