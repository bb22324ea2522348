"""Cycles of old and new functions: what counts, what does not, and how they are told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from emu.base.errors import UsageError
from emu.commands.port.verify import _priced_by
from emu.cycles.comparison import FunctionCycles
from emu.cycles.models import model_for
from emu.port.cycles.call_meter import CallSteps, old_share
from emu.port.cycles.documents import cycle_sections
from emu.port.cycles.pair_entry import pair_text
from emu.port.model import REFUTED, VERIFIED, FunctionVerdict
from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store
from emu.port.verify.build import build_port, claimed
from emu.port.verify.verifier import PortVerifier
from emu.report.json_form import plain
from tests.gallery.old_game import FOLDER
from tests.port.verify.old_game_port import record

NAMES = ["CountDiscs", "IsLegal", "Worth"]
LOOP = "    const Disc* square = board[0];\n    short count = 0;\n"
Cycles = Callable[..., dict[str, FunctionVerdict]]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    """The port on a processor whose calls end with an instruction of the floating-point unit."""
    compilers("68040")
    folder = tmp_path_factory.mktemp("game") / "old-game"
    shutil.copytree(FOLDER, folder)
    path = folder / "port" / "port.yaml"
    text = path.read_text()
    assert 'cpu: "68000"' in text
    path.write_text(text.replace('cpu: "68000"', 'cpu: "68040"'))
    record(folder / "port", NAMES, most=3)
    return folder / "port"


@pytest.fixture
def cycles(port: Path, tmp_path: Path) -> Cycles:
    def verdicts(cpu: str = "68040", old: str = "", new: str = "") -> dict[str, FunctionVerdict]:
        folder = tmp_path / f"old-game-{cpu}-{len(new)}"
        shutil.copytree(port.parent, folder)
        source = folder / "port" / "rules.c"
        text = source.read_text()
        assert old in text
        source.write_text(text.replace(old, new, 1) if old else text)
        project = read_project(folder / "port")
        built = build_port(project, "period")
        terms = SessionTerms(project.original, project.cpu)
        with open_store(project, terms) as store:
            verifier = PortVerifier(built, store, terms, model=model_for(cpu))
            found = verifier.verdicts(claimed(built.claims, NAMES, project.path))
            return {one.name: one for one in found}

    return verdicts


def test_both_functions_are_priced_by_one_model(cycles: Cycles) -> None:
    found = cycles()
    assert {one.verdict for one in found.values()} == {VERIFIED}
    counted = found["CountDiscs"].cycles
    assert counted is not None
    assert (counted.cpu, counted.calls, counted.toolbox) == ("68040", 3, 0)
    # 64 squares, and the time of a loop's round between 5 and 40 clocks in either.
    for whole, instructions in (
        (counted.old, counted.old_instructions),
        (counted.new, counted.new_instructions),
    ):
        assert 64 * 5 < whole / 3 < 64 * 40
        assert 64 * 3 < instructions / 3 < 64 * 20
    assert counted.ratio == pytest.approx(counted.new / counted.old)
    slow = cycles("68030")["CountDiscs"].cycles
    assert slow is not None and slow.old > 1.2 * counted.old
    assert slow.old_instructions == counted.old_instructions


def test_a_slower_function_is_told(cycles: Cycles) -> None:
    before = cycles()["CountDiscs"].cycles
    delay = LOOP + "    volatile short wait;\n    for (wait = 0; wait < 500; wait++) ;\n"
    after = cycles(old=LOOP, new=delay)["CountDiscs"]
    assert after.verdict == VERIFIED
    assert before is not None and after.cycles is not None
    assert after.cycles.old == before.old
    assert after.cycles.new > before.new + 3 * 500 * 5


def test_what_both_call_does_not_count(cycles: Cycles) -> None:
    """IsLegal asks Enclosed, the old one in both: its many instructions are in neither."""
    counted = cycles()["IsLegal"].cycles
    assert counted is not None
    assert counted.old_instructions / counted.calls < 200


def test_a_function_that_calls_itself_counts_once() -> None:
    """Three rounds, of which the new function makes the first and asks the old one for two."""
    old = {100: (3, 30.0), 102: (3, 12.0), 200: (3, 9.0), 300: (1, 4.0)}
    new = {100: (2, 20.0), 102: (2, 8.0), 200: (3, 9.0)}
    assert old_share(old, new, range(100, 110)) == (1 + 1 + 1, 10.0 + 4.0 + 4.0)


def test_calls_that_differ_do_not_count(cycles: Cycles) -> None:
    wrong = cycles(old=LOOP, new=LOOP.replace("count = 0", "count = 1"))["CountDiscs"]
    assert wrong.verdict == REFUTED
    assert wrong.cycles is None


def test_code_at_one_place_that_has_changed_is_another_group() -> None:
    one, other = CallSteps(), CallSteps()
    one.code[16, 2], other.code[16, 2] = b"Nu", b"Nq"
    assert one.fits(one) and not one.fits(other)


def test_the_table_of_cycles() -> None:
    def verdict(name: str, old: float, new: float) -> FunctionVerdict:
        counted = FunctionCycles("68040", 2, 0, 10, old, 10, new)
        return FunctionVerdict(name, "CODE 1+0x4", VERIFIED, calls=2, cycles=counted)

    (section,) = cycle_sections([verdict("a", 100, 200), verdict("b", 100, 50)])
    assert "1.00 times" in str(section.parts[0])
    assert "('a', '2', '50.0', '100.0', '2.00')" in str(section.parts[1])
    assert not list(cycle_sections([FunctionVerdict("a", "CODE 1+0x4", VERIFIED)]))
    assert plain(verdict("a", 1, 2))["cycles"]["new"] == 2


def test_an_entry_of_measured_compilers() -> None:
    """Only verified functions without the Toolbox count, and one is no pair."""

    def verdict(name: str, word: str = VERIFIED, toolbox: int = 0) -> FunctionVerdict:
        counted = FunctionCycles("68040", 4, toolbox, 10, 482, 10, 400)
        return FunctionVerdict(name, "CODE 1+0x4", word, calls=4, cycles=counted)

    left_out = [verdict("c", REFUTED), verdict("d", toolbox=1)]
    text = pair_text([verdict("a"), verdict("b"), *left_out], "Game", "think-c-16")
    head = 'title: t\nrule: r\nmissing: []\nmeasured: 2026-11-28\nversion: "1"\npairs:\n'
    entry = yaml.safe_load(head + text)["pairs"][0]
    assert entry["functions"].keys() == {"a", "b"}
    assert entry["functions"]["a"] == {"calls": 4, "old": 120.5, "new": 100}
    with pytest.raises(UsageError, match="fewer than two"):
        pair_text([verdict("a"), *left_out], "Game", "think-c-16")


@pytest.mark.parametrize(
    ("cpu", "words"), [("z80", "there is no cycle model"), ("601", "does not execute the code")]
)
def test_another_processor_is_refused(port: Path, cpu: str, words: str) -> None:
    project = read_project(port)
    with pytest.raises(UsageError, match=words):
        _priced_by(cpu, project)
    assert _priced_by(None, project) == ""
    assert _priced_by("", project) == project.cpu
    assert _priced_by("68040", project) == "68040"
