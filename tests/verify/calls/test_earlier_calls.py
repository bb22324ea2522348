"""Variables that are ignored: mistakes in them show in a later call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.base.errors import CaseError
from emu.cases.keys.parts import InitialValue
from emu.report.forms.markdown import to_markdown
from emu.verify.report.report import VerifyReport

CASE = """
schema: macproof.case/1
name: kept
title: State that nobody compares
sources: [kept.c]
cpus: ["68040", "601"]
scene: {make: "kept_reference:make", generators: [any], objects: [0, 2, 9], count: 24}
call: Go
input: {gV: values, gN: objects}
arguments: {x: x}
"""
REFERENCE = """
from types import SimpleNamespace
import numpy as np
class S:
    def __init__(s, generator, seed, values, x):
        s.generator, s.seed, s.values, s.x = generator, seed, values, x
    objects = property(lambda s: len(s.values))
    def keep(s, i): return S(s.generator, s.seed, s.values[i], s.x)
def make(generator, objects, seed, *, width, height):
    r = np.random.default_rng([seed, objects])
    return S(generator, seed, r.integers(0, 30, objects), int(r.integers(-1000, 1001)))
def double(s): return SimpleNamespace(r=2 * s.x)
def distinct(s): return SimpleNamespace(r=len(set(s.values.tolist())))
"""
HEAD = "short gV[9], gN; "
DISTINCT = (
    "static char gSeen[30]; long Go(short x) { short i, d = 0; CLEAR"
    " for (i = 0; i < gN; ++i) if (!gSeen[gV[i]]) { gSeen[gV[i]] = 1; ++d; } return d; }"
)
ONCE = (
    "static char gReady; static short gTwice[5]; long Go(short x) { short i, r = (x % 5 + 5) % 5;"
    " if (!gReady) { for (i = 0; i < 5; ++i) gTwice[i] = 2 * i; gReady = 1; }"
    " return 2L * (x - r) + gTwice[r]; }"
)

Verify = Callable[..., VerifyReport]


@pytest.fixture
def verify(tmp_path: Path, compilers: Callable[..., None]) -> Verify:
    """Verifies a text of C; the rest of the case is as of these tests or as it is given."""
    compilers("68040", "601")

    def made(
        source: str,
        case: str,
        *,
        cpu: str = "68040",
        reference: str = "double",
        source_name="kept.c",
    ):
        observe = "" if "observe" in case else "observe: {return: r}\n"
        text = f"{CASE}{case}\n{observe}reference: kept_reference:{reference}\n"
        text = text.replace("kept.c]", f"{source_name}]")
        (tmp_path / "case.yaml").write_text(text.lstrip())
        (tmp_path / "kept_reference.py").write_text(REFERENCE)
        (tmp_path / source_name).write_text(f"{HEAD}\n{source}\n")
        case = macproof.load_case(tmp_path / "case.yaml")
        programs = macproof.programs_of(case, cpus=[cpu], builds=["O2"])
        return macproof.verify(case, programs).report

    return made


def points(report: VerifyReport) -> str:
    return to_markdown([macproof.Verification(report).document]).replace("\\", "")


MISTAKES = {
    "the second call counts": (
        "long Go(short x) { static long calls; ++calls; return 2L * x + (calls > 1); }",
        "ignore: ['Go::calls']",
        "double",
    ),
    "the fourth call counts": (
        "long Go(short x) { static long calls; ++calls; return 2L * x + (calls > 3); }",
        "ignore: ['Go::calls']",
        "double",
    ),
    "a table is never cleared": (DISTINCT.replace("CLEAR", ""), "ignore: [gSeen]", "distinct"),
    "a table is cleared as far as this scene goes": (
        DISTINCT.replace("CLEAR", "for (i = 0; i < gN; ++i) gSeen[i] = 0;"),
        "ignore: [gSeen]",
        "distinct",
    ),
    "only Init sets it back": (
        "long gSum; void Init(void) { gSum = 0; } long Go(short x) { return gSum += 2L * x; }",
        "ignore: [gSum]\nbefore: [Init]",
        "double",
    ),
    "scratch is read before it is written": (
        "long gOld; long Go(short x) { if (gOld == 7) ++x; gOld = 0x07070707; "
        "return 2L * x + (gOld != 0x07070707 || 0) + ((volatile long *)&gOld)[0] * 0; }"
        "short gMark; ".replace("gOld == 7", "gOld & 0x40404040"),
        "ignore: {gOld: scratch}",
        "double",
    ),
}


@pytest.mark.parametrize("cpu", ["68040", pytest.param("601", marks=pytest.mark.slow)])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_that_a_later_call_shows_is_found(verify: Verify, mistake: str, cpu: str) -> None:
    source, case, reference = MISTAKES[mistake]
    report = verify(source, case, cpu=cpu, reference=reference)
    assert report.verdict == "refuted"
    assert report.results[0].divergence is not None
    told = {failed.scene.fill for failed in report.results[0].failures}
    assert told == {"kept"} or "scratch" in mistake


RIGHT = {
    "a table that is built once": (ONCE, "ignore: [gReady, gTwice]", "double"),
    "a table that is cleared": (
        DISTINCT.replace("CLEAR", "for (i = 0; i < 30; ++i) gSeen[i] = 0;"),
        "ignore: {gSeen: scratch}",
        "distinct",
    ),
    "called once after Init, as the case says": (
        "long gSum; void Init(void) { gSum = 0; } long Go(short x) { return gSum += 2L * x; }",
        "ignore: {gSum: fresh}\nbefore: [Init]",
        "double",
    ),
    "a handle that is made once": (
        "#include <Memory.h>\nstatic Handle gKept; long Go(short x) { if (!gKept) gKept = "
        "NewHandle(2); *(short *)*gKept = x; return 2L * *(short *)*gKept; }",
        "ignore: [gKept]",
        "double",
    ),
}
WORDS = {
    "a table that is built once": "gReady, gTwice (before calls as loaded, and before some as",
    "a table that is cleared": "gSeen (before calls filled like all other memory without input",
    "called once after Init, as the case says": "gSum (before calls as loaded; a call that finds",
    "a handle that is made once": "calls found nothing that earlier calls had left",
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_right_stays_right_and_the_verdict_names_what_is_ignored(
    verify: Verify, what: str
) -> None:
    source, case, reference = RIGHT[what]
    report = verify(source, case, reference=reference)
    assert report.verdict == "verified"
    told = " ".join(points(report).split())
    assert WORDS[what] in told
    assert ("was not compared" in told) or ("were not compared" in told)
    kept = any(one.begins is InitialValue.KEPT for one in report.ignored)
    assert ("no call came after more than 3 others" in told) == kept
    assert [one.variable for one in report.ignored] == list(
        dict.fromkeys(
            word for word in ("gReady", "gTwice", "gSeen", "gSum", "gKept") if word in case
        )
    )


def test_a_table_that_is_built_once_is_no_scratch(verify: Verify) -> None:
    """Whoever says scratch says that anything may be in it, also in the flag."""
    report = verify(ONCE, "ignore: {gReady: scratch, gTwice: scratch}")
    assert report.verdict == "refuted"


QUEUE = (
    "static short gHeld; void Clear(void) { CLEAR } long Put(short x) { gHeld += x; return 0; } "
    "long Take(void) { long all = gHeld; gHeld = 0; return all; }"
)
SCRIPT = """
schema: macproof.case/1
name: held
title: Several calls
sources: [kept.c]
cpus: ["68040"]
scene: {make: "held_reference:make", generators: [any], objects: [0, 1, 6], count: 20}
calls: [{Put: {x: values}}, Take]
script: steps
before: [Clear]
ignore: [gHeld]
observe: {return: results}
reference: held_reference:play
"""
HELD = """
from types import SimpleNamespace
import numpy as np
def make(generator, objects, seed, *, width, height):
    r = np.random.default_rng([seed, objects])
    return S(generator, seed, r.integers(0, 2, objects), r.integers(1, 90, objects))
