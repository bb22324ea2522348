"""The same programs with checks of their accesses, built by either toolchain."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from emu.cli import main
from emu.toolchain.sources import mac_sources

TOOLCHAINS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name == "retro68" and not os.environ.get("RETRO68"),
            reason="set RETRO68 to a Retro68 toolchain's folder",
        ),
    )
    for name in ("gcc", "retro68")
]
CPUS = ["68000", "601"]
ASSEMBLE = mac_sources() / "retro68" / "checks" / "assemble.cmake"


def run(source: str, toolchain: str, cpu: str, sanitizers: str, folder: Path) -> int:
    path = folder / "checked.cpp"
    path.write_text(source)
    how = ["--toolchain", toolchain, "--sanitize", sanitizers, "--cpu", cpu, "-o", str(folder)]
    assert main(["build", "--app", "--source", str(path), "--name", "Checked", *how]) == 0
    return main(["run", str(folder / cpu / "Checked.bin")])


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


_RIGHT = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <Memory.h>

struct Node { Node *next; char text[13]; Node() : next(0) { strcpy(text, "twelve chars"); } };
struct Early { char *p; Early() : p((char *) malloc(31)) { memset(p, 1, 31); } };

static Node *gFirst = new Node;
static Early gEarly;
short gTable[10];
char gText[5] = "four";
const short gOdd[3] = { 1, 2, 3 };
static char gBig[40000];
int gCount;

int main(void)
{
    Ptr block = NewPtr(20), other = NewPtr(64);
    char *mine = (char *) malloc(33), *text;

    for (short i = 0; i < 60; i++)
    {
        Ptr one = NewPtrClear(100 + i);

        SetPtrSize(one, 50 + i);
        one[49 + i] = 1;
        DisposePtr(one);
        text = strcpy((char *) malloc(17), "sixteen letters.");
        text = strcat((char *) realloc(text, 40), "and more of them.");
        gCount++;
        free(text);
        Node *node = new Node;
        node->next = gFirst;
        gFirst = node;
        if (i & 1)
        {
            gFirst = node->next;
            delete node;
        }
        gBig[i * 600] = i;
    }
    for (short i = 0; i < 20; i++)
        gTable[i % 10] = block[i] = i;
    memmove(block + 1, block, 19);
    memcpy(mine, gText, 5);
    printf("%d %d %d %s", gTable[9], gOdd[gCount % 3], memcmp(mine, gText, 5), mine);
    free(mine);
    DisposePtr(other);
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("sanitizers", ["address", "address,undefined"])
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_a_program_that_is_right_is_told_nothing(
    toolchain: str, sanitizers: str, cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(_RIGHT, toolchain, cpu, sanitizers, tmp_path) == 0
    assert "19 1 0 four" in told(capsys)


_WRONG = """
#include <stdlib.h>
#include <string.h>
#include <Memory.h>

static Ptr gEarly = NewPtr(8);
short gTable[10];
char gText[5] = "four", gBig[40000];
const short gOdd[3] = { 1, 2, 3 };
volatile short gI = 0;
volatile char gSink;
volatile long gLong;

