"""Where the globals of a reference's program or library are, as a case file says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.cases.case_file import read_case
from emu.cases.keys.libraries import Library, LibraryGlobal

CASE = """
schema: macproof.case/1
name: sum
title: A sum
sources: [sum.c]
call: Sum
scene: {make: "scenes:make", generators: [any], objects: [1]}
input: {gBase: base, gRow: row}
observe: [return, gTotal within 2 ulp]
reference:
  FILE: old
  KIND: Sum
  prototype: long Sum(void)
  globals: {gTotal: {TOTAL}, gBase: {BASE}, gRow: {ROW}}
"""


def case_file(folder: Path, kind: str, total: str, base: str, row: str = "type: 'long[3]'") -> Path:
    text = CASE.replace("FILE", kind).replace("TOTAL", total).replace("BASE", base)
    text = text.replace("KIND", {"library": "function", "program": "symbol"}[kind])
    (folder / "case.yaml").write_text(text.replace("ROW", row))
    (folder / "old").write_bytes(b"\0")
    (folder / "sum.c").write_text("long Sum(void) { return 0; }\n")
    scenes = "def make(generator, objects, seed, width, height):\n    return None\n"
    (folder / "scenes.py").write_text(scenes)
    return folder / "case.yaml"


def test_globals_of_a_library_have_its_names(tmp_path: Path) -> None:
    case = read_case(case_file(tmp_path, "library", "type: float", "type: long, at: base_2"))
    assert isinstance(case.routine, Library)
    assert case.routine.globals == (
        LibraryGlobal("gBase", "base_2", "long base_2"),
        LibraryGlobal("gRow", "gRow", "long gRow[3]"),
        LibraryGlobal("gTotal", "gTotal", "float gTotal"),
    )


@pytest.mark.parametrize(
    ("kind", "total", "base", "message"),
    [
        ("program", "type: float, at: A5-0x10", "type: long", "nothing says where gBase is in"),
        ("program", "type: float, at: total", "type: long", "nothing says where gTotal is in"),
        ("library", "type: float, at: A5-0x10", "type: long", "A5-0x10 is no name of a variable"),
    ],
)
def test_a_place_of_another_kind_is_refused(
    tmp_path: Path, kind: str, total: str, base: str, message: str
) -> None:
    with pytest.raises(CaseError, match=message):
        read_case(case_file(tmp_path, kind, total, base))
