"""Which scenes a verification runs, and how they are divided into tasks of workers.

This is the first step on the road of a scene: a case, a count and a seed go in; chunks of
`SceneSpec` come out, of which `emu.verify.runs.prepared_scenes` makes scenes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from operator import attrgetter

from emu.base.arguments import whole_number, whole_numbers
from emu.cases.case import Case
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec

# The calls of a chunk are laid, made and compared together. On four-shifts (200 objects, 68040, O2)
# a call then takes 343 us of processor time; in chunks of 10 it takes 389 us, and alone 680 us.
_CHUNK = 50


def plan_scenes(
    case: Case,
    count: int,
    seed: int,
    objects: Sequence[int] | None = None,
    *,
    first: int = 0,
) -> list[SceneSpec]:
    """Spread scenes evenly over the kinds of a case: its generators and numbers of objects.

    The first scene of each kind is run once with every fill of memory. Each further scene has one
    fill, and the fills take turns.

    Args:
        case: the case.
        count: the number of scenes.
        seed: the seed of the first scene of each kind; the next scene of the kind has ``seed + 1``.
        objects: numbers of objects to use in place of the case's own, for every generator.
        first: the number of scenes in front of these, if they are a part of a longer plan.

    Returns:
        One entry for each call on a scene. There are more entries than scenes, since the first
        scene of each kind has one for each fill.

    Raises:
        UsageError: ``count``, ``seed`` or one of ``objects`` is not a whole number in its range.
    """
    count, seed = whole_number(count, "scenes"), whole_number(seed, "seed")
    objects = None if objects is None else whole_numbers(objects, "objects")
    sizes = sorted(objects or case.objects, reverse=True)
    kinds = [(generator, size) for size in sizes for generator in case.generators]
    kinds += case.also if objects is None else ()
    fills = Fill.of(case)
    specs = []
    for index in range(first, first + count):
        number, kind = divmod(index, len(kinds))
        for fill in [fills[number % len(fills)]] if number else fills:
            specs.append(SceneSpec(*kinds[kind], seed + number, fill))
    return specs


def chunks(
    specs: Sequence[SceneSpec], most: int = _CHUNK, *, is_first: bool = True
) -> list[list[SceneSpec]]:
    """Divide calls into chunks, in each of which all scenes have the same number of objects.

    The first scene of all is a chunk of its own: if a routine never returns, that is known after
    it. All calls on one scene are in the same chunk, so that the scene is made once.

    Args:
        specs: the calls.
        most: how many calls a chunk may have; one scene with more calls is a chunk nevertheless.
            Fewer calls keep all workers busy more evenly; more calls make each call cheaper.
        is_first: whether they begin with the first scene of all.
    """
    # The same as `SceneSpec.scene`, which takes 2 us to make.
    same_scene = attrgetter("seed", "objects", "generator")
    scenes = [list(same) for _, same in itertools.groupby(specs, key=same_scene)]
    alone = int(is_first)
    pieces = scenes[:alone]
    filling: dict[int, list[SceneSpec]] = {}
    for scene in scenes[alone:]:
        piece = filling.get(scene[0].objects)
        if piece is None or len(piece) + len(scene) > most:
            piece = filling[scene[0].objects] = []
            pieces.append(piece)
        piece += scene
    return pieces
