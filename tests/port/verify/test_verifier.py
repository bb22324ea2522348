"""Functions of a port are judged: mistakes are refuted in words of the source, right ones not."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED, FunctionVerdict
from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store
from emu.port.replay.comparison import ResultPlace
from emu.port.verify.build import build_port, claimed
from emu.port.verify.documents import PortVerifyReport, exit_code, verify_document
from emu.port.verify.results import result_of
from emu.port.verify.verifier import PortVerifier
from tests.gallery.old_game import FOLDER
from tests.port.graft.old_program import old_program
from tests.port.verify.old_game_port import recorded_port

NAMES = ["Place", "CountDiscs", "DrawScore", "Remember"]

Judge = Callable[..., dict[str, FunctionVerdict]]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    """A copy of the old game's port, with recordings of four functions."""
    compilers("68040")
    return recorded_port(tmp_path_factory.mktemp("game") / "old-game", NAMES)


@pytest.fixture
def judge(port: Path, tmp_path: Path) -> Judge:
    def verdicts(
        file: str = "", old: str = "", new: str = "", names: list[str] = NAMES
    ) -> dict[str, FunctionVerdict]:
        folder = tmp_path / "old-game"
        shutil.copytree(port.parent, folder)
        if file:
            text = (folder / "port" / file).read_text()
            assert old in text
            (folder / "port" / file).write_text(text.replace(old, new))
        project = read_project(folder / "port")
        built = build_port(project)
        terms = SessionTerms(project.original, project.cpu)
        with open_store(project, terms) as store:
            verifier = PortVerifier(built, store, terms)
            found = verifier.verdicts(claimed(built.claims, names, project.path))
            return {one.name: one for one in found}

    return verdicts


def test_right_functions_are_verified_and_the_planted_mistake_is_told(judge: Judge) -> None:
    found = judge()
    words = {name: one.verdict for name, one in found.items()}
    assert words == {**dict.fromkeys(NAMES, VERIFIED), "DrawScore": REFUTED}
    assert "of MoveTo (Toolbox call" in found["DrawScore"].reason
    assert all(one.calls for one in found.values())
    report = PortVerifyReport("port.yaml", "O2", tuple(found.values()))
    assert exit_code(report) == 1
    assert verify_document(report).title == "3 verified, 1 refuted"


def test_a_mended_mistake_is_verified(judge: Judge) -> None:
    swapped = "MoveTo(box.bottom - 6, box.left + 4)"
    right = "MoveTo(box.left + 4, box.bottom - 6)"
    found = judge("picture.c", swapped, right, ["DrawScore"])
    assert found["DrawScore"].verdict == VERIFIED, found["DrawScore"].reason


def test_a_wrong_global_is_told_with_its_name_and_the_line_that_writes_it(judge: Judge) -> None:
    text = (FOLDER / "port" / "history.c").read_text()
    line = next(line for line in text.splitlines() if "played++" in line or "played += 1" in line)
    wrong = line.replace("played++", "played += 2").replace("played += 1", "played += 2")
    found = judge("history.c", line, wrong, ["Remember"])["Remember"]
    assert found.verdict == REFUTED
    assert re.search(r"[:;] played is \d", found.reason), found.reason
    assert "in the original" in found.reason
    number = text.splitlines().index(line) + 1
    assert f"history.c:{number}" in found.reason


def test_a_function_without_recorded_calls_has_no_verdict(judge: Judge) -> None:
    found = judge(names=["SaveGame"])["SaveGame"]
    assert (found.verdict, found.calls) == (INCONCLUSIVE, 0)
    assert "no recorded run has called it" in found.reason
    assert exit_code(PortVerifyReport("port.yaml", "O2", (found,))) == 4


@pytest.mark.parametrize("others", [["Place"], []])
def test_a_global_without_a_place_stops_its_function_alone(judge: Judge, others: list[str]) -> None:
    found = judge("state.c", "// GLOBAL: A5-0x1ec", "// no mark", [*others, "Remember"])
    remember = found.pop("Remember")
    assert {one.verdict for one in found.values()} == set([VERIFIED] * len(others))
    assert remember.verdict == INCONCLUSIVE
    assert "no mark says where played lies in the old program, used by" in remember.reason


def test_a_function_that_nobody_claims_is_refused(port: Path) -> None:
    project = read_project(port)
    with pytest.raises(UsageError, match="did you mean Place"):
        claimed(build_port(project).claims, ["Plcae"], project.path)


@pytest.mark.slow
def test_an_endless_loop_is_refuted_after_a_few_calls(judge: Judge) -> None:
    first = "    const Disc* square = board[0];\n    short count = 0;\n"
    found = judge("rules.c", first, "    for (;;) ;\n" + first, ["CountDiscs"])["CountDiscs"]
    assert found.verdict == REFUTED
    assert "bytes of code and had not returned" in found.reason
    left = "5 calls were left out: the new function does not come back"
    assert (found.calls, left in found.remarks) == (3, True)


@pytest.mark.parametrize(
    ("cpu", "convention", "code", "place"),
    [
        ("68040", "m68k-elf", "rts", ResultPlace("d0", 64, "d1")),
        ("601", "ppc-poweropen", "blr", ResultPlace("r3", 64, "r4")),
    ],
)
def test_both_registers_of_64_bits_are_compared(
    tmp_path: Path, cpu: str, convention: str, code: str, place: ResultPlace
) -> None:
    source = "int datum; unsigned long long Wide(short n) { return n; }\n"
    assembly = f".globl Wide\nWide: {code}\n.data\n.globl datum\ndatum: .long 0\n"
    graft = old_program(tmp_path, source, assembly, cpu=cpu, convention=convention).graft("Wide")
    assert result_of(graft.functions["Wide"]) == place
