"""Functions that nothing calls stay in a program, and one that is missing says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from emu.base.errors import CompileError, ProgramError
from emu.machine import CPUS, BareMachine
from emu.program import Program, read_elf
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.programs.gcc import compile_program
from tests.toolchain.test_units import tree_of

C = """
short gOut;
extern short Missing(short);
static short table[] = {10, 20, 30};
static short Unused(short a) { return a + 3; }
static short Inlined(short a) { return a * 3; }
short Negated(short a) { return -a; }
short Entry(short i) { return table[i]; }
short CallsMissing(short a) { return Missing(a); }
short CallsThat(short a) { return CallsMissing(a) + 1; }
void Go(void) { gOut = Inlined(gOut); }
int main(void) { return CallsMissing(0); }
"""
CPP = """
struct Shape { virtual short Area() { return 0; } };
struct Square : Shape { short side; Square(short s) : side(s) {} short Area(); };
short Square::Area() { return side * side; }
short AreaOf(short side) { Square square(side); Shape* shape = &square; return shape->Area(); }
short gOut;
void Go() { gOut = 1; }
"""

Compile = Callable[..., Program]


@pytest.fixture
def compiled(compilers: Callable[..., None], tmp_path: Path) -> Compile:
    """Compiles the source of a file for a processor and build."""

    def compile_source(cpu: str, build: str = "O2", **texts: str) -> Program:
        compilers(cpu)
        tree = tree_of(tmp_path, {f"a.{kind}": text for kind, text in texts.items()}, ("gOut",))
        return read_elf(compile_program(tree, BUILDS[build], ALL_TARGETS[cpu]).path)

    return compile_source


@pytest.mark.parametrize("cpu", ["68000", "68040", "601", "mips"])
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_a_function_that_nothing_calls_can_be_called(compiled: Compile, cpu: str, build: str):
    """Another function of the file, which cannot be linked, does not prevent it."""
    machine = BareMachine(compiled(cpu, build, c=C), CPUS[cpu])
    assert machine.functions.Negated(5) == -5
    assert machine.functions.Entry(2) == 30
    assert not hasattr(machine.functions, "CallsThat")


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_virtual_method_that_nothing_calls_can_be_called(compiled: Compile, cpu: str):
    assert BareMachine(compiled(cpu, cpp=CPP), CPUS[cpu]).functions.AreaOf(7) == 49


@pytest.mark.parametrize(
    ("build", "name", "problem"),
    [
        ("O0", "CallsThat", "the linker has left CallsThat out: nothing needs it, or it calls"),
        ("O0", "Unused", "the linker has left Unused out"),
        ("O2", "Inlined", "Inlined is only inside of the functions that call it"),
        ("O2", "Unused", "no function Unused.*drops a static function that nothing calls"),
        ("O2", "Nonsense", "there is no function Nonsense.*It defines Entry, Go, Negated"),
    ],
)
def test_a_missing_function_says_why(compiled: Compile, build: str, name: str, problem: str):
    with pytest.raises(ProgramError, match=problem):
        compiled("68040", build, c=C).function(name)


def test_what_the_routine_itself_needs_is_an_error_as_before(compiled: Compile):
    """The message has nothing of what the linker says of every program."""
    with pytest.raises(CompileError, match="Missing is not defined, but used by") as caught:
        compiled("68040", c=C.replace("Inlined(gOut);", "Missing(gOut);"))
    assert "warning" not in str(caught.value)


def test_a_trimmed_program_has_what_its_routine_needs(
    compilers: Callable[..., None], tmp_path: Path
):
    """It is another program, so it has another digest."""
    compilers("68040")
    whole = tree_of(tmp_path, {"a.c": C}, ("gOut",))
    trimmed = replace(whole, trimmed=True)
    program = read_elf(compile_program(trimmed, BUILDS["O2"], ALL_TARGETS["68040"]).path)
    assert [one.name for one in program.symbols if one.kind == "function"] == ["Go"]
    assert trimmed.digest() != whole.digest()
