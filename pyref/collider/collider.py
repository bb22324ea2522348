"""The collider of the Pop Framework, which keeps pairs of critters: as described, and corrected.

A game keeps the pairs of critters that might collide. When a pair is added, both critters are
asked: each may want to call the other's `collide`, to be called, to leave it open, or to refuse. A
step of the game goes through all pairs in the order they were added, and calls `collide` of the
pair's caller with the other critter as argument. When a critter is deleted, its pairs are deleted
too.

Three ways to keep the pairs, each played from a script (:mod:`pyref.collider.collider_steps`):

* :func:`play_as_described`: a list, and `smartAdd` exactly as the book prints it. Of the
  second critter's answer only a refusal counts, so the result depends on the order of arguments.
* :func:`play_on_array`: the same in an array, which the book advises against because closing
  a gap moves elements. Only the counts differ.
* :func:`play_corrected`: both answers count. A pair is added once, and no critter is paired with
  itself. A critter that dies in a collision takes no further part, and is deleted after the step.

The source is chapter 11.2 of "Software Engineering and Computer Games" (Addison Wesley). It leaves
open in which order a new critter is offered with those already there, so a script says that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.collider.collider_steps import MAX_CRITTERS, MAX_PAIRS, Code, Kind, Operation, Script

MAX_LOG = 4000  # the calls that the routine records; further calls are only counted

AS_DISKS, BOUNCED, DAMAGED, HURT = range(4)  # which method dealt with a collision
_HEALTH = {Kind.PLAYER: 3}
_USUAL_HEALTH = 2

_Pair: TypeAlias = tuple[int, int]  # numbers of critters: caller, argument
_Call: TypeAlias = tuple[int, int, int]  # caller, argument, method


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The state that a script leaves behind, and the work that was done.

    Attributes:
        live: uint8 of shape ``(50,)``, 1 for every critter that exists at the end.
        pairs: int16 of shape ``(pairs, 2)``, caller and argument, in the order kept.
        calls: int16 of shape ``(calls, 3)``, every collision in order: caller, argument, and
            the method that dealt with it, 0 as disks, 1 bounced off a wall, 2 damaged by a
            bullet, 3 a player hurt.
        visits: how many pairs were visited while pairs were removed.
        moves: how many pairs were moved to close gaps; 0 except for the array.
        removed: how many pairs were removed.
        clashes: how many pairs were added although the two codes disagree. As described: codes that
            are not each other's negative, which the book's commented-out assertion would catch.
            Corrected: both demanded to call, or both to be called.
    """

    live: NDArray[np.uint8]
    pairs: NDArray[np.int16]
    calls: NDArray[np.int16]
    visits: int
    moves: int
    removed: int
    clashes: int

    @property
    def pair_caller(self) -> NDArray[np.int16]:
        """The callers of the pairs."""
        return self.pairs[:, 0]

    @property
    def pair_argument(self) -> NDArray[np.int16]:
        """The arguments of the pairs."""
        return self.pairs[:, 1]

    @property
    def pair_count(self) -> int:
        """How many pairs there are at the end."""
        return len(self.pairs)

    @property
    def call_caller(self) -> NDArray[np.int16]:
        """The callers of the first 4000 collisions."""
        return self.calls[:MAX_LOG, 0]

    @property
    def call_argument(self) -> NDArray[np.int16]:
        """The arguments of the first 4000 collisions."""
        return self.calls[:MAX_LOG, 1]

    @property
    def call_method(self) -> NDArray[np.int16]:
        """The methods of the first 4000 collisions."""
        return self.calls[:MAX_LOG, 2]

    @property
    def tests(self) -> int:
        """How many collisions were called, each of which tests whether two critters touch."""
        return len(self.calls)

    @property
    def hits(self) -> int:
        """How many of them had a consequence: a target damaged or a player hurt."""
        return int((self.calls[:, 2] >= DAMAGED).sum())


def code_by_priority(own: float, other: float) -> int:
    """The book's rule: the one of higher priority calls. A NaN ties with everything."""
    if own > other:
        return Code.AS_CALLER
    if own < other:
        return Code.AS_ARG
    return Code.EITHER_WAY


