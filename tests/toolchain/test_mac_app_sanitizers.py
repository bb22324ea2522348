"""Applications with GCC's checks tell what they find by DebugStr."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from emu.cli import main
from emu.toolchain.builds import BUILDS
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.sanitizers import sanitized

_SOURCE = """
#include <stdio.h>

static int gTable[4] = { 1, 2, 3, 4 };

int main(void)
{
    volatile int many = 33, last = MOST;
    int sum = gTable[last & 7];

    if (last > 3)
        sum += 1 << many;
    printf("%d", sum & 0);
    return 0;
}
"""


def built(folder: Path, most: int, cpu: str, sanitizer: str = "undefined") -> Path:
    source = folder / "checked.c"
    source.write_text(_SOURCE.replace("MOST", str(most)))
    build = sanitized(BUILDS["O2"], [sanitizer])
    return build_application([source], "Checked", cpu, None, folder, build=build)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_an_application_tells_what_it_finds(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["run", str(built(tmp_path, 4, cpu))]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert 'DebugStr with "undefined behaviour (bounds) in checked.c, line 9"' in told
    assert 'DebugStr with "undefined behaviour (shift) in checked.c, line 12"' in told


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_an_application_that_is_right_tells_nothing(cpu: str, tmp_path: Path):
    assert main(["run", str(built(tmp_path, 3, cpu))]) == 0


_HEAP = """
#include <stdlib.h>
#include <string.h>
#include <Memory.h>

static short gTable[10];
volatile short gIndex = 10;
volatile char gSink;

int main(void)
{
    Ptr block = NewPtr(20), other = NewPtr(64);
    char *mine = (char *) malloc(33), *text;
    Handle moved = NewHandle(1000);
    short i;

    for (i = 0; i < 60; i++)
    {
        Ptr one = NewPtrClear(100 + i);

        SetPtrSize(one, 50 + i);
        one[49 + i] = 1;
        SetHandleSize(moved, 1000 + 50 * i);
        memset(*moved, i, 1000 + 50 * i);
        CompactMem(0x10000);
        DisposePtr(one);
        text = strcpy((char *) malloc(17), "sixteen letters.");
        text = strcat((char *) realloc(text, 40), "and more of them.");
        free(text);
    }
    for (i = 0; i < 20; i++)
        gTable[i % 10] = block[i] = i;
    MISTAKES
    free(mine);
    return 0;
}
"""
_MISTAKES = {
    "gTable[gIndex] = 1;": "write of 2 bytes out of bounds (0 bytes behind the end of gTable)",
    "gSink = block[gIndex + 10];": "read of 1 byte out of bounds (beside a block)",
    "gSink = mine[33];": "read of 1 byte out of bounds (beside a block)",
    "DisposePtr(other); gSink = other[gIndex];": (
        "read of 1 byte out of bounds (in a block that was disposed of)"
    ),
}


def run_with(mistakes: str, folder: Path, cpu: str, names: list[str]) -> int:
    source = folder / "heap.cpp"
    source.write_text(_HEAP.replace("MISTAKES", mistakes))
    build = sanitized(BUILDS["O0"], names)
    return main(["run", str(build_application([source], "Heap", cpu, None, folder, build=build))])


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_accesses_beyond_globals_and_blocks_are_told(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run_with(" ".join(_MISTAKES), tmp_path, cpu, ["address"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert told.count('DebugStr with "') == len(_MISTAKES)
    for words in _MISTAKES.values():
        assert f'DebugStr with "{words}, by the code before $' in told


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
@pytest.mark.parametrize("names", [["address"], ["address", "undefined"]])
def test_correct_use_of_memory_tells_nothing(cpu: str, names: list[str], tmp_path: Path):
    assert run_with("", tmp_path, cpu, names) == 0


@pytest.mark.slow
@pytest.mark.skipif(
    "RETRO68" not in os.environ, reason="set RETRO68 to a Retro68 toolchain's folder"
)
def test_retro68_compiles_checks_of_undefined_behaviour(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = tmp_path / "checked.c"
    source.write_text(_SOURCE.replace("MOST", "4"))
    words = ["--toolchain", "retro68", "--sanitize", "undefined", "--cpu", "68000"]
    named = ["--source", str(source), "--name", "Checked", "-o", str(tmp_path)]
    assert main(["build", "--app", *words, *named]) == 0
    assert main(["run", str(tmp_path / "68000" / "Checked.bin")]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert 'DebugStr with "undefined behaviour (bounds) in ' in told
    assert 'DebugStr with "undefined behaviour (shift) in ' in told
