"""The data of ``macproof domain``: its JSON form."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Annotated

from emu.report.limits import FLAT, Natural
from emu.search.basis import SearchBasis, SearchedProgram, UnwatchedMemory
from emu.verify.explain.finding import Symptom

SCHEMA = "macproof.domain/2"

FOUND, NOT_INSIDE = "range found", "the usual range fails"
SAFE_ONLY, UNFINISHED = "safe only", "not searched to the end"
NOTHING = "nothing searched"

REFUSED = "refused"
"""The kind of a counterexample that nobody says what is right for."""

NO_PLACE = "no place"
"""The kind of one that the scene, the program or the result has no place for."""

VERDICTS = (NOT_INSIDE, NOTHING, UNFINISHED, SAFE_ONLY, FOUND)
"""The worst first."""

FAILS, NO_FARTHER, BUDGET = "fails", "no farther", "budget"
"""Why a range ends: a scene beyond fails; nothing is tried beyond; the budget was used up."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A scene that fails, as small as it could be made.

    Attributes:
        value: the value beyond the range that the scene has; None if there is no range.
        is_usual: whether all numbers of the scene are within their usual ranges.
        symptom: what is wrong. Its kind may also be "refused", if the reference refuses the scene,
            or "no place" if the scene or the program has none for the value.
        objects: how many items the scene has.
        file: the file with the scene; "" if there is no such scene.
    """

    value: int | None
    is_usual: bool
    symptom: Annotated[Symptom, FLAT]
    objects: Natural
    file: str


@dataclass(frozen=True, slots=True)
class SafeFace:
    """How far a number goes where nobody says what is right, as long as calls are safe.

    Attributes:
        value: the farthest of a box in which calls were safe.
        ends: why it is the last: "fails", "no farther" or "budget".
        why: that as a sentence.
        counterexample: a scene beyond; None if ``ends`` is not "fails".
    """

    value: int
    ends: str
    why: str
    counterexample: Counterexample | None


@dataclass(frozen=True, slots=True)
class Face:
    """How far a number goes in one direction.

    Attributes:
        usual: the farthest value that scenes of the case have.
        start: the value, within the usual range, from which the search went outwards.
        alone: the farthest that held while all other numbers kept to their starting ranges.
        joint: the farthest of the box, where all numbers go as far as theirs at once.
        ends: why ``joint`` is the last: "fails", "no farther" or "budget".
        why: that as a sentence.
        counterexample: a scene beyond; None if ``ends`` is not "fails".
        safe: how far it goes beyond ``joint`` where nobody says what is right; None if that was not
            searched.
    """

    usual: int
    start: int
    alone: int
    joint: int
    ends: str
    why: str
    counterexample: Counterexample | None
    safe: SafeFace | None


@dataclass(frozen=True, slots=True)
class DimensionRange:
    """What was found of one number.

    Attributes:
        name: its name.
        low: the downward direction.
        high: the upward direction.
    """

    name: str
    low: Face
    high: Face

    @property
    def inside(self) -> tuple[Face, ...]:
        """The faces that lie within the usual range."""
        return tuple(
            face
            for face, is_inside in (
                (self.low, self.low.joint > self.low.usual),
                (self.high, self.high.joint < self.high.usual),
            )
            if is_inside
        )


@dataclass(frozen=True, slots=True)
class DependentNumber:
    """A number that is not searched, since its values depend on each other or on other numbers.

    Attributes:
        name: its name.
        why: what a scene said whose values were chosen independently, all in their usual ranges.
    """

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class ProgramDomain(SearchedProgram):
    """What was found of one program.

    Attributes:
        failure: a scene within the usual ranges that fails and leaves no box; None if none was
            found.
        dimensions: each number; none if there is a failure.
        tied: the numbers that are not searched.
        held: how many scenes were tried within the box, all of which held.
        held_refused: of how many of these nobody said what is right.
        safe_held: how many were tried within the safe box, all of which held; 0 if there is none.
        undecided: how many scenes the engine could not run, so that nothing is known of them.
        executions: how many scenes were made in all, also to make failing ones smaller.
        seconds: the processor time, in seconds.
    """

    failure: Counterexample | None
    dimensions: tuple[DimensionRange, ...]
    tied: tuple[DependentNumber, ...]
    held: Natural
    held_refused: Natural
    safe_held: Natural
    undecided: Natural
    executions: Natural
    seconds: float

    @property
    def verdict(self) -> str:
        """What was found of it; the words are those of `DomainReport`."""
        inside = list(chain.from_iterable(dimension.inside for dimension in self.dimensions))
        kinds = {usual_example.symptom.kind for usual_example in self._usual_examples}
        if kinds - {REFUSED, NO_PLACE}:
            return NOT_INSIDE
        if NO_PLACE in kinds or any(face.ends == BUDGET for face in inside):
            return UNFINISHED
        if not self.dimensions:
            return NOTHING
        if not self.held:  # the engine could run none of the scenes, so nothing is known
            return UNFINISHED
        return SAFE_ONLY if self.held_refused or inside else FOUND

    @property
    def _usual_examples(self) -> list[Counterexample]:
        """The scenes that fail or are unsafe with all numbers in their usual ranges."""
        faces = [face for dimension in self.dimensions for face in (dimension.low, dimension.high)]
        right = (face.counterexample for face in faces)
        safe = (face.safe.counterexample for face in faces if face.safe is not None)
        examples = (self.failure, *right, *safe)
        return [example for example in examples if example is not None and example.is_usual]


@dataclass(frozen=True, slots=True)
class DomainReport:
    """For which inputs programs were found to be correct and safe.

    Attributes:
        verdict: "the usual range fails" if a scene does on any program whose numbers are all in
            their usual ranges; else "nothing searched" if no number can be searched, "not searched
            to the end" if a face stayed within them or the engine could run no scene, or "safe
            only" if nobody says what is right for some of them; else "range found".
        basis: what it rests on.
        scenes: how many scenes a box had to hold on.
        executions: how many scenes of a program a search may run.
        programs: what was found of each.
        command: the command line, one string for each word.
        unwatched: what was compared with nothing.
    """

    verdict: str
    basis: Annotated[SearchBasis, FLAT]
    scenes: Natural
    executions: Natural
    programs: tuple[ProgramDomain, ...]
    command: tuple[str, ...]
    unwatched: Annotated[UnwatchedMemory, FLAT]
