"""Prototypes of the 1990s, called from cases and from Python.

Unions, packed enumerations, bit-fields by value, arrays of Pascal strings, two dimensions, pointers
to pointers, and functions in structs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

import macproof
from emu.base.errors import CaseError, UsageError
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from macproof import strategies
from tests.rows import slow_but

SOURCE = Path(__file__).parents[1] / "programs" / "ordinary_types.c"
HEAD = """\
schema: macproof.case/1
name: ordinary
title: Ordinary types
sources: [ordinary_types.c]
scene: {make: "macproof_ordinary:make", generators: [any], objects: [0], count: 12}
ignore: [gKept]
reference: macproof_ordinary:answer
"""
PYTHON = """
import random
from types import SimpleNamespace

import numpy as np


class Given:
    def __init__(self, generator, objects, seed):
        self.generator, self.objects, self.seed = generator, objects, seed
        draw = random.Random(seed).randrange
        self.x, self.hi, self.lo = draw(-100, 100), draw(-9, 9), draw(-9, 9)
        self.whole = (self.hi << 16) + (self.lo & 0xFFFF)
        self.small = (1, 200)[draw(2)]
        self.ready, self.mode, self.step, self.rest = draw(2), draw(8), draw(-7, 8), draw(256)
        self.byte, self.type, self.weight = draw(256), 0x61626364, draw(64) / 4
        self.grid = np.array([[draw(-50, 50) for _ in range(4)] for _ in range(3)])
        self.names = [bytes(draw(65, 90) for _ in range(draw(1, 15))) for _ in range(3)]
        self.low, self.other = draw(1 << 32), draw(1 << 32)

    def keep(self, indices):
        return self


def make(generator, objects, seed, **named):
    return Given(generator, objects, seed)


def answer(one):
    grid = one.grid.copy()
    grid[0, 3] = np.trace(grid[:, :3])
    total = (one.hi << 32) + one.low + (one.x << 32) + one.other
    lengths = [len(name) for name in one.names]
    return SimpleNamespace(
        hi=one.lo, lo=one.hi, small=201 - one.small, ready=1 - one.ready, mode=one.mode,
        step=-one.step, rest=one.rest, high=one.byte & 128, grid=grid, trace=grid[0, 3],
        longest=lengths.index(max(lengths)), twice=2 * one.x, kind=one.x, n=one.hi,
        weight=2 * one.weight, top=total >> 32, bottom=total & 0xFFFFFFFF,
    )
