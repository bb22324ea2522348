"""What a findings file says, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from emu.cases.case import Case, Scene
from emu.verify.trials import Setup

Facts: TypeAlias = Mapping[str, Any]
"""What is to be seen, by name; `emu.studies.findings.facts` says which names there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two forms of a routine on the scenes of a step.

    Attributes:
        case: the form.
        setup: how it is called.
        scenes: what it is called on.
        judge: the dotted Python function that makes further facts of what was observed, or "".
        of: the observed array that the judge is given as ``found``, or "".
        facts: what must be seen.
        ours: whether it depends on something that only our own source has.
        hosted: a program beside the case that is run in place of its routine, or "".
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
    """How a step is drawn.

    Attributes:
        flags: the observed array that is not 0 for objects in a collision, or "".
        pairs: two observed arrays with the objects of reported pairs, or none.
        count: the observed number of reported pairs, or "".
        corners: two observed arrays with x and y of the objects where the routine has put them, or
            none: they are where the scene has them.
        objects: the scene's attribute with how many those are, or "".
    """

    flags: str = ""
    pairs: tuple[str, ...] = ()
    count: str = ""
    corners: tuple[str, ...] = ()
    objects: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One way to see a finding.

    Attributes:
        name: what distinguishes it, or "".
        input: the scenes in words.
        described: the form as described and what it does, which is the defect.
        corrected: the corrected form and what is right; None where a claim is put to the test
            and there is nothing to be corrected.
        claimed: what the post says would be seen, where ``corrected`` is None.
        cpus: the processors on which it can be seen, or None for all of the case.
        builds: the builds with which it can be seen, or None for all.
        drawing: how it is drawn, or None.
    """

    name: str
    input: str
    described: Side
    corrected: Side | None
    claimed: Facts
    cpus: tuple[str, ...] | None
    builds: tuple[str, ...] | None
    drawing: Drawing | None


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """A defect: what it is, and how it is seen.

    Attributes:
        id: its number ("B5").
        title: in a few words.
        post: where the program was published.
        says: what goes wrong, and why.
        corrected: what the corrected form does instead, in words.
        steps: ways to see it; all must show it.
        not_run: why it cannot be shown by running anything, or "".
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
        """The cases that take part, by name."""
        sides = [side for step in self.steps for side in (step.described, step.corrected) if side]
        return frozenset(side.case.name for side in sides)


@dataclass(frozen=True, slots=True, eq=False)
class FindingsFile:
    """A file of findings about one post."""

    path: Path
    post: str
    findings: tuple[Finding, ...]
