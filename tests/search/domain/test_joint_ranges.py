"""A scene is usual only if all its numbers are, and a box is judged as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from emu.cases.case import Case
from emu.cases.programs.programs import programs_of
from emu.report.forms.terminal import text_of
from emu.search.domain.document import domain_document
from emu.search.domain.report import (
    FOUND,
    NO_PLACE,
    NOT_INSIDE,
    NOTHING,
    SAFE_ONLY,
    UNFINISHED,
    Counterexample,
    DimensionRange,
    DomainReport,
    Face,
    ProgramDomain,
)
from emu.search.domain.search import domain
from emu.verify.explain.finding import Symptom, read_finding
from tests.small_cases import require_compilers

# Two numbers of each item, each of which scenes of the case have from nearly 0 to nearly 1,000.
SOURCE = """
long gValues[16], gOthers[16], gSum;
short gCount;

extern "C" void Run()
{
    gSum = 0;
    for (short n = 0; n < gCount; n++)
        if (gValues[n] + gOthers[n] > LIMIT)
            MISTAKE;
}
"""
BOTH = """
@dataclass(frozen=True)
class Both(Numbers):
    others: np.ndarray = None
    def keep(self, indices):
        return Both(self.values[indices], self.generator, self.seed, self.others[indices])

def make_both(generator, objects, seed, width, height):
    made = make_numbers(generator, objects, seed, width, height)
    return Both(made.values, generator, seed, made.values[::-1].copy())
"""
REFUSING = 'if (scene.values > 900).any(): raise ValueError("more than 900")\n'


@pytest.fixture
def search(small_cases, tmp_path):
    """Searches for the box of a program that is wrong where the sum of two numbers is large."""

    def run(limit: int, mistake: str = "gSum = 1", refusing: str = "") -> tuple[Case, DomainReport]:
        require_compilers("601")
        case = small_cases.make(
            SOURCE.replace("LIMIT", str(limit)).replace("MISTAKE", mistake),
            refusing + "return answer(total=0)",
            "{gSum: total}",
            given="{gValues: values, gOthers: others, gCount: objects}",
            python=BOTH,
            make="make_both",
        )
        programs = programs_of(case, cpus=["601"], builds=["O2"], use="compiled")
        return case, domain(programs, tmp_path, scenes=32, jobs=1)

    return run


def scenes_told(case: Case, program: ProgramDomain, folder: Path) -> Iterator[tuple[bool, bool]]:
    """Of each scene in a file: whether it is said to be usual, and whether all its numbers are."""
    faces = [face for one in program.dimensions for face in (one.low, one.high)]
    ends = [*faces, *(one.safe for one in faces if one.safe)]
    for example in (one.counterexample for one in ends):
        if example is not None and example.file:
            scene = read_finding(folder / example.file).scene.changed.make(case)
            usual = {one.name: (one.low.usual, one.high.usual) for one in program.dimensions}
            numbers = {"values": scene.values, "others": scene.others, "objects": [scene.objects]}
            yield (
                example.is_usual,
                all(
                    usual[name][0] <= min(values) and max(values) <= usual[name][1]
                    for name, values in numbers.items()
                ),
            )


def test_no_number_goes_beyond_its_usual_range_at_the_cost_of_another(search, tmp_path):
    """Each number alone may be far larger; both at once may be a little larger than usual."""
    case, report = search(2500)
    (program,) = report.programs
    assert report.verdict == FOUND
    highest = [one.high.joint for one in program.dimensions if one.name != "objects"]
    assert min(highest) > 950 and sum(highest) == 2500
    told = list(scenes_told(case, program, tmp_path))
    assert told and not any(is_usual or is_inside for is_usual, is_inside in told)
    assert "within the usual range" not in text_of(domain_document(report, tmp_path))


def test_a_corner_of_the_usual_ranges_that_fails_is_found_and_shown(search, tmp_path):
    case, report = search(1900)
    (program,) = report.programs
    assert report.verdict == NOT_INSIDE
    highest = [one.high.joint for one in program.dimensions if one.name != "objects"]
    assert sum(highest) == 1900
    told = list(scenes_told(case, program, tmp_path))
    assert (True, True) in told and all(said == is_inside for said, is_inside in told)


def test_what_is_unsafe_in_the_usual_ranges_fails_also_where_nobody_says_what_is_right(search):
    _, report = search(1900, "gCount = n", REFUSING)
    assert report.verdict == NOT_INSIDE


def test_what_is_safe_goes_as_far_as_the_usual_ranges_together(search):
    _, report = search(2500, "gCount = n", REFUSING)
    (values, _, _) = report.programs[0].dimensions
    assert report.verdict == SAFE_ONLY
    assert values.high.joint == 900 and values.high.safe.value >= values.high.usual


EXAMPLE = Counterexample(None, True, Symptom(NO_PLACE, "", "there is no place"), 1, "")
EMPTY = ProgramDomain("601", "O2", "0" * 64, None, (), (), 64, 0, 0, 0, 64, 0.0)


RANGE = DimensionRange("x", *(Face(0, 0, 0, 0, "no farther", "", None, None) for _ in range(2)))


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, NOTHING),
        ({"failure": EXAMPLE}, UNFINISHED),
        ({"dimensions": (RANGE,)}, FOUND),
        ({"dimensions": (RANGE,), "held": 0}, UNFINISHED),
    ],
)
def test_a_search_in_which_nothing_was_tried_has_found_nothing(changed, verdict):
    assert replace(EMPTY, **changed).verdict == verdict
