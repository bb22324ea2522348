"""Generators of scripts for the collider, from a name, a number of steps and a seed.

As in :mod:`pyref.scene`, generators use only raw words of PCG64 and integer arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from pyref.collider.collider_steps import (
    MAX_CRITTERS,
    MAX_STEPS,
    PRIORITIES,
    Code,
    Kind,
    Operation,
    Script,
    Step,
    script_from_steps,
)
from pyref.scene import check_origin
from pyref.streams import Stream

Generator: TypeAlias = Callable[[Stream, int], list[Step]]
"""A generator: called with (stream, number of steps)."""


def make_script(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Script:
    """Make the script of a generator, a number of steps and a seed.

    Args:
        generator: a name in :data:`GENERATORS`.
        objects: how many steps, 0 to 1000.
        seed: 0 <= seed < 2**64.
        width: not used; every generator takes it.
        height: likewise.

    Raises:
        ValueError: for an unknown generator, or a number outside these limits.
        TypeError: for a number that is not an integer.
    """
    check_origin(generator, seed, GENERATORS)
    objects, seed = map(operator.index, (objects, seed))
    if not 0 <= objects <= MAX_STEPS:
        raise ValueError(f"a script cannot have {objects} steps, but 0..{MAX_STEPS}")
    steps = GENERATORS[generator](Stream(seed), objects)
    return script_from_steps(steps, generator=generator, seed=seed)


def _create(number: int, kind: Kind, demand: int = 0, priority: int | None = None) -> Step:
    chosen = PRIORITIES[kind] if priority is None else priority
    return (Operation.CREATE, number, kind, demand, chosen)


def _add_all(number: int, order: int) -> Step:
    return (Operation.SMART_ADD_ALL, number, order, 0, 0)


def _maze(stream: Stream, count: int) -> list[Step]:
    """Up to 50 critters, nine walls to one other, as in the book; then they are deleted."""
    steps: list[Step] = []
    for number in range(MAX_CRITTERS):
        kind = Kind.OTHER if number % 10 == 3 else Kind.WALL
        steps += [_create(number, kind), _add_all(number, 0)]
    for number, collide in stream.below(count, MAX_CRITTERS, 4).tolist():
        operation = Operation.DELETE if collide else Operation.COLLIDE_STEP
        steps.append((operation, number, 0, 0, 0))
    return steps[:count]


def _arcade(stream: Stream, count: int) -> list[Step]:
    """Critters of all kinds and priorities of the book are created and deleted."""
    kinds = (Kind.WALL, Kind.BULLET, Kind.PLAYER, Kind.OTHER, Kind.OTHER)
    steps: list[Step] = []
    while len(steps) < count:
        ((chance, number, other, kind, order),) = stream.below(1, 9, 16, 16, 5, 2).tolist()
        if chance < 5:
            steps += [_create(number, kinds[kind]), _add_all(number, order)]
        elif chance < 6:
            steps.append((Operation.SMART_ADD, number, other, 0, 0))
        elif chance < 8:
            steps.append((Operation.DELETE, number, 0, 0, 0))
        else:
            steps.append((Operation.COLLIDE_STEP, 0, 0, 0, 0))
    return steps[:count]


def _demands(stream: Stream, count: int) -> list[Step]:
    """Critters with any codes, some unknown, and few priorities are added pair by pair."""
    codes = (1, 1, 0, 0, -1, -1, 2, 3, -2)
    steps: list[Step] = []
    while len(steps) < count:
        ((chance, number, other, code, rank),) = stream.below(1, 16, 9, 9, len(codes), 3).tolist()
        if chance < 6:
            kind = Kind.DEMANDING if chance else Kind.WALL
            steps.append(_create(number, kind, codes[code], rank))
        elif chance < 13:
            steps.append((Operation.SMART_ADD, number, other, 0, 0))
        elif chance < 14:
            steps.append((Operation.DELETE, number, 0, 0, 0))
        else:
            steps.append((Operation.COLLIDE_STEP, 0, 0, 0, 0))
    return steps[:count]


def _shooting(stream: Stream, count: int) -> list[Step]:
    """A few critters touch often: bullets hit targets or others, players are hurt."""
    kinds = (Kind.BULLET, Kind.BULLET, Kind.PLAYER, Kind.OTHER, Kind.OTHER, Kind.WALL)
    steps: list[Step] = []
    while len(steps) < count:
        ((chance, number, other, kind, order),) = stream.below(1, 12, 7, 7, 6, 2).tolist()
        if chance < 6:
            steps += [_create(number, kinds[kind]), _add_all(number, order)]
        elif chance < 9:
            steps.append((Operation.TOUCH, number, other, 0, 0))
        elif chance < 11:
            steps += [(Operation.TOUCH, number, other, 0, 0), (Operation.COLLIDE_STEP, 0, 0, 0, 0)]
        else:
            steps.append((Operation.DELETE, number, 0, 0, 0))
    return steps[:count]


_FARTHEST_RANKS = (-(2**15), -1, 0, 1, 2, 2**15 - 1)
_ANSWERS = (-1, 0, 1, 2, -2, 3, 254, 255, 256, 257, 258, -255, -256, -(2**15), 2**15 - 1)
_ORDERS = (0, 1, -1, 256, -(2**15))
_MOST_COLLIDE_STEPS = 6  # steps of a "crowd", which has up to 1225 pairs


def _extremes(stream: Stream, count: int) -> list[Step]:
    """Demands and priorities are any 16-bit numbers; critters have low and high numbers."""
    numbers = (0, 1, 2, 15, 16, 31, 32, MAX_CRITTERS - 2, MAX_CRITTERS - 1)
    steps: list[Step] = []
    while len(steps) < count:
        ((chance, a, b, code, rank, kind),) = stream.below(
            *(1, 16, len(numbers), len(numbers)), 2 * len(_ANSWERS), len(_FARTHEST_RANKS), 6
        ).tolist()
        number, other = numbers[a], numbers[b]
        # Half of the answers are codes that may lead to a pair.
        answer = _ANSWERS[code] if code < len(_ANSWERS) else code % 3 - 1
        if chance < 6:
            chosen = Kind.DEMANDING if kind else Kind.OTHER
            steps.append(_create(number, chosen, answer, _FARTHEST_RANKS[rank]))
        elif chance < 13:
            steps.append((Operation.SMART_ADD, number, other, 0, 0))
        elif chance < 14:
            steps.append((Operation.DELETE, number, other, 0, 0))
        else:
            steps.append((Operation.COLLIDE_STEP, 0, 0, 0, 0))
    return steps[:count]


def _crowd(stream: Stream, count: int) -> list[Step]:
    """Fifty critters, every two of them a pair; with odd seeds they are deleted and made again.

    None dies: bullets touch nobody, and players touch before the last two of all collisions only.
    """
    kinds = (Kind.OTHER, Kind.PLAYER, Kind.PLAYER, Kind.BULLET, Kind.DEMANDING)
    draws = stream.below(count, 16, MAX_CRITTERS, MAX_CRITTERS, len(kinds), 3, 6, len(_ORDERS))
    there: dict[int, Kind] = {}
    steps: list[Step] = []
    remaining = 2 if stream.seed % 2 else _MOST_COLLIDE_STEPS
    for place, (chance, number, other, kind, code, rank, order) in enumerate(draws.tolist()):
        if place < MAX_CRITTERS:
            number = place
        if number not in there:
            there[number] = Kind.WALL if number == other else kinds[kind]
            steps.append(_create(number, there[number], code - 1, _FARTHEST_RANKS[rank]))
            steps.append(_add_all(number, _ORDERS[order]))
        elif remaining and chance < (8 if remaining > 2 else 1):
            remaining -= 1
            steps.append((Operation.COLLIDE_STEP, 0, 0, 0, 0))
        elif chance < 10 and stream.seed % 2:
            del there[number]
            steps.append((Operation.DELETE, number, other, 0, 0))
        elif there[number] is Kind.BULLET or (there[number] is Kind.PLAYER and remaining > 2):
            steps.append((Operation.TOUCH, number, number, 0, 0))
        else:
            steps.append((Operation.TOUCH, number, other, 0, 0))
    return steps[:count]


def _battle(stream: Stream, count: int) -> list[Step]:
    """Half of up to fifty critters are bullets that hit targets and players: many die at once."""
    half = MAX_CRITTERS // 2
    sides = min(half, 1 + count // 8)
    draws = stream.below(count, 16, half, half, 8, len(_ORDERS))
    steps: list[Step] = []
    collide_steps = 0
    for place, (chance, bullet, target, kind, order) in enumerate(draws.tolist()):
        bullet, aim = bullet % sides, half + target % sides
        if place < sides or chance > 11:
            new = place if place < sides else bullet
            steps += [_create(new, Kind.BULLET), _add_all(new, _ORDERS[order])]
            chosen = Kind.OTHER if kind else Kind.PLAYER
            steps += [_create(half + new, chosen), _add_all(half + new, _ORDERS[order])]
            steps.append((Operation.TOUCH, new, min(aim, half + new), 0, 0))
        elif chance < 4 and collide_steps < _MOST_COLLIDE_STEPS:
            collide_steps += 1
            steps.append((Operation.COLLIDE_STEP, 0, 0, 0, 0))
        elif chance < 10:
            steps.append((Operation.TOUCH, bullet, aim, 0, 0))
        else:
            steps.append((Operation.TOUCH, aim, bullet, 0, 0))
    return steps[:count]


def _bounces(stream: Stream, count: int) -> list[Step]:
    """Walls call more often than is recorded, bullets touch players; then all are deleted.

    With odd seeds players are then created under some of the same numbers; they touch nobody yet.
    """
    number_of = min(MAX_CRITTERS, count // 4)
    kinds = (Kind.WALL, Kind.WALL, Kind.OTHER, Kind.BULLET, Kind.PLAYER, Kind.DEMANDING)
    steps: list[Step] = []
    aim = None
    for number, (place,) in enumerate(stream.below(number_of, len(kinds)).tolist()):
        kind = kinds[place]
        steps += [_create(number, kind, Code.AS_ARG), _add_all(number, 0)]
        if kind in (Kind.PLAYER, Kind.DEMANDING):
            aim = number
        elif kind is Kind.BULLET and aim is not None:
            steps.append((Operation.TOUCH, number, aim, 0, 0))
    collide_step: Step = (Operation.COLLIDE_STEP, 0, 0, 0, 0)
    steps += [collide_step] * min(_MOST_COLLIDE_STEPS, count - len(steps) - number_of)
    steps += [(Operation.DELETE, number, 0, 0, 0) for number in range(number_of)]
    for number in range(max(0, count - len(steps) - 1) // 2 * (stream.seed % 2)):
        steps += [_create(number, Kind.PLAYER), _add_all(number, number % 2)]
    return steps + [collide_step] * (count - len(steps))


def _heirs(stream: Stream, count: int) -> list[Step]:
    """Critters are created under numbers of deleted ones with other health, and are shot at."""
    kinds = (Kind.OTHER, Kind.OTHER, Kind.OTHER, Kind.DEMANDING, Kind.PLAYER)
    steps: list[Step] = []
    while len(steps) < count:
        ((chance, target, bullet, kind),) = stream.below(1, 4, 3, 5, len(kinds)).tolist()
        if chance == 0:
            steps.append((Operation.DELETE, target, 0, 0, 0))
        for number, chosen in ((target, kinds[kind]), (bullet, Kind.BULLET)):
            steps += [_create(number, chosen, Code.AS_ARG), _add_all(number, 0)]
        steps.append((Operation.TOUCH, bullet, target, 0, 0))
        steps.append((Operation.COLLIDE_STEP, 0, 0, 0, 0))
    return steps[:count]


GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {
        "maze": _maze,
        "arcade": _arcade,
        "demands": _demands,
        "shooting": _shooting,
        "extremes": _extremes,
        "crowd": _crowd,
        "battle": _battle,
        "bounces": _bounces,
        "heirs": _heirs,
    }
)
"""Every generator, by its name. The scripts of a name never change. Critters die in collisions only
in those of "shooting", "battle" and "heirs"."""


def most_pairs(script: Script) -> int:
    """The most pairs that the script's steps, or any selection of them, can have added in all."""
    created: set[int] = set()
    pairs = 0
    for operation, first, *_ in script.steps.tolist():
        if operation == Operation.CREATE:
            created.add(first)
        elif operation == Operation.SMART_ADD_ALL:
            pairs += max(0, len(created) - 1)
        elif operation == Operation.SMART_ADD:
            pairs += 1
    return pairs
