"""Cases whose arguments are not those that the routine declares: the line and the prototype."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from emu.base.errors import CaseError, GuestError
from emu.cases.case_file import read_case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation

SOURCE = """
#include <Types.h>
typedef struct { short key; double weight; Rect bounds; } item;
short gState, gKept[4];
short Order(const item *one, const item *other) { return one->key - other->key; }
short Sum(const short *values, short count, long *total) { *total = count; return values[0]; }
void Plain(void) { gState++; }
void Open(Str255 name, char *path, short (*order)(const item *, const item *), item **list)
{ gState = 1; }
double Scale(float factor, unsigned char step, item one) { return factor; }
long Print(const char *format, ...) { return 0; }
void Needs(short a) { gState = a; }
void Tick(void) { static short sCount; sCount++; }
void Crash(void) { *(volatile short *) 0xF0000000 = 1; }
Point Where(Point at) { return at; }
typedef struct { short count; long first; } list;
short Length(const list *one, list two) { return one->count + two.count; }
void *gAll[] = { Order, Sum, Plain, Open, Scale, Print, Needs, Crash, Where, gKept, Tick,
               Length };
void Run(void) { gState = gAll[0] != 0; }
"""
CASE = """\
schema: macproof.case/1
name: bad
title: Bad input
sources: [bad.c]
scene: {make: "macproof_bad:make", generators: [any], objects: [3], count: 6}
reference: macproof_bad:make
"""
PYTHON = "def make(*arguments, **named): pass\n"
SCENE = SimpleNamespace(
    objects=3,
    values=np.arange(3),
    one=1,
    big=70000,
    negative=-1,
    half=0.5,
    tenth=0.1,
    long_text="a" * 300,
    text="abc",
    zero="a\0b",
    far=9,
)
SUM = "short Sum(const short *values, short count, long *total)"
SCALE = "double Scale(float factor, unsigned char step, item one)"
OPEN = "void Open(unsigned char *name, char *path, function *order, item **list)"
NEEDS = "void Needs(short a)"
WHOLE = (
    "{key: one, weight: half, bounds.top: one, bounds.left: one, bounds.bottom: one, "
    "bounds.right: one}"
)


def given(call: str, observe: str = "gState: one", **arguments: str) -> str:
    """The lines of a case from line 7 on; the first argument is in line 10."""
    lines = [f"call: {call}", f"observe: {{{observe}}}", "arguments:"]
    return "\n".join([*lines, *(f"  {name}: {value}" for name, value in arguments.items())])


def summing(observe: str = "gState: one", **changes: str) -> str:
    values = {"values": "{points_to: values, count: 4}", "count": "one", "total": "{count: 1}"}
    return given("Sum", observe, **values | changes)


def scaling(**changes: str) -> str:
    return given("Scale", **{"factor": "half", "step": "one", "one": WHOLE} | changes)


def opening(observe: str = "gState: one", **changes: str) -> str:
    null = dict.fromkeys(("name", "path", "order", "list"), "null")
    return given("Open", observe, **null | changes)


def plain(**keys: str) -> str:
    words = {"call": "Plain", "observe": "{gState: one}", "input": "{gKept: values}"}
    return "\n".join(f"{key}: {value}" for key, value in (words | keys).items())


MISMATCHES = [
    (summing(vlaues="one"), 13, f"{SUM} has no parameter vlaues; did you mean values?"),
    (given("Sum", values="one"), 7, f"{SUM} needs short count, which the case does not give"),
    (given("Plain", a="one"), 10, "void Plain() has no parameter a"),
    (given("Needs", a="one", b="one"), 11, f"{NEEDS} has no parameter b"),
    (plain(call="Needs"), 7, "Needs(short a) takes 1 parameter, and the case gives no arguments"),
    # Structs and their members.
    (scaling(one="{kye: one}"), 12, "call.one (item) has no member kye; did you mean key?"),
    (scaling(one="{kye: one}"), 12, f"; the routine is {SCALE}"),
    (scaling(one="{bounds.topp: one}"), 12, "call.one.bounds (Rect) has no member topp; did you"),
    (scaling(one="{key: one}"), 12, f"{SCALE}: item one is given without its member weight"),
    (
        scaling(one=WHOLE.replace("bounds.left: one, ", "")),
        12,
        f"{SCALE}: item one is given without its member bounds.left",
    ),
    (opening(path="{count: one}"), 11, "As room for what a pointer leads to, count is a"),
    (scaling(step="{a: one}"), 11, "call.step (unsigned char) is no struct"),
    (scaling(one="one"), 12, f"say which member of call.one is meant; the routine is {SCALE}"),
    (opening(list="{points_to: {points_to: {kye: one}}}"), 13, "**list (item) has no member kye"),
    # Pointers.
    (given("Needs", a="{points_to: one}"), 10, f"{NEEDS}: short a is no pointer"),
    (given("Needs", a="null"), 10, f"{NEEDS}: short a is no pointer"),
    (given("Needs", a="{address_of: Order}"), 10, f"{NEEDS}: short a is no pointer"),
    (
        summing(values="{points_to: {points_to: one}}"),
        10,
        f"{SUM}: what const short *values points to is no pointer",
    ),
    (
        summing(values="one"),
        10,
        "call.values is a pointer to short int, and the case",
    ),
    (opening(order="{address_of: Ordr}"), 12, "no function or global Ordr; did you mean Order?"),
    (opening(order="{address_of: Order, count: 3}"), 12, "address_of cannot have another key"),
    (
        opening(name="{points_to: one, cuont: 3}"),
        10,
        "cuont is not known beside points_to, count and",
    ),
    (opening(path="one into gNames"), 11, "into gNames, which is no array that the case fills"),
    (opening("gKept: values", path="far into gKept"), 11, "path is beyond the array it points"),
    (
        given("Needs", a="one into gKept"),
        10,
        f"is a short int, not a pointer; the routine is {NEEDS}",
    ),
    # Values.
    (given("Needs", a="big"), 10, "the scene's big has values that call.a (short int) cannot hold"),
    (
        given("Needs", a="half"),
        10,
        f"half has values that call.a (short int) cannot hold; the routine is {NEEDS}",
    ),
    (scaling(step="negative"), 11, "negative has values that call.step (unsigned char) cannot"),
    (scaling(factor="tenth"), 10, "tenth has values that call.factor (float) cannot hold"),
    (scaling(factor="half within 2 ulp"), 10, "call.factor is an input, which is not compared"),
    (given("Needs", a="values"), 10, "the scene's values has shape (3,), call.a has ()"),
    (given("Needs", a="text"), 10, "has text as <U3, not as numbers"),
    (
        given("Needs", a="ones"),
        10,
        "has no ones, which call.a is to be filled with; did you mean one",
    ),
    (
        summing(values="{points_to: values, count: 2}"),
        10,
        "values has 3 values, *values has room for 2",
    ),
    (
        summing(values="{points_to: values}"),
        10,
        "Say how many elements there is room for, with count",
    ),
    (
        summing(values="values"),
        10,
        ". If values is what it points to, write values: {points_to: values, count: 40}",
    ),
    # Texts.
    (
        opening(name="{points_to: pascal long_text, count: 256}"),
        10,
        "300 characters, more than 255",
    ),
    (
        opening(name="{points_to: pascal text, count: 3}"),
        10,
        f"text has 4 values, *name has room for 3; the routine is {OPEN}",
    ),
    (opening(path="{points_to: c text, count: 3}"), 11, "text has 4 values, *path has room for 3"),
    (opening(path="{points_to: c zero, count: 9}"), 11, "zero with a 0 inside"),
    (opening(name="{points_to: pascal one, count: 256}"), 10, "has one as int, not as a text or"),
    (
        summing(values="{points_to: pascal text, count: 9}"),
        10,
        "*values is a short int; a text needs an array of bytes",
    ),
    # What is observed.
    (given("Needs", "return: one", a="one"), 8, f"{NEEDS} returns nothing to be observed"),
    (plain(observe="{return: one}"), 8, "void Plain() returns nothing to be observed"),
    (
        given("Where", "return: {w: one}", at="{v: one, h: one}"),
        8,
        "return (Point) has no member w",
    ),
    (
        given("Where", "return: one", at="{v: one, h: one}"),
        8,
        "say which member of return is meant",
    ),
    (summing("total: one"), 8, "total is an argument, which has no value after the call. What it"),
    (summing('"*totl": one'), 8, "no argument points to *totl; did you mean *total?"),
    (summing('"*count": one'), 8, "no argument points to *count; there are *values, *total. If"),
    (opening('"*path": one'), 8, "no argument points to *path"),
    (
        summing("return: big"),
        8,
        "the reference's big has values that return (short int) cannot hold",
    ),
    (summing("gState: one within 2"), 8, "gState is a short int; only floats can have within"),
    # The rest.
    (
        given("Print", format="null", **{'"..."': "[{shrot: one}]"}),
        11,
        "Print(const char *format, ...): 'shrot': there is no type shrot; did you mean short?",
    ),
    (
        plain(before="[Plain, Needs]"),
        10,
        "Needs(short a) takes 1 parameter, but a routine under before",
    ),
]


@pytest.fixture(scope="module")
def bind(
    compilers: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Bench]:
    """Lays a case, given by its lines, onto one program with all routines."""
    compilers("68040")
    folder = tmp_path_factory.mktemp("bad")
    (folder / "bad.c").write_text(SOURCE)
    (folder / "macproof_bad.py").write_text(PYTHON)
    file = folder / "case.yaml"
    file.write_text(CASE + plain(call="Run"))
    made = compile_program(source_tree(read_case(file)), BUILDS["O0"], TARGETS["68040"])

    def lay(lines: str) -> Bench:
        file.write_text(CASE + lines)
        return Bench.of(read_case(file), Subject("68040", "O0", made.path))

    return lay


def fill(bench: Bench, scene: Any = SCENE) -> None:
    """Lay a scene and the reference's answer into memory."""
    bench.expect(bench.before([scene]), [scene])


