"""Scenes: objects on a screen, with integer corners that any machine can reproduce.

A scene is a list of objects, each a square of :data:`RECT_SIZE` pixels known by its upper-left
corner. Reports name a scene by its generator, number of objects and seed, so these must always give
the same corners, on every platform. The generators therefore take nothing from NumPy but the
raw 64-bit words of :class:`numpy.random.PCG64`, whose documentation guarantees the stream of a
seed (unlike the methods of ``numpy.random.Generator``, see NEP 19), and turn words into pixels by
integer arithmetic. No floating point takes part.

The objects form a linked list, which the routines of 1994 walk. It begins with object 0 and goes
on in the order of the array, or in scenes of the generator "shuffled" in random order. A list can
also leave objects out (:meth:`Scene.listing`), which a routine then has to leave alone.

Every generated corner lies in the safe domain of the 1994 four-shifts routine, x in 0..671 and
y in 0..543, outside which that routine reads and writes beyond its sector table.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.streams import AnyStream, Stream

RECT_SIZE = 30  # side of every object, in pixels
SAFE_WIDTH, SAFE_HEIGHT = 672, 544  # 11 and 9 sectors of 64 pixels, less the shift of 32

_Number = TypeVar("_Number", bound=np.generic)

_HALF_SECTOR = 32  # sector boundaries of the shifted and unshifted grids together
_CLUSTERS, _CLUSTER_RADIUS = 4, 40
_PLACES = 2**31  # the range of numbers drawn for the order of a list; equal ones are very rare
_CHAIN = 4  # objects in a chain
_STEPS = np.array([0, 1, 28, 29, 30, 31, 0, -1, -28, -29, -30, -31], dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Objects on a screen, and how they were made.

    Build one with :func:`make_scene` or :func:`scene_from_corners`, which check their input.

    Attributes:
        corners: upper-left corners in pixels, int32 of shape ``(objects, 2)``, columns x and y,
            not writable.
        generator: the name in :data:`GENERATORS` that made the corners, or another word such as
            ``"given"`` if none did.
        seed: what the generator started from; 0 where it has no meaning.
    """

    corners: NDArray[np.int32]
    generator: str
    seed: int
    _order: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        """Refuse a list that is none: a routine, or a reference, would walk it for ever.

        Raises:
            ValueError: the list begins with another object, or has one twice or one unknown.
        """
        if self._order is None:
            return
        begins = self._order[:1].tolist() == [0] * min(self.objects, 1)
        in_range = self._order.min(initial=0) >= 0 and self._order.max(initial=-1) < self.objects
        if not (begins and in_range and np.bincount(self._order).max(initial=0) <= 1):
            raise ValueError("a list has objects of the scene, each at most once, object 0 first")

    @property
    def objects(self) -> int:
        """How many objects the scene has."""
        return len(self.corners)

    @property
    def order(self) -> NDArray[np.int32]:
        """The objects in the order of the list, int32, each once, object 0 first."""
        if self._order is None:
            return _in_order(self.objects)
        return self._order

    @property
    def next_object(self) -> NDArray[np.int32]:
        """The object after each one on the list, or -1; int32 of shape ``(objects,)``."""
        if self._order is None:
            return _links_in_order(self.objects)
        return links_along(self._order, self.objects)

    @property
    def old_links(self) -> NDArray[np.int32]:
        """The links before a routine sets those of the listed objects, int32.

        If the list leaves objects out, there is a link for each object: object i links to the one
        that is as far from the end as i is from the beginning. Otherwise it is empty, and the
        links may hold anything.
        """
        left_out = self.objects - len(self.order)
        return np.arange(self.objects if left_out else 0, dtype=np.int32)[::-1]

    def listing(self, order: ArrayLike) -> Scene:
        """The scene with a list of only these objects, in this order.

        Args:
            order: indices of shape ``(n,)``, each at most once, the first of them 0.

        Raises:
            ValueError: the list begins with another object, or has one twice or one unknown.
        """
        return replace(self, _order=frozen(np.asarray(order, dtype=np.int32).reshape(-1)))

    def keep(self, indices: ArrayLike) -> Scene:
        """A scene of some of the objects, known by the same generator and seed.

        Args:
            indices: which objects, integers of shape ``(n,)``, in the order they are to have.

        Raises:
            IndexError: if there is no such object.
        """
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        corners = frozen(self.corners[chosen])
        if self._order is None:
            return replace(self, corners=corners)
        places = np.full(self.objects, -1)
        places[self._order] = np.arange(len(self._order))  # on the list, of each object
        return replace(self, corners=corners, _order=_listed(places[chosen]))

    @property
    def x(self) -> NDArray[np.int32]:
        """Left edges in pixels, shape ``(objects,)``."""
        return self.corners[:, 0]

    @property
    def y(self) -> NDArray[np.int32]:
        """Top edges in pixels, shape ``(objects,)``."""
        return self.corners[:, 1]


