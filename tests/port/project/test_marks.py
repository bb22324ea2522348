"""Marks in comments and in CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.port.model import Mark
from emu.port.project.marks import read_marks, usual_place

SOURCE = b"""\
/* GLOBAL: a5 - 2148 */
short p;
// FUNCTION: CODE 2+0x122
int f() { return *"// FUNCTION: CODE 9+9"; }
/*
 * LIBRARY: CODE 1 + 0x40 _strlen */
// STUB: section 0+0x1C
"""


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_marks_of_a_source(end: bytes, tmp_path: Path) -> None:
    path = tmp_path / "go.c"
    path.write_bytes(b"/* \x8e \xc9 */ " + SOURCE.replace(b"\n", end))
    assert read_marks([path]) == [
        Mark("GLOBAL", "A5-0x864", path, 1),
        Mark("FUNCTION", "CODE 2+0x122", path, 3),
        Mark("LIBRARY", "CODE 1+0x40", path, 6, "_strlen"),
        Mark("STUB", "section 0+0x1c", path, 7),
    ]


def test_marks_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text(
        "place, name, kind, size\nCODE 2+290, drawboard,, 0x30\n\nA5-0x864,p, global, 722\n"
    )
    assert read_marks([path]) == [
        Mark("FUNCTION", "CODE 2+0x122", path, 2, "drawboard", 48),
        Mark("GLOBAL", "A5-0x864", path, 4, "p", 722),
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.c", "\n// FUNCTION: LEGO1 0x100b12c0\n", "a.c, line 2: after FUNCTION: stands LEGO1"),
        ("a.c", "// GLOBAL:\n", "a.c, line 1: after GLOBAL: stands nothing"),
        ("a.c", "// STUB: A5-0x20\n", "A5-0x20 is a place of a variable"),
        ("a.csv", "place\n", "a.csv, line 1: its first line has no column name"),
        ("a.csv", "place,nam\n", "there is no column nam; did you mean name?"),
        ("a.csv", "place,name\nCODE 1+2,\n", "a.csv, line 2: the name is missing"),
        ("a.csv", "place,name\nhere,a\n", "line 2: here is no place; write a place as in"),
        ("a.csv", "place,name,kind\nCODE 1+2,a,stup\n", "no kind STUP; did you mean STUB?"),
        ("a.csv", "place,name,size\nCODE 1+2,a,-4\n", "line 2: -4 is no number of bytes"),
        ("a.csv", 'place,name\n"CODE 1+2,a\n', "a.csv: it is not CSV"),
        ("a.csv", "", "its first line has no column place"),
    ],
)
def test_a_wrong_mark_is_said_with_its_line(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CaseError) as caught:
        read_marks([path])
    assert said in str(caught.value)


def test_places_have_one_form() -> None:
    assert usual_place(" Code  resource 3 + 16 ") == "Code resource 3+0x10"
    with pytest.raises(ValueError, match="nothing is no place"):
        usual_place("")