"""
HANDLER = "{type: type, proc: {address_of: Twice}, ratio: x}"
CALLS = {
    "Swapped": ("{s: {whole: whole}}", "return: {half.hi: hi, half.lo: lo}"),
    "Run": (f"{{h: {{points_to: {HANDLER}}}, x: x}}", "return: twice"),
    "Longest": ("{names: {points_to: pascal names, count: 3}}", "return: longest"),
    "Other": ("{s: small}", "return: small"),
    "Turned": (
        "{f: {ready: ready, mode: mode, step: step, rest: rest}}",
        "return: {ready: ready, mode: mode, step: step, rest: rest}",
    ),
    "IsHigh": ("{c: byte}", "return: high"),
    "Trace": ("{grid: {points_to: grid, count: 3}}", 'return: trace, "*grid": grid'),
    "RunOf": (f"{{h: {HANDLER}, x: x}}", "return: twice"),
    "Heavier": (
        "{m: {kind: x, weight: weight, n: hi}, more: weight}",
        "return: {kind: kind, weight: weight, n: n}",
    ),
    "Sum": ("{a: {hi: hi, lo: low}, b: {hi: x, lo: other}}", "return: {hi: top, lo: bottom}"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ordinary_types.c").write_text(SOURCE.read_text())
    (tmp_path / "macproof_ordinary.py").write_text(PYTHON)
    return tmp_path


def case_of(folder: Path, routine: str, arguments: str, observe: str) -> macproof.Case:
    lines = f"call: {routine}\narguments: {arguments}\nobserve: {{{observe}}}\n"
    (folder / "case.yaml").write_text(HEAD + lines)
    return macproof.load_case(folder)


@pytest.mark.parametrize("routine", slow_but([*CALLS][:1], [*CALLS]))
def test_from_a_case(folder: Path, compilers: Callable[..., None], routine: str):
    compilers(*TARGETS)
    case = case_of(folder, routine, *CALLS[routine])
    found = macproof.verify(case, macproof.programs_of(case, cpus=[*TARGETS], builds=["O2"]))
    assert found.verdict == "verified", found.to_json()[:3000]


@pytest.mark.parametrize(
    ("member", "problem"),
    [
        ("porc: {address_of: Twice}", "Handler has no pointer porc; did you mean proc?"),
        ("ratio: {address_of: Twice}", "ratio is a long int, and no pointer"),
        ("proc: {address_of: Twoce}", "no function or variable Twoce .* did you mean Twice?"),
    ],
)
def test_a_wrong_address_in_a_struct(
    folder: Path, compilers: Callable[..., None], member: str, problem: str
):
    compilers("68040")
    arguments = f"{{h: {{points_to: {{type: type, {member}}}}}, x: x}}"
    case = case_of(folder, "Run", arguments, "return: twice")
    with pytest.raises(CaseError, match=problem.replace("?", "[?]")):
        macproof.verify(case, macproof.programs_of(case, cpus=["68040"], builds=["O2"]))


@pytest.fixture(scope="module", params=[*TARGETS])
def machine(request: pytest.FixtureRequest, compilers: Callable[..., None]) -> BareMachine:
    compilers(request.param)
    tree = SourceTree(
        routine="Go",
        state=("gNames", "gGrid", "gHandler", "gKept"),
        units=((SOURCE,),),
        folders=(SOURCE.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    built = compile_program(tree, BUILDS["O2"], TARGETS[request.param])
    return BareMachine(read_elf(built.path), CPUS[request.param])


def test_a_union_is_given_by_one_member_or_by_several_that_agree(machine: BareMachine):
    swapped = machine.functions.Swapped
    for given in ({"whole": 0x10002}, {"half": {"hi": 1, "lo": 2}}, {"bytes": b"\0\1\0\2"}):
        assert swapped(given)["whole"] == 0x20001
    assert swapped({"whole": 0x10002, "half": {"hi": 1, "lo": 2}})["whole"] == 0x20001
    with pytest.raises(UsageError, match="Split s is a union, and its whole is given another"):
        swapped({"whole": 5, "half": {"hi": 1, "lo": 2}})

    @hypothesis.given(strategies.arguments(machine.program, "Swapped"))
    @hypothesis.settings(max_examples=20)
    def turns_back(given: tuple[dict[str, object]]) -> None:
        once = swapped(*given)
        assert swapped(swapped(once))["whole"] == once["whole"]

    turns_back()


def test_a_function_stands_in_a_struct(machine: BareMachine):
    functions = machine.functions
    handler = machine.new("Handler", type=0x61626364, proc=functions.Twice)
    assert functions.Run(handler, 21) == 42
    assert functions.RunOf({"type": 0, "proc": functions.Twice, "ratio": 0}, -4) == -8
    with pytest.raises(UsageError, match="only an argument of its own can be a Python function"):
        functions.RunOf({"type": 0, "proc": lambda x: x, "ratio": 0}, 1)
    with pytest.raises(UsageError, match="which needs a whole number"):
        functions.Twice(functions.Twice)


def test_a_pointer_to_a_pointer_is_made_by_the_name_of_its_type(machine: BareMachine):
    last = machine.new("Node", n=7)
    head = machine.new("Node *")
    head[...] = machine.new("Node", next=last, n=5).address
    assert [machine.functions.Pop(head), machine.functions.Pop(head), int(head[()])] == [5, 7, 0]
    assert machine.new("void *", 3).value.shape == (3,)


def test_what_a_prototype_says_of_two_dimensions(machine: BareMachine):
    assert str(machine.functions.Trace) == "long Trace(short (*grid)[4])"
    grid = machine.new("short", 12)
    grid[:] = range(12)
    assert machine.functions.Trace(grid) == 15 and grid[3] == 15


def test_four_characters_are_a_whole_number(machine: BareMachine):
    reversed_ = machine.functions.Reversed
    assert reversed_(int.from_bytes(b"abcd", "big")) == int.from_bytes(b"dcba", "big")
    with pytest.raises(UsageError, match=r"needs a whole number: int\.from_bytes"):
        reversed_(b"abcd")
