"""The 601: clocks worked out by hand, what each price rests on, and what depends on what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.cycles.base.counting import count_calls
from emu.cycles.base.model import ASSUMPTION, COMPILER, MANUAL, Code, Instruction
from emu.cycles.base.tables import load, table
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.cycles.micro_loops import micro_loops, predict
from emu.cycles.models import MODELS, model_for
from emu.cycles.powerpc.ppc601 import Ppc601, Ppc601Options
from emu.cycles.powerpc.ppc_code import PpcInstruction
from emu.cycles.pricing import price, price_sequence
from tests.cycles.conftest import OneByOne, four_shifts, images
from tests.examples import examples

MODEL = Ppc601()
START = 0x1000

ADD = "38630001"  # addi r3,r3,1
OTHER = "38840001"  # addi r4,r4,1
THIRD = "38A50001"  # addi r5,r5,1
LOAD = "80660000"  # lwz r3,0(r6)
COMPARE = "2C030005"  # cmpwi r3,5
FORWARD = "40820010"  # bne to 16 bytes on: predicted to fall through
MOVE_TO_LINK = "7C6803A6"  # mtlr r3
RETURN = "4E800020"  # blr
CALL = "48000011"  # bl to 16 bytes on
ADD_FLOATS = "FC21102A"  # fadd f1,f1,f2


def code(*words: str, at: int = START) -> Code:
    return MODEL.decode(bytes.fromhex("".join(words)), at)


def clocks(*words: str) -> tuple[float, ...]:
    return MODEL.price((), code(*words))


def after(before: Code, *words: str, at: int) -> tuple[float, ...]:
    return MODEL.price(before, code(*words, at=at))


def test_the_integer_unit_takes_one_a_clock() -> None:
    assert clocks(ADD, OTHER, THIRD) == (1, 1, 1)
    assert clocks(ADD, ADD, ADD) == (1, 1, 1)  # a result can be used in the next clock


def test_a_loaded_value_is_there_a_clock_late() -> None:
    assert clocks(LOAD, ADD) == (1, 2)
    assert clocks(LOAD, OTHER, ADD) == (1, 1, 1)  # something else fills the clock


def test_loads_and_stores_take_the_integer_unit() -> None:
    assert clocks("80660000", "90860004", "80A60008") == (1, 1, 1)


def test_an_updated_address_is_there_at_once() -> None:
    assert clocks("84660004", "84660004") == (1, 1)  # lwzu r3,4(r6)
    assert clocks("84660004", ADD) == (1, 2)


def test_multiplication_and_division_keep_the_unit() -> None:
    assert clocks("1C840007", OTHER) == (5, 1)  # mulli r4,r4,7
    assert clocks("7CA32BD6", OTHER) == (36, 1)  # divw r5,r3,r5


def test_several_registers_are_moved_one_a_clock() -> None:
    assert clocks("BFA1000C", OTHER) == (3, 1)  # stmw r29: three
    # lmw r29: the last of them, r31, comes a clock after the unit is free.
    assert clocks("BBA1000C", "3BFF0001") == (3, 2)


def test_floating_point_goes_beside_integers() -> None:
    assert clocks(OTHER, ADD_FLOATS, THIRD) == (1, 0, 1)
    # fadd f1 needs the f1 of the fadd before: 4 clocks after it, which begins in the first.
    assert clocks(ADD_FLOATS, OTHER, ADD_FLOATS, THIRD) == (0, 1, 3, 1)


def test_a_branch_not_taken_is_folded() -> None:
    first = code(OTHER, THIRD, FORWARD)
    assert MODEL.price((), first) == (1, 1, 0)
    assert after(first, OTHER, at=START + 12) == (1,)


def test_a_taken_branch_is_folded_when_enough_is_ahead_of_it() -> None:
    # Third in the queue it is decided in clock 0, and its target comes in clock 2, just in time.
    ahead = code(OTHER, THIRD, "48000010")
    assert MODEL.price((), ahead) == (1, 1, 0)
    assert after(ahead, OTHER, at=START + 24) == (1,)
    # Alone its target comes in clock 2 all the same, and two clocks pass with nothing to do.
    alone = code("48000010")
    assert MODEL.price((), alone) == (0,)
    assert after(alone, OTHER, at=START + 16) == (3,)


def test_a_branch_is_seen_from_the_fourth_place_on() -> None:
    # Four instructions ahead: the branch comes to the fourth place when the first has left, in
    # clock 1; its target is there in clock 3, while the integer unit is busy until clock 4.
    ahead = code(OTHER, THIRD, OTHER, THIRD, "48000010")
    assert after(ahead, OTHER, at=START + 32) == (1,)
    # A division in front hides everything.
    slow = code("7CA32BD6", OTHER, THIRD, "48000010")
    assert MODEL.price((), slow) == (36, 1, 1, 0)
    assert after(slow, OTHER, at=START + 28) == (1,)


def test_a_wrong_prediction_waits_for_the_compare() -> None:
    # The compare goes in clock 0 and decides in clock 2; the target then comes in clock 4, and
    # the instruction there ends in clock 5, four after the compare's end.
    wrong = code(COMPARE, FORWARD)
    assert MODEL.price((), wrong) == (1, 0)
    assert after(wrong, OTHER, at=START + 20) == (4,)
    assert after(wrong, OTHER, at=START + 8) == (1,)  # predicted rightly
    # With two instructions between, the branch is still decided in clock 2: two clocks are left.
    filled = code(COMPARE, OTHER, THIRD, FORWARD)
    assert sum(MODEL.price((), filled)) == 3
    assert after(filled, OTHER, at=START + 28) == (2,)


def test_the_y_bit_says_the_opposite() -> None:
    likely = code(COMPARE, "40A20010")  # bne+
    # Decided in clock 0, target in clock 2, one clock lost.
    assert after(likely, OTHER, at=START + 20) == (2,)
    assert after(likely, OTHER, at=START + 8) == (4,)


def test_a_backward_branch_is_predicted_taken() -> None:
    backward = code(COMPARE, "4082FFFC")
    assert after(backward, OTHER, at=START) == (2,)
    assert after(backward, OTHER, at=START + 8) == (4,)


def test_a_condition_that_is_known_needs_no_prediction() -> None:
    # A branch sees its compare only if that is among the three ahead of it; here it decided
    # before the branch came, so that even the wrong way costs only the redirection.
    early = code(COMPARE, *[OTHER, THIRD] * 4, FORWARD)
    assert sum(MODEL.price((), early)) == 9
    assert after(early, OTHER, at=START + 4 * 9 + 16) == (1,)


def test_a_return_waits_for_the_link_register() -> None:
    # mtlr goes in clock 0, so blr is decided in clock 3: one more clock than mtlr itself and the
    # instruction between took; the target comes in clock 5.
    leave = code(MOVE_TO_LINK, OTHER, RETURN)
    assert MODEL.price((), leave) == (1, 1, 1)
    assert after(leave, THIRD, at=0x2000) == (3,)
    # What a call put there is ready in the next clock.
    call = code(CALL)
    back = (*call, *code(RETURN, at=START + 16))
    assert after(back, THIRD, at=START + 4) == (3,)


def test_a_loop_that_counts_down() -> None:
    loop = code("4200FFFC", at=START + 4)  # bdnz to the instruction before
    body = code(OTHER)
    assert sum(MODEL.price((*body, *loop) * 4, (*body, *loop))) == 2  # the target's way back
    empty = code("42000000")
    assert sum(MODEL.price(empty * 4, empty)) == 2


@given(st.lists(st.sampled_from([ADD, OTHER, LOAD, COMPARE, FORWARD, ADD_FLOATS]), max_size=12))
@settings(max_examples=examples(60))
def test_prices_are_never_negative_and_edges_add_up(words: list[str]) -> None:
    whole = code(*words)
    prices = MODEL.price((), whole)
    assert len(prices) == len(words)
    assert all(each >= 0 for each in prices)
    for cut in range(len(whole) + 1):  # priced in two parts it costs the same
        assert MODEL.price(whole[:cut], whole[cut:]) == prices[cut:]


@pytest.mark.slow
@pytest.mark.parametrize("build", ["O1", "period"])
def test_edges_cost_what_the_whole_sequence_costs(build: str) -> None:
    machine, routine = four_shifts("601", build)
    before = images(machine, 30, 1)
    counts = count_calls(machine, routine, before)
    whole = price_sequence(OneByOne(machine, routine, before).sequences[0], counts.code, MODEL)
    assert price(counts, MODEL).cycles == pytest.approx(whole, rel=0.01)


@pytest.mark.parametrize("build", ["O0", "O1", "O2", "O2-macros", "Os", "period"])
def test_every_build_prices_whole(build: str) -> None:
    machine, routine = four_shifts("601", build)
    pricing = price(count_calls(machine, routine, images(machine, 50, 2)), MODEL)
    assert sum(pricing.by_source.values()) == pytest.approx(pricing.cycles)
    # One integer instruction a clock, and branches that mostly hide.
    assert 0.8 < pricing.cycles / pricing.instructions < 1.5


def test_every_price_rests_on_something() -> None:
    cells = table("ppc601")
    assert {source.kind for source in cells.sources.values()} == {MANUAL, COMPILER, ASSUMPTION}
    kinds = {
        "7C632BD6": MANUAL,  # divw
        COMPARE: ASSUMPTION,  # the manual has its clock, not when a branch may use it
        LOAD: COMPILER,
        FORWARD: ASSUMPTION,
        "4CC63182": COMPILER,  # crxor
    }
    for word, kind in kinds.items():
        (instruction,) = code(word)
        assert MODEL.source(instruction).kind == kind, instruction.text


def test_the_source_of_a_price_does_not_depend_on_chance() -> None:
    (instruction,) = code("34630001")  # addic.: XER and CR0
    assert len({MODEL.source(instruction) for _ in range(20)}) == 1


def test_an_instruction_of_another_processor_is_refused() -> None:
    other = Instruction(0x1000, 2, "moveq", "moveq #1,d0", "moveq")
    with pytest.raises(TypeError, match="another processor"):
        MODEL.price((), (other,))
    assert not issubclass(M68kInstruction, PpcInstruction)


def test_sensitivities_go_the_way_they_say() -> None:
    machine, routine = four_shifts("601", "period")
    counts = count_calls(machine, routine, images(machine, 50, 1))
    base = price(counts, MODEL).cycles
    by_words = {words: price(counts, m).cycles for words, m in MODEL.sensitivities().items()}
    assert by_words.pop("all latencies ideal") < base
    assert len(by_words) == 5
    assert all(cycles > base for cycles in by_words.values())
    combined = by_words["targets after 3 clocks, compares 3 and LR or CTR 4 before branches"]
    assert combined > by_words["targets of taken branches 3 clocks after them"]


def test_one_load_in_fifty_waits_for_its_line() -> None:
    missing = MODEL.sensitivities()["one load in fifty misses the cache"]
    cells = table("ppc601")["misses"]
    block = code(LOAD, OTHER, "90860004")
    assert sum(missing.price((), block)) == pytest.approx(3 + cells["missed"] * cells["line"])


def test_ideal_latencies_by_hand() -> None:
    ideal = Ppc601(Ppc601Options(ideal=True))
    assert ideal.price((), code(LOAD, ADD)) == (1, 1)
    alone = code("48000010")
    assert ideal.price(alone, code(OTHER, at=START + 16)) == (2,)


def test_assumptions_are_sentences() -> None:
    assert len(MODEL.assumptions()) >= 5
    assert all(sentence.endswith(".") for sentence in MODEL.assumptions())


def test_models_by_name() -> None:
    assert list(MODELS) == ["68000", "68020", "68030", "68040", "601"]
    for cpu, model in MODELS.items():
        assert model_for(cpu).cpu == model.cpu == cpu
        assert model.megahertz > 0
    with pytest.raises(UsageError, match="no cycle model of the processor mips"):
        model_for("mips")


def test_a_wrong_number_is_noticed(tmp_path: Path) -> None:
    """The delay loop of Linux is the one figure of a real 601: a broken model misses it."""
    own = Path(table("ppc601").path).read_text()
    broken = tmp_path / "ppc601.yaml"
    broken.write_text(
        own.replace("{source: pipeline, redirect: 2}", "{source: pipeline, redirect: 9}")
    )
    (loop,) = [loop for loop in micro_loops() if loop.cpu == "601"]
    assert predict(loop, MODEL) == 2
    assert predict(loop, Ppc601(numbers=load(broken))) == 9
    assert np.isclose(loop.clocks, 2 / 0.84)
