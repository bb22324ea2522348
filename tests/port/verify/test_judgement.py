"""Functions of a port are judged in other processes, only where something has changed, together."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from emu.base.processes.workers import ProcessDown
from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED
from emu.port.project.project import read_project
from emu.port.status.verdicts import read_verdicts
from emu.port.verify import judgement
from emu.port.verify.documents import PortVerifyReport, exit_code, verify_document
from emu.port.verify.judgement import verify_port
from emu.port.verify.terms import VaryTerms, VerifyTerms
from tests.port.verify.old_game_port import record, recorded_port

NAMES = ["Place", "CountDiscs", "DrawScore"]
CHANGED = VerifyTerms(only_changed=True)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    compilers("68040")
    return recorded_port(tmp_path_factory.mktemp("game") / "old-game", [*NAMES, "DrawBoard"], 4)


@pytest.fixture
def port(recorded: Path, tmp_path: Path) -> Path:
    shutil.copytree(recorded.parent, tmp_path / "old-game")
    return tmp_path / "old-game" / "port"


def judge(
    port: Path, names: Sequence[str] = NAMES, terms: VerifyTerms = CHANGED
) -> PortVerifyReport:
    return verify_port(read_project(port), names, terms)


def words(report: PortVerifyReport) -> dict[str, str]:
    return {one.name: one.verdict for one in report.functions}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_only_what_has_changed_is_judged_again(port: Path) -> None:
    first = judge(port)
    assert (words(first)["DrawScore"], first.kept) == (REFUTED, ())
    again = judge(port)
    assert again.kept == tuple(NAMES)
    assert again.functions == first.functions
    assert exit_code(again) == 1
    assert verify_document(again).lead[0].startswith("0 of 3 functions were judged again")
    swapped = "MoveTo(box.bottom - 6, box.left + 4)"
    edit(port / "picture.c", swapped, "MoveTo(box.left + 4, box.bottom - 6)")
    mended = judge(port)
    assert mended.kept == ("Place", "CountDiscs")
    assert set(words(mended).values()) == {VERIFIED}
    (port / "turncoat.h").write_text((port / "turncoat.h").read_text() + "\n")
    assert judge(port).kept == ()


def test_other_calls_and_other_terms_are_changes_too(port: Path) -> None:
    judge(port, ["Place"])
    assert judge(port, ["Place"]).kept == ("Place",)
    record(port, ["Place"], 3)
    fewer = judge(port, ["Place"])
    assert (fewer.kept, fewer.functions[0].calls) == ((), 3)
    varied = VerifyTerms(vary=VaryTerms(5), only_changed=True)
    assert judge(port, ["Place"], varied).kept == ()
    assert judge(port, ["Place"], varied).kept == ("Place",)
    assert judge(port, ["Place"]).kept == ("Place",), "it was judged on more than is asked"
    assert judge(port, ["Place"], VerifyTerms("Os", only_changed=True)).kept == ()


def test_marks_of_other_files_and_new_code_that_is_called_are_changes_too(port: Path) -> None:
    helper = port / "helper.c"
    helper.write_text("short Extra(void) { return 0; }\n")
    edit(port / "port.yaml", "sources: [", "sources: [helper.c, ")
    text = (
        (port / "rules.c").read_text().replace("    short count = 0;", "    short count = Extra();")
    )
    (port / "rules.c").write_text("short Extra(void);\n" + text)
    assert words(judge(port))["CountDiscs"] == VERIFIED
    assert judge(port).kept == tuple(NAMES)
    helper.write_text("short Extra(void) { return 1; }\n")
    seen = judge(port)
    assert (seen.kept, words(seen)["CountDiscs"]) == (("DrawScore",), REFUTED)
    edit(port / "state.c", "// GLOBAL: A5-0x1e6", "// no mark")
    assert judge(port).kept == tuple(NAMES), "only machine.c uses that global"
    edit(port / "state.c", "// GLOBAL: A5-0x230", "// GLOBAL: A5-0x22e")
    assert judge(port).kept == (), "all their files use the board"


def test_together_a_mistake_of_a_callee_is_seen_and_alone_it_is_not(port: Path) -> None:
    assert words(judge(port, ["DrawBoard"])) == {"DrawBoard": VERIFIED}
    report = judge(port, ["DrawBoard"], VerifyTerms(together=True))
    assert words(report) == {"DrawBoard": REFUTED}
    assert "of MoveTo (Toolbox call" in report.functions[0].reason
    assert "What new functions call was new, too." in verify_document(report).lead
    # The verdict is about all sources, so that a change in any of them ends it.
    (port / "rules.c").write_text((port / "rules.c").read_text() + "\n")
    (verdict,) = read_verdicts(read_project(port)).values()
    assert verdict.verdict == INCONCLUSIVE
    assert "a source has changed since its verdict, which was about all" in verdict.reason


def test_what_is_edited_while_it_is_judged_has_no_verdict(
    port: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edited(*arguments: Any) -> Any:
        (port / "rules.c").write_text((port / "rules.c").read_text() + "\n")
        return built(*arguments)

    built = judgement.build_port
    monkeypatch.setattr(judgement, "build_port", edited)
    assert words(judge(port, ["Place"])) == {"Place": VERIFIED}
    (verdict,) = read_verdicts(read_project(port)).values()
    assert (verdict.name, verdict.verdict) == ("Place", INCONCLUSIVE)


def test_a_function_that_brings_its_process_down_has_no_verdict_and_others_have(
    port: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Down(judgement.GuestWorkers):
        """As if the process of both had crashed."""

        def once(self, function: Any, *arguments: Any, alone: Any = None) -> Any:
            return alone(*arguments)

    def apart(judge_: Any, work: Any, functions: Any, program: str) -> Any:
        if program == "Place":
            raise ProcessDown("the guest code brought the engine's process down (SIGABRT)")
        return judge_(work, functions)

    monkeypatch.setattr(judgement, "GuestWorkers", Down)
    monkeypatch.setattr(judgement, "run_apart", apart)
    report = judge(port, ["Place", "CountDiscs"])
    assert words(report) == {"Place": INCONCLUSIVE, "CountDiscs": VERIFIED}
    assert "SIGABRT" in report.functions[0].reason
    assert exit_code(report) == 4


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same(port: Path) -> None:
    vary = VaryTerms(20)
    reports = [judge(port, NAMES, VerifyTerms(vary=vary, jobs=jobs)) for jobs in (1, 2)]
    assert reports[0] == reports[1]
