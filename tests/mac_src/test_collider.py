"""The collider on every processor: its defects shown by running it, wrong ports of it refuted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from emu.cases.case import Case
from emu.machine import Budget, Fault
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.verdicts import VERIFIED
from pyref.collider.collider import BOUNCED, DAMAGED, play_as_described
from pyref.collider.collider_steps import PRIORITIES, Kind, Operation, Step, script_from_steps
from tests.conftest import Outcome
from tests.mac_src.ports import (
    MACS,
    Changes,
    case_of,
    changed_case,
    machine,
    not_refuted,
    verify_case,
    verify_ports,
    words,
)

DESCRIBED, ON_ARRAY, CORRECTED = "collider-as-described", "collider-on-array", "collider"
CASES = (DESCRIBED, ON_ARRAY, CORRECTED)
ALL = pytest.mark.parametrize("cpu", MACS)
SIZES = (0, 10, 40, 120)

COLLIDE: Step = (Operation.COLLIDE_STEP, 0, 0, 0, 0)
# `make test` has the findings; these compile and run each of them again, one by one.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


def create(number: int, kind: Kind = Kind.OTHER, demand: int = 0, priority: int = -1) -> Step:
    rank = PRIORITIES[kind] if priority < 0 else priority
    return (Operation.CREATE, number, kind, demand, rank)


def add(first: int, second: int) -> Step:
    return (Operation.SMART_ADD, first, second, 0, 0)


def add_all(number: int) -> Step:
    return (Operation.SMART_ADD_ALL, number, 0, 0, 0)


def delete(number: int) -> Step:
    return (Operation.DELETE, number, 0, 0, 0)


def touch(first: int, second: int) -> Step:
    return (Operation.TOUCH, first, second, 0, 0)


class Played:
    """What a guest left of a script."""

    def __init__(self, values: dict[str, np.ndarray], fault: Fault | None) -> None:
        self.fault = fault
        self.count = {name: int(values[name]) for name in values if values[name].shape == ()}
        pairs = np.column_stack([values["gPairs.caller"], values["gPairs.argument"]])
        self.pairs = [tuple(pair) for pair in pairs[: self.count["gPairCount"]].tolist()]
        log = np.column_stack([values[f"gLog.{m}"] for m in ("caller", "argument", "method")])
        self.calls = [tuple(call) for call in log[: self.count["gCallCount"]].tolist()]


def play(case: Case, cpu: str, scripts: Sequence[list[Step]]) -> list[Played]:
    """Play scripts of one length, until one does not come back."""
    bench = Bench.lay(case, machine(case, cpu, budget=Budget(blocks=200_000, patience=0.1)))
    before = bench.before([script_from_steps(steps) for steps in scripts]).before
    batch = bench.machine.calls.run(bench.bound.calls.first, before)
    played = [Played(observation(bench.bound, image), None) for image in batch.after]
    if batch.fault is not None:
        played.append(Played(observation(bench.bound, bench.machine.data.copy()), batch.fault))
    return played


def play_one(name: str, cpu: str, steps: list[Step]) -> Played:
    (played,) = play(case_of(name), cpu, [steps])
    return played


@pytest.mark.parametrize("name", CASES)
def test_the_case_is_verified(name: str):
    results = verify_case(name, 32, SIZES)
    assert words(results) == {VERIFIED}
    assert len(results) == 6
    assert all(r.scenes == 32 and r.comparisons > 10_000 for r in results)


# -- the table of codes ------------------------------------------------------------------------

# Rows: what A answers, 1, 0, -1, 2; columns likewise B. Who calls after smartAdd(A, B) / (B, A).
TABLE = """
    A/B A/B A/A -
    A/B A/B A/A -
    B/B B/B B/A -
    -   -   -   -
"""
# Whose demand is all that counts calls; where both or neither demand, the older: A.
CORRECTED_TABLE = """
    A/A A/A A/A -
    B/B A/A A/A -
    B/B B/B A/A -
    -   -   -   -
