"""Makes scenes, asks the reference about them, and prepares the memory that each call begins with.

This is where the road of a chunk of scenes begins in a worker: `SceneSpec` values go in, `Scenes`
come out, once for all programs. `scene_runs` takes them through the stages of each program.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case, KnownCase
from emu.cases.files.python_files import files_read
from emu.cases.files.read_files import noting_files
from emu.cases.keys.parts import Scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of, scenes_of, scenes_together
from emu.verify.answers.answers import ask_reference, ask_references
from emu.verify.answers.bulk_answers import bulk_answers, reference_that_agrees, scene_as_made
from emu.verify.answers.repeatable import require_repeatable, require_same_answer
from emu.verify.answers.wide_scenes import require_no_overflow
from emu.verify.scenes.columns import Columns
from emu.verify.scenes.fills import (
    SEEDS_ALIKE,
    Donor,
    Donors,
    Fill,
    Preparation,
    Preparations,
    environment_of,
    is_odd,
)
from emu.verify.scenes.input_digests import SceneInputs
from emu.verify.scenes.sample import Sample
from emu.verify.scenes.scene_spec import SceneSpec

# A fill comes back every 4 or 5 seeds. So with seed // 4, one NOISE scene after another has the
# next variant, and scenes that are laid together meet all four kinds of random bytes.
_VARIANTS = 4

_PERIOD = math.lcm(SEEDS_ALIKE, _VARIANTS * _VARIANTS)
"""Seeds that differ by it prepare a call alike, if it needs no other scene."""

_MOST_DONORS = 64
_donors: dict[tuple[KnownCase, str, str, SceneName], Donor] = {}


class _SceneNumbers:
    """Numbers distinct scenes from 0, in the order in which they are asked for.

    Keys are tuples: their hashes take a third of the time of those of `SceneName`.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, int], int] = {}

    def __len__(self) -> int:
        """How many scenes there are."""
        return len(self._numbers)

    def of(self, name: SceneName) -> int:
        """The number of a scene, or of the scene of a call."""
        key = name.generator, name.objects, name.seed
        return self._numbers.setdefault(key, len(self._numbers))

    @property
    def names(self) -> list[SceneName]:
        """The names of the scenes, in their order."""
        return [SceneName(*key) for key in self._numbers]


