"""Which brick a ball hits, and walls of bricks to try it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from macproof import simpler_numbers

ROWS, COLUMNS = 5, 8
BRICKS = ROWS * COLUMNS
HEIGHT, WIDTH = 12, 32


@dataclass(frozen=True)
class Scene:
    """The ball, the bricks and the score before the call."""

    v: int
    h: int
    top: np.ndarray
    left: np.ndarray
    bottom: np.ndarray
    right: np.ndarray
    hits: np.ndarray
    score: int
    objects: int
    generator: str
    seed: int

    def keep(self, indices: np.ndarray) -> Scene:
        """The same scene: there are always forty bricks."""
        return self

    def simpler(self) -> Iterator[Scene]:
        """Scenes with a number nearer to 0, for `macproof explain` to shrink a scene."""
        for name in ["v", "h", "score"]:
            for number in simpler_numbers(getattr(self, name)):
                yield replace(self, **{name: number})


@dataclass(frozen=True)
class Hit:
    """What the call leaves."""

    brick: int
    top: np.ndarray
    left: np.ndarray
    bottom: np.ndarray
    right: np.ndarray
    hits: np.ndarray
    score: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Scene:
    """The scene of a seed."""
    random = np.random.default_rng(seed)
    if generator == "anywhere":
        return _scene_anywhere(random, generator, seed)
    row, column = np.divmod(np.arange(BRICKS), COLUMNS)
    top, left = 40 + row * HEIGHT, column * WIDTH
    if generator == "overlapping":  # the first of several bricks takes the hit
        top, left = top // 4, left // 4
    bottom, right = top + HEIGHT, left + WIDTH
    aim = random.integers(BRICKS)
    v = random.integers(top[aim], bottom[aim])
    h = random.integers(left[aim], right[aim])
    if generator == "edges":  # a pixel inside of an edge, on it, or outside
        v = random.choice([top[aim], bottom[aim]]) + random.integers(-1, 2)
        h = random.choice([left[aim], right[aim]]) + random.integers(-1, 2)
    hits = random.integers(0, 3, BRICKS)  # none left, the last one, one more
    score = 10 * random.integers(0, 1000)
    return Scene(int(v), int(h), top, left, bottom, right, hits, int(score), 0, generator, seed)


def _scene_anywhere(random: np.random.Generator, generator: str, seed: int) -> Scene:
    """Any numbers at all: a ball that hardly ever hits a brick, edges in any order."""
    v, h = (int(number) for number in random.integers(-(2**15), 2**15, 2))
    top, left, bottom, right, hits = random.integers(-(2**15), 2**15, (5, BRICKS))
    return Scene(v, h, top, left, bottom, right, hits, 0, 0, generator, seed)


def hit(scene: Scene) -> Hit:
    """The first brick that is left and has the ball in it takes the hit."""
    high, wide = (scene.top, scene.bottom), (scene.left, scene.right)
    inside = scene.hits != 0
    for place, (low, end) in ((scene.v, high), (scene.h, wide)):
        inside = inside & (low <= place) & (place < end)
    hits, score = scene.hits.astype("int16"), scene.score
    brick = int(inside.argmax()) if inside.any() else -1
    if brick >= 0:
        hits[brick] -= 1
        score += 10 * int(hits[brick] == 0)
    return Hit(brick, scene.top, scene.left, scene.bottom, scene.right, hits, score)
