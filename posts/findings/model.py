"""The contents of a findings file as dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from emu.cases.keys.parts import Scene
from macproof import Case
from posts.trials.trial import Setup

Facts: TypeAlias = Mapping[str, Any]
"""Values by the names of facts; `posts.findings.facts` lists the names."""


@dataclass(frozen=True, slots=True, eq=False)
class StepSide:
    """One of the two forms of a routine on the scenes of a step.

    Attributes:
        case: the case whose routine is called.
        setup: how the routine is called.
        scenes: the scenes that it is called on, one call each.
        judge: the dotted name of a Python function that computes further facts from what was
            observed, or "".
        of: the observed array that the judge gets as ``found``, or "".
        facts: the facts that must be seen.
        ours: whether the finding needs something that only macproof's own source has.
        hosted: the file of a program that is run in place of the routine, or "".
    """

    case: Case
    setup: Setup
    scenes: tuple[Scene, ...]
    judge: str
    of: str
    facts: Facts
    ours: bool = False
    hosted: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The names of the arrays from which a step is drawn.

    Attributes:
        flags: the observed array that is not 0 for objects in a collision, or "".
        pairs: two observed arrays, the first and second object of each reported pair, or none.
        count: the observed number of reported pairs, or "".
        corners: two observed arrays with the x and y to which the routine moved the objects; if
            there are none, the objects are drawn where the scene has them.
        objects: the attribute of the scene with the number of objects to draw, or "".
    """

    flags: str = ""
    pairs: tuple[str, ...] = ()
    count: str = ""
    corners: tuple[str, ...] = ()
    objects: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One experiment that shows a finding.

    Attributes:
        name: tells it from the other steps of the finding; may be "".
        input: the scenes in words.
        described: the form as described, with the facts of the defect.
        corrected: the corrected form, with the facts that are right; None where a claim of the
            post is refuted and no code has to be corrected.
        claimed: the facts that the post claims, where ``corrected`` is None.
        cpus: the processors on which the defect can be seen, or None for all of the case.
        builds: the builds with which it can be seen, or None for all.
        drawing: how the step is drawn, or None.
    """

    name: str
    input: str
    described: StepSide
    corrected: StepSide | None
    claimed: Facts
    cpus: tuple[str, ...] | None
    builds: tuple[str, ...] | None
    drawing: Drawing | None


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """A defect of a published program, and the steps that show it.

    Attributes:
        id: its number, such as "B5".
        title: the defect in a few words.
        post: where the program was published.
        says: what goes wrong, and why.
        corrected: what the corrected form does instead, in words.
        steps: the experiments; each of them must show the defect.
        not_run: why no program can show it, or "".
        path: the findings file.
    """

    id: str
    title: str
    post: str
    says: str
    corrected: str
    steps: tuple[Step, ...]
    not_run: str
    path: Path

    @property
    def case_names(self) -> frozenset[str]:
        """The names of the cases whose routines the steps call."""
        sides = [side for step in self.steps for side in (step.described, step.corrected) if side]
        return frozenset(side.case.name for side in sides)


@dataclass(frozen=True, slots=True, eq=False)
class FindingsFile:
    """A findings file: the findings about one post."""

    path: Path
    post: str
    findings: tuple[Finding, ...]
