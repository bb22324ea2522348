"""Static variables of functions, by "Function::name", whatever the compiler did to the function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from emu.base.errors import ProgramError
from emu.machine import CPUS, BareMachine
from emu.program import Program, read_elf
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources

SOURCE = """
struct Box { int width; int Area(); };
int Box::Area() { static int calls; return width * ++calls; }
static inline short Twice(short a)
{
    static short seen = 5;
    seen += a;
    if (a) { static short parities[2] = { 7, 8 }; parities[a & 1]++; }
    return 2 * a;
}
int gOut;
void Run()
{
    static unsigned char first = 1;
    Box box;
    box.width = 3;
    if (gOut) { static int again = 2; static int gOut; again++; gOut += again; }
    { static int twice = 3; twice++; }
    { static int twice = 4; twice++; }
    gOut = box.Area() + Twice(gOut) + Twice(4) + ++first;
}
"""


@pytest.fixture(scope="module", params=[("68000", "O0"), ("68040", "O2"), ("601", "O2")])
def program(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    compilers: Callable[..., None],
) -> tuple[Program, str]:
    cpu, build = request.param
    compilers(cpu)
    path = tmp_path_factory.mktemp("statics") / "statics.cpp"
    path.write_text(SOURCE)
    tree = SourceTree(
        routine="Run",
        state=("gOut",),
        units=((path,),),
        folders=(path.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    made = compile_program(tree, BUILDS[build], ALL_TARGETS[cpu])
    return read_elf(made.path), cpu


def test_statics_have_the_name_of_their_function_before_them(program: tuple[Program, str]):
    read, cpu = program
    machine = BareMachine(read, CPUS[cpu])
    statics = ("Run::first", "Run::again", "Twice::seen", "Twice::parities", "Box::Area::calls")
    values = {name: np.array(machine.globals[name]).tolist() for name in statics}
    assert list(values.values()) == [1, 2, 5, [7, 8], 0]
    machine.functions.Run()
    machine.functions.Run()
    values = {name: np.array(machine.globals[name]).tolist() for name in statics}
    assert list(values.values()) == [3, 3, 5 + 4 + 13 + 4, [9, 9], 2]
    assert machine.globals["Run::gOut"] == 3
    assert machine.globals["gOut"] == 6 + 2 * 13 + 8 + 3


def test_two_of_one_name_in_one_function(program: tuple[Program, str]):
    read, _ = program
    with pytest.raises(ProgramError, match="2 variables are named Run::twice"):
        read.variable("Run::twice")


def test_the_bare_name_is_no_global(program: tuple[Program, str]):
    read, _ = program
    with pytest.raises(ProgramError, match="there is no global variable seen"):
        read.variable("seen")