def caller_as_described(code: int, other: int) -> int | None:
    """Which critter calls the other after ``smartAdd(first, second)`` as printed.

    Args:
        code: the answer of the first argument.
        other: the answer of the second argument.

    Returns:
        0 for the first argument, 1 for the second, None if no pair is added.
    """
    if Code.DONT in (code, other):
        return None
    return 0 if code in (Code.AS_CALLER, Code.EITHER_WAY) else 1


def caller_corrected(code: int, other: int, *, senior: int) -> int | None:
    """Which critter calls the other if both codes count; an unknown code is a refusal.

    Args:
        code: the answer of the first argument.
        other: the answer of the second argument.
        senior: the critter that calls, 0 or 1, if the codes leave it open or contradict each other.

    Returns:
        0 for the first argument, 1 for the second, None if no pair is added.
    """
    if not {code, other} <= {Code.AS_ARG, Code.EITHER_WAY, Code.AS_CALLER}:
        return None
    first = code == Code.AS_CALLER or other == Code.AS_ARG
    second = other == Code.AS_CALLER or code == Code.AS_ARG
    return senior if first == second else int(second)


def play_as_described(script: Script) -> Outcome:
    """Play a script on the list that the book describes.

    Raises:
        ValueError: if the list comes to hold more than 1225 pairs, or a critter dies in a
            collision, where what the described form does is not defined.
    """
    return _DescribedGame().play(script)


def play_on_array(script: Script) -> Outcome:
    """Play a script on an array in place of the list.

    Raises:
        ValueError: as :func:`play_as_described`.
    """
    return _ArrayGame().play(script)


def play_corrected(script: Script) -> Outcome:
    """Play a script by the corrected rules. Every script is possible."""
    return _CorrectedGame().play(script)


@dataclass(slots=True, eq=False)
class _Critter:
    number: int
    kind: Kind
    demand: int
    priority: float
    age: int
    health: int = _USUAL_HEALTH
    touched: int | None = None
    dying: bool = False

    def collides_with(self, other: _Critter) -> int:
        if self.kind is Kind.DEMANDING:
            return self.demand
        if self.kind is other.kind is Kind.WALL:
            return Code.DONT
        return code_by_priority(self.priority, other.priority)


@dataclass(slots=True, eq=False)
class _Game(ABC):
    critters: dict[int, _Critter] = field(default_factory=dict)
    pairs: list[_Pair] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    ages: count[int] = field(default_factory=count)
    visits: int = 0
    moves: int = 0
    removed: int = 0
    clashes: int = 0

    @abstractmethod
    def smart_add(self, first: _Critter, second: _Critter) -> None:
        """Ask both critters, and add the pair if they agree."""

    @abstractmethod
    def remove_pairs_of(self, number: int) -> None:
        """Remove a critter's pairs, counting the work."""

    @abstractmethod
    def die(self, critter: _Critter) -> None:
        """Delete a critter that dies in a collision."""

    def play(self, script: Script) -> Outcome:
        for step in script.steps.tolist():
            self.step(*step)
        live = np.zeros(MAX_CRITTERS, dtype=np.uint8)
        live[list(self.critters)] = 1
        return Outcome(
            live=live,
            pairs=np.array(self.pairs, dtype=np.int16).reshape(-1, 2),
            calls=np.array(self.calls, dtype=np.int16).reshape(-1, 3),
            visits=self.visits,
            moves=self.moves,
            removed=self.removed,
            clashes=self.clashes,
        )

    def step(self, operation: int, first: int, second: int, demand: int, priority: int) -> None:
        critter, other = self.critters.get(first), self.critters.get(second)
        if operation == Operation.COLLIDE_STEP:
            self.collide_all()
        elif operation == Operation.CREATE and critter is None:
            self.create(first, Kind(second), demand, priority)
        elif critter is None:
            return
        elif operation == Operation.SMART_ADD_ALL:
            for _, neighbour in sorted(self.critters.items()):
                if neighbour is not critter:
                    self.smart_add(*((neighbour, critter) if second else (critter, neighbour)))
        elif operation == Operation.DELETE:
            self.delete(critter)
        elif operation == Operation.SMART_ADD and other is not None:
            self.smart_add(critter, other)
        elif operation == Operation.TOUCH and other is not None:
            critter.touched = second

    def create(self, number: int, kind: Kind, demand: int, priority: float) -> None:
        health = _HEALTH.get(kind, _USUAL_HEALTH)
        self.critters[number] = _Critter(number, kind, demand, priority, next(self.ages), health)

    def delete(self, critter: _Critter) -> None:
        self.remove_pairs_of(critter.number)
        del self.critters[critter.number]

    def collide_all(self) -> None:
        for caller, argument in self.pairs:
            self.collide(self.critters[caller], self.critters[argument])

    def collide(self, caller: _Critter, argument: _Critter) -> None:
        touching = caller.touched == argument.number
        damaged: Sequence[_Critter] = ()
        method = AS_DISKS
        if caller.kind is Kind.WALL:
            method = BOUNCED
        elif caller.kind is Kind.BULLET and touching and argument.kind is Kind.OTHER:
            method, damaged = DAMAGED, (argument,)
        elif caller.kind is Kind.PLAYER and touching:
            method, damaged = HURT, (caller,)
        self.calls.append((caller.number, argument.number, method))
        for critter in damaged:
            critter.health -= 1
            if critter.health == 0:
                self.die(critter)
        if method == DAMAGED:
            self.die(caller)


