"""A program at other addresses knows all that it knew before."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from emu.program import LineRow, LineTable, Program, Segment, Symbol
from emu.program.model.relocation import moved

PROGRAM = Program(
    path=Path("App"),
    architecture="m68k",
    byte_order=">",
    segments=[Segment("code", 0x100, 4, b"NuNu", writable=False, executable=True)],
    symbols=[Symbol("B", 0x102, 2, "function"), Symbol("A", 0x100, 2, "function")],
    variables={},
    functions={"A": [0x100], "B": [0x102]},
    lines=LineTable([LineRow(0x100, "a.c", 7)]),
    has_debug_information=True,
    registers={"a5": 0x1000},
    convention="m68k-pascal",
    symbol_file=Path("App.sym"),
    dropped=["A::calls"],
)


def test_all_but_the_addresses_stays() -> None:
    segments = tuple(replace(one, address=0x500) for one in PROGRAM.segments)
    there = moved(PROGRAM, segments, {"a5": 0x2000}, lambda a: a + 0x400 if a < 0x102 else None)
    assert there.segments == segments
    assert there.registers == {"a5": 0x2000}
    assert [(one.name, one.address) for one in there.symbols] == [("A", 0x500)]
    assert there.functions == {"A": [0x500], "B": []}
    assert there.locate(0x500).source == "a.c:7"
    placed = {"segments", "registers", "symbols", "functions", "lines", "variables", "signatures"}
    same = {one.name for one in fields(Program) if one.init} - placed
    assert {"dropped", "symbol_file", "path"} <= same
    assert [name for name in same if getattr(there, name) != getattr(PROGRAM, name)] == []
