"""Calls of several routines in a row: as a case lists them, and as a script of the scene says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.report.forms.terminal import text_of
from tests.rows import slow, slow_but

CPUS = ("68000", "68040", "601")
on_each = pytest.mark.parametrize("cpu", slow_but(["68040"], CPUS))

WALK = """
struct place { short h, v; };
static struct place gPlace;
short gSteps;
void Start(void) { gPlace.h = gPlace.v = 0; gSteps = 0; }
short Step(short dh, short dv)
{
    gPlace.h += dh;
    gPlace.v += dv;
    return ++gSteps;
}
struct place Where(void) { return gPlace; }
void Note(char *text, short room) { short i; for (i = 0; i < room; ++i) text[i] = gPlace.h + i; }
long Sum(char *text, short room) { long sum = 0; while (room > 0) sum += text[--room]; return sum; }
"""
WALK_CASE = """
schema: macproof.case/1
name: walk
title: A walk
sources: [walk.c]
calls:
  - Start
  - Step: {dh: east, dv: south}
  - Step: {dh: west, dv: south}
  - Note: {text: {count: 4}, room: room}
  - Sum: {text: {count: 4}, room: room}
ignore: [gPlace]
scene: {make: "walk_reference:make_scene", generators: [any], objects: [0], count: 30}
observe: {return: results, gSteps: steps, "*text": text}
reference: walk_reference:walk
"""
WALK_REFERENCE = """
from dataclasses import dataclass
from types import SimpleNamespace
from numpy.random import PCG64
from macproof import simpler_numbers
import dataclasses

@dataclass(frozen=True)
class Walk:
    east: int
    south: int
    west: int
    generator: str
    seed: int
    room = 4
    objects = 0
    def keep(self, indices): return self
    def simpler(self):
        for name in ("east", "south", "west"):
            for less in simpler_numbers(getattr(self, name)):
                yield dataclasses.replace(self, **{name: less})

def make_scene(generator, objects, seed, *, width, height):
    return Walk(*(int(word % 9) for word in PCG64(seed).random_raw(3)), generator, seed)

def walk(scene):
    text = [scene.east + scene.west + n for n in range(4)]
    return SimpleNamespace(results=[None, 1, 2, None, sum(text)], steps=2, text=text)
"""
QUEUE = Path(__file__).parents[2] / "examples" / "queue"


class Folder:
    """A case's folder, with what is changed in its files."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text()
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {name}"
        (self.path / name).write_text(text.replace(old, new))

    def verify(self, *cpus: str, build: str = "O1") -> macproof.Verification:
        case = macproof.load_case(self.path)
        programs = macproof.programs_of(case, cpus=cpus or None, builds=[build])
        return macproof.verify(case, programs, scenes=40, jobs=1)


@pytest.fixture
def walk(tmp_path: Path, compilers: Callable[..., None]) -> Folder:
    compilers(*CPUS)
    files = {"walk.c": WALK, "case.yaml": WALK_CASE, "walk_reference.py": WALK_REFERENCE}
    for name, text in files.items():
        (tmp_path / name).write_text(text.lstrip())
    return Folder(tmp_path)


