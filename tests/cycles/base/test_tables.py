"""Data files of the cycle models: read strictly, every number with what it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError, MacproofError
from emu.cycles.base.model import ASSUMPTION, KINDS, MANUAL, MEASUREMENT, Source
from emu.cycles.base.tables import load, table, weakest

GOOD = """\
title: A processor
sources:
  manual: {kind: manual, title: "User's Manual, table 1"}
  guess: {kind: assumption, title: "Not found"}
cells:
  add: {source: manual, clocks: 2, each: 0.5}
  sub: {source: guess, clocks: 3}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "table.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_have_their_numbers_and_their_source(tmp_path: Path) -> None:
    read = load(write(tmp_path, GOOD))
    assert read.title == "A processor"
    assert list(read) == ["add", "sub"]
    assert len(read) == 2
    assert dict(read["add"].numbers) == {"clocks": 2, "each": 0.5}
    assert read["add"].source == Source(MANUAL, "User's Manual, table 1")
    assert read["sub"].source.kind == ASSUMPTION
    assert "mul" not in read


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("source: guess", "source: guss", 7, "did you mean guess"),
        ("source: guess, ", "", 7, "sub names no source"),
        ("{source: guess, clocks: 3}", "{source: guess}", 7, "has no numbers"),
        ("clocks: 3", "clocks: three", 7, "clocks of the cell sub is 'three'"),
        ("clocks: 3", "clocks: true", 7, "not a number"),
        ("clocks: 3", "clocks: -3", 7, "not a number"),
        ("clocks: 3", "clocks: 3e0", 7, "not a number"),
        ("clocks: 3", "clocks: [3]", 7, "not a number"),
        ("{source: guess, clocks: 3}", "3", 7, "not a mapping"),
        ("  sub:", "  add:", 7, "the key add twice"),
        ("kind: assumption", "kind: rumour", 4, "not one of manual, measurement"),
        ('title: "Not found"', 'title: ""', 4, "has no title"),
        (', title: "Not found"', "", 4, "title is missing"),
        ('title: "Not found"', 'title: "Not found", page: 3', 4, "page is not known"),
        ("source: guess", "source: manual", 4, "no cell names the source guess"),
        ("title: A processor\n", "", 1, "title is missing"),
        ("title: A processor", "title: 3", 1, "not text"),
        ("cells:", "cell:", 5, "cell is not known"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    assert GOOD.count(old) >= 1
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(CaseError) as refused:
        load(path)
    assert says in str(refused.value)
    assert f"line {line}:" in str(refused.value)


@pytest.mark.parametrize("text", ["", "cells", "[1, 2]", "cells: {", "title: x\nsources: {}\n"])
def test_what_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CaseError):
        load(write(tmp_path, text))


def test_a_missing_file_cell_or_number_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"nothing\.yaml"):
        load(tmp_path / "nothing.yaml")
    read = load(write(tmp_path, GOOD))
    with pytest.raises(MacproofError, match=r"table\.yaml has no cell ad; did you mean add"):
        read["ad"]
    with pytest.raises(MacproofError, match="cell add has no number clock; did you mean clocks"):
        read["add"]["clock"]


def test_the_weakest_source_is_the_least_firm() -> None:
    manual, measured, assumed = (Source(kind, "") for kind in (MANUAL, MEASUREMENT, ASSUMPTION))
    assert weakest([manual, assumed, measured]) is assumed
    assert weakest([manual, measured]) is measured
    assert weakest([manual]) is manual
    with pytest.raises(ValueError, match="empty"):
        weakest([])


@pytest.mark.parametrize("name", ["mc68000", "mc68040", "ppc601"])
def test_every_number_that_comes_along_has_its_provenance(name: str) -> None:
    read = table(name)
    assert read is table(name), "it is read once"
    assert len(read) > 20
    for cell in read.values():
        assert cell.source.kind in KINDS
        assert len(cell.source.title) > 10, cell.name
        assert cell.numbers, cell.name
        if cell.source.kind == MANUAL:
            assert any(word in cell.source.title for word in ("section", "table", "Table")), (
                f"{cell.name}: which part of the manual is not said"
            )
