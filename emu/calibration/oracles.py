"""How oracles agree about scenes: programs of a case on several processors and engines, and Python.

An oracle says what a routine leaves behind on a scene. Each answer is held against the reference,
and told in the words of the program if it differs: "gObjects[3].x is 7". So the answers of a 68K
and of a PowerPC can be compared, although their memory looks different.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.workers import ProcessDown, run_apart
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs import Subject
from emu.machine.other_engine import EngineRefusal
from emu.verify.bound_case import BoundCase
from emu.verify.prepared_scenes import Scenes
from emu.verify.schedule import chunks, plan_scenes
from emu.verify.verdicts import SceneSpec

PYTHON = "Python"
"""The name of the reference among the oracles."""

_RIGHT = ""


@dataclass(frozen=True, slots=True)
class Oracles:
    """What oracles say of the scenes of a case.

    Attributes:
        case: the name of the case.
        scenes: how many scenes there are.
        agreement: for each pair of oracles, how many scenes both answered, and how many alike.
        silent: why some oracles give no answers, by their names.
    """

    case: str
    scenes: int
    agreement: Mapping[tuple[str, str], tuple[int, int]]
    silent: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The oracles that answered, the reference last."""
        return tuple(dict.fromkeys(name for pair in self.agreement for name in pair))

    @property
    def agree(self) -> bool:
        """Whether all say the same of every scene."""
        return all(both == alike for both, alike in self.agreement.values())


def ask_oracles(case: Case, subjects: Sequence[Subject], scenes: int, seed: int) -> Oracles:
    """Ask programs of a case, each on its engine, and compare what they say.

    Args:
        case: the case.
        subjects: the programs, with their engines.
        scenes: how many scenes.
        seed: the seed of the first scene of each kind.

    Raises:
        CaseError, UsageError: the reference refuses.
        ToolMissingError: an engine is not installed.
    """
    planned = dict.fromkeys(spec.scene for spec in plan_scenes(case, scenes, seed))
    specs = [SceneSpec(*scene) for scene in planned]
    answers: dict[str, list[str | None]] = {}
    silent: dict[str, str] = {}
    for subject in subjects:
        name = subject.engine if subject.native else f"{subject.cpu} {subject.engine}"
        if name in answers:  # a native program is the same beside all processors
            continue
        try:
            answers[name] = run_apart(_answers, case.path, subject, specs)
        except (EngineRefusal, ProcessDown) as error:
            silent[name] = str(error)
    answers[PYTHON] = [_RIGHT] * len(specs)
    return Oracles(case.name, len(specs), agreement_of(answers), silent)


def agreement_of(
    answers: Mapping[str, Sequence[str | None]],
) -> dict[tuple[str, str], tuple[int, int]]:
    """For each pair of oracles, how many scenes both answered, and how many alike.

    Args:
        answers: what each says of each scene; None where it says nothing.
    """
    return {
        (one, other): _counted(zip(answers[one], answers[other], strict=True))
        for one, other in itertools.combinations(answers, 2)
    }


def _counted(pairs: Iterable[tuple[str | None, str | None]]) -> tuple[int, int]:
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    return len(both), sum(a == b for a, b in both)


def _answers(path: Path, subject: Subject, specs: Sequence[SceneSpec]) -> list[str | None]:
    """How a program differs from the reference on each scene; None from a call that is lost."""
    case = read_case(path)
    bound = BoundCase.of(case, subject)
    found: dict[SceneSpec, str] = {}
    for piece in chunks(specs):
        scenes = Scenes.make(case, piece)
        before = bound.before(scenes.scenes, scenes.preparations)
        expected, _ = bound.expected(before, scenes.references)
        batch = bound.run(before, scenes.scenes, scenes.preparations)
        for index in range(batch.completed):
            divergence = bound.divergence(expected[index], batch.after[index])
            found[piece[index]] = (
                _RIGHT if divergence is None else f"{divergence.place} is {divergence.found}"
            )
    return [found.get(spec) for spec in specs]
