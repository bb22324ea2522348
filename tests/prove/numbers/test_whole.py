"""Numbers of which only a range is known compute as ints do, on every value of the range."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest

z3 = pytest.importorskip("z3")

from emu.prove.numbers.decisions import Decisions  # noqa: E402 - it needs z3
from emu.prove.numbers.limits import UndecidedError  # noqa: E402
from emu.prove.numbers.solving import Assumptions, Deadline  # noqa: E402
from emu.prove.numbers.whole import Number, Whole, number_of, whole  # noqa: E402

_BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
    operator.lshift,
    operator.rshift,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]
_UNARY = [operator.neg, operator.invert, operator.abs, operator.pos]
_VALUES = (-8, -7, -3, -1, 0, 1, 2, 5, 7)


def inputs(*names: str) -> tuple[Decisions, list[Any]]:
    """Numbers of 4 bits, and the choices that they ask."""
    choices = Decisions(Assumptions(Deadline(60)))
    return choices, [whole(z3.BitVec(name, 4), -8, 7, choices) for name in names]


def at(results: list[Any], values: dict[str, int]) -> Any:
    """What the one path gives that the values take: a number, or the refusal."""
    pairs = [(z3.BitVec(name, 4), z3.BitVecVal(value, 4)) for name, value in values.items()]

    def holds(condition: Any) -> bool:
        return bool(z3.is_true(z3.simplify(z3.substitute(condition, *pairs))))

    taken = [result for result in results if all(map(holds, result.conditions))]
    assert len(taken) == 1
    if taken[0].refusal:
        return taken[0].refusal
    number = number_of(taken[0].value)
    if isinstance(number, Whole):
        found = z3.simplify(z3.substitute(number.term, *pairs)).as_signed_long()
        assert number.low <= found <= number.high
        return found
    return number


@pytest.mark.parametrize("compute", _BINARY)
def test_two_numbers(compute: Callable[[Any, Any], Any]):
    choices, (x, y) = inputs("x", "y")
    results = choices.paths(lambda: compute(x, y))
    for one in _VALUES:
        for other in _VALUES:
            try:
                wanted: Any = int(compute(one, other))
            except (ValueError, ZeroDivisionError) as error:
                wanted = type(error).__name__
            found = at(results, {"x": one, "y": other})
            assert (found.partition(":")[0] if isinstance(found, str) else found) == wanted


@pytest.mark.parametrize("known", [-6, -1, 1, 3, 4, 8])
@pytest.mark.parametrize("compute", _BINARY[:5] + _BINARY[7:10])
def test_a_number_and_an_int(compute: Callable[[Any, Any], Any], known: int):
    choices, (x,) = inputs("x")
    for swapped in (False, True):
        results = choices.paths(lambda: compute(known, x) if swapped else compute(x, known))  # noqa: B023
        for one in _VALUES:
            if swapped and not one and compute in (operator.floordiv, operator.mod):
                continue
            wanted = compute(known, one) if swapped else compute(one, known)
            assert at(results, {"x": one}) == wanted


@pytest.mark.parametrize("compute", _UNARY)
def test_one_number(compute: Callable[[Any], Any]):
    choices, (x,) = inputs("x")
    results = choices.paths(lambda: compute(x))
    assert [at(results, {"x": value}) for value in _VALUES] == list(map(compute, _VALUES))


def test_a_function_with_ifs_is_run_along_each_path():
    choices, (x, low, high) = inputs("x", "low", "high")
    results = choices.paths(lambda: max(min(x, high - 1), low))
    assert 2 <= len(results) <= 4
    for values in ((0, -3, 3), (7, -3, 3), (-8, -3, 3), (0, 4, 1)):
        wanted = max(min(values[0], values[2] - 1), values[1])
        assert at(results, dict(zip(("x", "low", "high"), values, strict=True))) == wanted


def test_a_number_as_an_index_is_each_of_its_values():
    choices, (x,) = inputs("x")
    table = [n * n for n in range(8)]

    def look_up() -> Number:
        return table[x] if x >= 0 else -1

    results = choices.paths(look_up)
    assert len(results) == 9
    assert at(results, {"x": 5}) == 25
    assert at(results, {"x": -5}) == -1


def test_what_is_no_whole_number_is_not_decided():
    choices, (x,) = inputs("x")
    with pytest.raises(UndecidedError, match="floating point"):
        choices.paths(lambda: x / 2)
    wide = whole(z3.BitVec("wide", 16), -32768, 32767, choices)
    with pytest.raises(UndecidedError, match="more than 300 values"):
        choices.paths(lambda: int(wide))


def test_a_path_that_no_input_takes_is_not_run():
    choices = Decisions(Assumptions(Deadline(60), [z3.BitVec("x", 4) > 2]))
    x = whole(z3.BitVec("x", 4), -8, 7, choices)
    assert [result.value for result in choices.paths(lambda: bool(x > 1))] == [True]


def test_the_time_is_limited():
    deadline = Deadline(0.0)
    with pytest.raises(UndecidedError, match="the time is over"):
        Assumptions(deadline).allow()