int main(void)
{
    char *mine = (char *) malloc(40), *grown;
    Ptr shrunk = NewPtr(50), clear = NewPtrClear(12);
    int *numbers = new int[7];

    MISTAKES
    return 0;
}
"""
# By GCC's 68K linker constants are put into the code, which may begin at an address that is no
# multiple of eight. Then they are not checked.
_OF_A_CONSTANT = "gLong = gOdd[gI + 4];"
_MISTAKES = [
    ("gTable[gI + 10] = 1;", "write of 2 bytes out of bounds (0 bytes behind the end of gTable)"),
    ("gSink = gText[gI + 5];", "read of 1 byte out of bounds (0 bytes behind the end of gText)"),
    (_OF_A_CONSTANT, "read of 2 bytes out of bounds (2 bytes behind the end of gOdd)"),
    ("gBig[gI + 40000] = 2;", "write of 1 byte out of bounds (0 bytes behind the end of gBig)"),
    (
        "memcpy(gText, gTable, gI + 6);",
        "write of 6 bytes out of bounds (0 bytes behind the end of gText)",
    ),
    ("gSink = mine[gI + 40];", "read of 1 byte out of bounds (beside a block)"),
    (
        "grown = (char *) realloc(mine, 60); gSink = mine[gI];",
        "read of 1 byte out of bounds (in a block that was disposed of)",
    ),
    (
        "gLong = memcmp(grown, gBig, gI + 61);",
        "read of 61 bytes out of bounds (beside a block)",
    ),
    (
        "SetPtrSize(shrunk, 20); gLong = *(short *) (shrunk + gI + 20);",
        "read of 2 bytes out of bounds (beside a block)",
    ),
    (
        "gLong = memcmp(shrunk, clear, gI + 13);",
        "read of 13 bytes out of bounds (beside a block)",
    ),
    ("gLong = numbers[gI + 7];", "read of 4 bytes out of bounds (beside a block)"),
    (
        "delete[] numbers; gLong = numbers[gI];",
        "read of 4 bytes out of bounds (in a block that was disposed of)",
    ),
    (
        "DisposePtr(clear); clear[gI + 3] = gSink;",
        "write of 1 byte out of bounds (in a block that was disposed of)",
    ),
    (
        "DisposePtr(shrunk); DisposePtr(shrunk);",
        "DisposePtr or SetPtrSize of a block that was disposed of",
    ),
]


def wrong(mistakes: Iterable[str]) -> str:
    return _WRONG.replace("MISTAKES", "\n    ".join(mistakes))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("sanitizers", ["address", "address,undefined"])
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_each_mistake_is_told(
    toolchain: str, sanitizers: str, cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    mistakes = dict(_MISTAKES)
    if (toolchain, cpu) == ("gcc", "68000"):
        del mistakes[_OF_A_CONSTANT]
    source = wrong(mistakes)
    assert run(source, toolchain, cpu, sanitizers, tmp_path) == 1
    said = told(capsys)
    for words in mistakes.values():
        assert f'DebugStr with "{words}, ' in said
    if sanitizers == "address":
        assert said.count('DebugStr with "') == len(mistakes)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_a_file_without_globals_is_checked_too(
    toolchain: str, cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = """
    #include <Memory.h>
    int main(void) { Ptr block = NewPtr(20); volatile int n = 20; return block[n]; }
    """
    assert run(source, toolchain, cpu, "address", tmp_path) == 1
    assert "read of 1 byte out of bounds (beside a block)" in told(capsys)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_the_same_source_gives_the_same_bytes(toolchain: str, cpu: str, tmp_path: Path):
    made = []
    for _ in range(2):
        run(wrong([]), toolchain, cpu, "address", tmp_path)
        made.append((tmp_path / cpu / "Checked.bin").read_bytes())
    assert made[0] == made[1]


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
def test_with_retro68_constructors_come_after_the_globals(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    if not os.environ.get("RETRO68"):
        pytest.skip("set RETRO68 to a Retro68 toolchain's folder")
    assert run(wrong(["gSink = gEarly[gI + 8];"]), "retro68", cpu, "address", tmp_path) == 1
    assert "read of 1 byte out of bounds (beside a block)" in told(capsys)


_ERRORS = """
#include <stdio.h>
#include <stdlib.h>
#include <Memory.h>

