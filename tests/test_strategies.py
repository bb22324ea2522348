"""Strategies of Hypothesis from the types of a guest program."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

import macproof
from emu.base.errors import ProgramError, UsageError
from emu.program import Program
from macproof import strategies
from tests.conftest import ROOT
from tests.rows import slow_but
from tests.small_cases import SmallCases

SOURCE = """
enum Colour { kRed = 3, kGreen = -7, kAlsoRed = 3 };
enum Big { kBig = 0x80000000 };
struct Point { short v, h; };
struct Shape { Colour colour; Point corners[2][3]; bool isOpen; float weight; Shape* next; };
union Word { long whole; unsigned char bytes[4]; };
struct Bits { int low : 3; };
short gCount; short gValues[9]; int gOut;
Shape gShape; Shape gShapes[2]; Word gWord; double gDouble; Big gBig; Bits gBits;
unsigned char gByte; unsigned long long gWide;
extern "C" {
short Clamp(short value, short low, short high)
{ return value < low ? low : value > high ? high : value; }
int IsOpen(Shape* shape, bool wanted) { return shape && shape->isOpen == wanted; }
void Nothing() {}
short Unnamed(short, bool) { return 0; }
int Calls(int (*function)(), void* anything) { return function ? function() : anything != 0; }
}
const void* volatile gUsed; // what nothing uses, the linker drops
void Run()
{
    gUsed = &gShapes; gUsed = &gWord; gUsed = &gDouble; gUsed = &gBig; gUsed = &gBits;
    gUsed = &gByte; gUsed = &gWide;
    gOut = Clamp(gCount, 0, 5) + IsOpen(&gShape, true);
    Nothing();
    gOut += Unnamed(1, true) + Calls(0, 0);
}
"""


@pytest.fixture(scope="module", params=slow_but(["68000"], ["68000", "601"]))
def subject(request: pytest.FixtureRequest, small_cases: SmallCases) -> macproof.Subject:
    """The program, on two processors."""
    case = small_cases.make(SOURCE, "return answer(out=0)", "{gOut: out}")
    return small_cases.subject(case, request.param, "O0")


@pytest.fixture(scope="module")
def program(subject: macproof.Subject) -> Program:
    """What is known of the program's types."""
    return subject.read()


def least(strategy: st.SearchStrategy[Any], condition: Any = lambda value: True) -> Any:
    """The smallest value that Hypothesis finds."""
    return hypothesis.find(strategy, condition)


@pytest.mark.parametrize(
    ("kind", "same"),
    [
        ("short", st.integers(-(2**15), 2**15 - 1)),
        ("short int", st.integers(-(2**15), 2**15 - 1)),
        ("unsigned char", st.integers(0, 255)),
        ("long long unsigned int", st.integers(0, 2**64 - 1)),
        ("bool", st.booleans()),
        ("float", st.floats(width=32)),
        ("double", st.floats(width=64)),
        ("Colour", st.sampled_from((3, -7))),
        ("Big", st.sampled_from((0x80000000,))),
    ],
)
def test_a_plain_type_has_the_values_that_it_holds(
    program: Program, kind: str, same: st.SearchStrategy[Any]
):
    assert repr(strategies.of_type(program, kind)) == repr(same)


@pytest.mark.slow
def test_a_struct_is_a_dict_and_an_array_a_list(program: Program):
    shape = least(strategies.of_type(program, "Shape"))
    assert shape == {
        "colour": 3,
        "corners": [[{"v": 0, "h": 0}] * 3] * 2,
        "isOpen": False,
        "weight": 0.0,
        "next": None,
    }
    assert least(strategies.of_type(program, program.variable("gValues").type)) == [0] * 9


@pytest.mark.slow
def test_a_union_has_one_member(program: Program):
    words = strategies.of_type(program, "Word")
    assert least(words, lambda word: "bytes" in word) == {"bytes": [0] * 4}
    assert least(words, lambda word: "whole" in word) == {"whole": 0}


@pytest.mark.slow
def test_members_can_be_of_other_strategies(program: Program):
    shapes = program.variable("gShapes").type
    found = least(strategies.of_type(program, shapes, weight=st.just(2.5)))
    assert [shape["weight"] for shape in found] == [2.5, 2.5]
    with pytest.raises(UsageError, match="Point has no member x; there are v, h"):
        strategies.of_type(program, "Point", x=st.just(1))


def test_what_is_drawn_fits_the_guests_memory(subject: macproof.Subject, program: Program):
    machine = macproof.Machine(subject)

    @hypothesis.given(strategies.of_type(program, "Point"))
    def stored(point: dict[str, int]) -> None:
        machine.globals["gShape"]["corners"][1, 2] = tuple(point.values())
        kept = machine.globals["gShape"]["corners"][1, 2]
        assert {name: kept[name] for name in point} == point

    stored()


@pytest.mark.slow
def test_arguments_shrink_to_the_smallest_call(subject: macproof.Subject, program: Program):
    """A wrong expectation: that a value between its limits is all that Clamp returns."""
    machine = macproof.Machine(subject)

    @hypothesis.settings(print_blob=False, database=None)
    @hypothesis.given(strategies.arguments(program, "Clamp", low=st.just(0)))
    def is_not_clamped(arguments: tuple[int, int, int]) -> None:
        calls.append(arguments)
        assert machine.functions.Clamp(*arguments) == arguments[0]

    calls: list[tuple[int, int, int]] = []
    with pytest.raises(AssertionError):
        is_not_clamped()
    assert sorted(map(abs, calls[-1])) == [0, 0, 1]


def test_arguments_of_a_call_without_and_with_pointers(program: Program):
    assert least(strategies.arguments(program, "Nothing")) == ()
    assert least(strategies.arguments(program, "Unnamed")) == (0, False)
    assert least(strategies.arguments(program, "Calls")) == (None, None)
    calls = strategies.arguments(program, "IsOpen", shape=st.sampled_from([None, 0x20000]))
    assert least(calls, lambda call: call[1]) == (None, True)


def test_what_is_not_there_is_refused(program: Program):
    with pytest.raises(ProgramError, match="has no type Shap; did you mean Shape"):
        strategies.of_type(program, "Shap")
    with pytest.raises(UsageError, match="has no parameter lower; did you mean low"):
        strategies.arguments(program, "Clamp", lower=st.just(1))
    with pytest.raises(ProgramError, match="there is no function Clump"):
        strategies.arguments(program, "Clump")


@pytest.mark.parametrize("function", strategies.__all__)
def test_the_examples_do_what_they_say(function: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    names = {"hypothesis": hypothesis, "macproof": macproof, "st": st, "strategies": strategies}
    value = getattr(strategies, function)
    (example,) = doctest.DocTestFinder(recurse=False).find(value, function, globs=names)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_without_hypothesis_the_rest_of_macproof_works(tmp_path: Path):
    code = """
import sys
sys.modules["hypothesis"] = None
import macproof
macproof.read_program
try:
    from macproof import strategies
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "macproof.strategies needs Hypothesis: pip install hypothesis\n"
