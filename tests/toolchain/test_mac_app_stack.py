"""Applications whose stack and handles are checked, too, under a run without a Macintosh."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.cli import main
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.macintosh import Macintosh
from emu.toolchain.builds import BUILDS
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.sanitizers import sanitized_application

_SOURCE = """
#include <Memory.h>
#include <string.h>

volatile short gIndex = 10;
volatile char gSink;
static short gTable[10];

static int SumOf(const char *text, int count)
{
    int sum = 0;

    while (count-- > 0)
        sum += *text++;
    return sum;
}

static int Deep(int depth)
{
    char room[300];

    memset(room, depth, gIndex * 30);
    return depth == 0 ? room[299] : Deep(depth - 1) + room[depth];
}

int main(void)
{
    char local[20];
    short words[7], i;
    Handle moved = NewHandle(100), other = NewHandle(64);
    Ptr block = NewPtr(20);
    char *inside;

    memset(local, 1, 20);
    for (i = 0; i < 10; i++)
        gTable[i] = words[i % 7] = i;
    for (i = 1; i < 40; i++)
    {
        Ptr between = NewPtr(10 * i);

        SetHandleSize(moved, 100 * i);
        memset(*moved, i, 100 * i);
        CompactMem(100000);
        HLock(other);
        inside = *other;
        inside[63] = between[10 * i - 1] = i;
        HUnlock(other);
        DisposePtr(between);
    }
    SetHandleSize(moved, 100);
    gSink = SumOf(local, 20) + Deep(20) + block[19];
    MISTAKES
    return 0;
}
"""
_MISTAKES = {
    "gSink = SumOf(local, 21);": "read of 1 byte out of bounds (0 bytes behind the end of local)",
    "words[gIndex - 3] = 4;": "write of 2 bytes out of bounds (0 bytes behind the end of words)",
    "gSink = (*moved)[gIndex + 90];": "read of 1 byte out of bounds (in no block of the heap)",
    "gSink = (*other)[gIndex + 54];": "read of 1 byte out of bounds (in no block of the heap)",
    "gSink = block[gIndex + 10];": "read of 1 byte out of bounds (in no block of the heap)",
    "gTable[gIndex] = 1;": "write of 2 bytes out of bounds (0 bytes behind the end of gTable)",
    "inside = *moved; DisposeHandle(moved); gSink = inside[gIndex];": (
        "read of 1 byte out of bounds (in no block of the heap)"
    ),
}
_CPUS = pytest.mark.parametrize("cpu", ["68000", "68040", "601"])


def built(mistakes: str, folder: Path, cpu: str, build: str, *more: str) -> Path:
    source = folder / "stack.cpp"
    source.write_text(_SOURCE.replace("MISTAKES", mistakes))
    checked = sanitized_application(BUILDS[build], ["address", "stack", *more])
    return build_application([source], "Stack", cpu, None, folder, build=checked)


@pytest.mark.slow
@_CPUS
def test_locals_handles_and_the_rest_are_told(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["run", str(built(" ".join(_MISTAKES), tmp_path, cpu, "O0"))]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert told.count('DebugStr with "') == len(_MISTAKES)
    for words in _MISTAKES.values():
        assert f'DebugStr with "{words}, by the code before $' in told


@pytest.mark.slow
@_CPUS
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_a_correct_program_tells_nothing(cpu: str, build: str, tmp_path: Path):
    assert main(["run", str(built("", tmp_path, cpu, build, "undefined"))]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_elsewhere_it_ends_and_says_why(cpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Macintosh, "_open_shadow", lambda mac: 0)
    program = built("gTable[gIndex] = 1;", tmp_path, cpu, "O0")
    result = run_request(RunRequest(program))  # in this process, whose Macintosh was changed
    (told,) = result.findings
    assert 'DebugStr with "The checks of the stack need macproof run.' in told.problem
    assert result.completed
    assert "NewHandle" not in result.calls


_FAR = """
#include <Gestalt.h>
#include <Memory.h>
#include <Quickdraw.h>

int main(void)
{
    char *screen;
    long answer;
    short i;

    InitGraf(&qd.thePort);
    screen = qd.screenBits.baseAddr;
    for (i = 0; i < 2000; i++)
        Gestalt('MPsh', &answer);
    for (i = 0; i < 100; i++)
        screen[i] = 1;
    ACCESS
    return screen[99] != 1;
}
"""


def far(access: str, folder: Path, cpu: str) -> int:
    source = folder / "far.c"
    source.write_text(_FAR.replace("ACCESS", access))
    checked = sanitized_application(BUILDS["O0"], ["address", "stack"])
    return main(["run", str(build_application([source], "Far", cpu, None, folder, build=checked))])


@pytest.mark.slow
@_CPUS
def test_the_screen_has_a_shadow_and_who_asks_often_gets_the_same(cpu: str, tmp_path: Path):
    assert far("", tmp_path, cpu) == 0


@pytest.mark.slow
def test_a_wild_pointer_is_told_and_not_only_its_shadow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert far("screen = (char *) 0xDEADBEEF; *screen = 1;", tmp_path, "601") == 4
    told = " ".join(capsys.readouterr().out.split())
    assert ": the shadow of 0xdead8000 to 0xdeadffff, which it was about to access" in told


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_the_shadow_is_no_memory_for_the_toolbox(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = tmp_path / "odd.c"
    move = "BlockMove((Ptr) 0x03100000, (Ptr) 0x20000, 4);"
    source.write_text(f"#include <Memory.h>\nint main(void) {{ {move} return 0; }}\n")
    assert main(["run", str(build_application([source], "Odd", cpu, None, tmp_path))]) == 4
    assert "0x03100000" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_without_asking_there_is_no_shadow(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = tmp_path / "wild.c"
    source.write_text("int main(void) { return *(volatile char *) 0x03000010 = 1; }\n")
    assert main(["run", str(build_application([source], "Wild", cpu, None, tmp_path))]) == 4
    assert "write to unmapped memory at 0x03000" in capsys.readouterr().out


def test_stack_goes_with_address(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(UsageError, match="the sanitizer stack goes with address"):
        sanitized_application(BUILDS["O0"], ["stack"])
    assert main(["verify", "--sanitize", "stack"]) == 2
    assert "there is no sanitizer 'stack', only address, undefined" in capsys.readouterr().err
