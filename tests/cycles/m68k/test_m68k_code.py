"""68K instructions as the cycle models see them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import MacproofError
from emu.cycles.m68k import m68k_code
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.cycles.m68k.m68k_parts import Parts
from emu.program.instructions.m68k.operands import Operand, Words
from tests.cycles.m68k_programs import PROGRAMS, instructions

D0, D1, D2, A0, A1, A6, SP = 0, 1, 2, 8, 9, 14, 15


def one(code: str) -> M68kInstruction:
    (instruction,) = m68k_code.decode(bytes.fromhex(code), 0x1000)
    return instruction


@pytest.mark.parametrize(
    ("code", "text", "mode", "registers"),
    [
        ("2001", "move.l d1, d0", "dn", set()),
        ("2009", "move.l a1, d0", "an", set()),
        ("2011", "move.l (a1), d0", "ind", {A1}),
        ("2019", "move.l (a1)+, d0", "postinc", {A1}),
        ("2021", "move.l -(a1), d0", "predec", {A1}),
        ("20290004", "move.l $4(a1), d0", "d16", {A1}),
        ("20311804", "move.l $4(a1, d1.l), d0", "d8x", {A1, D1}),
        ("20319004", "move.l $4(a1, a1.w), d0", "d8x", {A1}),
        ("2038fffe", "move.l $fffe.w, d0", "absw", set()),
        ("203900100000", "move.l $100000.l, d0", "absl", set()),
        ("203a0004", "move.l $1006(pc), d0", "d16", set()),
        ("203b1004", "move.l $1006(pc, d1.w), d0", "d8x", {D1}),
        ("203c00012345", "move.l #$12345, d0", "imm", set()),
        ("20311910", "", "brx", {A1, D1}),
        ("203119200004", "", "bdx", {A1, D1}),
        ("20301db000100960", "", "bdx", {D1}),  # a global array, its base suppressed
        ("20311911", "", "pre", {A1, D1}),
        ("203119220004" + "0008", "", "pre_od", {A1, D1}),
        ("20311915", "", "post", {A1, D1}),
        ("203119270004" + "00000008", "", "post_od", {A1, D1}),
        ("20311951", "", "pre", {A1}),  # no index
    ],
)
def test_addressing_modes(code: str, text: str, mode: str, registers: set[int]) -> None:
    instruction = one(code)
    if text:
        assert instruction.text == text
    assert instruction.source is not None
    assert instruction.source.mode == mode
    assert instruction.address_uses == registers
    assert instruction.destination == Operand("dn", register=D0)
    assert instruction.size == len(code) // 2


@pytest.mark.parametrize(
    ("code", "text", "uses", "early", "late", "reads", "writes"),
    [
        ("2001", "move.l d1, d0", set(), set(), {D0}, 0, 0),
        ("2041", "movea.l d1, a0", set(), set(), {A0}, 0, 0),
        ("20d9", "move.l (a1)+, (a0)+", {A0, A1}, {A0, A1}, set(), 1, 1),
        ("2f00", "move.l d0, -(a7)", {SP}, {SP}, set(), 0, 1),
        ("43e80004", "lea.l $4(a0), a1", {A0}, {A1}, set(), 0, 0),
        ("48680004", "pea.l $4(a0)", {A0, SP}, {SP}, set(), 0, 1),
        ("4e90", "jsr (a0)", {A0, SP}, {SP}, set(), 0, 1),
        ("4ed0", "jmp (a0)", {A0}, set(), set(), 0, 0),
        ("61fe", "bsr.b $1000", {SP}, {SP}, set(), 0, 1),
        ("4e75", "rts", {SP}, {SP}, set(), 1, 0),
        ("4e56fffc", "link.w a6, #$fffc", {SP}, {A6, SP}, set(), 0, 1),
        ("4e5e", "unlk a6", {A6}, {SP}, {A6}, 1, 0),
        ("d190", "add.l d0, (a0)", {A0}, set(), set(), 1, 1),
        ("d090", "add.l (a0), d0", {A0}, set(), {D0}, 1, 0),
        ("d1c0", "adda.l d0, a0", set(), set(), {A0}, 0, 0),
        ("588f", "addq.l #$4, a7", set(), set(), {SP}, 0, 0),
        ("b1c9", "cmpa.l a1, a0", set(), set(), set(), 0, 0),
        ("b090", "cmp.l (a0), d0", {A0}, set(), set(), 1, 0),
        ("b190", "eor.l d0, (a0)", {A0}, set(), set(), 1, 1),
        ("4290", "clr.l (a0)", {A0}, set(), set(), 0, 1),
        ("4a90", "tst.l (a0)", {A0}, set(), set(), 1, 0),
        ("50d0", "st.b (a0)", {A0}, set(), set(), 0, 1),
        ("08100003", "btst.b #$3, (a0)", {A0}, set(), set(), 1, 0),
        ("08d00003", "bset.b #$3, (a0)", {A0}, set(), set(), 1, 1),
        ("c149", "exg.l a0, a1", set(), set(), {A0, A1}, 0, 0),
        ("51c8fffe", "dbra d0, $1000", set(), set(), {D0}, 0, 0),
        ("4c3c0800aaaaaaab", "muls.l #$aaaaaaab, d0", set(), set(), {D0}, 0, 0),
        ("4c410402", "", set(), set(), {D0, D2}, 0, 0),  # divu.l d1,d2:d0
        ("48e7c080", "movem.l d0-d1/a0, -(a7)", {SP}, {SP}, set(), 0, 3),
        ("4cdf0103", "movem.l (a7)+, d0-d1/a0", {SP}, {SP}, {D0, D1, A0}, 3, 0),
        ("20311911", "", {A1, D1}, set(), {D0}, 2, 0),  # the address is read, then the operand
    ],
)
def test_registers_and_memory(
    code: str, text: str, uses: set[int], early: set[int], late: set[int], reads: int, writes: int
) -> None:
    instruction = one(code)
    if text:
        assert instruction.text == text
    assert instruction.address_uses == uses
    assert instruction.early == early
    assert instruction.late == late
    assert (instruction.reads, instruction.writes) == (reads, writes)


@pytest.mark.parametrize(
    ("code", "operation", "flow", "length"),
    [
        ("60fe", "bra", "branch", 1),
        ("6000fffe", "bra", "branch", 2),
        ("60fffffffffe", "bra", "branch", 4),
        ("66fe", "bcc", "conditional", 1),
        ("6600fffe", "bcc", "conditional", 2),
        ("51c8fffe", "dbcc", "loop", 2),
        ("56c8fffe", "dbcc", "loop", 2),
        ("4eb900001000", "jsr", "call", 0),
        ("61fe", "bsr", "call", 1),
        ("4ed0", "jmp", "jump", 0),
        ("4e75", "rts", "return", 0),
        ("a9ff", "a-line", "trap", 0),
        ("4e40", "trap", "trap", 0),
        ("4afc", "illegal", "trap", 0),
        ("4e71", "nop", "", 0),
    ],
)
def test_control_flow(code: str, operation: str, flow: str, length: int) -> None:
    instruction = one(code)
    assert (instruction.operation, instruction.flow, instruction.length) == (
        operation,
        flow,
        length,
    )


@pytest.mark.parametrize(
    ("code", "count"),
    [("e788", 3), ("e088", 8), ("e2a8", None), ("e1d0", 1), ("08000003", 3), ("0300", None)],
)
def test_counts_of_shifts_and_numbers_of_bits(code: str, count: int | None) -> None:
    assert one(code).count == count


def test_a_trap_word_is_named_for_readers() -> None:
    assert one("a9ff").mnemonic == "a-line"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("2001 f200", "no timing for .* at \\$1002 .*coprocessor"),
        ("2001 2039 0010", "\\$1002"),
        ("2001 48", "\\$1002"),
        ("0108 0004", "MOVEP is not timed"),
        ("8140 0000", "PACK and UNPK are not timed"),
        ("50fc", "TRAPcc is not timed"),
        ("4e7b 0002", "none of the instructions"),
        ("4848", "none of the instructions"),  # BKPT, which is no PEA
        ("2030 0900", "addressing mode does not exist"),  # reserved by the manual
        ("ffff", "\\$1000"),
        ("4ac8", "\\$1000"),
    ],
)
def test_what_is_not_timed_is_an_error_that_names_the_place(code: str, says: str) -> None:
    with pytest.raises(MacproofError, match=says):
        m68k_code.decode(bytes.fromhex(code), 0x1000)


def test_the_operands_must_take_as_many_bytes_as_the_instruction_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def half(words: Words) -> Parts:
        words.next()
        return Parts("move")

    m68k_code.decode.cache_clear()
    monkeypatch.setattr(m68k_code, "decode_words", half)
    with pytest.raises(MacproofError, match="they take 2 bytes, the instruction 4"):
        one("20290004")
    m68k_code.decode.cache_clear()


@given(st.binary(max_size=24))
def test_whatever_the_bytes_are_there_is_an_answer_or_an_error(code: bytes) -> None:
    try:
        decoded = m68k_code.decode(code, 0x2000)
    except MacproofError:
        return
    assert sum(instruction.size for instruction in decoded) == len(code)
    for instruction in decoded:
        assert instruction.reads >= 0
        assert not instruction.early & instruction.late or instruction.operation in (
            "movem",
            "unlk",
            "movea",
            "exg",
            "adda",
            "suba",
        )


@pytest.mark.slow
def test_every_instruction_of_every_committed_program_decodes() -> None:
    assert len(PROGRAMS) > 30
    decoded = 0
    for program, address, data in instructions(PROGRAMS):
        if data[0] >> 4 == 15:  # the floating-point unit is not modelled, and that is said
            with pytest.raises(MacproofError, match="no timing for"):
                m68k_code.decode(data, address)
            continue
        (instruction,) = m68k_code.decode(data, address)
        assert instruction.address == address, program
        decoded += 1
    assert decoded > 5000
