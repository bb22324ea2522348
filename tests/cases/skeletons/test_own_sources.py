"""``macproof new --source``: what is read from a compiled source, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import ProgramError, UsageError
from emu.cases.case_file import read_case
from emu.cases.skeletons.own_sources import OwnFunction, write_case_of_source

SOURCE = """
#include <Quickdraw.h>
#include "sizes.h"
typedef struct Ball { short x, y; struct Ball *next; Rect box; } Ball;
enum Kind { kOne, kTwo = 5 };
struct Flags { unsigned int open : 3; int depth : 2; union { char small; long large; } u; };
Ball gBalls[kBalls];
short gBallCount;
struct Flags gFlags;
extern short gElsewhere;
static short gStep = 3;
static const short kTable[4] = { 1, 2, 3, 4 };
Str63 gTitle;
void (*gHook)(void);
static short Clip(short v)
{
    static long times;
    if (v > 99) times++;
    gFlags.u.large += gElsewhere;
    if (gHook && v == 12345) gHook();
    return v + gStep + kTable[v & 3];
}
pascal short MoveBall(Ball *ball, enum Kind kind, Point where, Str255 name, ProcPtr hook)
{
    short i;
    for (i = 0; i < gBallCount; i++) gBalls[i].x += where.h;
    ball->x = Clip(ball->x);
    gTitle[0] = name[0] & 3;
    return kind == kTwo && gFlags.open > 2;
}
short Other(short n) { return Unknown(n); }
short Value(struct Flags f) { return f.depth; }
void Idle(void) { }
"""


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers("68000")
    (tmp_path / "old.c").write_text(SOURCE)
    (tmp_path / "sizes.h").write_text("#define kBalls 8\n")
    (tmp_path / "more.c").write_text("short Unknown(short n)\n{\n return n + 1;\n}\n")
    return tmp_path


def case_of(folder: Path, function: str, *sources: str) -> Path:
    own = OwnFunction(function, tuple(folder / name for name in sources or ("old.c",)))
    return write_case_of_source("mine", own, folder)


def test_all_that_a_function_needs_is_filled_or_named(folder: Path):
    place = case_of(folder, "MoveBall")
    case = read_case(place / "case.yaml")
    assert case.units == (("../old.c", "mine_globals.c"),)
    assert list(case.arguments) == ["ball", "kind", "where", "name", "hook"]
    assert case.inputs.keys() == {"gBalls", "gBallCount", "gFlags", "gTitle", "gElsewhere"}
    assert list(case.inputs["gFlags"]) == ["open", "depth", "u.large"]
    assert str(case.inputs["gTitle"][""]) == "pascal gTitle"
    assert {"box.top", "x"} <= case.inputs["gBalls"].keys()
    text = (place / "case.yaml").read_text()
    assert "  hook: null # CHANGE: a ProcPtr does not say how the function is called" in text
    for left in ("gStep begins", "Clip::times begins", "gHook begins"):
        assert f"# CHANGE: {left} as the program has it" in text
    assert "kTable" not in text
    scenes = (place / "mine_reference.py").read_text()
    assert "kind=[0, 5][draw(" in scenes
    assert "gBallCount=draw(" in scenes and ".item() % 9," in scenes
    assert "__typeof__(gElsewhere) gElsewhere;" in (place / "mine_globals.c").read_text()


def test_another_build_says_what_is_right_until_the_reference_does(
    folder: Path, macproof: Callable[..., Any]
):
    place = case_of(folder, "MoveBall")
    words = ("verify", place, "--cpu", "68000", "--scenes", 24, "--jobs", 1)
    done = macproof(*words, "--build", "O0")
    assert done.code == 2
    assert "mine_reference:expected is not written yet" in done.err
    assert "--against O0" in done.err
    done = macproof(*words, "--build", "O2", "--against", "O0")
    assert done.code == 0, done.out + done.err
    assert "compared with MoveBall of the program 68000 O0" in done.out
    done = macproof(*words, "--build", "O0", "--against", "O0")
    assert done.code == 2
    assert "a program says nothing about itself" in done.err
    text = (place / "case.yaml").read_text()
    (place / "case.yaml").write_text(text.replace("reference: mine_reference:expected\n", ""))
    done = macproof(*words, "--build", "O0")
    assert (done.code, "it has no reference" in done.err) == (2, True)
    assert macproof(*words, "--build", "O2", "--against", "O0").code == 0


@pytest.mark.slow
def test_a_source_that_does_something_else_is_refuted(folder: Path, macproof: Callable[..., Any]):
    place = case_of(folder, "MoveBall")
    other = folder / "other.c"
    other.write_text(SOURCE.replace("extern short", "short").replace("v + gStep", "v - gStep"))
    report = folder / "report.json"
    words = ("--cpu", "68000", "--build", "O2", "--scenes", 24, "--jobs", 1)
    words = (*words, "--against", other)
    done = macproof("verify", place, *words, "--json", report)
    assert done.code == 1, done.out + done.err
    assert "*ball.x is" in done.out
    done = macproof("explain", report, "--trust")
    assert (done.code, "*ball.x is 4, expected -2" in done.out) == (1, True), done.out


@pytest.mark.parametrize(
    ("function", "kind", "said"),
    [
        ("MoveBal", ProgramError, "old.c: it defines no function MoveBal; did you mean MoveBall"),
        ("Other", UsageError, r"calls what neither .* define: Unknown \(see more.c\)"),
        ("Idle", UsageError, "so nothing can be compared"),
        ("main", UsageError, "no case calls main, .*: name a function that it calls"),
    ],
)
def test_what_is_refused(folder: Path, function: str, kind: type[Exception], said: str):
    with pytest.raises(kind, match=said):
        case_of(folder, function)
    assert sorted(path.name for path in folder.iterdir()) == ["more.c", "old.c", "sizes.h"]


def test_the_main_function_is_no_function_of_the_list(
    tmp_path: Path, compilers: Callable[..., None]
):
    compilers("68000")
    (tmp_path / "old.c").write_text("int Twice(int n) { return 2 * n; } int main(void) { }")
    with pytest.raises(ProgramError, match=r"it defines no function Foo.*Twice") as error:
        case_of(tmp_path, "Foo")
    assert "macproof_" not in str(error.value)


def test_a_further_source_has_what_is_missing(folder: Path):
    assert read_case(case_of(folder, "Other", "old.c", "more.c") / "case.yaml").call == "Other"


WALK = """
#define MOST 12
struct line { long id; short v[4]; };
typedef struct { long n, from; struct line *store; struct line *unused; } file;