class S:
    def __init__(s, generator, seed, steps, values):
        s.generator, s.seed, s.steps, s.values = generator, seed, steps, values
    objects = property(lambda s: len(s.steps))
    def keep(s, i): return S(s.generator, s.seed, s.steps[i], s.values[i])
def play(s):
    held, results = 0, []
    for step, value in zip(s.steps.tolist(), s.values.tolist()):
        results.append(held if step else 0)
        held = 0 if step else held + value
    return SimpleNamespace(results=results)
"""


@pytest.mark.parametrize(("clear", "verdict"), [("gHeld = 0;", "verified"), ("", "refuted")])
def test_of_several_calls_what_is_called_before_has_to_set_back(
    tmp_path: Path, compilers: Callable[..., None], clear: str, verdict: str
) -> None:
    compilers("68040")
    (tmp_path / "case.yaml").write_text(SCRIPT.lstrip())
    (tmp_path / "held_reference.py").write_text(HELD)
    (tmp_path / "kept.c").write_text(QUEUE.replace("CLEAR", clear))
    case = macproof.load_case(tmp_path / "case.yaml")
    programs = macproof.programs_of(case, builds=["O2"])
    assert macproof.verify(case, programs).verdict == verdict


def test_a_beginning_that_does_not_exist_is_an_error(verify: Verify) -> None:
    with pytest.raises(CaseError, match="ignore"):
        verify(ONCE, "ignore: {gReady: kepd}")


CONSTRUCTED = """
struct Shape { virtual short area() const = 0; short w; };
struct Box : Shape { short area() const { return w + w; } };
extern "C" long Go(short x) { static Box box; box.w = x; const Shape *shape = &box;
    asm volatile("" : "+r"(shape)); return MISTAKE shape->area(); }
"""


@pytest.mark.slow
def test_whether_a_static_was_constructed_is_ignored_with_it(verify: Verify) -> None:
    source = CONSTRUCTED.replace("MISTAKE", "")
    report = verify(source, "", source_name="kept.cpp")
    assert report.verdict == "refuted" and " of _ZGVZ2Go" in points(report)
    report = verify(source, "ignore: ['Go::box']", source_name="kept.cpp")
    assert report.verdict == "verified"
    kept = CONSTRUCTED.replace("static Box box;", "static Box box; static long calls; ++calls;")
    kept = kept.replace("MISTAKE", "(calls > 1) +")
    report = verify(kept, "ignore: ['Go::box', 'Go::calls']", source_name="kept.cpp")
    assert report.verdict == "refuted"