@pytest.mark.parametrize(("lines", "line", "words"), MISMATCHES)
def test_a_mismatch_is_told_with_its_line(
    bind: Callable[[str], Bench], lines: str, line: int, words: str
):
    with pytest.raises(CaseError, match=re.escape(words)) as caught:
        fill(bind(lines))
    assert caught.value.where == f"line {line}"


COUNTING = given("Length", one="{points_to: {count: one}}", two="{count: one, first: one}")


@pytest.mark.parametrize(
    "lines", [summing(), scaling(), opening(), plain(before="[Plain]"), COUNTING]
)
def test_what_fits_is_not_refused(bind: Callable[[str], Bench], lines: str):
    fill(bind(lines))


def test_a_routine_that_is_called_before_and_faults_is_named(bind: Callable[[str], Bench]):
    with pytest.raises(GuestError, match="Crash, which is called before Plain: write"):
        fill(bind(plain(before="[Crash]")))


def test_a_static_that_is_to_be_ignored_must_exist(bind: Callable[[str], Bench]):
    bind(plain(ignore="['Tick::sCount', gState]"))
    words = re.escape("there is no static variable Tick::sCuont; did you mean Tick::sCount?")
    with pytest.raises(CaseError, match=words) as caught:
        bind(plain(ignore="['Tick::sCuont']"))
    assert caught.value.where == "line 10"


