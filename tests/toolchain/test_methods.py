"""C++ methods are found by "Class::Method", also where nothing calls them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from tests.rows import slow_but

SOURCE = """
class Box
{
public:
    short Doubled() const { return 2 * width; }
    void Grow(short by);
    struct Lid { short Half() const { return height / 2; } short height; };

    short width;
    Lid lid;
};

void Box::Grow(short by) { width += by; lid.height += by; }

namespace { short Hidden(short a) { return a + 1; } }

Box gBox;
short gCount;
void Go() { gCount = Hidden(gCount); }
"""


@pytest.mark.parametrize("cpu", slow_but(["68000"], TARGETS))
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_methods(compilers: Callable[..., None], tmp_path: Path, cpu: str, build: str):
    compilers(cpu)
    (tmp_path / "box.cpp").write_text(SOURCE)
    tree = SourceTree(
        routine="Box::Doubled",
        state=("gBox", "gCount"),
        units=((tmp_path / "box.cpp",),),
        folders=(tmp_path,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        also=("Box::Grow", "Hidden", "Go"),
    )
    made = compile_program(tree, BUILDS[build], TARGETS[cpu])
    with BareMachine(read_elf(made.path), CPUS[cpu]) as machine:
        box = machine.program.variable("gBox").address
        machine.functions["Box::Grow"](box, 5)
        assert machine.functions["Box::Doubled"](box) == 10
        assert machine.functions.Hidden(3) == 4
