"""Prices: what they add up to, and how far edges are off a sequence that is known whole."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.cycles.base.counting import EDGE, Counts, count_calls
from emu.cycles.base.model import Code
from emu.cycles.models import MODELS
from emu.cycles.pricing import context, decode, likeliest_before, price, price_sequence
from tests.cycles.conftest import (
    GUESSED,
    KNOWN,
    FakeModel,
    OneByOne,
    four_shifts,
    images,
)

A, B, C = (0x100, 4), (0x200, 2), (0x300, 2)
CODE = {A: bytes.fromhex("4100 6200"), B: bytes.fromhex("4301"), C: bytes.fromhex("7711")}


def counts_of(*edges: tuple[tuple[int, int], tuple[int, int], int], calls: int = 1) -> Counts:
    records = np.array([(*before, *block, count) for before, block, count in edges], dtype=EDGE)
    return Counts(calls, records, CODE)


def test_prices_worked_out_by_hand(model: FakeModel) -> None:
    counts = counts_of(((0, 0), A, 2), (A, B, 3), (B, A, 5), calls=2)
    pricing = price(counts, model)
    # op4 of A: 9 at the beginning, twice; 1 + 2/4 after B (43 and 01 are odd), five times.
    # op6 of A: 1 + 1/4 after 4100, seven times. B: 1 after 6200, three times.
    assert pricing.by_address == {
        0x100: (7, 2 * 9 + 5 * 1.5),
        0x102: (7, 7 * 1.25),
        0x200: (3, 3.0),
    }
    assert pricing.cycles == 18 + 7.5 + 8.75 + 3
    assert pricing.instructions == 17
    assert pricing.mix == {"op4": 10, "op6": 7}
    assert list(pricing.mix) == ["op4", "op6"]
    assert pricing.by_source == {GUESSED: 18 + 7.5 + 3, KNOWN: 8.75}
    assert pricing.cycles_per_call == pricing.cycles / 2
    assert pricing.instructions_per_call == 8.5
    assert pricing.calls_per_second(10) == pytest.approx(1e7 / pricing.cycles_per_call)


@pytest.mark.parametrize(("cpu", "build"), [("68000", "O1"), ("68040", "O2"), ("601", "period")])
def test_everything_adds_up(cpu: str, build: str) -> None:
    machine, routine = four_shifts(cpu, build)
    before = images(machine, 40, 2)
    counts = count_calls(machine, routine, before)
    pricing = price(counts, FakeModel(4 if cpu == "601" else 2))
    assert sum(cycles for _, cycles in pricing.by_address.values()) == pytest.approx(pricing.cycles)
    assert sum(pricing.by_source.values()) == pytest.approx(pricing.cycles)
    assert sum(times for times, _ in pricing.by_address.values()) == pricing.instructions
    assert sum(pricing.mix.values()) == pricing.instructions
    assert pricing.calls == 2
    if cpu == "601":
        assert pricing.instructions == sum(OneByOne(machine, routine, before).instructions.values())


def test_each_block_is_decoded_once(model: FakeModel) -> None:
    price(counts_of(((0, 0), A, 2), (A, B, 3), (B, A, 5), (B, B, 1)), model)
    assert model.decoded == len(CODE)


def test_the_mix_is_that_of_single_steps() -> None:
    machine, routine = four_shifts("601", "O2")
    before = images(machine, 25, 2)
    pricing = price(count_calls(machine, routine, before), FakeModel(4))
    stepped: Counter[str] = Counter()
    for address, count in OneByOne(machine, routine, before).instructions.items():
        stepped[f"op{machine.memory.view(address, 1)[0] >> 4:x}"] += count
    assert pricing.mix == stepped
    assert pricing.by_address.keys() == OneByOne(machine, routine, before).instructions.keys()


# -- context -----------------------------------------------------------------------------------


class Listening(FakeModel):
    """Notes what it is given as having run before."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: dict[tuple[int, int], list[int]] = {}

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        key = before[-1].address if before else 0, block[0].address
        self.heard[key] = [instruction.address for instruction in before]
        return super().price(before, block)


