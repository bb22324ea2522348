"""The 68000's clocks against figures entered by hand, instruction by instruction."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import MacproofError
from emu.cycles.base.model import ASSUMPTION, MANUAL, Code
from emu.cycles.m68k import mc68000
from emu.cycles.m68k.mc68000 import Mc68000, Mc68000Options
from tests.cycles.m68k_programs import FOR_68000, instructions

MODEL = Mc68000()

# Entered from the manual's tables as sums for the whole instruction, apart from the data file.
PUBLISHED = [
    ("move.w d1, d0", "3001", 4),
    ("move.l d1, d0", "2001", 4),
    ("movea.l d0, a0", "2040", 4),
    ("move.w (a0), d0", "3010", 8),
    ("move.l (a0), d0", "2010", 12),
    ("move.w (a0)+, d0", "3018", 8),
    ("move.l (a0)+, d0", "2018", 12),
    ("move.w -(a0), d0", "3020", 10),
    ("move.l -(a0), d0", "2020", 14),
    ("move.w $4(a0), d0", "30280004", 12),
    ("move.l $4(a0), d0", "20280004", 16),
    ("move.w $4(a0, d1.w), d0", "30301004", 14),
    ("move.l $4(a0, d1.l), d0", "20301804", 18),
    ("move.w $1234.w, d0", "30381234", 12),
    ("move.l $1234.w, d0", "20381234", 16),
    ("move.w $123456.l, d0", "303900123456", 16),
    ("move.l $123456.l, d0", "203900123456", 20),
    ("move.w #$1388, d0", "303c1388", 8),
    ("move.l #$7a120, d0", "203c0007a120", 12),
    ("move.w d0, (a0)", "3080", 8),
    ("move.l d0, (a0)", "2080", 12),
    ("move.w d0, (a0)+", "30c0", 8),
    ("move.l d0, (a0)+", "20c0", 12),
    ("move.w d0, -(a0)", "3100", 8),
    ("move.l d0, -(a7)", "2f00", 12),
    ("move.w d0, $4(a0)", "31400004", 12),
    ("move.l d0, $4(a0)", "21400004", 16),
    ("move.w d0, $4(a0, d1.w)", "31801004", 14),
    ("move.l d0, $4(a0, d1.w)", "21801004", 18),
    ("move.w d0, $123456.l", "33c000123456", 16),
    ("move.l d0, $123456.l", "23c000123456", 20),
    ("move.w (a0)+, (a1)+", "32d8", 12),
    ("move.l (a0)+, (a1)+", "22d8", 20),
    ("move.b (a0)+, (a1)+", "12d8", 12),
    ("move.l $4(a0), $8(a1)", "236800040008", 28),
    ("move.l $4(a0), -(a7)", "2f280004", 24),
    ("move.l #$7a120, -(a7)", "2f3c0007a120", 20),
    ("move.l $123456.l, $123456.l", "23f90012345600123456", 36),
    ("move.w #$1388, $123456.l", "33fc138800123456", 20),
    ("moveq #$1, d0", "7001", 4),
    ("add.w d1, d0", "d041", 4),
    ("add.l d1, d0", "d081", 8),
    ("add.l (a0), d0", "d090", 14),
    ("add.w (a0), d0", "d050", 8),
    ("add.w d0, (a0)", "d150", 12),
    ("add.l d0, (a0)", "d190", 20),
    ("add.l d0, $4(a0)", "d1a80004", 24),
    ("add.w $4(a0), d0", "d0680004", 12),
    ("adda.w d0, a0", "d0c0", 8),
    ("adda.l d0, a0", "d1c0", 8),
    ("adda.l (a0), a1", "d3d0", 14),
    ("adda.w #$1388, a0", "d0fc1388", 12),
    ("adda.l #$7a120, a0", "d1fc0007a120", 16),
    ("suba.l a0, a0", "91c8", 8),
    ("sub.l -(a0), d0", "90a0", 16),
    ("and.w (a0), d0", "c050", 8),
    ("and.l d1, d0", "c081", 8),
    ("and.l #$7a120, d0", "c0bc0007a120", 16),
    ("or.l d0, (a0)", "8190", 20),
    ("eor.w d1, d0", "b340", 4),
    ("eor.l d1, d0", "b380", 8),
    ("eor.l d0, (a0)", "b190", 20),
    ("cmp.w d1, d0", "b041", 4),
    ("cmp.l d1, d0", "b081", 6),
    ("cmp.l (a0), d0", "b090", 14),
    ("cmpa.l a1, a0", "b1c9", 6),
    ("cmpa.w #$1388, a0", "b0fc1388", 10),
    ("cmpi.w #$1388, d0", "0c401388", 8),
    ("cmpi.l #$7a120, d0", "0c800007a120", 14),
    ("cmpi.b #$1, (a0)", "0c100001", 12),
    ("cmpi.l #$7a120, $4(a0)", "0ca80007a1200004", 24),
    ("addi.w #$1388, d0", "06401388", 8),
    ("addi.l #$7a120, d0", "06800007a120", 16),
    ("addi.w #$1388, $4(a0)", "066813880004", 20),
    ("andi.l #$7a120, d0", "02800007a120", 14),
    ("ori.l #$7a120, (a0)", "00900007a120", 28),
    ("addq.w #$1, d0", "5240", 4),
    ("addq.l #$1, d0", "5280", 8),
    ("addq.l #$4, a7", "588f", 8),
    ("addq.w #$4, a0", "5848", 8),
    ("subq.w #$1, (a0)", "5350", 12),
    ("addq.l #$1, $4(a0)", "52a80004", 24),
    ("clr.w d0", "4240", 4),
    ("clr.l d0", "4280", 6),
    ("clr.l -(a7)", "42a7", 22),
    ("clr.w $4(a0)", "42680004", 16),
    ("neg.l d0", "4480", 6),
    ("not.w (a0)", "4650", 12),
    ("tst.w d0", "4a40", 4),
    ("tst.l $4(a0)", "4aa80004", 16),
    ("st.b (a0)", "50d0", 12),
    ("lsl.w #$2, d0", "e548", 10),
    ("lsl.l #$2, d0", "e588", 12),
    ("asr.l #$8, d0", "e080", 24),
    ("asl.w (a0)", "e1d0", 12),
    ("ror.b #$1, d0", "e218", 8),
    ("btst.b #$3, d0", "08000003", 10),
    ("btst.b #$3, (a0)", "08100003", 12),
    ("btst.l d1, d0", "0300", 6),
    ("bset.b #$3, (a0)", "08d00003", 16),
    ("bclr.b d1, (a0)", "0390", 12),
    ("bsr.b $1000", "61fe", 18),
    ("bra.b $1000", "60fe", 10),
    ("lea.l $4(a0), a1", "43e80004", 8),
    ("lea.l (a0), a1", "43d0", 4),
    ("lea.l $123456.l, a0", "41f900123456", 12),
    ("lea.l $4(a0, d0.w), a1", "43f00004", 12),
    ("pea.l (a0)", "4850", 12),
    ("pea.l $4(a0)", "48680004", 16),
    ("pea.l $123456.l", "487900123456", 20),
    ("jsr (a0)", "4e90", 16),
    ("jsr $123456.l", "4eb900123456", 20),
    ("jsr $4(a0)", "4ea80004", 18),
    ("jmp (a0)", "4ed0", 8),
    ("jmp $123456.l", "4ef900123456", 12),
    ("jmp $1006(pc, d0.w)", "4efb0004", 14),
    ("rts", "4e75", 16),
    ("link.w a6, #$fffc", "4e56fffc", 16),
    ("unlk a6", "4e5e", 12),
    ("movem.l d2-d7/a2-a6, -(a7)", "48e73f3e", 96),
    ("movem.l (a7)+, d2-d7/a2-a6", "4cdf7cfc", 100),
    ("movem.w $4(a0), d0-d1", "4ca800030004", 24),
    ("swap d0", "4840", 4),
    ("ext.l d0", "48c0", 4),
    ("exg.l d0, a0", "c188", 6),
    ("addx.l d1, d0", "d181", 8),
    ("subx.l -(a0), -(a1)", "9388", 30),
    ("cmpm.w (a0)+, (a1)+", "b348", 12),
    ("mulu.w #$ffff, d0", "c0fcffff", 74),
    ("mulu.w #$0, d0", "c0fc0000", 42),
    ("muls.w #$5555, d0", "c1fc5555", 74),
    ("muls.w #$ffff, d0", "c1fcffff", 44),
    ("divu.w (a0), d0", "80d0", 144),
    ("divs.w d1, d0", "81c1", 158),
    ("nop", "4e71", 4),
    ("trap #$0", "4e40", 34),
]

# The 68000's instructions by addressing mode, as tables for programmers list them: of the modes
# (An) (An)+ -(An) (d16,An) (d8,An,Xn) xxx.W xxx.L, then (d16,PC) (d8,PC,Xn) #xxx where they exist.
MODES = ("10", "18", "20", "280004", "300004", "381234", "3900123456", "3a0004", "3b0004")
ROWS = [
    ("d1", 0x40, (12, 12, 14, 16, 18, 16, 20)),  # add.w d0,<ea>
    ("d1", 0x80, (20, 20, 22, 24, 26, 24, 28)),  # add.l d0,<ea>
    ("d0", 0x40, (8, 8, 10, 12, 14, 12, 16, 12, 14)),  # add.w <ea>,d0
    ("d0", 0x80, (14, 14, 16, 18, 20, 18, 22, 18, 20)),  # add.l <ea>,d0
    ("d0", 0xC0, (12, 12, 14, 16, 18, 16, 20, 16, 18)),  # adda.w <ea>,a0
    ("d1", 0xC0, (14, 14, 16, 18, 20, 18, 22, 18, 20)),  # adda.l <ea>,a0
    ("52", 0x40, (12, 12, 14, 16, 18, 16, 20)),  # addq.w #1,<ea>
    ("52", 0x80, (20, 20, 22, 24, 26, 24, 28)),  # addq.l #1,<ea>
    ("42", 0x80, (20, 20, 22, 24, 26, 24, 28)),  # clr.l <ea>
    ("b0", 0x80, (14, 14, 16, 18, 20, 18, 22, 18, 20)),  # cmp.l <ea>,d0
    ("4a", 0x80, (12, 12, 14, 16, 18, 16, 20)),  # tst.l <ea>
    ("80", 0xC0, (144, 144, 146, 148, 150, 148, 152, 148, 150)),  # divu.w <ea>,d0
]


def block(code: str, address: int = 0x1000) -> Code:
    return MODEL.decode(bytes.fromhex(code), address)


def test_published_clocks() -> None:
    found = []
    for _, code, _ in PUBLISHED:
        (instruction,) = block(code)
        (clocks,) = MODEL.price((), (instruction,))
        found.append((instruction.text, code, clocks))
    assert found == PUBLISHED


@pytest.mark.parametrize(("first", "second", "clocks"), ROWS)
def test_published_clocks_by_addressing_mode(
    first: str, second: int, clocks: tuple[int, ...]
) -> None:
    priced = []
    for mode, _ in zip(MODES, clocks, strict=False):
        (instruction,) = block(f"{first}{second + int(mode[:2], 16):02x}{mode[2:]}")
        priced.append(MODEL.price((), (instruction,))[0])
    assert tuple(priced) == clocks


def test_there_are_enough_figures_to_speak_of_a_check() -> None:
    assert len(PUBLISHED) >= 60


@pytest.mark.parametrize(
    ("code", "after", "clocks"),
    [
        ("66fe", 0x1000, 10),  # bne.s taken
        ("66fe", 0x1002, 8),
        ("6600fffe", 0x1000, 10),  # bne.w taken
        ("6600fffe", 0x1004, 12),
        ("51c8fffe", 0x1000, 10),  # dbra, counting
        ("51c8fffe", 0x1004, 14),  # dbra, at its end
        ("56c8fffe", 0x1000, 10),  # dbne, counting
        ("56c8fffe", 0x1004, 12),  # dbne, taken to be its condition that ended it
    ],
)
def test_a_branch_is_priced_by_where_it_went(code: str, after: int, clocks: int) -> None:
    """What the branch's block and the next one's first instruction are charged is its price."""
    branch, nop = block(code), block("4e71", after)
    first = MODEL.price((), branch)
    second = MODEL.price(branch, nop)
    assert sum(first) + sum(second) == clocks + 4
    assert first[0] == min(clocks, first[0]), "the block itself is charged the least"
    assert min(second) > 0
    # Within one block, the same.
    whole = MODEL.price((), (*branch, *nop))
    assert whole == (clocks, 4)


@pytest.mark.parametrize(
    ("before", "shift", "clocks"),
    [
        ("7204", "e3a8", 8 + 2 * 4),  # moveq #4,d1; lsl.l d1,d0
        ("7210", "e3a8", 8 + 2 * 16),
        ("123c0003", "e368", 6 + 2 * 3),  # move.b #3,d1; lsl.w d1,d0
        ("323c0043", "e3a8", 8 + 2 * 3),  # counts are taken modulo 64
        ("7204" + "4e71", "e3a8", 8 + 2 * 4),  # something between
        ("3202", "e3a8", 8 + 2 * 8),  # move.w d2,d1: unknown
        ("7204" + "5241", "e3a8", 8 + 2 * 8),  # changed since: addq.w #1,d1
        ("", "e3a8", 8 + 2 * 8),
    ],
)
def test_a_shift_by_a_register_takes_the_count_that_the_code_shows(
    before: str, shift: str, clocks: int
) -> None:
    prices = MODEL.price((), block(before + shift))
    assert prices[-1] == clocks
    if before:  # in the block before it is found as well
        assert MODEL.price(block(before, 0x0FF0), block(shift)) == (clocks,)


@pytest.mark.parametrize(
    ("code", "clocks"),
    [
        ("7003" + "c2c0", 38 + 2 * 2),  # moveq #3,d0; mulu.w d0,d1
        ("70ff" + "c2c0", 38 + 2 * 16),  # -1 is sixteen ones
        ("70ff" + "c3c0", 38 + 2),  # muls.w: one change between ones and the zero behind them
        ("103c0003" + "c2c0", 38 + 2 * 8),  # a byte is not the whole factor
        ("c2c0", 38 + 2 * 8),
    ],
)
def test_a_product_takes_the_factor_that_the_code_shows(code: str, clocks: int) -> None:
    assert MODEL.price((), block(code))[-1] == clocks


@pytest.mark.parametrize(
    "code",
    [
        "4c010800",  # muls.l d1,d0
        "49c0",  # extb.l d0
        "60ff00000004",  # bra.l
        "20301db000100960",  # full extension word
        "e9c00608",  # bfextu
        "4a88",  # tst.l a0
        "480e00000000",  # link.l
    ],
)
def test_instructions_of_its_successors_are_errors_with_their_place(code: str) -> None:
    with pytest.raises(MacproofError, match=r"^68000: no timing for .* at \$1000: ") as refused:
        block(code)
    assert "there is no cell" in str(refused.value) or "does not have it" in str(refused.value)


@given(st.lists(st.sampled_from(["7004", "e3a8", "2f00", "66fe", "51c8fffe", "4eb80000", "80c1"])))
def test_cutting_a_straight_run_into_blocks_changes_nothing(codes: list[str]) -> None:
    run = block("".join(codes)) if codes else ()
    whole = MODEL.price((), run)
    for cut in range(len(run) + 1):
        parts = sum(MODEL.price((), run[:cut])) + sum(MODEL.price(run[:cut], run[cut:]))
        ends = run[cut - 1] if cut else None
        # A branch at the end of the run is charged the least in both.
        assert cut == len(run) or parts == sum(whole), ends


def test_what_prices_rest_on() -> None:
    assert MODEL.source(block("2001")[0]).kind == MANUAL
    assert MODEL.source(block("e3a8")[0]).kind == ASSUMPTION  # by a register
    assert MODEL.source(block("e788")[0]).kind == MANUAL
    assert MODEL.source(block("57c0")[0]).kind == ASSUMPTION  # Scc into a register
    assert all(sentence.endswith(".") for sentence in MODEL.assumptions())


def test_every_sensitivity_changes_some_price() -> None:
    code = block("2f00" + "e3a8" + "80c1")
    usual = sum(MODEL.price((), code))
    changed = {what: sum(m.price((), code)) for what, m in MODEL.sensitivities().items()}
    assert len(changed) >= 4
    for what, clocks in changed.items():
        assert clocks != usual, what
    assert changed["memory shared with the screen (at most)"] > usual


def test_the_screen_takes_at_most_every_other_turn() -> None:
    """Twice the time of each access would be a screen that is drawn without a pause."""
    shared = Mc68000(Mc68000Options(video=True))
    (instruction,) = block("2010")  # move.l (a0),d0: three accesses in 12 clocks
    clocks = shared.price((), (instruction,))[0]
    assert 12 < clocks < 24


def test_options_do_not_touch_each_other() -> None:
    options = replace(Mc68000Options(), division=0.5)
    code = block("80c1")
    assert Mc68000(options).price((), code)[0] == MODEL.price((), code)[0] - 70
    assert mc68000.Mc68000.megahertz == 7.8336


@pytest.mark.slow
def test_every_instruction_of_every_program_for_it_is_priced() -> None:
    assert len(FOR_68000) > 20
    for program, address, data in instructions(FOR_68000):
        code = MODEL.decode(data, address)
        assert code[0].cell, program
        assert MODEL.price((), code)[0] >= 4, program
