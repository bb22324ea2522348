"""``macproof port match`` as a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cli import main
from tests.port.project.small_port import ROOT, write_port
from tests.report.schemas import read

UNMARKED = (ROOT / "examples" / "old-application" / "checksum.c").read_text()


def test_marks_are_written_where_they_are_asked_for(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    path = write_port(tmp_path, {"sum.c": UNMARKED})
    report = tmp_path / "match.json"
    assert main(["port", "match", str(path), "--quiet", "--json", str(report)]) == 0
    assert (tmp_path / "sum.c").read_text() == UNMARKED
    proposals = read(report, "macproof.port-match/1")["proposals"]
    assert "update" in {one["name"] for one in proposals}
    assert main(["port", "match", str(path), "--quiet", "--write", "--all"]) == 0
    placed = [one for one in proposals if one["place"]]
    text = (tmp_path / "sum.c").read_text()
    assert placed
    assert all(f"// {one['kind']}: {one['place']}\n" in text for one in placed)


def test_all_needs_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_port(tmp_path)
    assert main(["port", "match", str(path), "--all"]) == 2
    assert "--all is about --write" in capsys.readouterr().err
