"""What a linker complains of is said in sentences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CompileError
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.link_errors import explain
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.programs.gcc import compile_program
from tests.toolchain.test_units import tree_of


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "unit0.o: in function `Go':\n./go.c:3: undefined reference to `Foo'",
            "Foo is not defined, but used by Go (go.c, line 3). Is it in a file that is not among",
        ),
        (
            "/usr/bin/ld: ./go.c:4: undefined reference to `TikCount'\n"
            "/usr/bin/ld: b.c:9: undefined reference to `TikCount'",
            "used by go.c, line 4, b.c, line 9; did you mean TickCount? Is it in a file",
        ),
        (
            "ld: unit0.o:(.data.gAll+0x234): undefined reference to `Foo'",
            "Foo is not defined, but used by gAll.",
        ),
        (
            "ld: unit0.o: in function `Go()':\n./go.cpp:3: undefined reference to `TickCount()'",
            'The Toolbox has a TickCount for C: include its header, or declare it extern "C"',
        ),
        (
            "./a.c:3: undefined reference to `GetSharedLibrary'",
            "Only a Power Macintosh has GetSharedLibrary in a library of the system",
        ),
        (
            "ld: b.o: in function `Foo':\n./b.c:1: multiple definition of `Foo'; "
            "a.o:./go.c:2: first defined here\ncollect2: error: ld returned 1 exit status",
            "Foo is defined twice, in go.c, line 2 and b.c, line 1: rename one of them, or make it "
            "static if only its own file uses it",
        ),
        (
            "a.c:1: undefined reference to `Foo'\nld: section .text will not fit in region `code'",
            "section .text will not fit in region `code'",
        ),
        ("go.c:3: error: 'a' undeclared", "go.c:3: error: 'a' undeclared"),
    ],
)
def test_sentences(line: str, sentence: str):
    text = explain(line)
    assert sentence in text
    assert "undefined reference" not in text and "collect2" not in text


def test_many_places_are_counted():
    said = "\n".join(f"./go.c:{n}: undefined reference to `Foo'" for n in range(1, 9))
    assert "go.c, line 3 and 5 more places" in explain(said)


SOURCE = "short g;\nvoid Go(void)\n{\n    g = TikCount();\n}\n"


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_case_names_function_file_and_line(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    """A function without a prototype is what C guesses from its call."""
    compilers(cpu)
    tree = tree_of(tmp_path, {"go.c": SOURCE}, ("g",))
    with pytest.raises(
        CompileError, match=r"TikCount is .*Go \(go\.c, line 4\); did you mean Tick"
    ):
        compile_program(tree, BUILDS["O1"], TARGETS[cpu])


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_an_application_names_function_and_file(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text("int main(void)\n{\n    return TikCount();\n}\n")
    with pytest.raises(CompileError, match=r"TikCount is not defined, but used by main"):
        build_application([source], "A", cpu, None, tmp_path / cpu)