long Find(file *f, long id)
{
    struct line *l = f->store + f->from, *end = f->store + f->n;
    long seen = 0;
    for (; l < end; l++) seen += l->id == id;
    return seen;
}

Clear(v, i, out) short v[MOST]; short i; long *out;
{
    v[i] = 0;
    *out = i;
}

Some(n) short n; { if (n < 0) return; return n + 1; }
short At(short *v, short i) { return v[i + 1]; }
short Masked(short *v, short i) { return v[i & 7]; }
"""


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("Find", "store: {points_to: {id: f_store_id, v: f_store_v}, count: 64}, unused: null"),
        ("Find", "n is 0 to 63"),
        ("Clear", "v: {points_to: v, count: 12}"),
        ("Clear", "i: i # CHANGE: i is 0 to 11,"),
        ("Clear", "out: {points_to: out}"),
        ("At", "v: {points_to: v, count: 64}"),
        ("At", "i: i # CHANGE: i is 0 to 62,"),
    ],
)
def test_arrays_are_as_long_as_the_source_reads(folder: Path, function: str, said: str):
    (folder / "walk.c").write_text(WALK)
    assert said in (case_of(folder, function, "walk.c") / "case.yaml").read_text()


@pytest.mark.parametrize(("function", "wrong"), [("Masked", "i is "), ("Clear", "return")])
def test_a_mask_is_a_bound_and_nothing_returned_is_not_compared(
    folder: Path, function: str, wrong: str
):
    (folder / "walk.c").write_text(WALK)
    assert wrong not in (case_of(folder, function, "walk.c") / "case.yaml").read_text()


@pytest.mark.parametrize(("function", "is_told"), [("Some", True), ("At", False)])
def test_a_return_without_a_value_is_told(folder: Path, function: str, is_told: bool):
    (folder / "walk.c").write_text(WALK)
    text = (case_of(folder, function, "walk.c") / "case.yaml").read_text()
    assert (f"CHANGE: {function} has a return without a value" in text) == is_told