def test_a_pointer_to_a_null_pointer_and_one_to_a_single_value(bind: Callable[[str], Bench]):
    bench = bind(opening('"*list": one into *path', path="{count: 4}", list="{points_to: null}"))
    image = bench.before([SCENE]).before[0]
    assert observation(bench.bound, image)["*list"] == -1
    single = bind(summing('"*total": one', total="{points_to: one, count: 1}"))
    seen = observation(single.bound, single.before([SCENE]).before[0])
    assert seen["*total"].tolist() == 1


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"before": "[Nees]"}, "no function or variable Nees in bad.c; did you mean Needs?"),
        ({"ignore": "[gKeep]"}, "no variable gKeep in bad.c; did you mean gKept?"),
    ],
)
def test_names_that_the_sources_lack(
    macproof: Callable[..., Any],
    compilers: Callable[..., None],
    tmp_path: Path,
    keys: dict[str, str],
    words: str,
):
    compilers("68040")
    (tmp_path / "bad.c").write_text(SOURCE)
    (tmp_path / "macproof_bad.py").write_text(PYTHON)
    (tmp_path / "case.yaml").write_text(CASE + plain(**keys))
    done = macproof("verify", tmp_path, "--cpu", "68040", "--build", "O0", "--jobs", 1)
    assert done.code == 2
    assert f"line 10: there is {words}" in done.err