"""


@ALL
@pytest.mark.parametrize(
    ("name", "table"), [(DESCRIBED, TABLE), (ON_ARRAY, TABLE), (CORRECTED, CORRECTED_TABLE)]
)
def test_who_calls_by_both_codes(name: str, table: str, cpu: str):
    a_is_older = [create(0, Kind.DEMANDING), create(1, Kind.DEMANDING)]
    codes = (1, 0, -1, 2)
    scripts = []
    for a in codes:
        for b in codes:
            both = [(*step[:3], code, 0) for step, code in zip(a_is_older, (a, b), strict=True)]
            scripts += [[*both, add(0, 1)], [*both, add(1, 0)]]
    callers = [
        "AB"[played.pairs[0][0]] if played.pairs else "-"
        for played in play(case_of(name), cpu, scripts)
    ]
    cells = [
        "-" if (there, back) == ("-", "-") else f"{there}/{back}"
        for there, back in zip(callers[::2], callers[1::2], strict=True)
    ]
    assert cells == table.split()


@ALL
def test_the_assertion_that_the_book_comments_out_fails_for_six_of_nine(cpu: str):
    scripts = [
        [create(0, Kind.DEMANDING, a), create(1, Kind.DEMANDING, b), add(0, 1)]
        for a in (1, 0, -1)
        for b in (1, 0, -1)
    ]
    described = [p.count["gClashCount"] for p in play(case_of(DESCRIBED), cpu, scripts)]
    assert described == [1, 1, 0, 1, 0, 1, 0, 1, 1]
    corrected = [p.count["gClashCount"] for p in play(case_of(CORRECTED), cpu, scripts)]
    assert corrected == [1, 0, 0, 0, 0, 0, 0, 0, 1]  # only where demands exclude each other


@ALL
def test_duplicates_self_pairs_and_unknown_codes(cpu: str):
    """Finding P4."""
    steps = [create(0), create(1), add(0, 1), add(1, 0), add(0, 1), add(0, 0), COLLIDE]
    described = play_one(DESCRIBED, cpu, steps)
    assert described.pairs == [(0, 1), (1, 0), (0, 1), (0, 0)]
    assert [call[:2] for call in described.calls] == described.pairs
    assert play_one(CORRECTED, cpu, steps).pairs == [(0, 1)]

    unknown = [create(0, Kind.DEMANDING, 3), create(1), add(0, 1)]
    assert play_one(DESCRIBED, cpu, unknown).pairs == [(1, 0)]
    assert play_one(CORRECTED, cpu, unknown).pairs == []


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_wall_whose_priority_is_no_number_does_not_bounce(cpu: str, tmp_path: Path):
    """Finding P4: with real numbers, as in the book; a 68000 here has none."""
    real = {
        "typedef short Real;": "typedef float Real;",
        "    _collidepriority = collidepriority;": "    _collidepriority = collidepriority == 99"
        ' ? __builtin_nanf("") : collidepriority;',
    }
    for name, as_number in ((DESCRIBED, True), (DESCRIBED, False)):
        case = changed_case(name, real, tmp_path / f"{as_number}")
        wall = create(0, Kind.WALL) if as_number else create(0, Kind.WALL, 0, 99)
        (played,) = play(case, cpu, [[wall, create(1), add(1, 0), COLLIDE]])
        if cpu == "68040" and not as_number:  # the engine makes an infinity of this NaN
            assert played.fault is not None and "infinity" in played.fault.reason
        else:
            assert played.calls == [(0, 1, BOUNCED) if as_number else (1, 0, 0)]


# -- deletion from within a collision ----------------------------------------------------------

# A bullet, its target and two more. Bullet 0 goes when it hits 1, and its pairs with it.
BULLET = [create(0, Kind.BULLET), create(1), create(2), create(3)]
HIT = [touch(0, 1), COLLIDE]
NEXT_PAIR_STAYS = [*BULLET, add(0, 1), add(2, 3), add(0, 2), *HIT]
NEXT_PAIR_GOES = [*BULLET, add(0, 1), add(0, 2), add(2, 3), *HIT]


@ALL
def test_deleting_the_next_pair_is_followed_into_freed_memory(cpu: str):
    """Finding P5: the walk has moved on to a pair that the bullet takes with it."""
    played = play_one(DESCRIBED, cpu, NEXT_PAIR_GOES)
    assert played.fault is not None
    assert "unmapped" in str(played.fault) or "0xdbdbdb" in str(played.fault)
    assert played.calls == [(0, 1, DAMAGED)]  # the first collision was the last


@ALL
def test_it_works_while_the_next_pair_is_of_others(cpu: str):
    """Which is why a game can run for long before it is noticed."""
    described = play_one(DESCRIBED, cpu, NEXT_PAIR_STAYS)
    assert described.fault is None
    corrected = play_one(CORRECTED, cpu, NEXT_PAIR_STAYS)
    assert described.calls == corrected.calls == [(0, 1, DAMAGED), (2, 3, 0)]
    assert described.pairs == corrected.pairs == [(2, 3)]


@ALL
def test_an_array_that_is_walked_by_index_skips_a_pair_instead(cpu: str):
    """What follows moves down under the index: no fault, and a collision that is not seen."""
    played = play_one(ON_ARRAY, cpu, NEXT_PAIR_STAYS)
    assert played.fault is None
    assert played.calls == [(0, 1, DAMAGED)]
    assert played.pairs == [(2, 3)]


@ALL
@pytest.mark.parametrize("steps", [NEXT_PAIR_STAYS, NEXT_PAIR_GOES])
def test_the_corrected_form_defers_deletion(steps: list[Step], cpu: str):
    played = play_one(CORRECTED, cpu, [*steps, COLLIDE])
    assert played.fault is None
    assert played.calls == [(0, 1, DAMAGED), (2, 3, 0), (2, 3, 0)]
    assert played.pairs == [(2, 3)]


def test_a_hit_outside_the_case_is_refused_by_the_reference():
    """The domain in which the described form is verified ends where its behaviour does."""
    with pytest.raises(ValueError, match="dies in a collision"):
        play_as_described(script_from_steps(NEXT_PAIR_GOES))


# -- the book's figures, counted by the guest --------------------------------------------------


@ALL
@pytest.mark.parametrize("name", CASES)
def test_pairs_of_the_maze(name: str, cpu: str):
    kinds = [Kind.WALL] * 45 + [Kind.OTHER] * 5
    maze = [step for n, kind in enumerate(kinds) for step in (create(n, kind), add_all(n))]
    assert play_one(name, cpu, maze[:90]).count["gPairCount"] == 0
    assert play_one(name, cpu, maze[90:]).count["gPairCount"] == 10
    assert play_one(name, cpu, [*maze, COLLIDE]).count["gCallCount"] == 235
    alike = [step for n in range(50) for step in (create(n), add_all(n))]
    assert play_one(name, cpu, alike).count["gPairCount"] == 1225


@ALL
@pytest.mark.parametrize(("critters", "worst", "mean"), [(20, 2451, 1795.5), (40, 20501, 15190.5)])
def test_what_deleting_a_critter_costs(critters: int, worst: int, mean: float, cpu: str):
    crowd = [step for n in range(critters) for step in (create(n), add_all(n))]
    scripts = [[*crowd, delete(number)] for number in range(critters)]
    counts = {
        name: [
            (p.count["gVisitCount"], p.count["gMoveCount"], p.count["gRemoveCount"])
            for p in play(case_of(name), cpu, scripts)
        ]
        for name in CASES
    }
    pairs = critters * (critters - 1) // 2
    moves = [move for _, move, _ in counts[ON_ARRAY]]
    assert (max(moves), np.mean(moves)) == (worst, mean)
    assert {(visits, gone) for visits, _, gone in counts[ON_ARRAY]} == {(pairs, critters - 1)}
    assert set(counts[DESCRIBED]) == {(pairs, 0, critters - 1)}
    assert set(counts[CORRECTED]) == {(critters - 1, 0, critters - 1)}


# -- wrong ports -------------------------------------------------------------------------------

_HIGHER = "if (_collidepriority > pcritterother->_collidepriority)"
_LOWER = "if (_collidepriority < pcritterother->_collidepriority)"
_COLLIDE = "virtual void collide(cCritter* pcritter);\n\n"
_COLLIDES_WITH = "virtual int  collidesWith(cCritter* pcritterother);\n    "
_BUT_ONE = "{\n        cCritter* p = gGame"
_CALLS = "if (code == COLLIDEASCALLER || code == COLLIDEEITHERWAY)"
_REFUSED = "if (code == DONTCOLLIDE || other == DONTCOLLIDE)"
_ADD_TAIL = """\
    if (_ptail != NULL)
        _ptail->_pnext = ppair;
    else
        _phead = ppair;
    _ptail = ppair;
}

