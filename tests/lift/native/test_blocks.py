"""Which blocks have marks, and which marks show that others were executed."""

from __future__ import annotations

from emu.lift.decoder import Decoder
from emu.lift.native.blocks import BlockMarks
from emu.lift.native.flow import CodeFlow, find_flow
from emu.lift.native.module import translate
from emu.machine.cpu import CPUS

AT, UNTIL = 0x1000, 0x900
LOOP = "7003", "4a41", "6a02", "4441", "5340", "66f6", "4e75"
"""MOVEQ #3,D0; the loop: TST.W D1; BPL over NEG.W D1; SUBQ.W #1,D0; BNE to the loop; RTS"""


def decoder_of(*codes: str) -> Decoder:
    data = bytes.fromhex("".join(codes))
    return Decoder(CPUS["68000"], lambda at, size: data[at - AT : at - AT + size])


def marks_of(*codes: str) -> tuple[CodeFlow, BlockMarks]:
    flow = find_flow(decoder_of(*codes), [AT], UNTIL)
    return flow, BlockMarks(flow)


def test_the_mark_of_blocks_that_the_same_calls_execute_is_outside_of_loops() -> None:
    _, marks = marks_of(*LOOP)
    addresses = [address - AT for address, _ in marks.places]
    assert addresses == [0, 2, 6, 8, 12]
    witnesses = dict(zip(addresses, (addresses[one] for one in marks.witnesses), strict=True))
    assert witnesses == {0: 0, 2: 0, 6: 6, 8: 0, 12: 0}
    assert marks.marks == ((0,), (), (5,), (), ())  # 5 if BPL does not jump, and 6 if it does


def test_a_block_that_only_computes_is_shown_by_the_branch_to_it() -> None:
    text = translate(CPUS["68000"], decoder_of(*LOOP), [AT], UNTIL).text
    function = text[: text.index("define internal i32 @guest")]
    negates, subtracts = function.index("\ni1006:"), function.index("\ni1008:")
    assert function.count("store i8 1, ptr %v") == 2
    assert "store i8 1, ptr %v" not in function[negates:subtracts]


def test_the_pair_of_a_branch_shows_its_own_block() -> None:
    _, marks = marks_of("4a41", "6a02", "4441", "4e75")  # TST.W D1; BPL over NEG.W D1; RTS
    assert [address - AT for address, _ in marks.places] == [0, 4, 6]
    assert marks.marks == ((3, 4), (3,), ())
    assert marks.witnesses == (0, 1, 0)


def test_a_block_that_stores_has_a_mark_of_its_own() -> None:
    clears = *LOOP[:3], "4250", *LOOP[4:]  # CLR.W (A0) in place of NEG.W D1
    _, marks = marks_of(*clears)
    assert marks.marks == ((0,), (), (2,), (), ())
    text = translate(CPUS["68000"], decoder_of(*clears), [AT], UNTIL).text
    assert text.count("store i8 1, ptr %v") == 2


def test_code_behind_a_division_may_not_be_executed() -> None:
    divides = "7003", "4a41", "6a02", "80c1", "4e75"  # BPL over DIVU.W D1,D0, which may be by 0
    _, marks = marks_of(*divides)
    addresses = [address - AT for address, _ in marks.places]
    witnesses = dict(zip(addresses, (addresses[one] for one in marks.witnesses), strict=True))
    assert witnesses == {0: 0, 6: 6, 8: 8}
