"""Cases laid out as real programs are: subfolders, header folders above, and flags of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CaseError
from emu.cases.case_file import read_case
from emu.cases.programs.sources import source_tree
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.user_flags import M68K_FLAGS, problem_of
from tests.toolchain.two_files import REFERENCE

MODULE = "macproof_test_real_sources"
CASE = f"""\
schema: macproof.case/1
name: real-sources
title: Real sources
sources: [src/unpack.c, src/deep/go.c, add.S]
include: [headers, ../common]
cflags: [-std=gnu89, -DTIMES=2, -funsigned-char]
call: Go
scene: {{make: "{MODULE}:make", generators: [any], objects: [1], count: 6}}
input: {{gIn: value}}
observe: {{gOut: out}}
reference: {MODULE}:reference
"""
TEXTS = {
    "common/common.h": '#include "parts/limit.h"\n#include <Types.h>\n',
    "common/parts/limit.h": "#define LIMIT ((char) -1 > 0 ? 30000 : 0)\n",
    "case/headers/go.inc": "extern short gIn, gOut;\n",
    "case/src/unpack.h": "extern short unpack(), add();\n",
    "case/src/unpack.c": '#include "unpack.h"\n#include <common.h>\n'
    "short unpack(n, limit)\n    short n;\n    char *limit;\n{\n"
    "    Ptr p = limit;\n    return n > *(short *) p ? 0 : n * TIMES;\n}\n",
    "case/src/deep/go.c": '#include "../unpack.h"\n#include "../../../common/common.h"\n'
    '#include "go.inc"\nshort gIn, gOut;\n'
    "void Go()\n{\n    short limit = LIMIT;\n"
    "    gOut = unpack(gIn, (char *) &limit) + gNothing;\n}\n",
    "case/add.S": '#include "add.h"\n\t.data\n\t.globl gNothing\n\t.align 4\n'
    "gNothing:\n\t.long NOTHING\n",
    "case/add.h": "#define NOTHING 0\n",
}


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers()
    texts = dict(TEXTS)
    texts["case/headers/go.inc"] += "extern long gNothing;\n"
    for name, text in {
        **texts,
        "case/case.yaml": CASE,
        f"case/{MODULE}.py": REFERENCE,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "case"


def changed(folder: Path, old: str, new: str) -> Path:
    path = folder / "case.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.slow
def test_it_is_verified_on_three_processors(macproof: Callable[..., Any], folder: Path):
    words = ("--build", "O2", "--jobs", 1, "--json", folder / "report.json")
    done = macproof("verify", folder, *words)
    assert done.code == 0, done.err
    receipt = json.loads((folder / "report.json").read_text())["receipt"]
    files = receipt["source"]["files"]
    assert {
        "case/src/unpack.c",
        "case/src/deep/go.c",
        "case/add.S",
        "case/add.h",
        "case/headers/go.inc",
        "common/common.h",
        "common/parts/limit.h",
    } <= files.keys()


def test_a_header_of_a_folder_above_decides_the_digest(folder: Path):
    case = read_case(folder / "case.yaml")
    before = source_tree(case).digest()
    header = folder.parent / "common" / "parts" / "limit.h"
    header.write_text(header.read_text() + "\n")
    assert source_tree(case).digest() != before


def test_a_replaced_source_includes_what_lay_beside_the_other(
    macproof: Callable[..., Any], folder: Path
):
    mine = folder.parent / "mine.c"
    mine.write_text((folder / "src" / "unpack.c").read_text().replace("TIMES", "3"))
    words = ("--build", "O1", "--cpu", "68000", "--jobs", 1)
    assert macproof("verify", folder, *words, "--source", f"src/unpack.c={mine}").code == 1
    mine.write_text(mine.read_text().replace("* 3", "+ n"))
    assert macproof("verify", folder, *words, "--source", f"src/unpack.c={mine}").code == 0


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("../common]", "../comon]", 5, "there is no folder ../comon beside it"),
        ("headers,", "/usr/include,", 5, "does not match"),
        ("src/unpack.c", "../common/common.h", 4, "common.h has no suffix of a language"),
        ("src/unpack.c", "src/gone.c", 4, "there is no file src/gone.c beside it"),
        ("-DTIMES=2", "-o", 6, "a case may not have the flag '-o'"),
        ("-DTIMES=2", "-O2", 6, "builds say how far to optimise"),
        ("-DTIMES=2", "-I/usr/include", 6, "name the folder under include"),
        ("-DTIMES=2", "-m68020", 6, "cpus selects processors"),
        ("-DTIMES=2", "TIMES", 6, "may not have the flag 'TIMES'"),
    ],
)
def test_a_mistake_is_told_with_its_line(folder: Path, old: str, new: str, line: int, said: str):
    with pytest.raises(CaseError) as caught:
        read_case(changed(folder, old, new))
    assert f"line {line}: " in str(caught.value)
    assert said in str(caught.value)


def test_an_unknown_flag_is_refused_by_the_compiler(macproof: Callable[..., Any], folder: Path):
    changed(folder, "-DTIMES=2", "-fno-such-thing")
    done = macproof("verify", folder, "--cpu", "68000", "--build", "O1")
    assert done.code == 2
    assert "-fno-such-thing" in done.err


@pytest.mark.parametrize(
    "flag",
    [
        *("-DX", "-DX=1", "-DX=a b", "-UX", "-Wall", "-Wno-error=format", "-w", "-ansi"),
        *("-std=gnu89", "-std=c++98", "-fpack-struct=2", "-funsigned-char", "-fshort-enums"),
        *("-fwrapv", "-fno-builtin", "-fpermissive", "-ffp-contract=off", *M68K_FLAGS),
    ],
)
def test_flags_that_change_the_language_are_allowed(flag: str):
    assert problem_of(flag) == ""


@pytest.mark.parametrize(
    "flag",
    [
        *("-o", "-ofile", "-B/x", "-specs=x", "-wrapper", "@file", "a.c", "-include", "-I.", "-L."),
        *("-Wl,-x", "-Wa,-x", "-Wp,-MD,x", "-fplugin=x", "-fplugin-arg-a=b", "-fdump-tree-all"),
        *("-fprofile-generate", "-fsanitize=address", "-save-temps", "-x", "-mcpu=68040", "-O3"),
        *("-g", "-lm", "-T", "-pipe", "-E", "-S", "-c", "-flto", "-fno-lto", "-fstack-usage", "-"),
        *("-fpreprocessed", "-fsyntax-only", "-D", "-D1", "-DX=\n", "-M", "-v", "-###", "--help"),
        *("-Xlinker", "-isystem", "--sysroot=/", "-nostdinc", "-fPIC", "-fpic", "-std=a/b", ""),
        *(
            "-fpascal-strings",
            "-fuse-ld=x",
            "-f",
            "-imacros",
            "-iquote",
            "-dM",
            "-fdebug-prefix-map=a",
        ),
    ],
)
def test_flags_that_name_files_or_run_programs_are_refused(flag: str):
    assert problem_of(flag).startswith(f"a case may not have the flag {flag!r}")


SHORT = """\
#include <stddef.h>
#include <Types.h>
struct mixed { char c; int i; long l; char *p; } gMixed;
struct mixed gFrom = { 1, -2, 3, 0 };
int gInt = -5;
unsigned gSizes[7];
long gProduct, gQuotient, gShifted;
long long gWide;
double gReal;
char gCopy[300];
int twice(n, by) int n; long by; { return n * 2 + by; }
void Go()
{
    int most = 32767;
    size_t i;

    gSizes[0] = sizeof(int), gSizes[1] = sizeof(struct mixed), gSizes[2] = sizeof(size_t);
    gSizes[3] = offsetof(struct mixed, l), gSizes[4] = sizeof(long), gSizes[5] = sizeof 'a';
    gSizes[6] = (int) (most + 1) < 0;
    gMixed = gFrom;
    gProduct = (long) gInt * 100000L;
    gQuotient = gProduct / 7;
    gWide = (long long) gProduct * gProduct / 3;
    gReal = gInt / 4.0;
    gShifted = gProduct >> -gInt;
    for (i = 0; i < sizeof gCopy; i++) gCopy[i] = 0;
    gInt = twice(gInt, (long) __builtin_popcountl(255L));
}
"""


@pytest.mark.parametrize("build", ["O0", "O1", "O2", "Os"])
@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_an_int_of_16_bits(folder: Path, cpu: str, build: str):
    (folder / "short.c").write_text(SHORT)
    changed(folder, "[src/unpack.c, src/deep/go.c, add.S]", "[short.c]")
    changed(folder, "-DTIMES=2", "-mshort, -fwrapv")
    changed(folder, "{gIn: value}", "{gInt: value}")
    names = ("gMixed", "gSizes", *NUMBERS)
    changed(folder, "{gOut: out}", "{" + ", ".join(f"{name}: out" for name in names) + "}")
    case = read_case(folder / "case.yaml")
    program = compile_program(source_tree(case), BUILDS[build], TARGETS[cpu])
    assert "-mshort" in program.flags
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    assert machine.globals["gInt"].dtype.itemsize == 2
    machine.call("Go")
    assert list(machine.globals["gSizes"]) == [2, 12, 2, 4, 4, 2, 1]
    assert [machine.globals["gMixed"][name] for name in "cil"] == [1, -2, 3]
    assert {name: machine.globals[name] for name in NUMBERS} == NUMBERS


def test_a_program_without_any_int_has_slots_of_16_bits_all_the_same(folder: Path):
    text = "short gIn, gOut; short Go(char c, short s) { return gOut = c - s; }"
    (folder / "go.c").write_text(text)
    changed(folder, "[src/unpack.c, src/deep/go.c, add.S]", "[go.c]")
    changed(folder, "-DTIMES=2", "-mshort")
    tree = source_tree(read_case(folder / "case.yaml"))
    program = read_elf(compile_program(tree, BUILDS["O2"], TARGETS["68000"]).path)
    assert program.convention == "m68k-elf-short"
    assert BareMachine(program, CPUS["68000"]).functions.Go(100, 7) == 93


NUMBERS = {
    "gProduct": -500000,
    "gQuotient": -71428,
    "gWide": 500000**2 // 3,
    "gReal": -1.25,
    "gShifted": -500000 >> 5,
    "gInt": -2,
}


def test_a_601_has_no_int_of_16_bits(folder: Path):
    changed(folder, "-DTIMES=2", "-DTIMES=2, -mshort")
    program = compile_program(
        source_tree(read_case(folder / "case.yaml")), BUILDS["O1"], TARGETS["601"]
    )
    assert "-mshort" not in program.flags