@dataclass(slots=True, eq=False)
class _DescribedGame(_Game):
    def smart_add(self, first: _Critter, second: _Critter) -> None:
        code, other = first.collides_with(second), second.collides_with(first)
        caller = caller_as_described(code, other)
        if caller is None:
            return
        if len(self.pairs) == MAX_PAIRS:
            raise ValueError(f"more than {MAX_PAIRS} pairs, where the routine has no room")
        pair = (first.number, second.number)
        self.pairs.append(pair[::-1] if caller else pair)
        self.clashes += code != -other

    def remove_pairs_of(self, number: int) -> None:
        self.visits += len(self.pairs)
        kept = [pair for pair in self.pairs if number not in pair]
        self.removed += len(self.pairs) - len(kept)
        self.pairs = kept

    def die(self, critter: _Critter) -> None:
        raise ValueError(
            f"critter {critter.number} dies in a collision; the described form then walks on "
            "over pairs that may be gone, and what it does is not defined"
        )


@dataclass(slots=True, eq=False)
class _ArrayGame(_DescribedGame):
    def remove_pairs_of(self, number: int) -> None:
        index = 0
        while index < len(self.pairs):
            self.visits += 1
            if number in self.pairs[index]:
                self.moves += len(self.pairs) - index - 1
                self.removed += 1
                del self.pairs[index]
            else:
                index += 1


@dataclass(slots=True, eq=False)
class _CorrectedGame(_Game):
    paired: set[frozenset[int]] = field(default_factory=set)
    dying: list[_Critter] | None = None  # in the order of death; None between steps

    def smart_add(self, first: _Critter, second: _Critter) -> None:
        names = frozenset((first.number, second.number))
        if first is second or names in self.paired:
            return
        code, other = first.collides_with(second), second.collides_with(first)
        seniority = [(-critter.priority, critter.age) for critter in (first, second)]
        caller = caller_corrected(code, other, senior=seniority.index(min(seniority)))
        if caller is None:
            return
        pair = (first.number, second.number)
        self.pairs.append(pair[::-1] if caller else pair)
        self.paired.add(names)
        self.clashes += code == other != Code.EITHER_WAY

    def remove_pairs_of(self, number: int) -> None:
        self.visits += len(self.critters) - 1
        kept = [pair for pair in self.pairs if number not in pair]
        self.removed += len(self.pairs) - len(kept)
        self.paired = {names for names in self.paired if number not in names}
        self.pairs = kept

    def die(self, critter: _Critter) -> None:
        if not critter.dying:
            critter.dying = True
            assert self.dying is not None
            self.dying.append(critter)

    def collide_all(self) -> None:
        self.dying = []
        for caller, argument in self.pairs:
            pair = self.critters[caller], self.critters[argument]
            if not any(critter.dying for critter in pair):
                self.collide(*pair)
        for critter in self.dying:
            self.delete(critter)
        self.dying = None
