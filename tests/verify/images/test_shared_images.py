"""Programs in which values lie alike share the images of their scenes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.keys.parts import IgnoredVariable, InitialValue
from emu.cases.programs.programs import programs_of
from emu.cases.scenes import scene_of
from emu.verify.batches.bench import Bench
from emu.verify.images.before_images import BeforeImages
from emu.verify.images.scene_images import ExpectedImages, SceneImages
from emu.verify.places.image_layout import image_layout
from emu.verify.places.misfits import Misfits
from emu.verify.runs.prepared_scenes import Scenes, prepare
from emu.verify.scenes.fills import Donors, Fill
from emu.verify.scenes.sample import NO_SCENE
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

Binder = Callable[..., Bench]


def _made(case: Case, count: int) -> Scenes:
    return Scenes.make(case, plan_scenes(case, count, 1994, case.objects[:1]), sample=NO_SCENE)


def _laid(bench: Bench, scenes: Scenes) -> ExpectedImages:
    images = bench.before(scenes.scenes, scenes.preparations)
    return bench.expect(images, scenes.references)


def _laid_alone(bench: Bench, scenes: Scenes) -> ExpectedImages:
    images = bench.before([*scenes.scenes], scenes.preparations)
    return bench.expect(images, [*scenes.references])


def test_the_next_program_gets_the_images_of_the_first(case: Case, bind_case: Binder) -> None:
    scenes = _made(case, 8)
    first, second = bind_case("68000"), bind_case("68040")
    one, two = _laid(first, scenes), _laid(second, scenes)
    assert two.before is one.before and two.expected is one.expected
    assert two.bound is second.bound, "calls are made on its own machine"
    batch = second.run(two)
    assert batch.completed == len(scenes.specs)
    assert not second.differences(two).rows(two.expected, batch.after)


def test_a_donor_that_comes_again_is_laid_once(
    case: Case, bind_case: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each batch has another set of calls, whose donors are some of the same two."""
    specs = [SceneSpec("uniform", 5, seed, Fill.STALE) for seed in (2, 3)]
    stale = [prepare(case, spec) for spec in specs]
    scenes = [scene_of(case, spec) for spec in specs]
    batches = [([0, 1, 0], [stale[0], stale[1], stale[0]]), ([1, 0, 0], [stale[1], *stale[:1] * 2])]
    bench, laid = bind_case("68040"), 0
    real = BeforeImages._laid_by

    def lay(self: BeforeImages, donors: Donors) -> SceneImages:
        nonlocal laid
        laid += 1
        return real(self, donors)

    monkeypatch.setattr(BeforeImages, "_laid_by", lay)
    for rows, plan in batches:
        together = bench.before([scenes[row] for row in rows], plan)
        assert laid == 1
        for index, row in enumerate(rows):
            alone = bind_case("68040").before([scenes[row]], [prepare(case, specs[row])])
            assert np.array_equal(together.before[index], alone.before[0])
        assert not np.array_equal(together.before[0], together.before[1])
        laid = 1


def test_nobody_can_write_to_images_that_others_begin_with(case: Case, bind_case: Binder) -> None:
    bench = bind_case("68040")
    laid = _laid(bench, _made(case, 2))
    for images in (laid.before, laid.expected):
        with pytest.raises(ValueError, match="read-only"):
            images[0, 0] = 1
    assert _laid_alone(bench, _made(case, 2)).before.flags.writeable


def test_other_places_are_another_layout(case: Case, bind_case: Binder) -> None:
    benches = [bind_case("68040", build) for build in ("O0", "O2")]
    benches.append(bind_case("601"))
    assert len({image_layout(bench.bound) for bench in benches}) == 3
    scenes = _made(case, 4)
    for bench in benches:
        laid, alone = _laid(bench, scenes), _laid_alone(bench, scenes)
        assert np.array_equal(laid.before, alone.before)
        assert np.array_equal(laid.expected, alone.expected)


def test_another_program_as_loaded_is_another_layout(bind_case: Binder) -> None:
    one, two = bind_case("68040"), bind_case("68040")
    assert image_layout(one.bound) == image_layout(two.bound)
    two.machine.pristine[0] ^= 1
    assert image_layout(one.bound) != image_layout(two.bound)


def test_what_calls_leave_in_images_is_not_shared(case: Case, bind_case: Binder) -> None:
    kept = IgnoredVariable("gNumberOfObjects", begins=InitialValue.KEPT)
    for changed in (
        replace(case, before=("UpdateSectors",)),
        replace(case, ignored=(kept,)),
    ):
        assert not image_layout(replace(bind_case("68040").bound, case=changed))


def test_words_about_what_does_not_fit_are_of_each_program(
    case: Case, bind_case: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes, benches = _made(case, 2), (bind_case("68000"), bind_case("68040"))
    for bench in benches:
        values = bench.usual.before._values
        store, cpu = values.store, bench.machine.cpu.name

        def noted(*arguments, store=store, cpu=cpu):
            misfits: Misfits = arguments[-1]
            misfits.note([0], cpu)
            store(*arguments)

        monkeypatch.setattr(values, "store", noted)
    told = [bench.before(scenes.scenes, scenes.preparations).misfits for bench in benches]
    assert [set(one[0]) for one in told] == [{"68000"}, {"68040"}]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["trivial-loops", "linear-quadtree", "blockmap", "dhrystone"])
def test_shared_images_are_those_that_each_program_makes(name: str) -> None:
    case = load_case(name)
    subjects = programs_of(case, use="prebuilt").subjects
    scenes = _made(case, 6)
    benches = [Bench.of(case, subject) for subject in subjects]
    for bench in benches:
        laid, alone = _laid(bench, scenes), _laid_alone(bench, scenes)
        assert np.array_equal(laid.before, alone.before)
        assert np.array_equal(laid.expected, alone.expected)
        bench.machine.close()
