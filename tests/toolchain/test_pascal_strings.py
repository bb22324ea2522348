"""Pascal strings: their text, and what programs on three processors make of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import CompileError
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.pascal_strings import translate_pascal_strings
from emu.toolchain.programs.gcc import compile_program
from tests.toolchain.test_units import tree_of

PATH = Path("file")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r'"\pHello"', r'"\005Hello"'),
        (r'"\p"', r'"\000"'),
        (r'"\PHello"', r'"\005Hello"'),
        (r'f("\pa", "\pbc");', r'f("\001a", "\002bc");'),
        (r'"\p\"\\\n\x41\101\7"', r'"\006\"\\\n\x41\101\7"'),
        (r'"not \p one"', r'"not \p one"'),
        (r'"a\\" "\pb"', r'"a\\" "\001b"'),
        (r"'\"' " + r'"\pb"', r"'\"' " + r'"\001b"'),
        (r'// "\pHello"', r'// "\pHello"'),
        ('/* "\\pHello"\n*/ "\\pa"', '/* "\\pHello"\n*/ "\\001a"'),
        ('// a \\\n "\\pHello"\n"\\pa"', '// a \\\n "\\pHello"\n"\\001a"'),
        ('x = 1; // it\'s\n"\\pa"', 'x = 1; // it\'s\n"\\001a"'),
        (r'"\pabc" "def"', r'"\006abc" "def"'),
        ('"\\pa" /* x */ // y\n  "bc"\\\n"\\n"', '"\\004a" /* x */ // y\n  "bc"\\\n"\\n"'),
        ('"\\pa"\n# 7 "b.c" 2\n"b"', '"\\002a"\n# 7 "b.c" 2\n"b"'),
        ('# 7 "\\p.c"\n"\\pa"', '# 7 "\\p.c"\n"\\001a"'),
        ('#define A "\\pa"\n"b"', '#define A "\\001a"\n"b"'),
        ('# define A \\\n "\\pa" \\\n "b"\nint c;', '# define A \\\n "\\002a" \\\n "b"\nint c;'),
    ],
)
def test_pascal_strings(before: str, after: str) -> None:
    assert translate_pascal_strings(before.encode(), PATH) == after.encode()


@given(st.binary())
def test_what_has_no_pascal_string_stays_as_it_is(source: bytes) -> None:
    source = source.replace(b'"\\p', b"").replace(b'"\\P', b"")
    assert translate_pascal_strings(source, PATH) == source


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('\n"\\p' + 256 * "a" + '"', "line 2: a Pascal string of 256 characters"),
        ('# 9 "program/a.h"\n\n"\\p' + 256 * "a" + '"', r"a\.h, line 10: a Pascal string of 256"),
        ('"\\p' + 200 * "a" + '"\n"' + 56 * "b" + '"', "line 1: a Pascal string of 256 characters"),
        ('"\\pa"\n\n  kName', "line 1: a Pascal string continues in a macro"),
        ('#define A "\\pa" kName', "continues in a macro"),
        ('"\\pa" "\\pb"', "continues in another Pascal string"),
    ],
)
def test_pascal_strings_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(CompileError, match=words):
        translate_pascal_strings(text.encode(), PATH)


# -- compiled ----------------------------------------------------------------------------------


TEXTS = {
    "names.h": '#define kWorld "world"\n#define kEmpty "\\p"\n',
    "say.c": r"""#include "names.h"
unsigned char gBoth[20] = "\phello, "
    "you";
unsigned char *gOf[4] = { kEmpty, "\pa" "bc", (unsigned char *) "\\p", "not \p" };
unsigned char gTitle[16], gCounts[6];
char gQuote = '"';  /* "\pno" */
int gLine = __LINE__; char *gFile = __FILE__;
static int length(s) unsigned char *s; { return s[0]; }
void Go(void)
{
    int i;
    unsigned char *title = "\phi" kWorld;
    for (i = 0; i <= title[0]; i++) gTitle[i] = title[i];
    for (i = 0; i < 4; i++) gCounts[i] = length(gOf[i]);
    gCounts[4] = sizeof("\pabc"), gCounts[5] = gBoth[0];
}
""",
}


@pytest.mark.parametrize("build", ["O0", "O2"])
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_compiled_strings_begin_with_their_length(
    compilers: Callable[..., None], tmp_path: Path, cpu: str, build: str
):
    compilers(cpu)
    tree = tree_of(tmp_path, TEXTS, ("gTitle", "gCounts", "gBoth", "gLine"))
    program = compile_program(tree, BUILDS[build], TARGETS[cpu])
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    machine.call("Go")
    assert bytes(machine.globals["gTitle"])[:8] == b"\7hiworld"
    assert bytes(machine.globals["gBoth"])[:11] == b"\12hello, you"
    assert list(machine.globals["gCounts"]) == [0, 3, ord("\\"), ord("n"), 5, 10]
    assert machine.globals["gLine"] == 7
    text = TEXTS["say.c"].encode()
    assert program.files["say.c"] == hashlib.sha256(text).hexdigest()
    assert (tmp_path / "say.c").read_bytes() == text


def test_lines_of_debugging_information_are_those_of_the_source(
    compilers: Callable[..., None], tmp_path: Path
):
    compilers("68000")
    tree = tree_of(tmp_path, TEXTS, ("gTitle",))
    program = read_elf(compile_program(tree, BUILDS["O0"], TARGETS["68000"]).path)
    (address,) = (symbol.address for symbol in program.symbols if symbol.name == "Go")
    assert program.lines.find(address) == ("say.c", 10)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\nchar *g = "\\p' + 256 * "x" + '";\n', "say.c, line 2: a Pascal string of 256"),
        ('char *g = "\\pabc" 5;\n', "say.c:1:"),
    ],
)
def test_what_is_refused_is_said_with_file_and_line(
    compilers: Callable[..., None], tmp_path: Path, text: str, said: str
):
    compilers("68000")
    tree = tree_of(tmp_path, {"say.c": text + "void Go() {}\n"}, ("g",))
    with pytest.raises(CompileError) as caught:
        compile_program(tree, BUILDS["O1"], TARGETS["68000"])
    assert said in str(caught.value)
