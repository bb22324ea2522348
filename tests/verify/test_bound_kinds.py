"""Every kind of guest variable filled in from a scene, observed, and told of in words."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import CaseError, ProgramError, UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.keys.arguments import phrase_of
from emu.cases.keys.parts import ObservedVariable
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.scenes.fills import Fill, Preparation

CASE = load_case("four-shifts")
PROGRAMS = Path(__file__).parents[1] / "programs"
FAMILIES = {"68040": "m68k", "601": "ppc", "mips": "mips"}
INTEGERS = {
    "gSignedChar": (1, True),
    "gUnsignedChar": (1, False),
    "gShort": (2, True),
    "gUnsignedShort": (2, False),
    "gInt": (4, True),
    "gUnsignedLong": (4, False),
    "gLongLong": (8, True),
    "gUnsignedLongLong": (8, False),
}

Inputs = Mapping[str, Mapping[str, str]]


def scene(*, seed: int = 0, objects: int = 0, **named: Any) -> Any:
    """A scene of what a test needs."""
    return SimpleNamespace(objects=objects, generator="given", seed=seed, **named)


def case_of(inputs: Inputs, observed: tuple[ObservedVariable, ...] = ()) -> Case:
    phrases = {
        variable: {member: phrase_of(text) for member, text in members.items()}
        for variable, members in inputs.items()
    }
    return dataclasses.replace(CASE, call="InSpace", inputs=phrases, observed=observed)


MACHINES = {
    cpu: BareMachine(read_elf(PROGRAMS / f"types-{family}.elf"), CPUS[cpu])
    for cpu, family in FAMILIES.items()
}


def bind(inputs: Inputs, *observed: ObservedVariable, cpu: str = "68040") -> Bench:
    return Bench.lay(case_of(inputs, observed), MACHINES[cpu])


@functools.cache
def bench_of(name: str, cpu: str = "68040") -> Bench:
    """One that lays a number into a variable; to bind it takes longer than a hundred numbers."""
    return bind({name: {"": "value"}}, cpu=cpu)


@pytest.fixture(params=FAMILIES)
def on(request: pytest.FixtureRequest) -> Callable[..., Bench]:
    """Binds on each processor in turn."""
    return lambda inputs, *observed: bind(inputs, *observed, cpu=request.param)


def laid(bench: Bench, one: Any) -> dict[str, Any]:
    """What a scene becomes in guest memory, read back by name."""
    seen = observation(bench.bound, bench.before([one]).before[0])
    return {name: values.tolist() for name, values in seen.items()}


# -- what is laid into memory ------------------------------------------------------------------


def test_whole_variables_members_and_arrays(on: Callable[..., Bench]):
    bench = on(
        {
            "gInt": {"": "count"},
            "gTrue": {"": "flag"},
            "gBalance": {"": "balance"},
            "gFloat": {"": "scale"},
            "gDouble": {"": "exact"},
            "gVector": {"": "four"},
            "gMatrix": {"": "rows"},
            "gPoint": {"v": "count", "h": "balance"},
            "gPoints": {"h": "pair"},
            "gOuter": {"grid": "matrix", "wide": "huge"},
            "gOuters": {"grid": "grids"},
        }
    )
    grids = np.arange(12).reshape(1, 2, 2, 3)
    one = scene(
        count=7,
        flag=False,
        balance=-1,
        scale=0.5,
        exact=0.1,
        four=[1, 2, 3],
        rows=np.array([[9, 8, 7]], np.int8),
        pair=(-5, 6),
        matrix=[[1, 2, 3], [4, 5, 6]],
        huge=-(2**40),
        grids=grids,
    )
    before = {
        name: v.tolist() for name, v in observation(bench.bound, bench.machine.pristine).items()
    }
    seen = laid(bench, one)
    assert (seen["gInt"], seen["gTrue"], seen["gBalance"]) == (7, 0, -1)
    assert (seen["gFloat"], seen["gDouble"]) == (0.5, 0.1)
    assert seen["gVector"] == [1, 2, 3, before["gVector"][3]]
    assert seen["gMatrix"] == [[9, 8, 7], before["gMatrix"][1]]
    assert (seen["gPoint.v"], seen["gPoint.h"], seen["gPoints.h"]) == (7, -1, [-5, 6])
    assert seen["gOuter.grid"] == [[1, 2, 3], [4, 5, 6]]
    assert seen["gOuter.wide"] == -(2**40)
    assert seen["gOuters.grid"] == [grids[0].tolist(), before["gOuters.grid"][1]]
    assert bench.usual.answers.inputs_compared([one]) == 5 + 3 + 3 + 2 + 2 + 6 + 1 + 12


@given(name=st.sampled_from(list(INTEGERS)), value=st.integers(-(2**64), 2**65))
def test_a_number_is_laid_exactly_or_refused(name: str, value: int):
    size, signed = INTEGERS[name]
    low, high = (
        (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)
    )
    for cpu in FAMILIES:
        bench = bench_of(name, cpu)
        if low <= value <= high:
            image = bench.before([scene(value=value)]).before[0]
            start = bench.machine.data.offset(bench.machine.program.variable(name).address)
            stored = int.from_bytes(image[start : start + size].tobytes(), "big", signed=signed)
            assert stored == value
        else:
            with pytest.raises(CaseError, match=r"cannot hold|not as numbers"):
                bench.before([scene(value=value)])


def test_small_and_large_numbers_of_64_bits_are_laid_together(on: Callable[..., Bench]):
    """NumPy has int64 for some and uint64 for others, and would take float64 for both."""
    bench = on({"gUnsignedLongLong": {"": "value"}})
    values = [1, 2**64 - 1, 2**53 + 1]
    images = bench.before([scene(value=value) for value in values]).before
    seen = [observation(bench.bound, image)["gUnsignedLongLong"] for image in images]
    assert [int(one) % 2**64 for one in seen] == values


@given(value=st.floats(width=64))
def test_a_fraction_is_laid_exactly_or_refused(value: float):
    bench = bench_of("gFloat")
    with np.errstate(over="ignore"):
        fits = float(np.float32(value)) == value or value != value
    if fits:
        assert np.array_equal(laid(bench, scene(value=value))["gFloat"], value, equal_nan=True)
    else:
        with pytest.raises(CaseError, match=r"value has values that gFloat \(float\) cannot hold"):
            bench.before([scene(value=value)])
    whole = bench_of("gInt")
    if value == int(value) if np.isfinite(value) and abs(value) < 2**31 else False:
        assert laid(whole, scene(value=value))["gInt"] == value
    else:
        with pytest.raises(CaseError, match="cannot hold"):
            whole.before([scene(value=value)])


@pytest.mark.parametrize("value", [2**24 + 1, 2**53 + 1, 2**63 - 1])
def test_a_whole_number_that_a_fraction_cannot_hold(value: int):
    bench = bind({"gFloat": {"": "value"}})
    with pytest.raises(CaseError, match="cannot hold"):
        bench.before([scene(value=value)])
    if value > 2**53:
        with pytest.raises(CaseError, match="cannot hold"):
            bind({"gDouble": {"": "value"}}).before([scene(value=np.int64(value))])
    assert laid(bench, scene(value=2**24))["gFloat"] == 2**24


def test_scenes_of_one_batch_may_have_other_lengths():
    bench = bind({"gVector": {"": "values"}}, ObservedVariable("gMatrix", "", phrase_of("rows")))
    lengths = [0, 3, 1, 4, 3]
    scenes = [scene(values=list(range(10, 10 + n)), seed=2) for n in lengths]
    made = bench.before(scenes)
    images = made.before
    rest = observation(bench.bound, bench.machine.pristine)["gVector"].tolist()
    for image, n in zip(images, lengths, strict=True):
        assert observation(bench.bound, image)["gVector"].tolist() == [
            *range(10, 10 + n),
            *rest[n:],
        ]
    answers = [SimpleNamespace(rows=np.full((n % 3, 3), n)) for n in lengths]
    expectation = bench.expect(made, answers)
    expected, values = expectation.expected, expectation.values
    assert values == 3 * sum(n % 3 for n in lengths)
    for one, image, n in zip(expected, images, lengths, strict=True):
        rows = observation(bench.bound, one)["gMatrix"].tolist()
        kept = observation(bench.bound, image)["gMatrix"].tolist()
        assert rows == [[n] * 3] * (n % 3) + kept[n % 3 :]
    assert bench.usual.answers.inputs_compared(scenes) == sum(lengths)


# -- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "named", "words"),
    [
        ({"gInt": {"": "cuont"}}, {"count": 1}, "no cuont, which gInt is .*; did you mean count?"),
        ({"gObjects": {"obj_link": "linked-list"}}, {"objects": 4}, "has 4 values, .* room for 3"),
        ({"gInt": {"": "a"}}, {"a": [1]}, r"a has shape \(1,\), gInt has \(\)"),
        ({"gVector": {"": "a"}}, {"a": 1}, r"a has shape \(\), gVector has \(4,\)"),
        ({"gVector": {"": "a"}}, {"a": [1] * 5}, "a has 5 values, gVector has room for 4"),
        ({"gMatrix": {"": "a"}}, {"a": [[1, 2]]}, r"shape \(1, 2\), gMatrix has \(2, 3\)"),
        ({"gMatrix": {"": "a"}}, {"a": [[1], [1, 2]]}, "a in rows of different lengths"),
        ({"gInt": {"": "a"}}, {"a": "seven"}, "a as <U5, not as numbers"),
        ({"gInt": {"": "a"}}, {"a": None}, "a as object, not as numbers"),
        ({"gInt": {"": "a"}}, {"a": 2**70}, "a as object, not as numbers"),
        ({"gInt": {"": "a"}}, {"a": 1j}, "not as numbers"),
    ],
)
def test_what_a_scene_cannot_fill_in(inputs: Inputs, named: dict[str, Any], words: str):
    bench = bind(inputs)
    with pytest.raises(CaseError, match=words) as caught:
        bench.before([scene(**named)])
    assert "four_shifts" in str(caught.value)


def test_a_property_that_fails_is_told():
    class Broken:
        objects, generator, seed = 0, "given", 0

        @property
        def a(self) -> int:
            return {}["key"]  # type: ignore[return-value]

    with pytest.raises(UsageError, match="has a property a, which fails: KeyError: 'key'"):
        bind({"gInt": {"": "a"}}).before([Broken()])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("inputs", "error", "words"),
    [
        ({"gOuter": {"": "a"}}, CaseError, "say which member of gOuter is meant"),
        ({"gOuter": {"inner": "a"}}, CaseError, "say which member of gOuter.inner is meant"),
        ({"gOuter": {"none": "a"}}, ProgramError, "gOuter is not an array of structs with a none"),
        ({"gInt": {"x": "a"}}, ProgramError, "nor such a struct"),
        ({"gPlainPointer": {"": "linked-list"}}, CaseError, "not a pointer in an array"),
        ({"gInt": {"": "linked-list"}}, CaseError, "gInt is a int, not a pointer in an array"),
    ],
)
def test_what_a_case_cannot_fill_in(inputs: Inputs, error: type[Exception], words: str):
    with pytest.raises(error, match=words):
        bind(inputs)


# -- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "member", "index", "place"),
    [
        ("gInt", "", (), "gInt"),
        ("gDouble", "", (), "gDouble"),
        ("gPoint", "h", (), "gPoint.h"),
        ("gOuter", "grid", (1, 2), "gOuter.grid[1][2]"),
        ("gOuters", "grid", (1, 0, 1, 2), "gOuters[1][0].grid[1][2]"),
        ("gOuters", "flag", (0, 1), "gOuters[0][1].flag"),
        ("gMatrix", "", (1, 1), "gMatrix[1][1]"),
    ],
)
@pytest.mark.parametrize("cpu", FAMILIES)
def test_the_place_of_a_difference(
    cpu: str, variable: str, member: str, index: tuple[int, ...], place: str
):
    bench = bind({}, ObservedVariable(variable, member, phrase_of("values")), cpu=cpu)
    name = f"{variable}.{member}" if member else variable
    values = observation(bench.bound, bench.machine.pristine)[name]
    changed = np.array(values)
    changed[index] = 1 - changed[index] * 0
    changed[index] += values[index] == 1
    before = bench.before([scene()])
    (expected,) = bench.expect(before, [SimpleNamespace(values=values)]).expected
    (found,) = bench.expect(before, [SimpleNamespace(values=changed)]).expected
    divergence = bench.usual.differences.first(expected, found)
    assert divergence is not None
    assert divergence.place == place
    assert divergence.found == str(changed[index])
    assert divergence.expected == str(values[index])
    offset = bench.machine.data.offset(divergence.address)
    assert (expected[offset], True) != (found[offset], True)
    assert np.flatnonzero(expected != found)[0] == offset


def test_words_for_fractions():
    bench = bind({}, ObservedVariable("gDouble", "", phrase_of("value")))
    made = bench.expect(
        bench.before([scene()], [Preparation(Fill.POISON)]), [SimpleNamespace(value=0.5)]
    )
    before, (half,) = made.before, made.expected
    assert str(bench.usual.differences.first(half, before[0])).startswith("gDouble is -2.498")
    none = half.copy()
    start = bench.machine.data.offset(bench.machine.program.variable("gDouble").address)
    none[start : start + 8] = np.array([np.nan], ">f8").view(np.uint8)
    assert str(bench.usual.differences.first(half, none)) == "gDouble is nan, expected 0.5"
    assert bench.usual.differences.first(none, none.copy()) is None
    assert before[0][start] == 0xA5