Generator: TypeAlias = Callable[[AnyStream, int, int, int], NDArray[np.int32]]
"""A generator: called with (stream, objects, screen width, screen height) to int32 (objects, 2).

Called with the streams of several scenes, it gives int32 of shape (scenes, objects, 2).
"""


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Scene:
    """Make the scene of a generator, a number of objects and a seed.

    Args:
        generator: a name in :data:`GENERATORS`.
        objects: how many objects, 0 or more. The four-shifts routine takes up to 200.
        seed: 0 <= seed < 2**64.
        width: of the screen in pixels, 2..672. "sector-edge" uses the safe domain instead.
        height: of the screen in pixels, 2..544, likewise.

    Returns:
        The scene; all its corners are on the screen, hence in the safe domain.

    Raises:
        ValueError: for an unknown generator, or a number outside the limits above.
        TypeError: for a number that is not an integer.
    """
    check_origin(generator, seed, GENERATORS)
    objects, seed, width, height = map(operator.index, (objects, seed, width, height))
    check_screen(objects, width, height)
    stream = Stream(seed)
    corners = GENERATORS[generator](stream, objects, width, height)
    order = frozen(listed(stream, objects)) if generator == "shuffled" else None
    return Scene(frozen(corners.astype(np.int32, copy=False)), generator, seed, order)


def check_screen(objects: int, width: int, height: int) -> None:
    """Check the number of objects and the size of the screen.

    Raises:
        ValueError: one of them is outside the limits of :func:`make_scene`.
    """
    if objects < 0:
        raise ValueError(f"a scene cannot have {objects} objects")
    for name, size, limit in (("width", width, SAFE_WIDTH), ("height", height, SAFE_HEIGHT)):
        if not 2 <= size <= limit:
            raise ValueError(f"screen {name} {size} is outside 2..{limit}")


def listed(stream: AnyStream, objects: int) -> NDArray[np.int32]:
    """A list of all objects in random order, object 0 first.

    Args:
        stream: what the order is drawn from.
        objects: how many there are.

    Returns:
        int32 of shape ``(objects,)``; of several streams, ``(streams, objects)``.
    """
    places = stream.below(objects, _PLACES)[..., 0]
    order = np.zeros(places.shape, dtype=np.int32)
    order[..., 1:] = 1 + np.argsort(places[..., 1:], axis=-1, kind="stable")
    return order


def scene_from_corners(corners: ArrayLike, *, generator: str = "given", seed: int = 0) -> Scene:
    """Make a scene of copies of given corners.

    Args:
        corners: upper-left corners in pixels: integers of shape ``(n, 2)``, or an empty sequence.
            Any int32 value will do; narrower limits belong to the routines.
        generator: a name for the source of the corners.
        seed: the seed given to that source, if any.

    Raises:
        ValueError: if `corners` has another shape, or values that are not int32 integers.
    """
    checked = as_corners(corners)
    if checked.ndim != 2:
        raise ValueError(f"a scene's corners have shape (n, 2), not {checked.shape}")
    return Scene(frozen(checked), generator, seed)


def check_origin(generator: str, seed: int, generators: Collection[str]) -> None:
    """Check the generator and seed of a scene; for modules with generators of their own.

    Args:
        generator: the name.
        seed: the seed.
        generators: the names that exist.

    Raises:
        ValueError: there is no such generator, or the seed is outside 0..2**64 - 1.
        TypeError: the seed is not an integer.
    """
    if generator not in generators:
        raise ValueError(f"unknown generator {generator!r}; known are {', '.join(generators)}")
    if not 0 <= operator.index(seed) < 2**64:
        raise ValueError(f"seed {seed} is outside 0..2**64 - 1")


def links_along(order: NDArray[np.int32], objects: int) -> NDArray[np.int32]:
    """The object after each one on a list, or -1.

    Args:
        order: the objects on the list, in its order.
        objects: the number of all objects, on the list or not.
    """
    links = np.full(objects, -1, dtype=np.int32)
    links[order[:-1]] = order[1:]
    return links


@functools.lru_cache(maxsize=64)
def _in_order(objects: int) -> NDArray[np.int32]:
    return frozen(np.arange(objects, dtype=np.int32))


@functools.lru_cache(maxsize=64)
def _links_in_order(objects: int) -> NDArray[np.int32]:
    return frozen(links_along(_in_order(objects), objects))