@dataclass(frozen=True, slots=True)
class Scenes:
    """A chunk of scenes, with all that does not depend on the program: answers and preparations.

    There is one item for each call. Several items may have the same scene with other fills.

    Attributes:
        specs: the name of the scene, and the fill, of each call.
        places: the number of the scene of each call, the same for all calls on one scene; int64.
        scenes: the scene of each call.
        references: the answer to each scene, of the reference or of the bulk reference.
        preparations: how memory is filled before each call.
        inputs: the digest of what each scene lays into memory, from `SceneInputs.digests`.
        agreed: the scenes, as in ``places``, about which both reference and bulk reference were
            asked; they gave the same answers.
        is_bulk: whether the answers are those of the bulk reference.
        read: the files that the case's Python has read so far, each with its digest.
        widened: the number of scenes about which the bulk reference was asked with whole numbers
            of 64 bits, too.
    """

    specs: tuple[SceneSpec, ...]
    places: NDArray[np.int64]
    scenes: Columns
    references: Columns
    preparations: Preparations
    inputs: tuple[bytes, ...]
    agreed: frozenset[int] = frozenset()
    is_bulk: bool = False
    read: tuple[tuple[str, str], ...] = ()
    widened: int = 0

    @classmethod
    def make(
        cls,
        case: Case,
        specs: Sequence[SceneSpec],
        *,
        sample: Sample | None = None,
        is_first: bool = False,
    ) -> Scenes:
        """Make scenes, and ask the reference, or the bulk reference, once about each.

        Args:
            case: the case.
            specs: the name and the fill of each call.
            sample: the scenes about which the reference is asked beside the bulk reference; then
                the answers agree with the reference's in observed attributes only. None asks the
                reference alone, also if the case has a bulk reference.
            is_first: whether these are the first scenes of a run. Then the reference is asked about
                the first of them in any case.

        Raises:
            UsageError: the reference or the bulk reference raises an exception.
            CaseError: one of them changes a scene; a scene or an answer is not the same each time;
                or the two do not agree.
        """
        with noting_files():
            make = cls._make(case, specs, sample, is_first=is_first)
        return replace(make, read=tuple(files_read(case.path.parent, case.python).items()))

    @classmethod
    def _make(
        cls, case: Case, specs: Sequence[SceneSpec], sample: Sample | None, *, is_first: bool
    ) -> Scenes:
        numbers = _SceneNumbers()
        rows = [numbers.of(spec) for spec in specs]
        # Without donors: they are scenes of other calls, and a campaign counts each scene once.
        count = len(numbers)
        stale = [row for row, spec in enumerate(specs) if spec.fill is Fill.STALE]
        given = [numbers.of(_donor(specs[row])) for row in stale]
        names = numbers.names
        is_bulk = sample is not None and bool(case.bulk_reference)
        all_scenes = scenes_together(case, names) if is_bulk else scenes_of(case, names)
        scenes = Columns(all_scenes)
        inputs = SceneInputs.of(case, scenes)
        digests = inputs.digests
        if is_bulk:
            answers = Columns(bulk_answers(case, all_scenes, inputs))
        else:
            answers = Columns(ask_references(case, all_scenes, digests))
        own = {
            place: reference_that_agrees(
                case, scene_as_made(case, names[place], digests[place]), answers[place]
            )
            for place in (_asked_alone(names, sample, is_first=is_first) if is_bulk else ())
        }
        wide = 0
        asked = [] if sample is None or not is_bulk else sample.together(names[:count], own)
        if asked:
            wide = require_no_overflow(case, scenes.take(asked), answers.take(asked))
        # One scene of a chunk is made and asked about twice: of 50, that is 2% more work. A bulk
        # reference was not asked about one scene alone, so there the reference has to have been.
        if specs and (0 in own or not is_bulk):
            require_repeatable(case, specs[0], scenes[0], own.get(0, answers[0]))
        left = Donors(stale, scenes.take(given), answers.take(given), range(len(stale)))
        donors = (Donor(left.scenes, left.answers, place) for place in left.places)
        return cls(
            tuple(specs),
            np.array(rows, np.int64),
            scenes.take(rows),
            answers.take(rows),
            Preparations.of((_prepare(case, spec, donors) for spec in specs), left),
            tuple(digests[row] for row in rows),
            frozenset(own),
            is_bulk,
            widened=wide,
        )

    def ask_again(self, case: Case, index: int) -> None:
        """Ask the reference a second time about a scene that is about to refute a program.

        Raises:
            CaseError: its answer differs from the first one, so it is no evidence about the
                program; or from the bulk reference's, which was asked first; or the scene is a
                different one if it is made alone.
        """
        scene, answer = self.scenes[index], self.references[index]
        if self.is_bulk:
            scene = scene_as_made(case, self.specs[index].scene, self.inputs[index])
            answer = reference_that_agrees(case, scene, answer)
        require_same_answer(case, self.specs[index], scene, answer)

    @classmethod
    def of(cls, case: Case, scenes: Sequence[Scene]) -> Scenes:
        """Take scenes that the caller has made, and ask the reference. Memory is as loaded.

        Raises:
            UsageError: the reference raises an exception.
            CaseError: it changes a scene.
        """
        specs = tuple(SceneSpec(scene.generator, scene.objects, scene.seed) for scene in scenes)
        numbers = _SceneNumbers()
        columns = Columns(scenes)
        digests = SceneInputs.of(case, columns).digests
        return cls(
            specs,
            np.array([numbers.of(spec) for spec in specs], np.int64),
            columns,
            Columns(ask_references(case, scenes, digests)),
            Preparations(
                Preparation(environment=environment_of(scene.seed), is_odd=is_odd(scene.seed))
                for scene in scenes
            ),
            tuple(digests),
        )

    def first(self, count: int) -> Scenes:
        """The first ``count`` calls."""
        return self.take(range(count))

    def distinct(self, rows: Sequence[int] | slice) -> int:
        """How many scenes there are among those of some calls, which rows or a slice name."""
        return int(np.count_nonzero(np.bincount(self.places[rows])))

    def take(self, rows: Sequence[int]) -> Scenes:
        """Some of the calls, by their indices."""
        return replace(
            self,
            specs=tuple(self.specs[row] for row in rows),
            places=self.places[list(rows)],
            scenes=self.scenes.take(rows),
            references=self.references.take(rows),
            preparations=self.preparations.take(rows),
            inputs=tuple(self.inputs[row] for row in rows),
        )


