"""Which oracles agree about scenes: programs on their processors and engines, and the reference.

An oracle says what a routine leaves on a scene. Its answer is how that differs from the reference,
in the words of the program: "gObjects[3].x is 7", or "" if it does not differ. So the answers of a
68K and of a PowerPC can be compared, although their memory looks different.

Two oracles that both have the answer "" left the same values, since observed values are compared
exactly. The exception is a float with a tolerance of, for example, 0.001: two programs may be off
by as much on either side, so they may differ by 0.002. `OracleMatrix.inexact` names such places.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from emu.cases.case import Case
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.subject import Subject
from emu.report.limits import FLAT, Natural
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_spec import SceneSpec

PYTHON, REFERENCE = "Python", "reference"
"""The name of the reference among the oracles, if it is in Python and if it is not."""

_RIGHT = "what the reference says"

Answers: TypeAlias = Mapping[tuple[str, SceneName], Sequence[str]]
"""The answers of an oracle, by build and scene: for each call, how what it left differs from the
reference; "" if it does not."""


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first scene about which two oracles differ.

    Attributes:
        build: the build of the programs.
        scene: the name of the scene.
        answers: what each of the two says, as a clause.
    """

    build: str
    scene: Annotated[SceneName, FLAT]
    answers: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.scene}, build {self.build}"


@dataclass(frozen=True, slots=True)
class OraclePair:
    """How two oracles agree.

    Attributes:
        oracles: their names.
        both: how many scenes both have answered; a scene counts once for each build.
        alike: how many of these they have answered alike.
        first: the first scene on which they differ; None if there is none.
    """

    oracles: tuple[str, str]
    both: Natural
    alike: Natural
    first: FirstDifference | None

    def __str__(self) -> str:
        first, other = self.oracles
        str__ = f"{first} and {other} differ in {self.both - self.alike:,} of {self.both:,} scenes"
        if self.first is None:
            return str__
        return (
            f"{str__}, first on {self.first}: {first} says {' and '.join(self._answers_of_camps())}"
        )

    def _answers_of_camps(self) -> Iterator[str]:
        assert self.first is not None
        yield self.first.answers[0]
        yield f"{self.oracles[1]} {self.first.answers[1]}"


@dataclass(frozen=True, slots=True)
class OracleMatrix:
    """How oracles agree about the scenes of a case.

    Attributes:
        oracles: their names, "68040 unicorn", "host" and "Python": first the guest's programs, last
            the reference.
        pairs: for each two of them, how they agree.
        inexact: the places that a case observes with a tolerance. Two programs that both agree with
            the reference may differ there by twice the tolerance.
    """

    oracles: tuple[str, ...]
    pairs: tuple[OraclePair, ...]
    inexact: tuple[str, ...] = ()

    @property
    def compared(self) -> int:
        """How many answers were compared, each with that of another oracle."""
        return sum(pair.both for pair in self.pairs)

    @property
    def agree(self) -> bool:
        """Whether all oracles say the same of every scene."""
        return all(pair.both == pair.alike for pair in self.pairs)


def oracle_matrix(
    case: Case, results: Sequence[Result], specs: Sequence[SceneSpec]
) -> OracleMatrix:
    """Compare what programs left on scenes with each other and with the reference.

    A scene counts for a program if all calls on it returned. A program that a build has compiled
    for this computer is one oracle, whatever processor it was run beside.

    Args:
        case: the case.
        results: the result of each program.
        specs: the calls that each program was to make.
    """
    calls: dict[SceneName, list[SceneSpec]] = {}
    for spec in specs:
        calls.setdefault(spec.scene, []).append(spec)
    answers: dict[str, dict[tuple[str, SceneName], Sequence[str]]] = {}
    for result in sorted(results, key=lambda each_result: each_result.subject.native is not None):
        setdefault = answers.setdefault(oracle_name(result.subject), {})
        for key, answer in _answers(result, calls):
            if any(answer) or key not in setdefault:  # of several answers, a wrong one is kept
                setdefault[key] = answer
    builds = dict.fromkeys(result.subject.build for result in results)
    answers[PYTHON if case.routine is None else REFERENCE] = {
        (build, scene): [""] * len(call) for build in builds for scene, call in calls.items()
    }
    inexact = [
        ".".join(filter(None, (variable.variable, variable.member)))
        for variable in case.observed
        if variable.phrase.tolerance
    ]
    return OracleMatrix(tuple(answers), pairs_of(answers), tuple(inexact))


def oracle_name(subject: Subject) -> str:
    """The name of a program among the oracles: "68040 unicorn", or "host" of a native one."""
    return subject.engine if subject.native else f"{subject.cpu} {subject.engine}"


def _answers(
    result: Result, calls: Mapping[SceneName, Sequence[SceneSpec]]
) -> Iterator[tuple[tuple[str, SceneName], Sequence[str]]]:
    """The answers of a program about the scenes on which all of its calls returned."""
    answers = dict(result.answers)
    for scene, call in calls.items():
        if all(spec in answers for spec in call):
            yield (result.subject.build, scene), [answers[spec] for spec in call]


def pairs_of(answers: Mapping[str, Answers]) -> tuple[OraclePair, ...]:
    """For each pair of oracles, how they agree.

    Args:
        answers: what each says; nothing of a scene that it has not answered.
    """
    return tuple(
        _pair(names, [answers[name] for name in names])
        for names in itertools.combinations(answers, 2)
    )


def _pair(names: tuple[str, str], answers: Sequence[Answers]) -> OraclePair:
    mine, other = answers
    both = [key for key in mine if key in other]
    differing = [key for key in both if mine[key] != other[key]]
    first = None
    if differing:
        build, scene = differing[0]
        words = tuple(_words(each[differing[0]]) for each in answers)
        first = FirstDifference(build, scene, (words[0], words[1]))
    return OraclePair(names, len(both), len(both) - len(differing), first)


def _words(answer: Iterable[str]) -> str:
    """A scene's answer as a clause; calls with other fills may have given different ones."""
    return ", or ".join(dict.fromkeys(part or _RIGHT for part in answer))
