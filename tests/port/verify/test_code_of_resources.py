"""Functions in code resources that the Toolbox loads and calls, such as a CDEF."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emu.cli import main
from emu.port.model import REFUTED, VERIFIED
from emu.program.mac_file.resource_fork import Resource
from tests.port.small_application import SmallPort, small_port

# A window, and a control of the program's own kind, whose value is set twice.
APPLICATION = """
start:  pea     (-4,%a5)
        .short  0xA86E, 0xA8FE, 0xA912  | _InitGraf, _InitFonts, _InitWindows
        subq.l  #4, %sp
        clr.l   -(%sp)
        pea     (whole,%pc)
        pea     (title,%pc)
        move.w  #0x100, -(%sp)
        clr.w   -(%sp)
        move.l  #-1, -(%sp)
        clr.w   -(%sp)
        clr.l   -(%sp)
        .short  0xA913                  | _NewWindow
        move.l  (%sp)+, %d3
        subq.l  #4, %sp
        move.l  %d3, -(%sp)
        pea     (part,%pc)
        pea     (title,%pc)
        move.w  #0x100, -(%sp)
        move.w  #3, -(%sp)
        clr.w   -(%sp)
        move.w  #9, -(%sp)
        move.w  #16*128, -(%sp)
        clr.l   -(%sp)
        .short  0xA954                  | _NewControl
        move.l  (%sp)+, %d4
        move.l  %d4, -(%sp)
        move.w  #5, -(%sp)
        .short  0xA963                  | _SetControlValue
        move.l  %d4, -(%sp)
        move.w  #7, -(%sp)
        .short  0xA963
        .short  0xA9F4                  | _ExitToShell
whole:  .short  50, 50, 200, 200
part:   .short  10, 10, 30, 90
title:  .byte   1, 0x41
"""
# LINK; the result is 0, or for a drawing three times the value; a word behind the code counts.
LEVEL = bytes.fromhex(
    "4e560000 42ae0014 41fa0026 5250 4a6e000c 6612 206e000e 2050 30280012 c1fc0003 2d400014"
    "4e5e 205f 4fef000c 4ed0 0000"
)
COUNT = f"CDEF 128+{len(LEVEL) - 2:#x}"
SOURCE = f"""#include <Controls.h>
// GLOBAL: {COUNT}
short count;
// FUNCTION: CDEF 128+0x0
pascal long Level(short variation, ControlHandle control, short message, long param)
{{
    count++;
    return message == drawCntl ? (*control)->contrlValue * 3L : 0;
}}
"""


def level_port(folder: Path) -> SmallPort:
    port = small_port(
        folder, APPLICATION, SOURCE, below=256, more=[Resource("CDEF", 128, "Level", 0, LEVEL)]
    )
    port.places["Level"] = "CDEF 128+0x0"
    return port


def test_a_definition_function_is_recorded_and_judged(tmp_path: Path) -> None:
    port = level_port(tmp_path)
    port.record(["Level"])
    found = port.verdict("Level")
    assert (found.verdict, found.reason) == (VERIFIED, "")
    assert found.calls >= 4
    port.write(SOURCE.replace("* 3L", "* 2L"))
    assert port.verdict("Level").verdict == REFUTED
    port.write(SOURCE.replace("count++", "count += 2"))
    found = port.verdict("Level")
    assert found.verdict == REFUTED
    assert "count is" in found.reason


def test_its_arguments_are_told_as_pascal_passes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = level_port(tmp_path)
    port.record(["Level"])
    port.write(SOURCE.replace("* 3L", "* 2L"))
    assert main(["port", "explain", "Level", str(tmp_path)]) == 1
    told = re.findall(r"^ *(?:short|long) (\w+) +(-?\d+)", capsys.readouterr().out, re.MULTILINE)
    assert dict(told) == {"variation": "0", "message": "0", "param": "0"}


def test_its_functions_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level_port(tmp_path)
    assert main(["port", "functions", str(tmp_path), "--disassemble", "CDEF 128+0x0"]) == 0
    assert "muls" in capsys.readouterr().out