int main(void)
{
    Ptr block = NewPtr(100);

    SetPtrSize(block, 0x7000000);
    printf("%d", (int) MemError());
    printf(" %d", NewPtr(0x7000000) == 0);
    printf(" %d", (int) MemError());
    printf(" %d", malloc(0x7000000) == 0);
    printf(" %d", calloc(0x10000, 0x10001) == 0);
    printf(" %d", realloc(block, 0x7000000) == 0);
    block[99] = 1;
    DisposePtr(block);
    printf(" %d", (int) MemError());
    for (int i = 0; i < 300; i++)
    {
        block = NewPtr(60000);
        if (block == 0)
            printf(" none left");
        else
            DisposePtr(block);
    }
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_a_program_hears_of_a_full_heap(
    toolchain: str, cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(_ERRORS, toolchain, cpu, "address", tmp_path) == 0
    said = told(capsys)
    assert "-108 1 -108 1 1 1 0" in said
    assert "none left" not in said


_OF_STACK = """
#include <string.h>
#include <Memory.h>

struct Early { char kept[6]; Early(); };

volatile short gI = 0;
volatile char gSink;
short gTable[10];
static Early gEarly;

Early::Early()
{
    char room[40];

    memset(room, 1, 40);
    memcpy(kept, room, 6);
}

static int SumOf(const char *text, int count)
{
    int sum = 0;

    while (count-- > 0)
        sum += *text++;
    return sum;
}

int main(void)
{
    char local[20];
    Handle handle = NewHandle(9);
    Ptr block = NewPtr(20);

    memset(local, 1, 20);
    memset(*handle, 1, 9);
    gSink = SumOf(local, 20 + gI) + SumOf(*handle, 9 + gI);
    MISTAKES
    return 0;
}
"""
_STACK_MISTAKES = {
    "gSink = local[gI + 20];": "read of 1 byte out of bounds (0 bytes behind the end of local)",
    "gSink = SumOf(local, 21 + gI) + SumOf(gEarly.kept, 6);": (
        "read of 1 byte out of bounds (0 bytes behind the end of local)"
    ),
    "gTable[gI + 10] = 1;": "write of 2 bytes out of bounds (0 bytes behind the end of gTable)",
    "gSink = (*handle)[gI + 16];": "read of 1 byte out of bounds (in no block of the heap)",
    "DisposePtr(block); block[gI + 9] = 1;": (
        "write of 1 byte out of bounds (in no block of the heap)"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("sanitizers", ["address,stack", "address,stack,undefined"])
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_the_stack_is_checked_where_that_is_wanted(
    toolchain: str, sanitizers: str, cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    right = _OF_STACK.replace("MISTAKES", "")
    assert run(right, toolchain, cpu, sanitizers, tmp_path) == 0
    for mistake, words in _STACK_MISTAKES.items():
        capsys.readouterr()
        one = _OF_STACK.replace("MISTAKES", mistake)
        assert run(one, toolchain, cpu, sanitizers, tmp_path) == 1
        assert f'DebugStr with "{words}, ' in told(capsys)


def test_the_stack_goes_with_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    words = ["--toolchain", "retro68", "--sanitize", "stack", "-o", str(tmp_path)]
    assert main(["build", "--app", *words]) == 2
    assert "--sanitize address,stack" in capsys.readouterr().err


# -- what Retro68's compiler makes, before it is assembled -----------------------------------------

_TRAPS = "-DTRAPS=a11e:NewPtr,a31e:NewPtrClear,a020:SetPtrSize,a01f:DisposePtr"
_M68K = r"""
	moveq #20,%d0
	.short 0xa11e
	.short 0xa31e
	.short 0xa020
	.short 0xa01f
	.short 0xa51e
	.short 0x303c, 0xa11e
	.string	"a;b [c] \\.short 0xa11e\n"
	.string	"/tmp/made here/a.cpp"
	.section	.ctors,"aw",@progbits
	.align	4
	.long	_GLOBAL__sub_I_gFirst
	.section	.ctors,"aw",@progbits
	.align	4
	.long	_sub_I_65535_1
"""
_M68K_ASSEMBLED = r"""
	moveq #20,%d0
	jsr macproof_NewPtr
	jsr macproof_NewPtrClear
	jsr macproof_SetPtrSize
	jsr macproof_DisposePtr
	.short 0xa51e
	.short 0x303c, 0xa11e
	.string	"a;b [c] \\.short 0xa11e\n"
	.string	"///////////////a.cpp"
	.section	.ctors,"aw",@progbits
	.align	4
	.long	_GLOBAL__sub_I_gFirst
	.section	.init,"ax",@progbits
	jsr _sub_I_65535_1
"""
_POWERPC = r"""
	.lglobl ._sub_D_65535_0
	bl .NewPtr
	.lglobl ._sub_I_65535_1
	.csect _sub_I_65535_1[DS]
_sub_I_65535_1:
	.long ._sub_I_65535_1, TOC[tc0], 0
"""
_POWERPC_ASSEMBLED = r"""
	.lglobl ._sub_D_65535_0
	bl .NewPtr
	.globl _GLOBAL__I_00099_dir_a_cpp_obj[DS]
	.globl ._GLOBAL__I_00099_dir_a_cpp_obj
	.csect _GLOBAL__I_00099_dir_a_cpp_obj[DS]
_GLOBAL__I_00099_dir_a_cpp_obj:
	.long ._GLOBAL__I_00099_dir_a_cpp_obj, TOC[tc0], 0
"""


_MAIN = r"""
	.globl main[DS]
	.globl .main
	.csect main[DS]
main:
	.long .main, TOC[tc0], 0
.main:
	bl .__main
	bl .maintain
LT..main:
	.long LT..main-.main
	.byte "main[DS]"
main2:
"""
_MAIN_ASSEMBLED = r"""
	.globl other[DS]
	.globl .other
	.csect other[DS]
other:
	.long .other, TOC[tc0], 0
.other:
	bl .__main
	bl .maintain
LT..main:
	.long LT..main-.other
	.byte "main[DS]"
main2:
"""


@pytest.mark.parametrize(
    "option, before, after",
    [
        (_TRAPS, _M68K, _M68K_ASSEMBLED),
        ("-DTRAPS=", "\t.short 0xa11e\n", "\t.short 0xa11e\n"),
        (_TRAPS, _POWERPC, _POWERPC_ASSEMBLED),
        (_TRAPS, "\tblr\n", "\tblr\n"),
        ("-DMAIN=other", _MAIN, _MAIN_ASSEMBLED),
    ],
    ids=["68000", "no traps", "601", "no globals", "main"],
)
def test_calls_and_constructors_are_changed_and_nothing_else(
    option: str, before: str, after: str, tmp_path: Path
):
    cmake = shutil.which("cmake")
    if cmake is None:
        pytest.skip("needs cmake")
    made = tmp_path / "dir" / "a.cpp.obj.s"
    made.parent.mkdir()
    made.write_text(before)
    subprocess.run(
        [
            cmake,
            "-DOBJECT=dir/a.cpp.obj",
            option,
            "-DBINARY=/tmp/made here",
            "-P",
            str(ASSEMBLE),
        ],
        cwd=tmp_path,
        check=True,
    )
    assert made.read_text() == after
