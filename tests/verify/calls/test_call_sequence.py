"""Calls in a row that keep their state: run, counted, told of, and faulting in the middle."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from tests.rows import slow, slow_but

SOURCE = """
static short gSteps;
long gTotal;
short gLimit;
void Prepare(void) { gTotal = 1000; gSteps = 0; }
short Step(short dx, const short *weights)
{
    static volatile short sLast;
    gTotal += dx * weights[gSteps & 3];
    sLast = dx;
    ++gSteps;
    return (short) (gTotal > gLimit ? -gSteps : gSteps);
}
"""

CASE = """
schema: macproof.case/1
name: steps
title: Steps that keep their state
sources: [steps.c]
call: Step
arguments:
  dx: dx
  weights: {points_to: weights, count: 4}
repeat: objects
before: [Prepare]
input: {gLimit: limit}
ignore: ["Step::sLast"]
scene:
  make: steps_reference:make_scene
  generators: [any]
  objects: [0, 1, 3, 7]
  count: 60
observe: {gTotal: total, gSteps: objects, return: results}
reference: steps_reference:walk
"""

REFERENCE = """
from dataclasses import dataclass
import numpy as np
from numpy.random import PCG64
from macproof import simpler_numbers

@dataclass(frozen=True)
class Walk:
    dx: np.ndarray
    weights: tuple
    limit: int
    generator: str
    seed: int
    @property
    def objects(self): return len(self.dx)
    def keep(self, indices):
        return Walk(self.dx[indices], self.weights, self.limit, self.generator, self.seed)
    def simpler(self):
        for place, dx in enumerate(self.dx.tolist()):
            for less in simpler_numbers(dx):
                changed = self.dx.copy()
                changed[place] = less
                yield Walk(changed, self.weights, self.limit, self.generator, self.seed)
        for limit in simpler_numbers(self.limit):
            yield Walk(self.dx, self.weights, limit, self.generator, self.seed)

@dataclass(frozen=True)
class Walked:
    total: int
    objects: int
    results: list

def make_scene(generator, objects, seed, *, width, height):
    words = PCG64(seed).random_raw(objects + 5).astype(np.int64)
    weights = tuple(int(w % 7) - 3 for w in words[:4])
    return Walk(words[5:] % 100 - 50, weights, 1000 + int(words[4] % 40), generator, seed)

def walk(scene):
    total, results = 1000, []
    for number, dx in enumerate(scene.dx.tolist()):
        total += dx * scene.weights[number & 3]
        results.append(-(number + 1) if total > scene.limit else number + 1)
    return Walked(total, len(results), results)
