"""Cases and applications of sources of the time, compiled; and what their users are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CaseError, CompileError
from emu.cases.case_file import read_case
from emu.cases.programs.sources import source_tree
from emu.machine import BareMachine
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_c.named_headers import HeaderFolder
from emu.toolchain.programs.gcc import compile_program
from tests.toolchain.test_units import tree_of
from tests.toolchain.two_files import REFERENCE

MODULE = "macproof_test_mac_c"
CASE = f"""\
schema: macproof.case/1
name: of-the-time
title: Of the time
sources: [go.c]
include: [Headers]
prefix: MacHeaders
call: ƒGo
scene: {{make: "{MODULE}:make", generators: [any], objects: [1], count: 3}}
input: {{gIn: value}}
observe: {{gOut: out}}
reference: {MODULE}:reference
"""
SOURCE = """\
#include "Disk:My Project:headers:TWICE.H"
#include <quickdraw.h>
#pragma options align=mac68k
typedef struct { char a; long b; } Pair;
#pragma options align=reset
pascal void Draw(const Rect *r) = 0xA8A1;
short gIn, gOut; Rect gr∂; unsigned char gName[] = "\\pÉté ≠";
/* “A comment.” */
void ƒGo(void)
{
    Str255 copy; long type = 'TEXT';
    copy[0] = gName[0];
    if (gIn ≠ 5000 && gr∂.top ≤ 0 && sizeof(Pair) == 6 && copy[0] == 5 && type >> 24 == 'T')
        gOut = TWICE(gIn);
}
"""


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers()
    case = tmp_path / "case"
    (case / "Headers").mkdir(parents=True)
    (case / "case.yaml").write_text(CASE, encoding="utf-8")
    (case / f"{MODULE}.py").write_text(REFERENCE)
    (case / "go.c").write_bytes(SOURCE.replace("\n", "\r").encode("mac_roman"))
    (case / "Headers" / "Twice.h").write_bytes(b"// twice\r#define TWICE(x) ((x) * 2)\r")
    return case


def change(folder: Path, old: str, new: str, name: str = "case.yaml") -> Path:
    path = folder / name
    encoding = "utf-8" if name == "case.yaml" else "mac_roman"
    text = path.read_bytes().decode(encoding)
    assert old in text
    path.write_bytes(text.replace(old, new).encode(encoding))
    return path


def refusal(folder: Path, cpu: str = "68040") -> str:
    """What is said of the case's sources, which cannot be compiled."""
    with pytest.raises((CompileError, CaseError)) as caught:
        tree = source_tree(read_case(folder / "case.yaml"))
        compile_program(tree, BUILDS["O1"], TARGETS[cpu])
    return str(caught.value)


@pytest.mark.parametrize("encoding", ["mac_roman", "utf-8"])
def test_a_source_of_the_time_is_verified(
    macproof: Callable[..., Any], folder: Path, encoding: str
) -> None:
    (folder / "go.c").write_bytes(SOURCE.replace("\n", "\r").encode(encoding))
    words = ("--build", "O1", "--jobs", 1)
    assert macproof("verify", folder, *words).code == 0
    change(folder, "* 2", "* 3", "Headers/Twice.h")
    assert macproof("verify", folder, *words).code == 1


def test_errors_name_the_line_of_the_file(folder: Path) -> None:
    change(folder, "TWICE(gIn);\r", "TWICE(gIn)\r", "go.c")
    assert "go.c:14:" in refusal(folder)
    change(folder, "((x) * 2)\r", "((x) * 2)\rint 5;\r", "Headers/Twice.h")
    assert "Headers/Twice.h:3:" in refusal(folder)


@pytest.mark.parametrize("guard", ["powerc", "__powerc"])
def test_an_asm_block_is_refused_only_where_it_is_compiled(folder: Path, guard: str) -> None:
    block = f"#ifndef {guard}\r asm {{\r  moveq #0, d0 ; don't\r }}\r#endif\r"
    change(folder, "    if (", f"{block}    if (", "go.c")
    assert "go.c:14:" in (said := refusal(folder))
    assert "asm block of THINK C or CodeWarrior: write in C" in said
    assert "_Pragma" not in said  # the line of macproof's own
    compile_program(source_tree(read_case(folder / "case.yaml")), BUILDS["O1"], TARGETS["601"])


