"""The 68040's pipeline: printed cells, timelines worked out by hand, measured loops."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import MacproofError
from emu.cycles.base.model import ASSUMPTION, MANUAL, MEASUREMENT, Code, CycleModel
from emu.cycles.base.tables import table
from emu.cycles.m68k import m68k_code
from emu.cycles.m68k.mc68040 import WRITE_THROUGH, Mc68040, Mc68040Options
from emu.cycles.m68k.mc68040_cells import _in_mode, _printed, _then, timing_of
from emu.cycles.micro_loops import check
from emu.program.instructions.m68k.operands import ADDRESS, Operand
from tests.cycles.m68k_programs import PROGRAMS, instructions

MODEL = Mc68040()


def block(code: str, address: int = 0x1000) -> Code:
    return MODEL.decode(bytes.fromhex(code), address)


def prices(*codes: str) -> tuple[float, ...]:
    return MODEL.price((), block("".join(codes)))


# Printed in M68040UM, sections 10.4 to 10.6: calculate, lead, base. Entered apart from the data.
PRINTED = [
    ("add.l d1, d0", "d081", 1, 0, 1),
    ("add.l $4(a0), d0", "d0a80004", 1, 0, 1),
    ("add.l d0, $4(a0)", "d1a80004", 1, 0, 1),
    ("add.l $1006(pc), d0", "d0ba0004", 3, 2, 1),
    ("add.l $4(a0, d1.l), d0", "d0b01804", 3, 0, 3),
    ("adda.l d0, a0", "d1c0", 1, 0, 2),
    ("adda.l a1, a0", "d1c9", 1, 0, 1),
    ("suba.l d0, a0", "91c0", 1, 0, 1),
    ("suba.l a1, a0", "91c9", 1, 0, 2),
    ("addq.l #$1, $4(a0)", "52a80004", 2, 1, 1),
    ("addq.l #$4, a7", "588f", 1, 0, 1),
    ("addi.w #$1, (a0)", "06500001", 1, 0, 1),
    ("addi.w #$1, $4(a0)", "066800010004", 2, 1, 1),
    ("lsl.l #$2, d0", "e588", 1, 0, 2),
    ("lsr.l d1, d0", "e2a8", 1, 0, 3),
    ("asl.l #$2, d0", "e580", 1, 0, 3),
    ("rol.l d1, d0", "e3b8", 1, 0, 4),
    ("bset.b #$3, $4(a0)", "08e800030004", 2, 1, 3),
    ("bset.b d1, $4(a0)", "03e80004", 1, 1, 4),
    ("ext.w d0", "4880", 1, 0, 2),
    ("ext.l d0", "48c0", 1, 0, 1),
    ("swap d0", "4840", 1, 0, 2),
    ("seq.b d0", "57c0", 1, 0, 2),
    ("neg.l d0", "4480", 1, 0, 1),
    ("moveq #$1, d0", "7001", 1, 0, 1),
    ("move.l d1, d0", "2001", 1, 0, 1),
    ("move.l (a0), (a1)", "2290", 1, 0, 1),
    ("move.l (a0), (a1)+", "22d0", 2, 1, 1),
    ("lea.l (a0), a1", "43d0", 1, 0, 1),
    ("lea.l $4(a0, d0.l), a1", "43f00804", 4, 0, 4),
    ("pea.l $4(a0, d0.l)", "48700804", 4, 1, 3),
    ("jsr $123456.l", "4eb900123456", 3, 2, 1),
    ("jsr (a0)", "4e90", 3, 2, 1),
    ("bsr.b $1000", "61fe", 2, 1, 1),
    ("rts", "4e75", 5, 0, 5),
    ("link.w a6, #$fffc", "4e56fffc", 3, 2, 1),
    ("unlk a6", "4e5e", 2, 1, 1),
    ("nop", "4e71", 8, 1, 7),
    ("muls.w d1, d0", "c1c1", 1, 0, 16),
    ("mulu.w d1, d0", "c0c1", 1, 0, 14),
    ("muls.l d1, d0", "4c010800", 1, 0, 20),
    ("divs.w #$7, d0", "81fc0007", 8, 0, 27),
    ("bra.b $1000", "60fe", 2, 0, 2),
]


@pytest.mark.parametrize(("text", "code", "calculate", "lead", "base"), PRINTED)
def test_printed_cells(text: str, code: str, calculate: int, lead: int, base: int) -> None:
    (instruction,) = m68k_code.decode(bytes.fromhex(code), 0x1000)
    assert instruction.text == text
    timing = timing_of(instruction, True)
    assert (timing.calculate, timing.lead, timing.base) == (calculate, lead, base)
    assert timing.source.kind == MANUAL


@pytest.mark.parametrize(("taken", "clocks"), [(True, 2), (False, 3)])
def test_a_conditional_branch_has_two_cells(taken: bool, clocks: int) -> None:
    (instruction,) = m68k_code.decode(bytes.fromhex("66fe"), 0x1000)
    timing = timing_of(instruction, taken)
    assert (timing.calculate, timing.lead, timing.base) == (clocks, 0, clocks)


@pytest.mark.parametrize(
    ("first", "second", "printed"),
    [
        ("move.from.pcd8x", "move.to.bdx", "move.pcd8x.bdx"),
        ("move.from.post_od", "move.to.post_od", "move.post_od.post_od"),
    ],
)
def test_two_addresses_of_a_move_add_up_to_the_printed_cells(
    first: str, second: str, printed: str
) -> None:
    both, cell = _then(_printed(first), _printed(second)), _printed(printed)
    assert (both.calculate, both.lead, both.base) == (cell.calculate, cell.lead, cell.base)
    assert both.source.kind == ASSUMPTION


@pytest.mark.parametrize(
    ("column", "row"), [("muls.w", "pcd16"), ("bit", "d8x"), ("shift", "d8x"), ("rotate", "d8x")]
)
def test_a_mode_adds_what_it_adds_to_add_as_printed_cells_do(column: str, row: str) -> None:
    ours, cell = _in_mode(_printed(f"{column}.ind"), row), _printed(f"{column}.{row}")
    assert (ours.calculate, ours.lead, ours.base) == (cell.calculate, cell.lead, cell.base)


def test_a_mode_without_a_cell_is_put_together_and_says_so() -> None:
    # mulu.w (4,a0,d1.l),d0: 14 as from (a0), and 3 / 3 for the mode, of which one is shared
    timing = timing_of(m68k_code.decode(bytes.fromhex("c0f01804"), 0)[0], True)
    assert (timing.calculate, timing.lead, timing.base) == (3, 0, 16)
    assert timing.cell == "mulu.w.ind + alu.d8x"
    assert timing.source.kind == ASSUMPTION


def test_a_pc_relative_base_adds_to_calculation_and_lead() -> None:
    plain, relative = (
        timing_of(m68k_code.decode(bytes.fromhex(code), 0x1000)[0], True)
        for code in ("203119200004", "203b19200004")  # (bd,A1,D1) and (bd,PC,D1)
    )
    assert relative.calculate == plain.calculate + 1
    assert relative.lead == plain.lead + 1
    assert relative.base == plain.base


def test_movem_takes_clocks_for_registers_and_for_one_data_register_at_least() -> None:
    clocks = {
        code: timing_of(m68k_code.decode(bytes.fromhex(code), 0)[0], True).calculate
        for code in ("48e7fcf8", "48e700f8", "4cdf1f00")
    }
    # d0-d5/a0-a4, a0-a4, a0-a4: 2 + max(1, data) + address
    assert list(clocks.values()) == [2 + 6 + 5, 2 + 1 + 5, 2 + 1 + 5]


# Timelines. C: address calculation, F: fetch, X: execution; the price of an instruction is what
# the end of its X adds. Times are clocks since the pipeline was empty.


def test_register_moves_follow_each_other_by_a_clock() -> None:
    # C 0-1 F 1-2 X 2-3, then one more each
    assert prices("2001", "2401", "2601") == (3, 1, 1)


def test_a_loaded_pointer_is_waited_for_until_its_execution_ends() -> None:
    # movea.l 4(a6),a0: C 0-1, X 2-3. move.l (a0),d0: C 3-4, X 5-6.
    assert prices("206e0004", "2010") == (3, 3)
    # Another register: C 1-2, X 3-4.
    assert prices("206e0004", "2011") == (3, 1)
    # Two clocks of other work hide it. movea: X 2-3; C 1-2, 2-3, and (a0) can begin at 3.
    assert prices("206e0004", "2401", "2601", "2010") == (3, 1, 1, 1)
    free = Mc68040(Mc68040Options(address_interlocks=False))
    assert free.price((), block("206e0004" + "2010")) == (3, 1)


def test_an_index_is_waited_for_as_a_base_is() -> None:
    # moveq #1,d0: X 2-3. move.l (4,a0,d0.l),d1: C 3-6, X 5-8.
    assert prices("7001", "22300804") == (3, 5)
    # Not needing d0: C 1-4, X 3-6.
    assert prices("7001", "22301804") == (3, 3)


def test_address_calculation_hands_on_what_it_changes_itself() -> None:
    # lea 4(a6),a0: C 0-2, X 2-4 (a lead of 1). move.l (a0),d0: C 2-3, X 4-5.
    assert prices("41ee0004", "2010") == (4, 1)
    assert prices("2018", "2218") == (3, 1)  # move.l (a0)+,d0; move.l (a0)+,d1
    assert prices("2f00", "2f01") == (3, 1)  # two pushes
    # addq.l #4,sp is execution's: the push behind it waits. C 3-4, X 5-6.
    assert prices("588f", "2f00") == (3, 3)


def test_a_multiplication_holds_up_what_stands_behind_it() -> None:
    # mulu.w d1,d0: C 0-1, F 1-2, X 2-16. add: waits in F, X 16-17.
    # add: C 2-3, stays in C until F is free at 16, X 17-18. add: C 16-17, X 18-19.
    assert prices("c0c1", "d682", "d682", "d682") == (16, 1, 1, 1)


def test_a_lead_runs_behind_the_execution_before() -> None:
    # mulu: X 2-16. jsr (a0), 2L + 1: C 1-4, its lead is over at 5, X 16-17.
    assert prices("c0c1", "4e90") == (16, 1)
    # Alone: C 0-3, lead 2-4, X 4-5.
    assert prices("4e90") == (5,)


def test_an_interlocked_instruction_stays_in_calculation_while_it_waits() -> None:
    # mulu: X 2-16. move.l (4,a0,d1.l),d2: C 1-4, would execute at 3, waits 13: C to 17, X 16-19.
    # moveq: C 17-18, X 19-20. Were it not interlocked, its C would begin at 4.
    assert prices("c0c1", "24301804", "7001") == (16, 3, 1)
    # lea 4(a3),a3: C 17-19, a lead of one clock, X 20-21; having begun at 4, X would be 19-20.
    assert prices("c0c1", "24301804", "47eb0004") == (16, 3, 2)


def test_a_branch_costs_what_it_turns_out_to_cost() -> None:
    # subq.l #1,d0: X 2-3. bne.s: C 1-3, X 3-5 when taken; C 1-4, X 3-6 when not.
    loop = block("5380" + "66fc")
    assert MODEL.price((), loop) == (3, 2)
    # Taken, the target: C 3-4, X 5-6. Not taken, the next: C 4-5, X 6-7, and a clock for the bne.
    assert MODEL.price(loop, block("7001", 0x2000)) == (1,)
    assert MODEL.price(loop, block("7001", 0x1004)) == (2,)


def test_a_call_and_its_return() -> None:
    # bsr.s, 1L + 1: C 0-2, X 3-4. rts: C 2-7, X 4-9. moveq: C 7-8, X 9-10.
    call, back, after = block("6106"), block("4e75", 0x1008), block("7001", 0x1002)
    assert MODEL.price((), call) == (4,)
    assert MODEL.price(call, back) == (5,)
    assert MODEL.price(call + back, after) == (1,)


def test_stores_written_through_wait_for_each_other() -> None:
    through = Mc68040(Mc68040Options(stores=WRITE_THROUGH))
    stores = block("2080" + "2281" + "2401")  # move.l d0,(a0); move.l d1,(a1); move.l d1,d2
    bus = table("mc68040")["store.write_through"]["clocks"]
    # The first is handed over at 3 and done at 3 + bus; only then is the second.
    assert through.price((), stores) == pytest.approx((3, bus, 1))
    assert MODEL.price((), stores) == (3, 1, 1)
    # With other work between, it is hidden.
    work = block("2080" + "c0c1" + "2281")
    assert through.price((), work) == MODEL.price((), work)


def test_movem_written_through_is_a_row_of_stores() -> None:
    through = Mc68040(Mc68040Options(stores=WRITE_THROUGH))
    push = block("48e7fcf8")
    bus = table("mc68040")["store.write_through"]["clocks"]
    extra = sum(through.price((), push)) - sum(MODEL.price((), push))
    assert extra == pytest.approx(10 * (bus - 1))


def test_without_caches_everything_comes_from_memory() -> None:
    bare = Mc68040(Mc68040Options(caches=False))
    read = table("mc68040")["read.uncached"]["clocks"]
    assert sum(bare.price((), block("2010"))) == pytest.approx(3 + 1.5 * read)
    assert sum(bare.price((), block("2001"))) == pytest.approx(3 + 0.5 * read)


MIXED = (
    *("2001", "206e0004", "2010", "2018", "2f00", "c0c1", "24301804", "588f", "4e71", "48e7fcf8"),
    *("41ee0004", "e3a8", "51c8fffe", "66fe", "20301db000100960", "4e90", "d1a80004"),
)
RUNS = st.lists(st.sampled_from(MIXED), min_size=1, max_size=12)


@given(RUNS, st.sampled_from(["usual", *MODEL.sensitivities()]))
def test_cutting_a_run_into_blocks_changes_nothing(codes: list[str], change: str) -> None:
    """Edges priced with all that ran before add up to the price of the whole."""
    model = {"usual": MODEL, **MODEL.sensitivities()}[change]
    run = block("".join(codes))
    whole = model.price((), run)
    assert all(price >= 0 for price in whole)
    for cut in range(1, len(run)):
        first, second = model.price((), run[:cut]), model.price(run[:cut], run[cut:])
        assert sum(first) + sum(second) == pytest.approx(sum(whole))
        assert all(price >= 0 for price in second)


@given(RUNS)
def test_execution_is_never_shorter_than_its_bases(codes: list[str]) -> None:
    run = block("".join(codes))
    bases = [timing_of(instruction, False).base for instruction in run[:-1]]
    assert sum(MODEL.price((), run)) >= sum(bases)


def test_loops_that_were_measured() -> None:
    loops = [result for result in check() if result.loop.cpu == "68040"]
    cached = [result for result in loops if not result.loop.memory]
    assert len(cached) >= 4
    for result in cached:
        assert 0.9 < result.ratio < 1.1, result.loop.name
    # Two of them are independent of the model's numbers; the others set two of these.
    assert [result.loop.name for result in cached if result.loop.calibrated] == [
        "dbra",
        "mulu and dbra",
    ]


def test_what_was_set_by_a_measurement_says_so() -> None:
    cells = table("mc68040")
    assert cells["dbcc.counter"].source.kind == MEASUREMENT
    assert cells["dbcc.taken"].source.kind == MEASUREMENT
    assert cells["store.write_through"].source.kind == MEASUREMENT


def test_what_prices_rest_on() -> None:
    assert MODEL.source(block("d081")[0]).kind == MANUAL
    assert MODEL.source(block("206e0004")[0]).kind == ASSUMPTION  # MOVEA's column is missing
    assert MODEL.source(block("66fe")[0]).kind == MANUAL
    assert all(sentence.endswith(".") for sentence in MODEL.assumptions())


def test_every_sensitivity_changes_some_price() -> None:
    after = block("7001", 0x2000)
    codes = ("306e0004" + "2010" + "2080" + "2281" + "24301804" + "66fe", "c0c1" + "66fe")

    def clocks(model: CycleModel) -> list[float]:
        return [
            sum(model.price((), block(code))) + sum(model.price(block(code), after))
            for code in codes
        ]

    sensitivities = MODEL.sensitivities()
    assert len(sensitivities) >= 8
    for what, model in sensitivities.items():
        assert clocks(model) != pytest.approx(clocks(MODEL)), what


def test_no_cell_no_price() -> None:
    (push,) = m68k_code.decode(bytes.fromhex("4850"), 0x1002)  # PEA (A0)
    strange = replace(push, source=Operand(ADDRESS, register=8))
    with pytest.raises(MacproofError, match=r"68040: no timing for pea\.l .* at \$1002: .*pea\.an"):
        timing_of(strange, True)


def test_the_shapes_of_cells_are_what_the_manual_allows() -> None:
    """Nothing takes less than a clock to calculate, nor to execute."""
    priced = [cell for cell in table("mc68040").values() if "calculate" in cell.numbers]
    assert len(priced) > 400
    for cell in priced:
        if cell.name == "pc_base":
            continue  # it adds to others
        assert cell["calculate"] >= 1, cell.name
        assert cell["lead"] + cell["base"] >= 1, cell.name


@pytest.mark.slow
def test_every_instruction_of_every_committed_program_is_priced() -> None:
    for program, address, data in instructions(PROGRAMS):
        if data[0] >> 4 == 15:
            continue  # floating point: an error, see test_m68k_code
        code = MODEL.decode(data, address)
        assert code[0].cell, program
        assert MODEL.price((), code)[0] >= 3, program