def prepare(case: Case, spec: SceneSpec) -> Preparation:
    """Prepare a single call; the donor of a STALE fill is made, and the reference asked about it.

    Searches prepare the same few calls thousands of times. So donors are kept: to ask about them
    again took 40% of the time of ``fuzz four-shifts``.

    Raises:
        UsageError: the reference raises an exception on the donor.
        CaseError: as of `ask_reference`.
    """
    if spec.fill is not Fill.STALE:
        return _prepare(case, spec, iter(()))
    name = _donor(spec)
    key = case.known_case, case.make, case.reference, name
    if key not in _donors:
        scene = scene_of(case, name)
        if len(_donors) == _MOST_DONORS:
            _donors.clear()
        _donors[key] = Donor([scene], [ask_reference(case, scene)], 0)
    return _prepare(case, spec, iter([_donors[key]]))


def _donor(spec: SceneSpec) -> SceneName:
    """The donor of a STALE fill: the scene whose results memory holds before the call.

    It has the neighbouring seed, 1994 for 1995 and the other way round. So it is mostly a scene of
    the same chunk, which is made and answered in any case, and it has as many objects.
    """
    return SceneName(spec.generator, spec.objects, spec.seed ^ 1)


def _asked_alone(names: Sequence[SceneName], sample: Sample | None, *, is_first: bool) -> list[int]:
    """The indices of scenes about which the reference is asked beside the bulk reference."""
    chosen = [] if sample is None else sample.rows(names)
    return [*dict.fromkeys([*range(len(names))[:is_first], *chosen])]


def _earlier(case: Case, spec: SceneSpec) -> list[SceneName]:
    """The scenes of the earlier calls of a KEPT fill, in their order; none for any other fill.

    Three histories take turns, so that the call under test is:

    * the second, after one on another scene;
    * the third, after one on another scene and one on a scene with the most objects;
    * the fourth, after one on the same scene and these two: it meets the same input again.
    """
    if spec.fill is not Fill.KEPT:
        return []
    partner, largest = _donor(spec), SceneName(spec.generator, max(case.objects), spec.seed)
    # KEPT comes with every fifth seed, since a case that has it has five fills; so seed // 5, not
    # the seed itself, goes up by one from one such scene to the next.
    turns = [[partner], [partner, largest], [spec.scene, partner, largest]]
    return turns[spec.seed // (len(turns) + 2) % len(turns)]


def _prepare(case: Case, spec: SceneSpec, donors: Iterator[Donor]) -> Preparation:
    """Prepare a call; of ``donors`` a STALE fill takes the next."""
    seed, fill = spec.seed, spec.fill
    if fill not in (Fill.STALE, Fill.KEPT):
        return _prepared_alone(fill, seed % _PERIOD)
    return Preparation(
        fill,
        seed // _VARIANTS,
        next(donors) if fill is Fill.STALE else None,
        environment=environment_of(seed),
        earlier=tuple(scene_of(case, name) for name in _earlier(case, spec)),
        is_odd=is_odd(seed),
    )


@functools.lru_cache(maxsize=1024)  # there are 576, and to make one takes 2 us
def _prepared_alone(fill: Fill, seed: int) -> Preparation:
    variant = seed // _VARIANTS % _VARIANTS
    return Preparation(fill, variant, environment=environment_of(seed), is_odd=is_odd(seed))
