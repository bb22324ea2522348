"""Recorded calls of the old game become cases, which other processors are held against."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from emu.base.errors import ToolMissingError
from emu.cli import main
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import absent, find_compiler
from emu.toolchain.programs.native import host_compiler

GAME = Path(__file__).parents[3] / "examples" / "old-game"
SCRIPT = """schema: macproof.script/1
steps:
  - wait: {window: Turncoat}
  - click: {window: [92, 68]}
  - key: q
    modifiers: [command]
"""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the old game's port with recorded calls of a short game."""
    for cpu in ("68000", "601"):
        if find_compiler(ALL_TARGETS[cpu], {}) is None:
            pytest.skip(absent(ALL_TARGETS[cpu]))
    folder = tmp_path_factory.mktemp("game")
    shutil.copytree(GAME, folder / "game", ignore=shutil.ignore_patterns(".recordings"))
    script = folder / "short.yaml"
    script.write_text(SCRIPT)
    place = folder / "game" / "port"
    assert main(["port", "record", str(place), "--script", str(script), "--calls", "12"]) == 0
    return place


@pytest.mark.parametrize(
    ("function", "word"),
    [
        ("CountDiscs", "given"),  # a char in the upper byte of its word, and a global
        ("FindSquare", "at"),  # a struct by value, and a struct that is only written
        ("ListMoves", "list"),  # as many structs as the old function wrote
        ("SortMoves", "compare"),  # a pointer to a function, and an array of the caller
        ("AppendText", "more"),  # texts in globals and literals, which the function does not name
        ("Remember", "history"),  # a handle in a global
    ],
)
def test_an_exported_case_needs_no_original(
    port: Path, tmp_path: Path, function: str, word: str
) -> None:
    case, report = tmp_path / "exported", tmp_path / "export.json"
    assert (
        main(["port", "export", function, str(port), "--to", str(case), "--json", str(report)]) == 0
    )
    data = json.loads(report.read_text())
    assert 0 < data["exported"] <= data["recorded"] and data["function"] == function
    assert word in (case / "case.yaml").read_text() + (case / "exported_calls.json").read_text()
    recordings, original = port / ".recordings", port.parent / "Turncoat.bin"
    hidden = original.rename(original.with_suffix(".hidden"))
    recordings.rename(port / ".hidden")
    try:
        cpus = ["--cpu", "601", "--cpu", "68000"]
        assert main(["verify", str(case), *cpus, "--build", "O2"]) == 0
    finally:
        hidden.rename(original)
        (port / ".hidden").rename(recordings)


def test_this_computer_runs_what_does_not_need_the_toolbox(port: Path, tmp_path: Path) -> None:
    try:
        host_compiler()
    except ToolMissingError as error:
        pytest.skip(str(error))
    case = tmp_path / "count"
    assert main(["port", "export", "CountDiscs", str(port), "--to", str(case)]) == 0
    given = ["--cpu", "68000", "--engine", "host", "--build", "O2"]
    assert main(["verify", str(case), *given]) == 0


def test_a_mistake_in_the_port_is_found_on_another_processor(port: Path, tmp_path: Path) -> None:
    case = tmp_path / "enclosed"
    assert main(["port", "export", "Enclosed", str(port), "--to", str(case)]) == 0
    source, given = port / "rules.c", ["--cpu", "601", "--build", "O2"]
    right = source.read_text()
    wrong = right.replace("return count;", "return count + 1;", 1)
    assert wrong != right
    source.write_text(wrong)
    try:
        assert main(["verify", str(case), *given]) == 1
    finally:
        source.write_text(right)


def test_what_cannot_be_a_case_is_told(
    port: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = str(tmp_path / "drawn")
    assert main(["port", "export", "DrawSquare", str(port), "--to", case]) == 2
    assert "it calls EraseRect, FrameRect" in capsys.readouterr().err.replace("\n", " ")
    assert main(["port", "export", "SaveGame", str(port), "--to", case]) == 2
    assert "no call of SaveGame is kept" in capsys.readouterr().err
    assert main(["port", "export", "CountDisks", str(port), "--to", case]) == 2
    assert "did you mean CountDiscs?" in capsys.readouterr().err
    assert not Path(case).exists()
    Path(case).mkdir()
    assert main(["port", "export", "CountDiscs", str(port), "--to", case]) == 2
    assert "exists already" in capsys.readouterr().err
