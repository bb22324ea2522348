"""Makes sure of what was found, and makes its scene as small as possible."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from emu.base.errors import CaseError, UsageError
from emu.cases.case import Case, KnownCase
from emu.cases.keys.parts import Scene
from emu.cases.known_case import case_as_known
from emu.cases.programs.subject import Subject
from emu.cases.simpler import simpler_numbers
from emu.search.budget import PATIENT
from emu.search.fuzz.execute import FuzzTerms, execute
from emu.search.fuzz.suspicions import DIFFERENCE, Suspicion
from emu.verify.explain.shrinking import Shrinker
from emu.verify.runs.judgement import FAULT
from emu.verify.scenes.changed_scenes import ChangedScene, changed_of, fields_of, with_fields

_MOST_TRIES = 500
_MOST_TRIES_OF_FAULTS = 200  # each that never returns waits for the watchdog
_MOST_ELEMENTS = 24
_MOST_OBJECTS = 50_000  # of all scenes together: a reference takes long for each


@dataclass(frozen=True, slots=True)
class SuspicionResult:
    """What became of a suspicion.

    Attributes:
        suspicion: what is wrong with the smallest scene; None if nothing is: a call was only slow.
        scene: what makes that scene.
        objects: how many items it has.
        seconds: the processor time that it took to find out.
    """

    suspicion: Suspicion | None
    scene: ChangedScene
    objects: int
    seconds: float


def settle(
    known_case: KnownCase,
    subjects: Sequence[Subject],
    given: ChangedScene,
    suspicion: Suspicion,
    terms: FuzzTerms,
) -> SuspicionResult:
    """Run a scene again with all the time that a call may take, and make it smaller."""
    begins = time.process_time()
    case = case_as_known(known_case)
    trials = _Trials(case, subjects, given, suspicion, terms)
    scene, latest = given.make(case), trials.suspicion(given, is_patient=True)
    smallest = given
    if latest is not None:
        most = _MOST_TRIES_OF_FAULTS if suspicion.symptom.kind == FAULT else _MOST_TRIES
        kind = trials.kind(scene)
        smaller = scene
        if kind:
            shrinker = Shrinker(
                case, trials.kind, lambda: trials.tried >= most or trials.objects >= _MOST_OBJECTS
            )
            _, smaller = shrinker.shrink(scene, kind)
            smaller = _nearer_to_nothing(
                case, smaller, lambda candidate: trials.kind(candidate) == kind
            )
        changed = changed_of(case, given.spec, smaller)
        again = trials.suspicion(changed, is_patient=True)
        if again is not None:
            smallest, scene, latest = changed, smaller, again
    return SuspicionResult(latest, smallest, scene.objects, time.process_time() - begins)


class _Trials:
    """Runs scenes and looks for the same suspicion."""

    def __init__(
        self,
        case: Case,
        subjects: Sequence[Subject],
        given: ChangedScene,
        suspicion: Suspicion,
        terms: FuzzTerms,
    ) -> None:
        self._case = case
        self._all = subjects
        self._given = given
        self._wanted = suspicion
        self._terms = terms
        self.tried = self.objects = 0

    def suspicion(self, changed: ChangedScene, *, is_patient: bool = False) -> Suspicion | None:
        """The same suspicion about another scene; None if it is not there.

        ``is_patient`` gives the calls all the time that they may take.
        """
        self.tried += 1
        wanted = self._wanted
        is_alone = wanted.symptom.kind != DIFFERENCE
        subjects = [self._all[wanted.subject]] if is_alone else self._all
        terms = replace(self._terms, budget=PATIENT) if is_patient else self._terms
        execution = execute(self._case, subjects, changed, terms)
        for suspicion in execution.suspicions:
            same = replace(suspicion, subject=wanted.subject) if is_alone else suspicion
            if same.key == wanted.key:
                return same
        return None

    def kind(self, scene: Scene) -> str:
        """For `Shrinker`: the kind of the suspicion, if it is there."""
        self.objects += scene.objects
        changed = changed_of(self._case, self._given.spec, scene)
        return "" if self.suspicion(changed) is None else "same"


def _nearer_to_nothing(case: Case, scene: Scene, fails: Callable[[Scene], bool]) -> Scene:
    """Bring the numbers of small arrays towards 0, as long as the scene fails."""
    for name, value in fields_of(scene).items():
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "iu":
            continue
        for place in range(value.size if value.size <= _MOST_ELEMENTS else 0):
            array = np.array(fields_of(scene)[name])
            for number in simpler_numbers(int(array.flat[place])):
                simpler = array.copy()
                simpler.flat[place] = number
                simpler.setflags(write=False)
                try:
                    candidate = with_fields(case, scene, {name: simpler})
                    if fails(candidate):
                        scene = candidate
                        break
                except (UsageError, CaseError):
                    continue
    return scene
