"""Marks joined to definitions by the lines of debugging information."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.port.model import Claims
from emu.port.project.claims import read_claims
from emu.port.project.objects import compile_sources
from emu.port.project.project import read_project
from emu.toolchain.builds import BUILDS
from tests.port.project.small_port import SOURCE, write_port

FIRST, SECOND, INSIDE = "CODE 1+0xd2", "CODE 1+0x126", "CODE 1+0xd4"
PLACES = """\
#include "more.h"
// FUNCTION: CODE 1+0xd2
static short init(void) { /* GLOBAL: A5-0x10c8 */ static short times; return ++times + other(); }
/* STUB: CODE 1+0x126
   in words */
int
old_style(a)
    int a;
{
    return init() + a + shared[1];
}
/* GLOBAL: A5-0xec8 */
struct { short x; struct { char b; } y; }
    points[2];
"""
HEADER = """\
// GLOBAL: A5-0xd00
extern short shared[4];
// FUNCTION: CODE 1+0x16e
short other(void);
// LIBRARY: CODE 1+0x4
void never_called(void);
"""


def claims_of(folder: Path, sources: Mapping[str, str], more: str = "") -> Claims:
    project = read_project(write_port(folder, sources, more))
    return read_claims(project, compile_sources(project, BUILDS["O0"]))


@pytest.fixture(autouse=True)
def _compiler(compilers: Callable[..., None]) -> None:
    compilers("68000")


def test_marks_find_their_definitions(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, {"sum.c": SOURCE})
    function = claims.functions["UpdateSum"]
    assert (function.place, function.line, function.symbol) == (FIRST, 7, "UpdateSum")
    (variable,) = claims.globals
    assert (variable.name, variable.line, variable.size) == ("gBytes", 3, 4)


def test_statics_old_style_declarations_and_headers(tmp_path: Path) -> None:
    more = {"more.h": HEADER, "sub/more.c": "short shared[4] = {1}; short a;\n"}
    claims = claims_of(tmp_path, {"places.c": PLACES.replace("\n", "\r"), **more})
    assert {(f.name, f.kind, f.is_defined, f.line) for f in claims.functions.values()} == {
        ("init", "FUNCTION", True, 3),
        ("old_style", "STUB", True, 7),
        ("other", "FUNCTION", False, 4),
        ("never_called", "LIBRARY", False, 5),
    }
    variables = {v.name: (v.place, v.size) for v in claims.globals}
    assert variables == {
        "init::times": ("A5-0x10c8", 2),
        "points": ("A5-0xec8", 8),
        "shared": ("A5-0xd00", 8),
    }
    (times,) = [v for v in claims.globals if v.name == "init::times"]
    assert times.symbol.startswith("times.")


def test_the_main_function_has_the_name_of_its_source(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, {"a.c": f"// FUNCTION: {FIRST}\nint main(void) {{ return 0; }}\n"})
    assert claims.functions["main"].symbol == "macproof_main_of_the_program"


def test_two_static_functions_of_one_name_are_told_by_their_files(tmp_path: Path) -> None:
    text = "// FUNCTION: {}\nstatic void init(void) {{}}\nvoid {}(void) {{ init(); }}\n"
    claims = claims_of(
        tmp_path, {"a.c": text.format(FIRST, "a"), "b/a2.c": text.format(SECOND, "b")}
    )
    assert set(claims.functions) == {"a.c:init", "a2.c:init"}
    assert {f.symbol for f in claims.functions.values()} == {"init"}


def test_a_table_names_what_the_sources_define(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text(
        f"place,name,kind,size\n{FIRST},Sum,,\n{SECOND},elsewhere,STUB,\nA5-0x10cc,total,GLOBAL,4\n"
    )
    source = "long total; void Sum(void) { total++; }\n"
    claims = claims_of(tmp_path, {"sum.c": source}, "marks: [names.csv]\n")
    assert claims.functions["Sum"].is_defined
    assert not claims.functions["elsewhere"].is_defined
    assert claims.globals[0].symbol == "total"


F, G = "void f(void) {}\n", "void g(void) {}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"// FUNCTION: {FIRST}\n{F}// FUNCTION: {FIRST}\n{G}", f"g has the place {FIRST} of f"),
        (f"// FUNCTION: {INSIDE}\n{F}", "f cannot be at CODE 1+0xd4: it lies inside CODE 1+0xd2"),
        (f"// FUNCTION: CODE 7+0x10\n{F}", "it has no code CODE 7"),
        (
            f"// FUNCTION: {FIRST}\n#ifdef OLD\n{F}#endif\n{G}",
            "no function is compiled below the mark",
        ),
        (f"// FUNCTION: {FIRST}\nshort a;\n{G}", "no function is compiled below the mark"),
        (f"// FUNCTION: {FIRST}\n", "line 1: no function is compiled below the mark"),
        ("// GLOBAL: A5-0x10cc\nshort a, b;\n", "a and b stand in the line below the mark, 2"),
        ("// GLOBAL: A5-0x999999\nshort a;\n", "line 2: a cannot be at A5-0x999999"),
        ("// GLOBAL: A5-0x10cc\nshort a;\n// GLOBAL: A5-0x10cc\nshort b;\n", "b has the place"),
        (f"{F}// FUNCTION: {FIRST} f\n// FUNCTION: {SECOND} f\n", "f has two places"),
    ],
)
def test_a_claim_that_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"a\.c, line") as caught:
        claims_of(tmp_path, {"a.c": text})
    assert said in str(caught.value)