@pytest.fixture
def queue(tmp_path: Path, compilers: Callable[..., None]) -> Folder:
    compilers(*CPUS)
    for path in QUEUE.glob("*.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return Folder(tmp_path)


@pytest.mark.slow
def test_calls_keep_the_state_and_share_what_pointers_lead_to(walk: Folder) -> None:
    assert walk.verify().verdict == "verified"


@pytest.mark.slow
@on_each
def test_the_first_wrong_call_is_named(walk: Folder, cpu: str) -> None:
    walk.change("walk.c", "return ++gSteps;", "return gSteps++ ? gSteps + (dh == 3) : gSteps;")
    found = walk.verify(cpu)
    assert found.verdict == "refuted"
    why = macproof.explain(found)
    assert why is not None and why.explanation.divergence is not None
    shown = str(why.explanation.divergence)
    assert shown == "call[2].Step.return is 3, expected 2 (call 3 of 5)"
    assert why.explanation.inputs["west"] == ("3",)
    assert why.explanation.inputs["east"] == ("0",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by_guest", "by_reference", "words"),
    [
        (0, 1, r"gLevel is (\d+), expected \d+ \(it was \1 before, too\)"),
        slow((5, 0, r"gLevel is \d+, expected (\d+) \(it was \1 before\)")),
        slow((5, 1, r"gLevel is \d+, expected \d+")),
    ],
)
def test_a_value_of_before_the_calls_is_told(
    walk: Folder, by_guest: int, by_reference: int, words: str
) -> None:
    """A reader sees whether the routines left alone what they had to change, or the reverse."""
    walk.change("walk.c", "short gSteps;", "short gSteps, gLevel;")
    walk.change("walk.c", "gSteps = 0; }", f"gSteps = 0; gLevel += {by_guest}; }}")
    walk.change("case.yaml", "observe: {", "input: {gLevel: south}\nobserve: {gLevel: level, ")
    answer = f"level=scene.south + {by_reference}, "
    walk.change("walk_reference.py", "(results=", f"({answer}results=")
    found = walk.verify("68040")
    why = macproof.explain(found)
    assert why is not None
    assert re.fullmatch(words, str(why.explanation.divergence))
    assert re.search(words, found.to_json())


def test_rubbish_that_must_not_change_is_told_as_such(walk: Folder) -> None:
    """The bytes that the reference leaves out have to stay what they began as, such as 165."""
    walk.change("walk_reference.py", "text=text)", "text=text[:2])")
    why = macproof.explain(walk.verify("68040"))
    assert why is not None
    told = r"\*?text\[2\] is \d+, expected (\d+) \(it was \1 before\)"
    assert re.fullmatch(told, str(why.explanation.divergence))


@pytest.mark.slow
@on_each
def test_the_call_that_wrote_a_wrong_value_is_named(walk: Folder, cpu: str) -> None:
    walk.change("walk.c", "gPlace.v += dv;", "gPlace.v += dv; if (gSteps == 1) gLost = dv;")
    walk.change("walk.c", "short gSteps;", "short gSteps; long gLost;")
    why = macproof.explain(walk.verify(cpu))
    assert why is not None
    assert why.explanation.call == "call 3 of 5, Step"
    assert "), in call 3 of 5, Step." in " ".join(text_of(why.document).split())


@on_each
def test_what_wrote_above_the_stack_frame_is_named(walk: Folder, cpu: str) -> None:
    frame = "__builtin_frame_address(0)"  # where a routine of its own begins in an O0 build
    walk.change("walk.c", "gPlace.v += dv;", f"gPlace.v += dv; ((char *) {frame})[200] = 7;")
    why = macproof.explain(walk.verify(cpu, build="O0"))
    assert why is not None and why.explanation.divergence is None
    assert any("above its own stack frame" in one for one in why.explanation.violations)
    line = WALK.lstrip()[: WALK.index("gPlace.v += dv;")].count("\n") + 1
    assert why.explanation.writer is not None
    assert (why.explanation.writer.symbol, why.explanation.writer.line) == ("Step", line)
    assert why.explanation.call.endswith("Step")
    told = " ".join(text_of(why.document).split())
    assert "The bytes above its stack frame were last written at 0x" in told


@pytest.mark.slow
@on_each
def test_a_fault_names_its_call(queue: Folder, cpu: str) -> None:
    queue.change("queue.c", "    long entry;", "    long entry; if (gCount == 3) *(long *) 4 = 1;")
    found = queue.verify(cpu)
    assert found.verdict == "refuted"
    why = macproof.explain(found)
    assert why is not None
    assert "(in call 4 of 4, Pop)" in why.explanation.fault
    assert why.explanation.columns["operations"].tolist() == ["Push"] * 3 + ["Pop"]


@pytest.mark.slow
def test_a_struct_that_a_call_returns_is_compared_by_its_members(walk: Folder) -> None:
    walk.change("case.yaml", "  - Note: {text: {count: 4}, room: room}\n", "  - Where\n")
    walk.change("case.yaml", "  - Sum: {text: {count: 4}, room: room}\n", "")
    walk.change("case.yaml", '{return: results, gSteps: steps, "*text": text}', "OBSERVED")
    walk.change("case.yaml", "OBSERVED", "{return: {h: h, v: h}, gSteps: steps}")
    walk.change("case.yaml", "  - Step: {dh: east, dv: south}\n", "")
    walk.change("case.yaml", "  - Step: {dh: west, dv: south}\n", "")
    walk.change("walk_reference.py", "steps=2", "steps=0, h=[None, 0]")
    assert walk.verify().verdict == "verified"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("case.yaml", "dh: west", "dx: west", r"line 8: short Step\(short dh, short dv\) has no"),
        ("case.yaml", "dh: west, ", "", r"line 8: short Step\(.*\) needs short dh, which"),
        ("case.yaml", "  - Start", "  - Strat", r"line 6: there is no function Strat.*Start"),
        ("case.yaml", "dh: west", "dh: wset", r"line 8: .*no wset.*call\[2\].Step.dh .*west"),
        ("case.yaml", "ignore:", "repeat: objects\nignore:", r"line \d+: the key repeat is for a"),
        (
            "case.yaml",
            "ignore:",
            "call: Start\nignore:",
            r"line \d+: the key call is for a",
        ),
        (
            "case.yaml",
            "Sum: {text: {count: 4}",
            "Sum: {text: {count: 5}",
            r"line 10: long Sum\(.*\): an earlier call gives \*text in another way",
        ),
        ("walk_reference.py", "[None, 1", "[1", r"line 13: .* gives 4 results of 5 calls"),
        ("walk_reference.py", "[None, 1", "[0, 1", r"gives 0 of call 1, and Start returns nothing"),
        ("walk_reference.py", "[None, 1", "[None, None", r"no result of call 2, and Step returns"),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(
    walk: Folder, file: str, old: str, new: str, message: str
) -> None:
    walk.change(file, old, new)
    with pytest.raises(macproof.CaseError, match=message):
        walk.verify("68040")


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("queue_reference.py", '"Push", "Pop")', '"Push", "Pup")', r"line 10: .*'Pup'.*mean Pop"),
        ("case.yaml", "  - Pop", "  - Pop\n  - Clear", r"line 10: calls has Clear twice"),
        ("case.yaml", "script: op", "script: ap", r"line 10: .* no aperations"),
        ("case.yaml", "objects: [0, 1, 6, 40]", "objects: [0, 1, 6]", ""),
    ],
)
def test_a_script_that_does_not_fit_is_told(
    queue: Folder, file: str, old: str, new: str, message: str
) -> None:
    queue.change(file, old, new)
    if not message:
        assert queue.verify("68040").verdict == "verified"
        return
    with pytest.raises(macproof.CaseError, match=message):
        queue.verify("68040")


@pytest.mark.slow
def test_a_script_may_give_places_in_calls(queue: Folder) -> None:
    queue.change("case.yaml", "script: operations", "script: places")
    queue.change(
        "queue_reference.py",
        "    def keep(self",
        "    @property\n    def places(self): return [OPERATIONS.index(o) for o in"
        " self.operations]\n\n    def keep(self",
    )
    assert queue.verify("601").verdict == "verified"
