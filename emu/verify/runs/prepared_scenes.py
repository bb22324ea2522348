"""Scenes with what the reference says of them, and with the memory that each call begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from emu.cases.case import Case
from emu.cases.files.python_files import files_read
from emu.cases.files.read_files import noting_files
from emu.cases.keys.parts import Scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of, scenes_of, scenes_together
from emu.verify.answers.answers import ask_reference
from emu.verify.answers.bulk_answers import bulk_answers, reference_that_agrees, scene_as_made
from emu.verify.answers.repeatable import require_repeatable, require_same_answer
from emu.verify.answers.wide_scenes import require_no_overflow
from emu.verify.scenes.columns import Columns
from emu.verify.scenes.fills import (
    Donor,
    Donors,
    Fill,
    Preparation,
    Preparations,
    environment_of,
    is_odd,
)
from emu.verify.scenes.input_digests import digests_of
from emu.verify.scenes.sample import Sample
from emu.verify.scenes.scene_spec import SceneSpec

_VARIANTS = 4  # seeds: so many neighbours have the same random bytes


@dataclass(frozen=True, slots=True)
class Scenes:
    """Scenes with equal numbers of objects, what the reference says of them, and memory for them.

    Several may be the same scene with other fills of memory.

    Attributes:
        specs: how each was made.
        scenes: the scenes.
        references: the reference's answer to each; or that of a bulk reference.
        preparations: how memory is filled before each call.
        inputs: the digest of what each lays into memory.
        agreed: the scenes, as `SceneSpec.scene`, of which reference and bulk reference were both
            asked.
        is_bulk: whether the answers are those of the bulk reference.
        read: the files that the case's Python has read so far, each with its digest.
        widened: of how many scenes the bulk reference was asked with whole numbers of 64 bits,
            too.
    """

    specs: tuple[SceneSpec, ...]
    scenes: Columns
    references: Columns
    preparations: Preparations
    inputs: tuple[bytes, ...]
    agreed: frozenset[SceneName] = frozenset()
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
        """Make the scenes again, and ask the reference once for each.

        Args:
            case: the case.
            specs: how each scene is made.
            sample: if the case has a bulk reference, that is asked, and these scenes are put to
                both. The answers are those of the reference only as far as the case observes them.
                None asks the reference alone.
            is_first: whether these are the first scenes of a run. Then the first one of them is put
                to both, too.

        Raises:
            UsageError: one of the two refuses.
            CaseError: the reference changes a scene, or one of the two does otherwise each time;
                or the bulk reference does not agree with the reference.
        """
        with noting_files():
            make = cls._make(case, specs, sample, is_first=is_first)
        return replace(make, read=tuple(files_read(case.path.parent, case.python).items()))

    @classmethod
    def _make(
        cls, case: Case, specs: Sequence[SceneSpec], sample: Sample | None, *, is_first: bool
    ) -> Scenes:
        stale = [row for row, spec in enumerate(specs) if spec.fill is Fill.STALE]
        donors = [_donor(specs[row]) for row in stale]
        places = {spec.scene: 0 for spec in specs} | dict.fromkeys(donors, 0)
        places = {name: place for place, name in enumerate(places)}
        is_bulk = sample is not None and bool(case.bulk_reference)
        all_scenes = scenes_together(case, [*places]) if is_bulk else scenes_of(case, [*places])
        scenes = Columns(all_scenes)
        digests = digests_of(case, scenes)
        if is_bulk:
            answers = Columns(bulk_answers(case, all_scenes, digests))
        else:
            answers = Columns([ask_reference(case, scene) for scene in all_scenes])
        chosen = {
            name: scene_as_made(case, name, digests[place])
            for name, place in places.items()
            if is_bulk and ((is_first and not place) or (sample is not None and name in sample))
        }
        own = {
            name: reference_that_agrees(case, scene, answers[places[name]])
            for name, scene in chosen.items()
        }
        wide = 0
        # Without the donors, which are scenes of others: each scene is counted once in a campaign.
        names = dict.fromkeys(spec.scene for spec in specs)
        own_chosen = [name for name in chosen if name in names]
        asked = [] if sample is None or not is_bulk else sample.together(names, own_chosen)
        if asked:
            rows = [places[name] for name in asked]
            wide = require_no_overflow(case, scenes.take(rows), answers.take(rows))
        if specs and (specs[0].scene in own or not is_bulk):  # one of many: it is to cost nothing
            require_repeatable(case, specs[0], scenes[0], own.get(specs[0].scene, answers[0]))
        rows, given = [places[spec.scene] for spec in specs], [places[name] for name in donors]
        left = Donors(stale, scenes.take(given), answers.take(given))
        donor_of = dict(zip(donors, map(Donor, left.scenes, left.answers), strict=True))
        return cls(
            tuple(specs),
            scenes.take(rows),
            answers.take(rows),
            Preparations.of((_prepare(case, spec, donor_of) for spec in specs), left),
            tuple(digests[row] for row in rows),
            frozenset(own),
            is_bulk,
            widened=wide,
        )

    def ask_again(self, case: Case, index: int) -> None:
        """Ask the reference a second time about a scene that is about to refute a program.

        Raises:
            CaseError: it gives another answer than the first time, so it says nothing about the
                program; or it does not agree with the bulk reference, which was asked first; or
                the scene is another if it is made alone.
        """
        scene, answer = self.scenes[index], self.references[index]
        if self.is_bulk:
            scene = scene_as_made(case, self.specs[index].scene, self.inputs[index])
            answer = reference_that_agrees(case, scene, answer)
        require_same_answer(case, self.specs[index], scene, answer)

    @classmethod
    def of(cls, case: Case, scenes: Sequence[Scene]) -> Scenes:
        """Scenes that somebody else has made; the reference is asked. Memory is as loaded.

        Raises:
            UsageError: it refuses.
            CaseError: it changes a scene.
        """
        specs = tuple(SceneSpec(scene.generator, scene.objects, scene.seed) for scene in scenes)
        return cls(
            specs,
            Columns(scenes),
            Columns([ask_reference(case, scene) for scene in scenes]),
            Preparations(
                Preparation(environment=environment_of(scene.seed), is_odd=is_odd(scene.seed))
                for scene in scenes
            ),
            tuple(digests_of(case, scenes)),
        )

    def first(self, count: int) -> Scenes:
        """The first of them."""
        return self.take(range(count))

    def take(self, rows: Sequence[int]) -> Scenes:
        """Some of them, by their indices."""
        return replace(
            self,
            specs=tuple(self.specs[row] for row in rows),
            scenes=self.scenes.take(rows),
            references=self.references.take(rows),
            preparations=Preparations(self.preparations[row] for row in rows),
            inputs=tuple(self.inputs[row] for row in rows),
        )


def prepare(case: Case, spec: SceneSpec) -> Preparation:
    """How memory is filled before a call.

    Raises:
        UsageError: it is to hold another scene's results, and there are none.
    """
    if spec.fill is not Fill.STALE:
        return _prepare(case, spec, {})
    scene = scene_of(case, _donor(spec))
    return _prepare(case, spec, {_donor(spec): Donor(scene, ask_reference(case, scene))})


def _donor(spec: SceneSpec) -> SceneName:
    """The scene whose results are in memory before a call that is prepared with stale ones.

    It is the next in the plan or the one before, so that of two neighbours each has the other's.
    """
    return SceneName(spec.generator, spec.objects, spec.seed ^ 1)


def _earlier(case: Case, spec: SceneSpec) -> list[SceneName]:
    """The scenes of the calls before one that finds what they have left; none for other fills.

    The calls of a scene take turns: a second call, on another scene; a third, of which the one
    before was on a scene of the most objects; and a fourth, which meets the same scene again.
    """
    if spec.fill is not Fill.KEPT:
        return []
    partner, largest = _donor(spec), SceneName(spec.generator, max(case.objects), spec.seed)
    turns = [[partner], [partner, largest], [spec.scene, partner, largest]]
    return turns[spec.seed // (len(turns) + 2) % len(turns)]


def _prepare(case: Case, spec: SceneSpec, donors: Mapping[SceneName, Donor]) -> Preparation:
    seed, fill = spec.seed, spec.fill
    return Preparation(
        fill,
        seed // _VARIANTS,
        donors[_donor(spec)] if fill is Fill.STALE else None,
        environment=environment_of(seed),
        earlier=tuple(scene_of(case, name) for name in _earlier(case, spec)),
        is_odd=is_odd(seed),
    )
