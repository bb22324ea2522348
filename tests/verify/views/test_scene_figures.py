"""Scenes as figures and as documents: the actual result beside the expected one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.base.errors import GuestError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.subject import Subject
from emu.report.document import CheckStatus, Document, Tone
from emu.report.figure import Box, Figure, ShapeKind
from emu.report.json_form import to_json
from emu.verify.explain.failure_figures import failure_figures
from emu.verify.report.report import VerifyReport
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.scene_document import outcome_of, scene_document
from emu.verify.views.scene_figures import figures_of, overlapping
from emu.verify.views.scene_view import ReportedCollisions, SceneView, view_scene
from tests.report import schemas

SPEC = SceneSpec("uniform", 3, 7)
SUBJECT = Subject("68040", "O2", Path("port.elf"))
PREBUILT = Path(__file__).parents[3] / "mac_src" / "prebuilt"


def reported(*outlined: bool, partners: Sequence[tuple[int, ...]] = ()) -> ReportedCollisions:
    return ReportedCollisions(np.array(outlined), tuple(partners) or ((),) * len(outlined))


def view(actual: ReportedCollisions, expected: ReportedCollisions, **values: Any) -> SceneView:
    """Three objects of 30 pixels, of which the first two overlap and the third touches."""
    usual = SceneView(
        corners=np.array([[0, 0], [29, 29], [30, 0]], dtype=np.int32),
        sizes=np.array([[30], [30], [30]]),
        grid=[(0, 0, 63, 63), (64, 0, 64, 63)],
        actual=actual,
        expected=expected,
        wrong=actual.outlined != expected.outlined,
        is_otherwise_wrong=False,
        fault="",
    )
    return replace(usual, **values)


WRONG = view(reported(False, True, False), reported(True, True, False))
RIGHT = view(reported(True, True, False), reported(True, True, False))


def require_schema(document: Document) -> None:
    """See that the JSON form is as its schema says."""
    data = json.loads(to_json(document.data, document.schema))
    schemas.require_schema(data, "macproof.scene/1")


def test_figures_of_flags(case: Case):
    actual, expected = figures_of(case, WRONG, program="68040 O2")
    assert (actual.title, expected.title) == ("Result of 68040 O2", "Expected result")
    assert (actual.width, actual.height) == (case.width, case.height)
    assert [shape.label for shape in actual.shapes] == [
        "object 0 at (0, 0), in no collision, expected in a collision, overlaps 1",
        "object 1 at (29, 29), in a collision, overlaps 0, 2",
        "object 2 at (30, 0), in no collision, overlaps 1",
    ]
    assert [(shape.is_marked, shape.is_wrong) for shape in actual.shapes] == [
        (False, True),
        (True, False),
        (False, False),
    ]
    assert [shape.is_marked for shape in expected.shapes] == [True, True, False]
    assert not any(shape.is_wrong for shape in expected.shapes)
    assert actual.shapes[1].box == Box(29, 29, 30, 30)
    # A grid's rectangles have their last pixels; one without any width is a line.
    assert actual.grid == (Box(0, 0, 64, 64), Box(64, 0, 1, 64))


def test_figures_of_pairs(case: Case):
    wrong = view(
        reported(True, True, False, partners=[(1, 700), (0,), ()]),
        reported(True, True, False, partners=[(1,), (0,), ()]),
        wrong=np.array([True, False, False]),
    )
    actual, expected = figures_of(case, wrong, program="68040 O2")
    assert actual.shapes[0].label == (
        "object 0 at (0, 0), in a collision, but other values of it are wrong, reported with 1, 700"
    )
    assert actual.shapes[0].partners == (1,), "there is no object 700 to point at"
    assert expected.shapes[2].partners == ()


def test_circles_overlap_by_their_distance():
    far = view(reported(*[False] * 3), reported(*[False] * 3))
    assert overlapping(far, is_round=False) == [(1,), (0, 2), (1,)]
    assert overlapping(far, is_round=True) == [(), (2,), (1,)]
    round_case = load_case("linear-quadtree")
    actual, _ = figures_of(round_case, far, program="68040 O2")
    assert {shape.outline for shape in actual.shapes} == {ShapeKind.CIRCLE}


@pytest.mark.parametrize(
    ("seen", "words", "tone", "fate"),
    [
        (RIGHT, "same as the reference", Tone.GOOD, CheckStatus.PASSED),
        (WRONG, "refuted (1 object wrong)", Tone.BAD, CheckStatus.FAILURE),
        (
            replace(RIGHT, is_otherwise_wrong=True),
            "refuted (every object is right, but other memory or the call contract is wrong)",
            Tone.BAD,
            CheckStatus.FAILURE,
        ),
        (
            replace(RIGHT, fault="it jumped"),
            "inconclusive (the call did not return, so the reference's result is drawn: it jumped)",
            Tone.DOUBTFUL,
            CheckStatus.ERROR,
        ),
    ],
)
def test_what_a_scene_comes_to(
    case: Case, seen: SceneView, words: str, tone: Tone, fate: CheckStatus
):
    assert str(outcome_of(seen)) == words
    assert outcome_of(seen).tone is tone
    document = scene_document(case, SUBJECT, SPEC, seen, command=["macproof", "show"])
    (check,) = document.checks
    assert (check.name, check.fate) == ("68040 O2: uniform, 3 objects, seed 7", fate)
    assert ("seed 7" in check.message) == (fate is not CheckStatus.PASSED)
    figures = [part for part in document.sections[0].parts if isinstance(part, Figure)]
    assert len(figures) == (2 if seen.wrong.any() else 1)
    require_schema(document)


def test_many_wrong_objects_are_counted(case: Case):
    count = 50
    many = view(
        reported(*[True] * count),
        reported(*[False] * count),
        corners=np.zeros((count, 2), dtype=np.int32),
        sizes=np.full((count, 1), 30),
    )
    (section,) = [
        section
        for section in scene_document(case, SUBJECT, SPEC, many).sections
        if section.title == "Objects that are wrong"
    ]
    assert section.parts[1:] == ("10 more objects are wrong.",)


@pytest.mark.parametrize("name", ["blockmap", "four-shifts"])
def test_what_a_program_reports_is_seen(name: str):
    """The blockmap reports pairs, and four shifts flags."""
    case = load_case(name)
    subject = Subject("68040", "O2", PREBUILT / f"{name}-68040-O2.elf")
    seen = view_scene(case, subject, SceneSpec(case.generators[0], max(case.objects), 1994))
    assert not seen.wrong.any()
    assert seen.actual.outlined.any()
    assert seen.actual.partners == seen.expected.partners
    assert any(seen.actual.partners) == (name == "blockmap")
    for number, partners in enumerate(seen.actual.partners):
        assert all(number in seen.actual.partners[other] for other in partners)


def test_failures_that_cannot_be_drawn_are_told(
    case: Case, refuted: VerifyReport, monkeypatch: pytest.MonkeyPatch
):
    subjects = [SUBJECT] * 3

    def go_down(*_: Any) -> None:
        raise GuestError("the process went down")

    monkeypatch.setattr("emu.verify.explain.failure_figures.run_apart", go_down)
    assert failure_figures(case, subjects, refuted) == (
        "The scene of 68040 O1: uniform, 200 objects, seed 1994.",
        "This scene could not be drawn: the process went down",
    )
    assert failure_figures(replace(case, picture=None), subjects, refuted) == ()


def test_a_few_failures_that_differ_are_drawn(
    case: Case, refuted: VerifyReport, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("emu.verify.explain.failure_figures.run_apart", lambda *_: WRONG)
    wrong = refuted.results[1]
    first = wrong.failures[0]
    scenes = [replace(first.scene, seed=seed) for seed in (1, 1, 2, 3, 4)]
    failures = [replace(first, scene=scene) for scene in scenes]
    results = tuple(replace(wrong, failures=(failure,)) for failure in failures)
    parts = failure_figures(case, [SUBJECT] * 5, replace(refuted, results=results))
    assert [part for part in parts if isinstance(part, str)] == [
        f"The scene of 68040 O1: uniform, 200 objects, seed {seed}." for seed in (1, 2, 3)
    ]
    assert sum(isinstance(part, Figure) for part in parts) == 6
