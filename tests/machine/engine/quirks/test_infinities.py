"""The engine takes an infinity in a register of the 68881 for no number; such calls decide nothing.

Everywhere else, and where no register holds one, infinities and NaNs are as they have to be.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.machine import CPUS, BareMachine, GuestFault
from emu.machine.engine.base.float_state import FloatState
from emu.machine.engine.base.models import find_model, open_engine
from emu.machine.engine.quirks.infinities import takes_infinity_for_nan
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from tests.rows import slow_but

SOURCE = """
double gHeld;
double Quotient(double a, double b) { return a / b; }
short IsLarge(double a, double b) { gHeld = a / b; return gHeld > 1000; }
double Next(double a) { return a + 1; }
double Called(double (*f)(double), double a) { return f(a) + 1; }
void *gKept[] = { Quotient, IsLarge, Next, Called };
void Go(void) { gHeld = 1; }
"""
INFINITE = math.inf


@pytest.fixture(scope="module", params=slow_but(["68040 O2"], ["68040 O2", "68040 O0"]))
def machine(
    request: pytest.FixtureRequest,
    compilers: Callable[..., None],
    tmp_path_factory: pytest.TempPathFactory,
) -> BareMachine:
    cpu, build = request.param.split()
    compilers(cpu)
    path = tmp_path_factory.mktemp("infinities") / "infinities.c"
    path.write_text(SOURCE)
    tree = SourceTree(
        routine="Go",
        state=("gHeld", "gKept"),
        units=((path,),),
        folders=(path.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    built = compile_program(tree, BUILDS[build], TARGETS[cpu])
    return BareMachine(read_elf(built.path), CPUS[cpu])


def test_the_engine_has_the_mistake_on_the_68881_alone():
    """If this fails, the engine is mended, and `emu.machine.engine.quirks.infinities` can go."""
    assert [cpu for cpu, model in CPUS.items() if takes_infinity_for_nan(model)] == [
        *("68020", "68030", "68040")
    ]


@pytest.mark.parametrize(
    ("routine", "arguments"),
    [("IsLarge", (1.0, 0.0)), ("Next", (INFINITE,)), ("Called", (lambda a: INFINITE, 1.0))],
)
def test_a_call_that_reads_an_infinity_decides_nothing(
    machine: BareMachine, routine: str, arguments: tuple[object, ...]
):
    with pytest.raises(GuestFault, match="the engine takes an infinity") as caught:
        machine.functions[routine](*arguments)
    assert caught.value.fault.kind == "engine"
    if routine != "Called":  # there the register was loaded before the program went on
        assert routine in str(caught.value.fault.location)


def test_a_nan_of_another_operation_is_no_reason(machine: BareMachine):
    functions = machine.functions
    assert math.isnan(functions.Quotient(0.0, 0.0))
    assert math.isnan(functions.Called(lambda a: math.nan, 1.0))
    assert functions.IsLarge(1.0, 2.0) == 0
    assert functions.Next(1.0) == 2.0


def test_a_nan_that_is_loaded_by_fdmove_is_an_infinity_to_the_engine():
    """The second mistake: if this fails, it is mended, and docs/cases.md can say so."""
    engine = open_engine(CPUS["68040"], find_model(CPUS["68040"]))
    engine.mem_map(0x1000, 0x2000)
    engine.mem_write(0x1000, bytes.fromhex("f239544400002000"))  # FDMOVE.D ($2000).L,FP0
    engine.mem_write(0x2000, bytes.fromhex("7ff8000000000000"))
    state = FloatState(CPUS["68040"], engine)
    assert not state.has_infinity
    engine.emu_start(0x1000, 0x1008)
    assert state.has_infinity and not state.was_invalid


CASE = """\
schema: macproof.case/1
name: inverse
title: An inverse that may be infinite
sources: [inverse.c]
scene: {make: "macproof_inverse:make", generators: [any], objects: [0], count: 8}
call: Inverse
arguments: {x: x}
observe: {return: "y", gMore: more}
reference: macproof_inverse:invert
"""
PYTHON = """
import math
from types import SimpleNamespace


class Number:
    def __init__(self, generator, objects, seed):
        self.generator, self.objects, self.seed = generator, objects, seed
        self.x = float(seed % 4) + LEAST

    def keep(self, indices):
        return self


def make(generator, objects, seed, **named):
    return Number(generator, objects, seed)


def invert(scene):
    y = 1 / scene.x if scene.x else math.inf
    return SimpleNamespace(y=y, more=y + 1)
"""


@pytest.mark.parametrize(
    ("cpu", "least", "verdict"),
    [
        ("68040", "0", "inconclusive"),
        ("68040", "1", "verified"),
        ("68000", "0", "verified"),
        ("601", "0", "verified"),
    ],
)
def test_verdicts(
    tmp_path: Path, compilers: Callable[..., None], cpu: str, least: str, verdict: str
):
    compilers(cpu)
    source = "double gMore; double Inverse(double x) { gMore = 1 / x + 1; return 1 / x; }\n"
    (tmp_path / "inverse.c").write_text(source)
    (tmp_path / "case.yaml").write_text(CASE)
    (tmp_path / "macproof_inverse.py").write_text(PYTHON.replace("LEAST", least))
    case = macproof.load_case(tmp_path)
    found = macproof.verify(case, macproof.programs_of(case, cpus=[cpu], builds=["O2"]))
    assert found.verdict == verdict
    told = "takes an infinity in a floating-point register for no number" in found.to_json()
    assert told == (verdict == "inconclusive")
