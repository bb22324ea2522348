"""An old application says what is right, after its own start-up code has run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError, GuestError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.verify.verification import verify
from tests.program.code_samples import write_application
from tests.runner.test_start_up import code
from tests.small_cases import PYTHON

# gStep, a short at A5-2, gets its value by the start-up code. gLast is a long at A5-6.
START = """
    3b7c 0003 fffe  move.w  #3,-2(a5)
    486d fff0       pea     -16(a5)
    a86e            _InitGraf
    a9f4            _ExitToShell
"""
STEP = """
    202d fffa       move.l  -6(a5),d0
    322d fffe       move.w  -2(a5),d1
    48c1            ext.l   d1
    d081            add.l   d1,d0
    2b40 fffa       move.l  d0,-6(a5)
    4e75            rts
"""
NEW = """
long gLast;
short gStep = 3;
int step(void) { return gLast += gStep; }
"""
CASE = f"""
schema: macproof.case/1
name: old
title: A step of a simulation
cpus: [68000, 601]
sources: [new.c]
call: step
input: {{gLast: objects}}
scene: {{make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 12}}
observe: [return, gLast]
reference:
  program: old.bin
  symbol: CODE 1+{4 + len(code(START))}
  prototype: long step(void)
  convention: think-c-16
  start: InitGraf
  globals:
    gLast: {{at: A5-6, type: long}}
"""

Making = Callable[..., Case]


@pytest.fixture
def making(tmp_path: Path, compilers: Callable[..., None]) -> Making:
    compilers("68000", "601")

    def make(*changes: tuple[str, str]) -> Case:
        folder = tmp_path / f"case_{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        text = CASE
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        (folder / "scenes.py").write_text(PYTHON)
        (folder / "new.c").write_text(NEW)
        write_application(folder, (code(START) + code(STEP)).hex(), "old")
        (folder / "case.yaml").write_text(text)
        return read_case(folder / "case.yaml")

    return make


def verdict(case: Case) -> str:
    return verify(case, programs_of(case, builds=["O2"]), jobs=1).verdict


def test_globals_begin_as_the_start_up_code_left_them(making: Making) -> None:
    assert verdict(making()) == "verified"
    assert verdict(making(("  start: InitGraf\n", ""))) == "refuted"  # gStep is 0 in the file


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("A5-6", "A5-66", r"line 18: old\.bin: it has no data of 4 bytes at A5-66"),
        ("A5-6", "CODE 1+4", r"line 18: old\.bin: it has no data CODE 1"),
        ("A5-6", "gLast", "gLast"),
        (
            ", type: long",
            ", type: lung",
            "line 18: column 1: there is no type lung; did you mean long",
        ),
        (
            ", type: long",
            ", type: 'short[]'",
            "line 18: column 7: the number of elements is missing",
        ),
        (", type: long", ", type: void", "line 18: column 1: a variable cannot be void"),
        (", type: long", ", type: long, size: 4", "size"),
        ("start: InitGraf", "start: NewWindow", "ends the program before it gets to NewWindow"),
        ("start: InitGraf", "start: Initgraf", "line 16: .*Initgraf is neither a Toolbox routine"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    making: Making, before: str, after: str, message: str
) -> None:
    with pytest.raises((CaseError, GuestError), match=message):
        verdict(making((before, after)))