"""


CPUS = ("68000", "68040", "601")
on_each = pytest.mark.parametrize("cpu", slow_but(["601"], CPUS))


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers(*CPUS)
    for name, text in (("steps.c", SOURCE), ("case.yaml", CASE), ("steps_reference.py", REFERENCE)):
        (tmp_path / name).write_text(text.lstrip())
    return tmp_path


def verify(folder: Path, *cpus: str, change: tuple[str, str] = ("", "")) -> macproof.Verification:
    source = folder / "steps.c"
    text = source.read_text()
    assert change[0] in text
    source.write_text(text.replace(*change) if change[0] else text)
    case = macproof.load_case(folder)
    programs = macproof.programs_of(case, cpus=cpus or None, builds=["O1"])
    assert [program.cpu for program in programs] == list(cpus or CPUS)
    return macproof.verify(case, programs, jobs=1)


@pytest.mark.slow
def test_calls_keep_the_state_and_each_result_is_compared(folder: Path) -> None:
    report = verify(folder)
    assert report.verdict == "verified"


@pytest.mark.slow
def test_results_need_not_be_observed(folder: Path) -> None:
    case = folder / "case.yaml"
    case.write_text(case.read_text().replace(", return: results}", "}"))
    assert verify(folder, "68000", "601").verdict == "verified"
    case.write_text(case.read_text().replace("repeat: objects\n", ""))
    case.write_text(case.read_text().replace("dx: dx", "dx: limit"))
    reference = folder / "steps_reference.py"
    text = reference.read_text().replace(
        "return Walked(total, len(results), results)", "return one"
    )
    one = "\n    one = Walked(1000 + scene.limit * scene.weights[0], 1, [])\n    return one"
    reference.write_text(text.replace("\n    return one", one))
    assert verify(folder, "68040").verdict == "verified"


@pytest.mark.slow
@on_each
def test_a_wrong_result_of_one_call_is_named(folder: Path, cpu: str) -> None:
    report = verify(folder, cpu, change=("-gSteps : gSteps", "-gSteps : gSteps + (gSteps == 6)"))
    assert report.verdict == "refuted"
    found = macproof.explain(report).explanation
    assert found is not None and found.divergence is not None
    assert found.divergence.place == "call[5].return"
    assert (found.divergence.found, found.divergence.expected) == ("7", "6")


@on_each
def test_a_fault_in_the_middle_names_the_call(folder: Path, cpu: str) -> None:
    report = verify(
        folder, cpu, change=("sLast = dx;", "if (gSteps == 4) *(volatile short *) 4 = 1;")
    )
    assert report.verdict == "refuted"
    assert "in call 5 of 7" in report.to_json()


@pytest.mark.slow
@on_each
def test_what_is_stored_last_is_found_in_the_call_that_stored_it(folder: Path, cpu: str) -> None:
    report = verify(folder, cpu, change=("++gSteps;", "++gSteps; if (gSteps == 2) gTotal ^= 1;"))
    found = macproof.explain(report).explanation
    assert found is not None and found.writer is not None
    assert found.writer.symbol == "Step"
    assert len(found.kept) == 2
    assert found.columns["dx"].tolist() == [0, 0], "the scene has been simplified"
    assert found.inputs["limit"] == ("0",)


@on_each
def test_what_is_not_ignored_is_seen(folder: Path, cpu: str) -> None:
    case = folder / "case.yaml"
    case.write_text(case.read_text().replace('ignore: ["Step::sLast"]\n', ""))
    report = verify(folder, cpu)
    assert report.verdict == "refuted"
    assert "sLast" in report.to_json()


def test_what_is_called_before_must_take_nothing(folder: Path) -> None:
    case = folder / "case.yaml"
    case.write_text(case.read_text().replace("before: [Prepare]", "before: [Step]"))
    with pytest.raises(macproof.CaseError, match=r"line \d+: Step\(.*\) takes 2 parameters"):
        verify(folder)


@pytest.mark.parametrize(
    ("body", "verdict", "story"),
    [
        ("*(volatile short *) 0xF0000000 = 1;", "inconclusive", "write of 2 bytes to unmapped"),
        slow(
            ("if (gLimit > 5) *(volatile short *) 0xF0000000 = 1;", "refuted", "write of 2 bytes")
        ),
        slow(('asm volatile("REGISTER");', "refuted", "came back as")),
    ],
)
@on_each
def test_a_failure_of_what_is_called_before_is_a_verdict(
    folder: Path, cpu: str, body: str, verdict: str, story: str
) -> None:
    changed = "moveq #9,%d7" if cpu != "601" else "li 20,9"
    body = body.replace("REGISTER", changed)
    report = verify(folder, cpu, change=("gTotal = 1000;", f"gTotal = 1000; {body}"))
    assert report.verdict == verdict
    text = report.to_json()
    assert story in text
    assert "Prepare, which is called before Step" in text
    if story == "came back as":
        assert re.search(r" \(Prepare, \w+\.c(pp)?:\d+\)", text)
    if verdict == "refuted":
        found = macproof.explain(report)
        assert found is not None
        assert story in "".join((found.explanation.fault, *found.explanation.violations))
