"""Wild functions of a port: each gets its verdict, and neither the others nor we are harmed."""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED, FunctionVerdict
from emu.port.project.project import read_project
from emu.port.verify.judgement import verify_port
from tests.gallery.old_game import FOLDER
from tests.port.verify.old_game_port import record

NAMES = ["OnBoard", "Enclosed", "IsLegal", "Place", "CountDiscs", "HasMove"]
ON_X86 = platform.machine().lower() in ("x86_64", "amd64", "i686")
DIVISION = 'asm volatile ("move.l #0x80000000,%d0; moveq #-1,%d1; .short 0x4c41, 0x0800");'
"""Of the smallest number by -1, which an x86 cannot do either."""
RECURSION = """
short deeper(short n)
{
    volatile long room[400];
    room[n & 1] = n;
    return deeper(n + 1) + (short) room[0];
}
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    """A copy of the old game's port for the 68040, with recordings of the functions of a file."""
    compilers("68040")
    folder = tmp_path_factory.mktemp("game") / "old-game"
    shutil.copytree(FOLDER, folder)
    file = folder / "port" / "port.yaml"
    file.write_text(file.read_text().replace('"68000"', '"68040"'))
    record(folder / "port", NAMES, 4)
    return folder / "port"


def verdicts(port: Path, wild: Mapping[str, str]) -> dict[str, FunctionVerdict]:
    """The verdicts with other code at the beginning of some functions."""
    file = port / "rules.c"
    text = (FOLDER / "port" / "rules.c").read_text()
    for name, code in wild.items():
        text, count = re.subn(rf"(\n\w+ {name}\([^;{{]*\)\n{{)", rf"\1{code}", text)
        assert count == 1, name
    file.write_text(text + RECURSION)
    found = verify_port(read_project(port), NAMES).functions
    assert [one.name for one in found] == NAMES
    return {one.name: one for one in found}


@pytest.mark.slow
def test_wild_functions_are_refuted_and_harm_no_other(port: Path) -> None:
    found = verdicts(
        port,
        {
            "Enclosed": "for (;;) ;",
            "IsLegal": "for (char *p = (char *) 0x1f00000; p < (char *) 0x1fef000; p++) *p = 0x4e;",
            "CountDiscs": "((void (*)(void)) 0xdeadbee0)();",
            "HasMove": "extern short deeper(short); return deeper(1) != 0;",
            "Place": "for (short n = 0; n < 40; n++) ((short *) Place)[n] = 0x4afc;",
        },
    )
    reasons = {name: one.reason for name, one in found.items()}
    words = {name: one.verdict for name, one in found.items()}
    wild = NAMES[1:]
    assert words == {**dict.fromkeys(wild, REFUTED), "OnBoard": VERIFIED}, reasons
    assert "not return" in reasons["Enclosed"]
    assert "jump to unmapped memory at 0xdeadb" in reasons["CountDiscs"]
    assert "the heap at 0x" in reasons["Place"]  # where the old code lies
    assert "the stack has run into the heap" in reasons["HasMove"]


def test_a_toolbox_call_with_garbage_and_a_store_at_the_rom_are_refuted(port: Path) -> None:
    garbage = "clr.l -(%sp); clr.l -(%sp); move.l #0xfffffff0,-(%sp); .short 0xa867"  # LongMul
    found = verdicts(
        port,
        {
            "Enclosed": f'asm volatile ("{garbage}");',
            "IsLegal": "*(char *) 0x2800000 = 1;",
            "CountDiscs": 'asm volatile (".short 0xa9f4");',
            "Place": 'asm volatile ("move.l #0xfffffffe,%sp");',
        },
    )
    assert "no memory for 8 bytes at 0xfffffff0" in found["Enclosed"].reason
    assert "write to memory that may not be written at 0x02800000" in found["IsLegal"].reason
    assert "Toolbox call 1 is ExitToShell" in found["CountDiscs"].reason
    assert found["Place"].verdict == REFUTED
    assert found["OnBoard"].verdict == VERIFIED


@pytest.mark.skipif(not ON_X86, reason="the host's own division only traps on x86")
def test_a_function_that_crashes_the_engine_is_named_and_the_others_are_judged(port: Path) -> None:
    found = verdicts(port, {"IsLegal": DIVISION})
    down = found.pop("IsLegal")
    assert down.verdict == INCONCLUSIVE
    assert "brought the engine's process down (SIGFPE)" in down.reason
    assert "divs.l d1, d0 at 0x01f" in down.reason
    assert {one.verdict for one in found.values()} == {VERIFIED}