def test_an_alignment_that_a_68k_cannot_have_is_refused_there(folder: Path) -> None:
    change(folder, "align=mac68k", "align=power", "go.c")
    said = refusal(folder)
    assert "go.c:3:" in said and "align power needs a PowerPC" in said


def test_inlined_machine_code_is_refused_where_it_is_called(folder: Path) -> None:
    change(folder, "pascal void Draw", "long GetA5(void) = 0x200D;\rpascal void Draw", "go.c")
    compile_program(source_tree(read_case(folder / "case.yaml")), BUILDS["O1"], TARGETS["68040"])
    change(folder, "gOut = TWICE(gIn)", "gOut = GetA5()", "go.c")
    assert "go.c:15:" in (said := refusal(folder))
    assert "GetA5 is declared by its machine code" in said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("prefix: Headers", "line 6: the prefix header Headers is a folder"),
        ("prefix: gone/Prefix.h", "line 6: there is no prefix header gone/Prefix.h"),
        ("prefix: Gone", "line 6: there is no prefix header Gone"),
        ("prefix: [MacHeaders, Gone.h]", "line 6: there is no prefix header Gone.h"),
        ("cflags: [-include, Gone.h]", "line 6: there is no prefix header Gone.h"),
        ("cflags: [-include]", "line 6: -include has to be followed by the name of a header"),
        ("headers: gone", "line 6: the folder of headers gone does not exist"),
        ("headers: go.c", "line 6: the folder of headers go.c is not a folder"),
        ("headers: .", "line 6: the folder of headers . has no file *.h in it"),
    ],
)
def test_headers_that_cannot_be_are_told_with_the_line(
    folder: Path, written: str, said: str
) -> None:
    change(folder, "prefix: MacHeaders", written)
    assert said in refusal(folder)


@pytest.mark.parametrize("form", ["prefix: ../Own.pch", "cflags: [-include ../Own.pch, -w]"])
def test_a_prefix_header_comes_before_every_source(folder: Path, form: str) -> None:
    (folder.parent / "Own.pch").write_bytes(b'#include "beside.h"\r#include <MacHeaders>\r')
    (folder.parent / "Beside.h").write_text("#define BESIDE 1\n")
    change(folder, "prefix: MacHeaders", form)
    change(folder, "pascal void", "#if BESIDE != 1\r#error\r#endif\rpascal void", "go.c")
    sources = source_tree(read_case(folder / "case.yaml")).read()
    assert {str(folder.parent / "Own.pch"), str(folder.parent / "Beside.h")} <= {*sources.digests()}
    compile_program(sources, BUILDS["O1"], TARGETS["601"])


def test_a_folder_of_headers_takes_the_place_of_macproofs(
    macproof: Callable[..., Any], folder: Path
) -> None:
    headers = folder.parent / "Interfaces"
    headers.mkdir()
    (headers / "Quickdraw.h").write_bytes(
        b"#define ONEWORDINLINE(...) = { __VA_ARGS__ }\r"
        b"typedef struct { short top, left, bottom, right; } Rect;\r"
        b"typedef unsigned char Str255[256];\r#pragma parameter __D0 Nothing(__A0)\r"
        b"pascal long Nothing(long) ONEWORDINLINE(0xA02E);\r"
        b"pascal short Random(void) ONEWORDINLINE(0xA861);\r"
    )
    change(folder, "* 2", "* 2 + 0 * Random()", "Headers/Twice.h")
    change(folder, "#include <quickdraw.h>\r", "", "go.c")
    change(folder, "prefix: MacHeaders", "prefix: QuickDraw.h")
    report = folder / "report.json"
    words = ("--build", "O1", "--jobs", 1, "--json", report)
    done = macproof("verify", folder, *words, "--headers", headers)
    assert done.code == 0, done.err
    assert f"{headers}/Quickdraw.h" in json.dumps(json.loads(report.read_text()))
    change(folder, "Random()", "Missing()", "Headers/Twice.h")
    (headers / "Quickdraw.h").write_text("typedef int;\nRect 5;\n")
    assert (
        f"{headers}/Quickdraw.h:2:" in macproof("verify", folder, *words, "--headers", headers).err
    )
    assert macproof("verify", folder, "--headers", folder / "gone").code == 2


def test_headers_that_include_each_other_end(folder: Path) -> None:
    change(folder, "// twice", '#include "Twice.h"', "Headers/Twice.h")
    assert "nested" in refusal(folder)


