"""Profiles: every cycle put down once, to the function and the line that it belongs to."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emu.cases.find import load_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of
from emu.cycles.base.counting import EDGE, Counts, count_calls
from emu.cycles.m68k.mc68040 import Mc68040
from emu.cycles.models import model_for
from emu.cycles.pricing import price
from emu.cycles.profile import NO_LINE, NO_SYMBOL, Profile, make_profile
from emu.program import LineRow, LineTable, Program, Segment, Symbol, read_elf
from pyref.sectors.four_shifts import determine_collisions
from tests.cycles.conftest import PREBUILT, ROOT, four_shifts, images

OBJECTS, CALLS = 60, 3


@functools.cache
def counted(cpu: str, build: str) -> Counts:
    machine, routine = four_shifts(cpu, build)
    return count_calls(machine, routine, images(machine, OBJECTS, CALLS))


def profile_of(cpu: str, build: str, program: Program | None = None) -> Profile:
    counts, model = counted(cpu, build), model_for(cpu)
    program = program or read_elf(PREBUILT / f"four-shifts-{cpu}-{build}.elf")
    return make_profile(counts, price(counts, model), model, program)


@pytest.mark.parametrize("build", ["O0", "O2", "period"])
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_each_way_of_putting_them_down_adds_up_to_the_whole(cpu: str, build: str) -> None:
    pricing = price(counted(cpu, build), model_for(cpu))
    profile = profile_of(cpu, build)
    assert profile.cycles == pricing.cycles_per_call
    assert profile.calls == CALLS
    for way in (profile.functions, profile.lines, profile.code):
        assert sum(each.cycles for each in way) == pytest.approx(pricing.cycles / CALLS)
    for way in (profile.functions, profile.lines):
        assert sum(each.instructions for each in way) == pytest.approx(pricing.instructions / CALLS)
        costs = [each.cycles for each in way]
        assert costs == sorted(costs, reverse=True)
    assert {each.address for each in profile.code} == pricing.by_address.keys()


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_calls_are_as_many_as_the_reference_counts(cpu: str) -> None:
    case = load_case("four-shifts")
    answers = [
        determine_collisions(scene_of(case, SceneName("uniform", OBJECTS, seed)))
        for seed in range(CALLS)
    ]
    calls = {cost.name: cost.calls for cost in profile_of(cpu, "period").functions}
    assert calls["_IntersectQ"] == pytest.approx(np.mean([answer.tests for answer in answers]))
    assert calls["_CalcCollisionsInSector"] == pytest.approx(
        np.mean([answer.sector_visits for answer in answers])
    )
    assert (calls["UpdateSectors"], calls["_DetermineCollisions"]) == (4, 1)


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_line_is_executed_as_often_as_the_reference_says(cpu: str) -> None:
    """Without optimisation: else parts of the line are moved out of the loop it is in."""
    source = (ROOT / "mac_src" / "four_shifts" / "four_shifts.cpp").read_text().split("\n")
    line = next(n for n, text in enumerate(source, 1) if "gCollisionArray[b - gObjects]" in text)
    case = load_case("four-shifts")
    scenes = [scene_of(case, SceneName("uniform", OBJECTS, seed)) for seed in range(CALLS)]
    hits = [determine_collisions(scene).hit_count for scene in scenes]
    cost = next(c for c in profile_of(cpu, "O0").lines if c.place == ("four_shifts.cpp", line))
    assert cost.executed == pytest.approx(np.mean(hits))
    assert cost.instructions > cost.executed


def test_code_put_into_another_function_counts_for_its_own_line() -> None:
    """The build O2 has no _Abs of its own; its line has cycles all the same."""
    source = (ROOT / "mac_src" / "four_shifts" / "four_shifts.cpp").read_text().split("\n")
    line = next(n for n, text in enumerate(source, 1) if re.search(r"return a < 0 \? -a : a", text))
    profile = profile_of("68040", "O2")
    assert "_Abs" not in {cost.name for cost in profile.functions}
    inlined = [each for each in profile.code if each.place == ("four_shifts.cpp", line)]
    assert inlined
    assert "_Abs" not in {each.function for each in inlined}


def test_a_program_without_lines_has_its_functions_and_one_row() -> None:
    program = read_elf(PREBUILT / "four-shifts-68040-period.elf")
    whole = profile_of("68040", "period")
    profile = profile_of("68040", "period", replace(program, lines=LineTable()))
    assert profile.functions == whole.functions
    (line,) = profile.lines
    assert line.place == NO_LINE
    assert line.cycles == pytest.approx(whole.cycles)
    assert not profile.never


def test_a_program_without_symbols_has_its_lines_and_one_row() -> None:
    program = read_elf(PREBUILT / "four-shifts-601-period.elf")
    profile = profile_of("601", "period", replace(program, symbols=[]))
    (function,) = profile.functions
    assert (function.name, function.calls, function.cycles_each) == (NO_SYMBOL, 0, None)
    assert function.cycles == pytest.approx(profile.cycles)
    assert len(profile.lines) > 10


# subq.l #1,d0; bne.s back to it; rts
LOOP = bytes.fromhex("5380 66fc 4e75")
# subq.l #1,d0; beq.s to the rts; bsr.s to the beginning; rts
RECURSION = bytes.fromhex("5380 6702 61fa 4e75")


def small_profile(code: bytes, edges: list[tuple[int, int, int, int, int]], **what) -> Profile:
    blocks = {(address, size) for _, _, address, size, _ in edges}
    counts = Counts(
        1,
        np.array(edges, dtype=EDGE),
        {(a, size): code[a - 0x1000 : a - 0x1000 + size] for a, size in blocks},
    )
    rows = [
        LineRow(0x1000, "a.c", 1),
        LineRow(0x1004, "a.c", 2),
        LineRow(0x1000 + len(code), "", 0),
    ]
    program = Program(
        path=Path("small"),
        architecture="m68k",
        byte_order=">",
        segments=[Segment("code", 0x1000, len(code), code, writable=False, executable=True)],
        symbols=[Symbol("f", 0x1000, len(code), "function")],
        variables={},
        functions={},
        lines=LineTable(rows),
        has_debug_information=True,
    )
    model = Mc68040()
    return make_profile(counts, price(counts, model), model, replace(program, **what))


def test_a_loop_to_the_beginning_of_a_function_is_no_call() -> None:
    edges = [(0, 0, 0x1000, 4, 1), (0x1000, 4, 0x1000, 4, 9), (0x1000, 4, 0x1004, 2, 1)]
    profile = small_profile(LOOP, edges)
    assert [(cost.name, cost.calls) for cost in profile.functions] == [("f", 1)]
    executed = {cost.place: (cost.executed, cost.instructions) for cost in profile.lines}
    assert executed == {("a.c", 1): (10, 20), ("a.c", 2): (1, 1)}


def test_lines_with_code_that_never_ran_are_known() -> None:
    profile = small_profile(LOOP, [(0, 0, 0x1000, 4, 1), (0x1000, 4, 0x1000, 4, 9)])
    assert [cost.place for cost in profile.lines] == [("a.c", 1)]
    assert profile.never == {("a.c", 2)}
    assert not profile_of("68000", "O0").never


def test_a_function_that_calls_itself_is_called() -> None:
    edges = [
        (0, 0, 0x1000, 4, 1),
        (0x1004, 2, 0x1000, 4, 3),
        (0x1000, 4, 0x1004, 2, 3),
        (0x1000, 4, 0x1006, 2, 1),
        (0x1006, 2, 0x1006, 2, 3),
    ]
    (cost,) = small_profile(RECURSION, edges).functions
    assert cost.calls == 4
    assert cost.cycles_each == pytest.approx(cost.cycles / 4)


def test_of_two_names_for_one_place_the_one_with_a_size_counts() -> None:
    edges = [(0, 0, 0x1000, 4, 1), (0x1000, 4, 0x1004, 2, 1)]
    symbols = [Symbol("a", 0x1000, 0, "function"), Symbol("z", 0x1000, 4, "function")]
    profile = small_profile(LOOP, edges, symbols=symbols)
    assert {each.address: each.function for each in profile.code} == {
        0x1000: "z",
        0x1002: "z",
        0x1004: NO_SYMBOL,  # it ends before
    }
    lasting = small_profile(LOOP, edges, symbols=symbols[:1])
    assert {each.function for each in lasting.code} == {"a"}


def test_another_program_than_was_counted_loses_no_cycle() -> None:
    edges = [(0, 0, 0x1000, 4, 1), (0x1000, 4, 0x1004, 2, 1)]
    elsewhere = [Segment("code", 0x9000, 6, LOOP, writable=False, executable=True)]
    profile = small_profile(LOOP, edges, segments=elsewhere, symbols=[])
    assert [cost.place for cost in profile.lines] == [NO_LINE]
    assert profile.lines[0].cycles == pytest.approx(profile.cycles)