cColliderPair*"""
_ADD_HEAD = """\
    if (_phead != NULL)
        _phead->_pprev = ppair;
    else
        _ptail = ppair;
    ppair->_pnext = _phead;
    ppair->_pprev = NULL;
    _phead = ppair;
}

cColliderPair*"""
_REMOVE = "RemoveAt(here);\n            gPairRoom.destroy(ppair);"
_DOWN = """\
    for (short i = index; i < _count; i++)
    {
        _pairs[i] = _pairs[i + 1];
        gMoveCount++;
    }
"""

CRITTERS: dict[str, Changes] = {
    "lower priority calls": {_HIGHER: _LOWER, _LOWER + "\n        return": _HIGHER + " return"},
    "equals do not collide": {"cCollider::COLLIDEEITHERWAY;": "cCollider::DONTCOLLIDE;"},
    "walls collide": {"pcritterother->kind() == kWall": "pcritterother->kind() == kPlayer"},
    "walls do not bounce": {"_Log(this, pcritter, kBounced);": "_Log(this, pcritter, kAsDisks);"},
    "collide is not virtual": {_COLLIDE: _COLLIDE.removeprefix("virtual ")},
    "collidesWith is not virtual": {
        _COLLIDES_WITH + _COLLIDE: _COLLIDES_WITH.removeprefix("virtual ") + _COLLIDE
    },
    "caller and argument turned": {
        "_pcrittercaller->collide(_pcritterarg);": "_pcritterarg->collide(_pcrittercaller);"
    },
    "log not begun anew": {"    gCallCount = 0;\n": ""},
    "the dead still live": {"    gGame._critters[_number] = NULL;\n": ""},
    "pairs outlive their critters": {"    gGame._pcollider->removeReferencesTo(this);\n": ""},
    "from the last to the first": {
        "for (short i = 0; i < kMaxCritters; i++)\n    " + _BUT_ONE: "for (short i = kMaxCritters; "
        "i-- > 0; )\n    " + _BUT_ONE
    },
    "order of arguments ignored": {"if (newIsSecondQ)": "if (false)"},
    "created twice": {"if (p == NULL)\n            _Create(s);": "_Create(s);"},
    "game not put back": {"memset(&gGame, 0, sizeof gGame);": ""},
}
DESCRIBED_PORTS: dict[str, Changes] = {
    "both codes heeded": {
        _CALLS: "if (code == COLLIDEASCALLER || code + other == COLLIDEEITHERWAY)"
    },
    "one refusal is not enough": {_REFUSED: _REFUSED.replace("||", "&&")},
    "unknown codes refuse": {_REFUSED: _REFUSED.replace("==", ">=")},
    "either way is called": {_CALLS: "if (code == COLLIDEASCALLER)"},
    "added in front": {_ADD_TAIL: _ADD_HEAD},
    "tail not moved back": {"        _ptail = position->_pprev;\n": "        ;\n"},
    "head not moved on": {"        _phead = position->_pnext;\n": "        ;\n"},
    "back link not mended": {"position->_pnext->_pprev = position->_pprev;": ";"},
    "first pair only removed": {_REMOVE: _REMOVE + "gRemoveCount++; return;"},
    "only callers removed": {"_pcrittercaller == p || _pcritterarg == p": "_pcrittercaller == p"},
    "freed pair used again": {_REMOVE: "gPairRoom.destroy(ppair); RemoveAt(here);"},
    "pairs are not put back": {"    memset(_pairs, 0, _count * sizeof(cColliderPair));\n": ""},
}
ARRAY_PORTS: dict[str, Changes] = {
    "filled with the last": {
        _DOWN: "_pairs[index] = _pairs[_count]; gMoveCount += index != _count;"
    },
    "next one skipped": {
        "        else\n            i++;\n    }\n}\n\nvoid cArray": "i++;}} void cArray"
    },
    "from the end": {
        "i = 0; i < _count; i++)\n        _pairs": "i = _count; i-- > 0; )\n        _pairs"
    },
    "one move too many": {"i = index; i < _count; i++": "i = index; i <= _count; i++"},
    "moves not counted": {"        gMoveCount++;\n": ""},
}
CORRECTED_PORTS: dict[str, Changes] = {
    "walls collide": CRITTERS["walls collide"],
    "a target that is damaged dies": {"if (--_health == 0)": "if (--_health >= 0)"},
    "a bullet is not used up": {"pcritter->damage();\n        die();": "pcritter->damage();"},
    "bullets damage anyone": {
        "if (touching(pcritter) && pcritter->kind() == kOther)": "if (touching(pcritter))"
    },
    "the caller's code alone": {"second = other == COLLIDEASCALLER || ": "second = "},
    "the first argument wins a tie": {"= goesFirst(pcritter, pcritterother);": "= true;"},
    "the younger first": {"_age < pcritterother->_age": "_age > pcritterother->_age"},
    "the lower number first": {"_age < pcritterother->_age": "_number < pcritterother->_number"},
    "priority of no account in a tie": {
        "if (pcritter->_collidepriority != pcritterother->_collidepriority)": "if (false)"
    },
    "the same pair again": {"    if (ppair->_pcrittercaller != NULL)\n        return;\n": ""},
    "with itself": {"    if (pcritter == pcritterother)\n        return;\n": ""},
    "unknown codes collide": {
        "if (!_Willing(code) || !_Willing(other))": "if (code == DONTCOLLIDE || 2 == other)"
    },
    "table not triangular": {
        "const short high = number > other ? number : other;": "const short high = number;",
        "const short low  = number > other ? other : number;": "const short low  = other;",
    },
    "the dying collide": {" && !ppair->_pcritterarg->_dying)": ")"},
    "deleted at once": {"    if (!_iterating)\n": "    if (true)\n"},
    "never deleted": {"        delete _dying[i];": "        ;"},
    "pair keeps its place": {"    ppair->_pcrittercaller = NULL;\n": ""},
    "table not put back": {"memset(gPlaces, 0, sizeof gPlaces);": ""},
}


@pytest.mark.parametrize(
    ("name", "ports", "least"),
    [
        (DESCRIBED, DESCRIBED_PORTS, 12),
        (CORRECTED, CORRECTED_PORTS, 18),
        (DESCRIBED, CRITTERS, 14),
        (ON_ARRAY, ARRAY_PORTS, 5),
    ],
    ids=["described", "corrected", "critters", "array"],
)
def test_wrong_ports_are_refuted(name: str, ports: dict[str, Changes], least: int, tmp_path: Path):
    results = verify_ports(name, ports, tmp_path, 48, SIZES)
    assert len(results) == least
    assert not_refuted(results) == {}
    first = {port: str(result.failures[0]) for port, result in results.items()}
    if "walls do not bounce" in first:
        assert re.match(r"gLog\[\d+\]\.method is 0, expected 1$", first["walls do not bounce"])


def test_the_corrected_form_does_the_same_in_either_order_of_arguments(tmp_path: Path):
    """A port that ignores the order is wrong as described, and right as corrected."""
    ports = {"either": CRITTERS["order of arguments ignored"]}
    (result,) = verify_ports(CORRECTED, ports, tmp_path, 48, SIZES).values()
    assert (result.verdict, result.scenes) == (VERIFIED, 48)


def test_freed_pairs_are_seen_where_they_are_used(tmp_path: Path):
    """The ruin left in a freed pair turns a wrong order of two calls into a fault with a place."""
    ports = {"freed": DESCRIBED_PORTS["freed pair used again"]}
    (result,) = verify_ports(DESCRIBED, ports, tmp_path, 48, SIZES).values()
    assert re.search(r"0xdbdbdb[^$]*RemoveAt|0xdbdbdb[^$]*removeReferencesTo", result.fault)


def test_a_failing_script_is_shrunk_to_the_steps_that_matter(
    macproof: Callable[..., Outcome], tmp_path: Path
):
    """Two critters of one priority and their pair, of a hundred and twenty steps."""
    case = changed_case(CORRECTED, CORRECTED_PORTS["the younger first"], tmp_path / "younger")
    options = ("--cpu", "601", "--build", "O2", "--scenes", "12", "--jobs", "1")
    outcome = macproof("explain", case.path, *options)
    assert outcome.code == 1
    assert re.search(r"still fails has 3 of the 120 \w+", outcome.out)
    assert re.search(r"gPairs\[0\]\.caller is \d+, expected \d+", outcome.out)