def test_a_header_outside_of_the_folders_is_not_read(folder: Path) -> None:
    (folder.parent / "secret.h").write_text("#define SECRET 1\n")
    change(folder, "Disk:My Project:headers:TWICE.H", "::secret.h", "go.c")
    sources = source_tree(read_case(folder / "case.yaml")).read()
    assert not any("secret" in name for name in sources.files)


APPLICATION = """\
#pragma options align=mac68k
struct Pair { char a; long b; };
#pragma options align=reset
int main() { Rect r; r.top = 0; if (r.top ≠ 0 || sizeof(Pair) ≠ 6) SysBeep(1); return 0; }
"""


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_an_application_of_the_time(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
) -> None:
    compilers(cpu)
    source = tmp_path / "old.cp"
    source.write_bytes(APPLICATION.replace("\n", "\r").encode("mac_roman"))
    made = build_application([source], "Old", cpu, None, tmp_path / cpu, prefix=["MacHeaders"])
    assert made.stat().st_size > 1000
    with pytest.raises(CompileError, match=r"old\.cp:4:"):
        build_application([source], "Old", cpu, None, tmp_path / cpu)


def test_an_application_with_headers_of_the_user(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers("68000")
    headers = tmp_path / "Interfaces"
    headers.mkdir()
    text = 'extern "C" { pascal void SysBeep(short) = 0xA9C8; }\rstruct Rect { short top; };\r'
    (headers / "Types.h").write_text(text)
    source = tmp_path / "old.cp"
    source.write_bytes(b"#include <types.h>\r" + APPLICATION.encode("mac_roman"))
    folder = HeaderFolder(headers, "Interfaces")
    build_application([source], "Old", "68000", None, tmp_path, headers=folder)


def test_letters_beyond_ascii_keep_their_names(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers("68000")
    text = "short gπ;\nvoid Go();\nvoid Go() { gπ = 1; }\n"
    for name in ("go.c", "go.cpp"):
        tree = tree_of(tmp_path, {name: text}, ("gπ",))
        compile_program(tree, BUILDS["O1"], TARGETS["68000"])


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_quickdraws_globals_are_there_in_a_case(folder: Path, cpu: str) -> None:
    """And thePort is a place in qd; a program's own qd is not defined twice."""
    change(folder, "gOut = TWICE(gIn);", "gOut = TWICE(gIn) + !thePort + !randSeed;", "go.c")

    def compiled() -> Path:
        tree = source_tree(read_case(folder / "case.yaml"))
        return compile_program(tree, BUILDS["O1"], TARGETS[cpu]).path

    places = {symbol.name: symbol.address for symbol in read_elf(compiled()).symbols}
    assert places["thePort"] - places["qd"] == 202
    assert places["randSeed"] - places["qd"] == 76
    change(folder, "short gIn", "QDGlobals qd; short gIn", "go.c")
    assert "thePort is not defined" in refusal(folder, cpu)
    change(folder, "!thePort + !randSeed", "!qd.thePort", "go.c")
    assert read_elf(compiled()).variable("qd").type.size == 206


def test_call_universal_proc_is_linked_in_a_case_for_the_68k(folder: Path) -> None:
    call = "CallUniversalProc((UniversalProcPtr) 4, kCStackBased | RESULT_SIZE(3), 1)"
    change(folder, "gOut = TWICE(gIn);", f"gOut = {call};", "go.c")
    program = compile_program(
        source_tree(read_case(folder / "case.yaml")), BUILDS["O1"], TARGETS["68040"]
    )
    assert "CallUniversalProc" in {symbol.name for symbol in read_elf(program.path).symbols}


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_variable_at_an_address(folder: Path, cpu: str) -> None:
    change(folder, "short gIn, gOut;", "extern short gAt : 0x7F04; short gIn, gOut;", "go.c")
    change(folder, "gOut = TWICE(gIn);", "gOut = (long) &gAt;", "go.c")
    tree = source_tree(read_case(folder / "case.yaml"))
    program = read_elf(compile_program(tree, BUILDS["O1"], TARGETS[cpu]).path)
    with BareMachine(program, cpu) as machine:
        machine.globals["gIn"][...] = 3
        machine.call("ƒGo")
        assert machine.globals["gOut"] == 0x7F04
