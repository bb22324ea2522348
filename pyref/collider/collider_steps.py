"""Scripts for the collider: the steps of a game, as five columns of integers.

A script is the collider's scene. Any selection of its steps is a script again: a step that names a
critter that does not exist, or creates one that exists, does nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import frozen

MAX_CRITTERS = 50
MAX_PAIRS = MAX_CRITTERS * (MAX_CRITTERS - 1) // 2
MAX_STEPS = 1000


class Operation(IntEnum):
    """The operation of a step."""

    CREATE = 0
    """Make critter `first` of kind `second`, with a demand and a priority."""
    SMART_ADD_ALL = 1
    """Add the pairs of `first` with all critters, lowest number first; `first` is the first
    argument of each if `second` is 0, otherwise the second."""
    SMART_ADD = 2
    """Add the pair of `first` and `second`, in this order of arguments."""
    DELETE = 3
    """Delete critter `first`."""
    TOUCH = 4
    """From now on `first` touches `second`, and nobody else."""
    COLLIDE_STEP = 5
    """Collide every pair."""


class Kind(IntEnum):
    """Kinds of critters."""

    WALL = 0
    BULLET = 1
    PLAYER = 2
    OTHER = 3
    DEMANDING = 4
    """Answers `collidesWith` with the code it is given, whoever the other is."""


class Code(IntEnum):
    """What a critter's `collidesWith` can answer; the numbers are the book's."""

    AS_ARG = -1
    EITHER_WAY = 0
    AS_CALLER = 1
    DONT = 2


PRIORITIES: Mapping[Kind, int] = MappingProxyType(
    {Kind.WALL: 4, Kind.BULLET: 3, Kind.PLAYER: 2, Kind.OTHER: 1, Kind.DEMANDING: 0}
)
"""The book's order; it gives no numbers."""

Step: TypeAlias = tuple[int, int, int, int, int]
"""Operation, first, second, demand, priority; the last two are for CREATE."""


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """The steps of a game, and how they were made.

    Build one with :func:`pyref.collider.collider_script.make_script` or :func:`script_from_steps`.
    A script that the routine has no room for cannot be made.

    Attributes:
        steps: int16 of shape ``(steps, 5)``: operation, first, second, demand, priority; not
            writable.
        generator: the name in :data:`pyref.collider.collider_script.GENERATORS` that made them, or
            another word.
        seed: what the generator started from; 0 where it has no meaning.

    Raises:
        ValueError: there are more than 1000 steps, or one is malformed or names a critter outside
            0..49.
    """

    steps: NDArray[np.int16]
    generator: str
    seed: int

    def __post_init__(self) -> None:
        if len(self.steps) > MAX_STEPS:
            raise ValueError(f"{len(self.steps)} steps, where the routine holds {MAX_STEPS}")
        operation, first, second = self.steps.T[:3]
        is_pair = (operation == Operation.SMART_ADD) | (operation == Operation.TOUCH)
        wrong = (operation < 0) | (operation >= len(Operation))
        wrong |= (first < 0) | (first >= MAX_CRITTERS)
        wrong |= is_pair & ((second < 0) | (second >= MAX_CRITTERS))
        wrong |= (operation == Operation.CREATE) & ((second < 0) | (second >= len(Kind)))
        if wrong.any():
            index = int(np.argmax(wrong))
            raise ValueError(f"step {index}: {_what_is_wrong(tuple(self.steps[index].tolist()))}")

    @property
    def objects(self) -> int:
        """How many steps there are."""
        return len(self.steps)

    @property
    def operation(self) -> NDArray[np.int16]:
        """The :class:`Operation` of each step."""
        return self.steps[:, 0]

    @property
    def first(self) -> NDArray[np.int16]:
        """The first critter's number, of each step."""
        return self.steps[:, 1]

    @property
    def second(self) -> NDArray[np.int16]:
        """The second critter's number, or the kind, as each step's operation says."""
        return self.steps[:, 2]

    @property
    def demand(self) -> NDArray[np.int16]:
        """The answer of a demanding critter's `collidesWith`, for each step."""
        return self.steps[:, 3]

    @property
    def priority(self) -> NDArray[np.int16]:
        """A new critter's priority, of each step."""
        return self.steps[:, 4]

    def keep(self, indices: ArrayLike) -> Script:
        """A script of some of the steps, known by the same generator and seed.

        Args:
            indices: which steps, integers of shape ``(n,)``, in the order they are to have.

        Raises:
            IndexError: if there is no such step.
        """
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        return Script(frozen(self.steps[chosen]), self.generator, self.seed)


def script_from_steps(steps: Iterable[Step], *, generator: str = "given", seed: int = 0) -> Script:
    """Make a script of given steps.

    Raises:
        ValueError: there are more than 1000 steps, a step is malformed, or it names a critter
            outside 0..49.
    """
    rows = [tuple(operator.index(value) for value in step) for step in steps]
    for index, row in enumerate(rows):
        wrong = _what_is_wrong(row)
        if wrong:
            raise ValueError(f"step {index}: {wrong}")
    return Script(frozen(np.array(rows, dtype=np.int16).reshape(-1, 5)), generator, seed)


def _what_is_wrong(row: tuple[int, ...]) -> str:
    if len(row) != 5:
        return f"{len(row)} values, not operation, first, second, demand, priority"
    operation, first, second, *_ = row
    if any(not -(2**15) <= value < 2**15 for value in row):
        return "a value does not fit 16 bits"
    if operation not in {*Operation}:
        return f"there is no operation {operation}"
    if not 0 <= first < MAX_CRITTERS:
        return f"critter {first} is outside 0..{MAX_CRITTERS - 1}"
    if operation == Operation.CREATE and second not in {*Kind}:
        return f"there is no kind {second}"
    pair = operation in (Operation.SMART_ADD, Operation.TOUCH)
    if pair and not 0 <= second < MAX_CRITTERS:
        return f"critter {second} is outside 0..{MAX_CRITTERS - 1}"
    return ""
