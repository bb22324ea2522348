"""Measures the claims of the book's chapter on the collider; see :mod:`posts.claims`."""

from __future__ import annotations

from itertools import product

import numpy as np

from posts.claims import Figures, Series
from posts.power_law import exponent
from pyref.collider.collider import (
    Outcome,
    caller_as_described,
    code_by_priority,
    play_as_described,
    play_on_array,
)
from pyref.collider.collider_steps import (
    PRIORITIES,
    Code,
    Kind,
    Operation,
    Script,
    Step,
    script_from_steps,
)

_WILLING = (Code.AS_ARG, Code.EITHER_WAY, Code.AS_CALLER)


def script_of(kinds: list[Kind], *further: Step) -> Script:
    """Critters of some kinds, each offered to all before it, and what else happens."""
    steps: list[Step] = []
    for number, kind in enumerate(kinds):
        steps.append((Operation.CREATE, number, kind, 0, PRIORITIES[kind]))
        steps.append((Operation.SMART_ADD_ALL, number, 0, 0, 0))
    return script_from_steps([*steps, *further])


def all_pairs() -> Figures:
    """Pairs among critters that all collide, against N(N - 1)/2, and the share of N squared."""
    counts = {n: play_as_described(script_of([Kind.OTHER] * n)).pair_count for n in range(2, 51)}
    return {
        "numbers_tried": len(counts),
        "numbers_with_another_count": sum(c != n * (n - 1) // 2 for n, c in counts.items()),
        "percent_of_n_squared_at_50": 100 * counts[50] / 2500,
    }


def maze_pairs() -> Figures:
    """Pairs of five critters in a maze of 45 walls, as the rule of the book adds them."""
    walls, critters = [Kind.WALL] * 45, [Kind.OTHER] * 5
    maze = play_as_described(script_of([*walls, *critters]))
    active = play_as_described(script_of(critters))
    everything = play_as_described(script_of([Kind.OTHER] * 50))
    with_wall = np.count_nonzero((maze.pairs < 45).any(axis=1))
    return {
        "active_with_active": active.pair_count,
        "active_with_wall": int(with_wall),
        "wall_with_wall": everything.pair_count - maze.pair_count,
        "without_wall_with_wall": maze.pair_count,
        "all": everything.pair_count,
    }


def pairs_of_twenty() -> Figures:
    """Pairs among twenty critters, and those of one of them."""
    outcome = play_as_described(script_of([Kind.OTHER] * 20))
    return {
        "pairs": outcome.pair_count,
        "pairs_of_one": int((outcome.pairs == 0).any(axis=1).sum()),
    }


def deletion_from_array() -> Figures:
    """Elements moved to delete one of 20 and of 40 critters from an array, one pair at a time."""
    figures: dict[str, float] = {}
    for critters in (20, 40):
        moves = [_delete_from_array(critters, number).moves for number in range(critters)]
        figures[f"most_moves_of_{critters}"] = max(moves)
        figures[f"mean_moves_of_{critters}"] = sum(moves) / critters
    figures["most_over_claimed_20"] = figures["most_moves_of_20"] / 4000
    figures["most_over_claimed_40"] = figures["most_moves_of_40"] / 32000
    return figures


def order_of_growth() -> Figures:
    """How the moves grow with the number of critters, and their share of N cubed."""
    most = _most_moves()
    return {
        "exponent_of_moves": exponent(most),
        "moves_over_half_n_cubed_at_50": most[50] / (50**3 / 2),
    }


def deletion_from_list() -> Figures:
    """What deleting one critter takes on a list: pairs visited and moved, for each one removed."""
    figures: dict[str, float] = {}
    for critters in (20, 40):
        outcome = _delete(play_as_described, critters, 0)
        figures[f"visits_of_{critters}"] = outcome.visits
        figures[f"moves_of_{critters}"] = outcome.moves
        figures[f"removed_of_{critters}"] = outcome.removed
        figures[f"visits_for_each_removed_of_{critters}"] = outcome.visits / outcome.removed
        array = _delete_from_array(critters, 0)
        figures[f"array_steps_over_list_steps_{critters}"] = (
            array.visits + array.moves
        ) / outcome.visits
    return figures


def deletion_series() -> Series:
    """Steps to delete one critter over the number of critters, for a plot."""
    sizes = (5, 10, 20, 40, 50)
    most = _most_moves(sizes)
    lists = {n: float(_delete(play_as_described, n, 0).visits) for n in sizes}
    return {
        "half of N cubed, as claimed": {n: n**3 / 2 for n in sizes},
        "moves on an array, at worst": {n: float(most[n]) for n in sizes},
        "visits on a list": lists,
        "pairs that go": {n: float(n - 1) for n in sizes},
    }


def first_of_an_array() -> Figures:
    """Elements moved to remove the first of 190 pairs."""
    script = script_of([Kind.OTHER] * 20)
    pairs = play_on_array(script).pair_count
    return {"pairs": pairs, "moves": pairs - 1, "moves_over_claimed": (pairs - 1) / 200}


def removing_references() -> Figures:
    """Pairs that still name a critter after it is deleted, for every one of 20."""
    remaining = 0
    for number in range(20):
        outcome = _delete(play_as_described, 20, number)
        remaining += int((outcome.pairs == number).any(axis=1).sum())
    return {"critters_deleted": 20, "pairs_left_with_it": remaining}


def assertion() -> Figures:
    """In how many of the nine willing combinations of codes the two are each other's negative."""
    agree = sum(code == -other for code, other in product(_WILLING, _WILLING))
    priorities = range(4)
    against = sum(
        code_by_priority(a, b) != -code_by_priority(b, a) for a, b in product(priorities, repeat=2)
    )
    return {
        "combinations": 9,
        "combinations_that_hold": agree,
        "failures_by_priorities_alone": against,
    }


def rule_of_priorities() -> Figures:
    """Pairs of the four kinds in which not the one of higher priority calls, ties aside."""
    kinds = [Kind.WALL, Kind.BULLET, Kind.PLAYER, Kind.OTHER]
    wrong = pairs = refused = 0
    for a, b in product(kinds, repeat=2):
        outcome = play_as_described(script_of([a, b]))
        if a is b is Kind.WALL:
            refused += outcome.pair_count == 0
        elif a is not b:
            pairs += 1
            caller = (a, b)[int(outcome.pair_caller[0])]
            wrong += PRIORITIES[caller] != max(PRIORITIES[a], PRIORITIES[b])
    return {"pairs": pairs, "wrong_callers": wrong, "wall_pairs_refused": refused}


def loop_order() -> Figures:
    """Combinations of demands whose caller depends on the order of arguments, or that are denied.

    A demand is denied if the critter asked to call and is called, or the other way round, though
    the other critter left it open.
    """
    depends = denied = 0
    for a, b in product(_WILLING, _WILLING):
        first, second = caller_as_described(a, b), caller_as_described(b, a)
        assert first is not None and second is not None
        depends += first == second  # the same argument means another critter
        codes = (a, b)
        for place in (0, 1):
            wants = {Code.AS_CALLER: place, Code.AS_ARG: 1 - place}.get(codes[place])
            open_other = codes[1 - place] == Code.EITHER_WAY
            denied += wants is not None and open_other and wants != first
    return {
        "combinations": 9,
        "combinations_that_depend_on_order": depends,
        "demands_denied_though_the_other_did_not_care": denied,
    }


def _delete(play: object, critters: int, number: int) -> Outcome:
    deleted = (Operation.DELETE, number, 0, 0, 0)
    assert callable(play)
    outcome: Outcome = play(script_of([Kind.OTHER] * critters, deleted))
    return outcome


def _delete_from_array(critters: int, number: int) -> Outcome:
    return _delete(play_on_array, critters, number)


def _most_moves(sizes: tuple[int, ...] = (10, 20, 30, 40, 50)) -> dict[int, int]:
    """The most elements that deleting one critter moves, by the number of critters."""
    return {n: max(_delete_from_array(n, k).moves for k in (0, n - 1)) for n in sizes}