def test_what_ran_before_is_two_blocks_the_likeliest_first() -> None:
    model = Listening()
    price(counts_of(((0, 0), A, 1), (A, B, 4), (C, B, 9), (B, C, 9), (B, A, 3)), model)
    assert model.heard == {
        (0, 0x100): [],
        (0x102, 0x200): [0x200, 0x100, 0x102],
        (0x300, 0x200): [0x200, 0x300],
        (0x200, 0x300): [0x300, 0x200],
        (0x200, 0x100): [0x300, 0x200],
    }


@pytest.mark.parametrize(("cpu", "build"), [("68040", "O1"), ("68030", "O1"), ("601", "period")])
def test_the_order_of_edges_does_not_change_a_bit(cpu: str, build: str) -> None:
    """Engines that count alike come to edges in other orders: Unicorn when they are first taken."""
    machine, routine = four_shifts("68040" if cpu == "68030" else cpu, build)
    counts = count_calls(machine, routine, images(machine, 40, 2))
    model = MODELS[cpu]()
    prices = [price(counts, model)]
    for seed in range(4):
        edges = np.random.default_rng(seed).permutation(counts.edges)
        prices.append(price(dataclasses.replace(counts, edges=edges), model))
    assert len({(one.cycles, tuple(one.by_address.items())) for one in prices}) == 1


def test_of_equally_frequent_blocks_the_lowest_is_taken_to_have_run_before() -> None:
    heard = []
    for edges in ([(B, A, 4), (C, A, 4)], [(C, A, 4), (B, A, 4)]):
        model = Listening()
        price(counts_of(((0, 0), B, 1), ((0, 0), C, 1), *edges, (A, B, 3)), model)
        heard.append(model.heard[0x102, 0x200])
    assert heard == 2 * [[0x200, 0x100, 0x102]]


def test_at_the_beginning_of_a_call_nothing_ran_before(model: FakeModel) -> None:
    code = decode(CODE, model)
    likeliest = likeliest_before([(0, 0, *A, 7), (*B, *A, 6)])
    assert likeliest == {A: (0, 0)}
    assert context(code, (0, 0), likeliest) == ()
    assert context(code, A, likeliest) == code[A]


@given(st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=40))
def test_edges_are_exact_for_a_model_that_looks_one_block_back(
    sequence: list[tuple[int, int]],
) -> None:
    edges = Counter(zip([(0, 0), *sequence], sequence, strict=False))
    counts = counts_of(*((before, block, n) for (before, block), n in edges.items()))
    assert price(counts, FakeModel()).cycles == price_sequence(sequence, CODE, FakeModel())


class Remembers(FakeModel):
    """An instruction costs a cycle more if it ran within the last six."""

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        path = [*before, *block]
        return tuple(
            1.0 + (path[place] in path[max(place - 6, 0) : place])
            for place in range(len(before), len(path))
        )


def test_a_sequence_shows_how_far_edges_are_off() -> None:
    sequence = [A, C, B, C, C, B, A, B, C, A]
    edges = Counter(zip([(0, 0), *sequence], sequence, strict=False))
    counts = counts_of(*((before, block, n) for (before, block), n in edges.items()))
    exact = price_sequence(sequence, CODE, Remembers())
    by_edges = price(counts, Remembers()).cycles
    assert exact != by_edges
    assert by_edges == pytest.approx(exact, rel=0.3)


@pytest.mark.parametrize(("cpu", "build"), [("68040", "O2"), ("601", "O0")])
def test_a_real_path_priced_by_edges_and_whole(cpu: str, build: str) -> None:
    machine, routine = four_shifts(cpu, build)
    before = images(machine, 50, 1)
    counts = count_calls(machine, routine, before)
    (sequence,) = OneByOne(machine, routine, before).sequences
    model = FakeModel(4 if cpu == "601" else 2)
    whole = price_sequence(sequence, counts.code, model)
    assert price(counts, model).cycles == pytest.approx(whole, rel=1e-12)


def test_a_wrong_count_changes_the_price(model: FakeModel) -> None:
    counts = counts_of(((0, 0), A, 2), (A, B, 3))
    edges = counts.edges.copy()
    edges["count"][1] += 1
    other = dataclasses.replace(counts, edges=edges)
    assert price(other, model).cycles - price(counts, model).cycles == 1.0