def frozen(values: NDArray[_Number]) -> NDArray[_Number]:
    """A read-only copy of an array."""
    own = np.array(values, order="C")
    own.setflags(write=False)
    return own


def as_corners(corners: ArrayLike) -> NDArray[np.int32]:
    """Check that `corners` are pixel positions and give them as int32, shape kept.

    Args:
        corners: integers of shape ``(..., 2)``, each within int32. An empty sequence counts as
            shape ``(0, 2)``.

    Raises:
        ValueError: if the shape is another, a value is not an integer, or it exceeds int32.
    """
    array = np.asarray(corners)
    if array.shape == (0,):
        return np.empty((0, 2), dtype=np.int32)
    if array.ndim < 2 or array.shape[-1] != 2:
        raise ValueError(f"corners have shape (..., 2), x and y, not {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"corners are integers, whole pixels, not {array.dtype}")
    if array.dtype == np.int32:
        return array
    limits = np.iinfo(np.int32)
    if array.size and not (limits.min <= array.min() and array.max() <= limits.max):
        raise ValueError(f"corners {array.min()}..{array.max()} do not fit 32-bit integers")
    return array.astype(np.int32)


def _listed(places: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """The order of a list: object 0, then the others by their places, without negative ones."""
    others = 1 + np.argsort(places[1:], kind="stable")
    others = others[places[others] >= 0]
    return frozen(np.append(np.arange(len(places[:1])), others).astype(np.int32))


def _uniform(stream: AnyStream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Objects are spread evenly as by the 1994 harness: below size - 1 on each axis."""
    return stream.below(objects, width - 1, height - 1)


def _clustered(stream: AnyStream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Objects lie round four centres, so that a few sectors hold long lists."""
    centres = stream.below(_CLUSTERS, width, height)
    side = 2 * _CLUSTER_RADIUS + 1
    draws = stream.below(objects, _CLUSTERS, side, side)
    around = np.take_along_axis(centres, draws[..., :1], axis=-2)
    return _clamped(around + draws[..., 1:] - _CLUSTER_RADIUS, width, height)


def _grid_aligned(stream: AnyStream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Objects lie on sector boundaries: multiples of 32, about half of them of 64."""
    columns, rows = -(-width // _HALF_SECTOR), -(-height // _HALF_SECTOR)
    return _HALF_SECTOR * stream.below(objects, columns, rows)


def _sector_edge(stream: AnyStream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Objects lie on or beside sector boundaries, the limits of the safe domain included."""
    columns, rows = SAFE_WIDTH // _HALF_SECTOR + 1, SAFE_HEIGHT // _HALF_SECTOR + 1
    draws = stream.below(objects, columns, rows, 3, 3)
    return _clamped(_HALF_SECTOR * draws[..., :2] + draws[..., 2:] - 1, SAFE_WIDTH, SAFE_HEIGHT)


def _identical(stream: AnyStream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Objects lie on one spot: every pair collides, in every shift."""
    return np.repeat(stream.below(1, width, height), objects, axis=-2)


def _neighbours(stream: AnyStream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Objects follow one another in chains, in steps of 0, 1, 28, 29, 30 or 31 pixels.

    The steps lie on both sides of the strict ``< 30``. A chain that would leave the screen slides
    back as a whole, which keeps its steps; only a screen too small for it squeezes them.
    """
    chains = -(-objects // _CHAIN)
    starts = stream.below(chains, width, height)
    steps = _STEPS[stream.below(chains * _CHAIN, len(_STEPS), len(_STEPS))]
    paths = steps.reshape(*starts.shape[:-1], _CHAIN, 2).cumsum(axis=-2, dtype=np.int32)
    least, most = -paths.min(axis=-2), _far_edge(width, height) - paths.max(axis=-2)
    starts = np.minimum(np.maximum(starts, least), most)
    corners = (starts[..., np.newaxis, :] + paths).reshape(steps.shape)
    return _clamped(corners[..., :objects, :], width, height)


GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {
        "uniform": _uniform,
        "clustered": _clustered,
        "grid-aligned": _grid_aligned,
        "sector-edge": _sector_edge,
        "identical": _identical,
        "neighbours": _neighbours,
        "shuffled": _clustered,
    }
)
"""Every generator, by its name. The scenes of a name never change; a new idea gets a new name."""


def _clamped(corners: NDArray[np.int32], width: int, height: int) -> NDArray[np.int32]:
    return np.minimum(np.maximum(corners, np.int32(0)), _far_edge(width, height))


@functools.lru_cache(maxsize=64)
def _far_edge(width: int, height: int) -> NDArray[np.int32]:
    return np.array([width - 1, height - 1], dtype=np.int32)
