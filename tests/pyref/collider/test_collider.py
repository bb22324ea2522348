"""The collider: the book's table of codes, its defects and its figures; and the corrected form."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.collider.collider import (
    BOUNCED,
    DAMAGED,
    HURT,
    MAX_LOG,
    Outcome,
    caller_as_described,
    caller_corrected,
    code_by_priority,
    play_as_described,
    play_corrected,
    play_on_array,
)
from pyref.collider.collider_script import GENERATORS, make_script, most_pairs
from pyref.collider.collider_steps import (
    MAX_PAIRS,
    PRIORITIES,
    Code,
    Kind,
    Operation,
    Script,
    Step,
    script_from_steps,
)

C, E, A, D = Code.AS_CALLER, Code.EITHER_WAY, Code.AS_ARG, Code.DONT
CODES = (C, E, A, D)
Play = Callable[[Script], Outcome]
PLAYS = pytest.mark.parametrize(
    "play", [play_as_described, play_on_array, play_corrected], ids=lambda play: play.__name__
)

# Who calls of A (rows) and B (columns), each C, E, A, D: in smartAdd(A, B) / in smartAdd(B, A).
DESCRIBED = {
    C: ("A/B", "A/B", "A/A", "-"),
    E: ("A/B", "A/B", "A/A", "-"),
    A: ("B/B", "B/B", "B/A", "-"),
    D: ("-", "-", "-", "-"),
}
COMBINATIONS = [
    (a, b, cell) for a, row in DESCRIBED.items() for b, cell in zip(CODES, row, strict=True)
]


def create(number: int, kind: Kind = Kind.OTHER, demand: int = 0, priority: int = -1) -> Step:
    rank = PRIORITIES[kind] if priority < 0 else priority
    return (Operation.CREATE, number, kind, demand, rank)


def demanding(number: int, code: int, priority: int = 0) -> Step:
    return create(number, Kind.DEMANDING, code, priority)


def add(first: int, second: int) -> Step:
    return (Operation.SMART_ADD, first, second, 0, 0)


def add_all(number: int, second: int = 0) -> Step:
    return (Operation.SMART_ADD_ALL, number, second, 0, 0)


def delete(number: int) -> Step:
    return (Operation.DELETE, number, 0, 0, 0)


def touch(first: int, second: int) -> Step:
    return (Operation.TOUCH, first, second, 0, 0)


COLLIDE: Step = (Operation.COLLIDE_STEP, 0, 0, 0, 0)


def pairs(outcome: Outcome) -> list[tuple[int, ...]]:
    return [tuple(pair) for pair in outcome.pairs.tolist()]


def calls(outcome: Outcome) -> list[tuple[int, ...]]:
    return [tuple(call) for call in outcome.calls.tolist()]


def crowd(count: int, kind: Kind = Kind.OTHER) -> list[Step]:
    """So many critters, each paired with those before it."""
    return [step for number in range(count) for step in (create(number, kind), add_all(number))]


@st.composite
def scripts(draw: st.DrawFn, touching: bool = True) -> Script:
    """Any steps about eight critters."""
    number = st.integers(0, 7)
    operations = [o for o in Operation if touching or o is not Operation.TOUCH]
    steps = []
    for _ in range(draw(st.integers(0, 40))):
        operation = draw(st.sampled_from(operations))
        second = draw(st.sampled_from(Kind) if operation is Operation.CREATE else number)
        codes = draw(st.sampled_from((*CODES, 3, -2)))
        steps.append((operation, draw(number), int(second), int(codes), draw(st.integers(-1, 3))))
    return script_from_steps(steps)


# -- the truth table as described --------------------------------------------------------------


@pytest.mark.parametrize(("a", "b", "cell"), COMBINATIONS)
def test_the_described_rule(a: int, b: int, cell: str):
    in_order, reversed_ = caller_as_described(a, b), caller_as_described(b, a)
    names = {None: "-", 0: "A", 1: "B"}
    swapped = {None: None, 0: 1, 1: 0}[reversed_]
    found = "-" if in_order is None else f"{names[in_order]}/{names[swapped]}"
    assert found == cell


def test_order_decides_five_of_nine_and_overrides_demands():
    """Findings P1 to P3 on the described rule."""
    colliding = [(a, b) for a, b in itertools.product((C, E, A), repeat=2)]
    by_order = [
        (a, b)
        for a, b in colliding
        if caller_as_described(a, b) == caller_as_described(b, a)  # the first argument, or not
    ]
    assert by_order == [(C, C), (C, E), (E, C), (E, E), (A, A)]
    # B demands to call, A leaves it open, and A calls.
    assert caller_as_described(E, C) == 0
    # The book expects opposite codes: so it is for three of the nine.
    assert [(a, b) for a, b in colliding if a == -b] == [(C, A), (E, E), (A, C)]


@pytest.mark.parametrize("unknown", [3, -2, 77, -32768])
def test_unknown_codes_count_as_being_called(unknown: int):
    """Finding P4."""
    assert [caller_as_described(unknown, code) for code in (C, E, A)] == [1, 1, 1]
    assert caller_as_described(C, unknown) == 0
    assert caller_corrected(unknown, C, senior=0) is caller_corrected(C, unknown, senior=0) is None


def test_a_priority_that_is_no_number_is_a_tie():
    """Finding P4: a wall of such a priority loses its rank over everything."""
    nan = float("nan")
    assert code_by_priority(nan, 1) == code_by_priority(1, nan) == E
    assert code_by_priority(2, 1) == C
    assert code_by_priority(1, 2) == A


@PLAYS
def test_duplicates_and_self_pairs(play: Play):
    """Finding P4: the described form takes both."""
    steps = [create(0), create(1), add(0, 1), add(1, 0), add(0, 1), add(0, 0), COLLIDE]
    corrected = play is play_corrected
    found = play(script_from_steps(steps))
    assert pairs(found) == ([(0, 1)] if corrected else [(0, 1), (1, 0), (0, 1), (0, 0)])
    assert found.tests == len(found.pairs)


# -- the corrected rule ------------------------------------------------------------------------


@given(a=st.sampled_from((*CODES, 3)), b=st.sampled_from((*CODES, 3)), senior=st.integers(0, 1))
def test_the_corrected_rule_heeds_both_and_not_their_order(a: int, b: int, senior: int):
    caller = caller_corrected(a, b, senior=senior)
    turned = caller_corrected(b, a, senior=1 - senior)
    assert (caller is None) == (a in (D, 3) or b in (D, 3))
    if caller is None:
        assert turned is None
        return
    assert turned == 1 - caller
    wanted = {0 if a == C else 1} if a != E else set()
    wanted |= {1 if b == C else 0} if b != E else set()
    assert caller in (wanted if len(wanted) == 1 else {senior})


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in (C, E, A) for b in (C, E, A)])
@pytest.mark.parametrize("priority", [0, 1, 2])
def test_the_corrected_pair_is_the_same_in_either_order(a: int, b: int, priority: int):
    base = [demanding(0, a, 1), demanding(1, b, priority)]
    there = play_corrected(script_from_steps([*base, add(0, 1)]))
    back = play_corrected(script_from_steps([*base, add(1, 0)]))
    assert pairs(there) == pairs(back)
    assert there.clashes == back.clashes == (a == b != E)
    if a == b:
        assert pairs(there) == [(1, 0) if priority == 2 else (0, 1)]


def test_of_equals_the_older_calls_whatever_their_numbers():
    found = play_corrected(script_from_steps([create(9), create(3), add(3, 9)]))
    assert pairs(found) == [(9, 3)]


# -- kinds of critters -------------------------------------------------------------------------


@PLAYS
def test_the_higher_priority_calls_its_own_method(play: Play):
    kinds = [Kind.OTHER, Kind.PLAYER, Kind.BULLET, Kind.WALL, Kind.WALL]
    steps = [create(number, kind) for number, kind in enumerate(kinds)]
    steps += [add(number, lower) for number in range(5) for lower in range(number)]
    found = play(script_from_steps([*steps, COLLIDE]))
    assert (4, 3) not in pairs(found)
    assert (3, 4) not in pairs(found)
    assert all(caller > argument for caller, argument in pairs(found) if caller < 4)
    methods = {caller: method for caller, _, method in calls(found)}
    assert methods[3] == methods[4] == BOUNCED


def test_a_bullet_damages_a_target_and_is_used_up():
    steps = [create(0, Kind.BULLET), create(1), create(2), add_all(0), touch(0, 1), COLLIDE]
    found = play_corrected(script_from_steps([*steps, COLLIDE]))
    assert calls(found) == [(0, 1, DAMAGED)]
    assert found.hits == 1
    assert found.live[:3].tolist() == [0, 1, 1]
    twice = [create(3, Kind.BULLET), add_all(3), touch(3, 1), COLLIDE]
    found = play_corrected(script_from_steps([*steps, *twice]))
    assert found.live[:4].tolist() == [0, 0, 1, 0]


def test_a_player_is_hurt_three_times():
    steps = [create(0, Kind.PLAYER), create(1), add(0, 1), touch(0, 1)]
    for times in range(1, 6):
        found = play_corrected(script_from_steps([*steps, *[COLLIDE] * times]))
        assert calls(found) == [(0, 1, HURT)] * min(times, 3)
        assert found.live[0] == (times < 3)


# -- any script --------------------------------------------------------------------------------


@given(script=scripts())
@settings(deadline=None)
def test_corrected_pairs_are_each_once_of_the_living(script: Script):
    found = play_corrected(script)
    seen = Counter(frozenset(pair) for pair in pairs(found))
    assert set(seen.values()) <= {1}
    assert all(len(pair) == 2 for pair in seen)
    live = set(np.flatnonzero(found.live))
    assert all(pair <= live for pair in seen)
    assert found.moves == 0


@given(script=scripts())
@settings(deadline=None)
def test_the_dying_collide_no_more(script: Script):
    """Replayed from the calls alone: who was damaged to death in a step is not called in it."""
    for end in range(script.objects):
        if script.operation[end] != Operation.COLLIDE_STEP:
            continue
        until = play_corrected(script.keep(np.arange(end)))
        after = play_corrected(script.keep(np.arange(end + 1)))
        step = calls(after)[until.tests :]
        gone = {int(n) for n in np.flatnonzero(until.live & ~after.live)}
        last = {number: index for index, call in enumerate(step) for number in call[:2]}
        harmful = [index for index, call in enumerate(step) if call[2] in (DAMAGED, HURT)]
        assert all(last[number] in harmful for number in gone)
        walked = [call[:2] for call in step]
        order = iter(pairs(until))
        assert all(pair in order for pair in walked)  # in the order of the list
        skipped = Counter(pairs(until)) - Counter(walked)
        assert all(gone & set(pair) for pair in skipped)


@given(script=scripts(touching=False))
@settings(deadline=None)
def test_list_and_array_differ_in_counts_alone(script: Script):
    listed, arrayed = play_as_described(script), play_on_array(script)
    for name in ("live", "pairs", "calls"):
        assert np.array_equal(getattr(listed, name), getattr(arrayed, name))
    assert listed.removed == arrayed.removed
    assert (listed.visits, listed.clashes) == (arrayed.visits, arrayed.clashes)
    assert listed.moves == 0


@given(script=scripts(touching=False))
@settings(deadline=None)
def test_the_corrected_form_collides_whom_the_described_one_does(script: Script):
    """But for unknown codes and self pairs, the same critters meet, each pair once."""
    known = script.keep(np.flatnonzero(np.isin(script.demand, CODES)))
    described, corrected = play_as_described(known), play_corrected(known)
    assert {frozenset(pair) for pair in pairs(described) if len(set(pair)) == 2} == {
        frozenset(pair) for pair in pairs(corrected)
    }
    assert corrected.removed <= described.removed


@pytest.mark.parametrize("play", [play_as_described, play_on_array])
def test_a_death_in_a_collision_has_no_described_outcome(play: Play):
    steps = [create(0, Kind.BULLET), create(1), add(0, 1), touch(0, 1), COLLIDE]
    with pytest.raises(ValueError, match="critter 0 dies in a collision"):
        play(script_from_steps(steps))


@pytest.mark.parametrize("play", [play_as_described, play_on_array])
def test_so_many_pairs_fit(play: Play):
    steps = [create(0), *[add(0, 0)] * 999]
    assert play(script_from_steps(steps)).pair_count == 999
    full = [*crowd(50), create(0), *[add(0, 1)] * 1]
    with pytest.raises(ValueError, match="more than 1225 pairs"):
        play(script_from_steps(full))


# -- scripts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("generator", GENERATORS)
@given(seed=st.integers(0, 2**64 - 1), data=st.data())
@settings(deadline=None, max_examples=25)
def test_any_selection_of_steps_can_be_played(generator: str, seed: int, data: st.DataObject):
    script = make_script(generator, 60, seed)
    kept = data.draw(st.lists(st.integers(0, 59), unique=True).map(sorted))
    part = script.keep(kept)
    assert part.objects == len(kept)
    assert (part.generator, part.seed) == (generator, seed)
    assert most_pairs(part) <= most_pairs(script) <= MAX_PAIRS
    play_corrected(part)
    if generator not in ("shooting", "battle", "heirs"):
        play_as_described(part)
        play_on_array(part)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("steps", [0, 1, 10, 120])
def test_generators_give_as_many_steps_as_asked(generator: str, steps: int):
    script = make_script(generator, steps, 5)
    assert script.objects == len(script.operation) == steps
    assert np.array_equal(script.steps, make_script(generator, steps, 5).steps)
    if steps > 10:
        assert not np.array_equal(script.steps, make_script(generator, steps, 6).steps)


def test_the_maze_never_exceeds_the_room():
    assert max(most_pairs(make_script("maze", 1000, seed)) for seed in range(5)) == MAX_PAIRS


def test_scenes_of_the_case_show_all_that_can_happen():
    played = [play_corrected(make_script("shooting", 120, seed)) for seed in range(40)]
    methods = Counter(int(m) for outcome in played for m in outcome.calls[:, 2])
    assert methods.keys() == {0, BOUNCED, DAMAGED, HURT}
    assert sum(p.hits for p in played) > 20
    demands = [play_corrected(make_script("demands", 120, seed)) for seed in range(20)]
    assert sum(p.clashes for p in demands) > 10


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ((0, 0, 0, 0), "4 values"),
        ((9, 0, 0, 0, 0), "no operation 9"),
        ((5, 50, 0, 0, 0), r"critter 50 is outside 0\.\.49"),
        ((2, 0, -1, 0, 0), "critter -1 is outside"),
        ((4, 0, 50, 0, 0), "critter 50 is outside"),
        ((0, 0, 5, 0, 0), "no kind 5"),
        ((0, 0, 3, 40000, 0), "does not fit 16 bits"),
    ],
)
def test_steps_that_are_none_are_refused(step: Step, words: str):
    with pytest.raises(ValueError, match=f"step 1: .*{words}"):
        script_from_steps([COLLIDE, step])


def test_scripts_have_limits():
    with pytest.raises(ValueError, match="1001 steps"):
        script_from_steps([COLLIDE] * 1001)
    for objects in (-1, 1001):
        with pytest.raises(ValueError, match="cannot have"):
            make_script("maze", objects, 0)
    with pytest.raises(ValueError, match="unknown generator 'amaze'"):
        make_script("amaze", 1, 0)
    with pytest.raises(ValueError, match="seed -1"):
        make_script("maze", 1, -1)


def test_more_calls_than_are_kept_are_counted():
    found = play_corrected(script_from_steps([*crowd(50), *[COLLIDE] * 4]))
    assert found.tests == 4900
    assert len(found.call_caller) == len(found.call_argument) == MAX_LOG == 4000
    assert len(found.call_method) == MAX_LOG


# -- the book's figures ------------------------------------------------------------------------


@PLAYS
def test_the_maze_of_45_walls_has_235_pairs(play: Play):
    walls = [step for n in range(45) for step in (create(n, Kind.WALL), add_all(n))]
    active = [step for n in range(45, 50) for step in (create(n), add_all(n))]
    assert play(script_from_steps(walls)).pair_count == 0
    assert play(script_from_steps(active)).pair_count == 10
    found = play(script_from_steps([*walls, *active, COLLIDE]))
    assert found.pair_count == found.tests == 235 == 10 + 225
    assert play(script_from_steps(crowd(50))).pair_count == 1225 == 235 + 990
    assert sum(1 for call in calls(found) if call[2] == BOUNCED) == 225


def cost(play: Play, count: int, number: int) -> Outcome:
    return play(script_from_steps([*crowd(count), delete(number)]))


@pytest.mark.parametrize(("count", "worst", "mean"), [(20, 2451, 1795.5), (40, 20501, 15190.5)])
def test_what_deleting_a_critter_costs(count: int, worst: int, mean: float):
    """The book: roughly 4,000 and 32,000 steps in an array, a small constant in a list.

    An array emptied one by one does take moves of the order it says. But a list has to be walked
    from end to end to find the pairs, so its cost grows with the square of the critters; only
    the table leads to a critter's pairs without a search.
    """
    everybody = count * (count - 1) // 2
    arrays = [cost(play_on_array, count, number) for number in range(count)]
    moves = [outcome.moves for outcome in arrays]
    assert max(moves) == worst
    assert np.mean(moves) == mean
    assert {outcome.removed for outcome in arrays} == {count - 1}
    assert {outcome.visits for outcome in arrays} == {everybody}
    listed = cost(play_as_described, count, 0)
    assert (listed.visits, listed.moves, listed.removed) == (everybody, 0, count - 1)
    corrected = cost(play_corrected, count, 0)
    assert (corrected.visits, corrected.moves, corrected.removed) == (count - 1, 0, count - 1)


def moves_one_by_one(places: list[int], length: int) -> int:
    """Pairs moved down when those at these places of an array go, from the first on.

    Each removal shortens the array by one and moves the next one's place by one, so that what
    lies behind it is what lay there in the beginning.
    """
    return sum(length - 1 - place for place in places)


def moves_swapping(places: list[int], length: int) -> int:
    """Pairs moved when each gap is filled with the last pair, from the last gap on."""
    moves = 0
    for place in sorted(places, reverse=True):
        length -= 1
        moves += place != length
    return moves


@pytest.mark.parametrize(
    ("count", "claimed", "as_added", "at_most"),
    [(20, 4000, 2451, 3420), (40, 32000, 20501, 29640), (80, 256000, 167401, 246480)],
)
def test_the_cost_belongs_to_the_way_of_erasing(
    count: int, claimed: int, as_added: int, at_most: int
):
    """N cubed halves is an upper bound, if the critter's pairs are all in front; nor need it be.

    Filling gaps from the end moves no more pairs than are removed.
    """
    assert claimed == count**3 // 2
    added = [(new, old) for new in range(count) for old in range(new)]
    by_name = list(itertools.combinations(range(count), 2))
    for listed, expected in ((added, as_added), (by_name, at_most)):
        costs = []
        for number in range(count):
            places = [index for index, pair in enumerate(listed) if number in pair]
            costs.append(moves_one_by_one(places, len(listed)))
            assert moves_swapping(places, len(listed)) <= count - 1 == len(places)
        assert max(costs) == expected < claimed
