"""Which registers are live behind computed jumps, and what translated code does with the others."""

from __future__ import annotations

from emu.lift.decoder import Decoder, registers
from emu.lift.native.assembler import StorageCells
from emu.lift.native.flow import find_flow
from emu.lift.native.liveness import RegisterLiveness
from emu.lift.native.module import translate
from emu.machine.cpu import CPUS

AT, UNTIL = 0x1000, 0x900
COMPARE, IF_ZERO, RTS = "b240", "6702", "4e75"  # cmp.w d0,d1; beq over two bytes
CALL, NOTHING = "61000006", "4e71"  # bsr to what lies behind a branch and an rts
WORD = "3400"  # move.w d0,d2


def decoder_of(*codes: str) -> Decoder:
    data = bytes.fromhex("".join(codes))
    return Decoder(CPUS["68000"], lambda at, size: data[at - AT : at - AT + size])


def live(*codes: str) -> set[str]:
    """The registers that are live at an entry of a program, by their names."""
    known = registers("m68k")
    names = ("D0", "D1", "D2", "SP", "NF", "ZF", "VF", "CF", "XF")
    flow = find_flow(decoder_of(*codes), [AT], UNTIL)
    found = [
        varnode
        for instruction in flow.instructions.values()
        for operation in instruction.operations
        for varnode in (*operation.inputs, operation.output)
        if varnode is not None and varnode.space is known["SP"].space
    ]
    cells = StorageCells([*found, *(known[name] for name in names)])
    of_cell = {cells.cell(known[name]): name for name in names}
    return {of_cell[one] for one in RegisterLiveness(flow, flow.entries, cells).live()}


def test_flags_that_a_function_sets_before_it_reads_them_are_dead_where_it_is_entered() -> None:
    assert live(COMPARE, IF_ZERO, NOTHING, RTS) == {"D0", "D1", "SP"}


def test_a_flag_that_is_read_behind_a_call_is_live_there() -> None:
    # bsr; beq; nop; rts; then the function: cmp; rts
    assert "ZF" in live(CALL, IF_ZERO, NOTHING, RTS, COMPARE, RTS)
    assert "ZF" not in live(CALL, COMPARE, IF_ZERO, RTS, RTS)


def test_who_writes_a_part_of_a_register_needs_the_rest() -> None:
    assert "D2" in live(WORD, RTS)
    assert "D2" not in live("2400", RTS), "move.l writes all of it"


def test_what_is_live_in_a_function_that_is_only_called_counts_as_well() -> None:
    # bsr; rts; nop; rts; then the function: beq over its rts
    assert "ZF" in live("61000004", RTS, NOTHING, IF_ZERO, RTS, RTS)


def test_dead_flags_are_no_values_in_translated_code() -> None:
    text = translate(CPUS["68000"], decoder_of(COMPARE, RTS), [AT], UNTIL).text
    zero, pointer = (registers("m68k")[name].offset for name in ("ZF", "SP"))
    jump = text.partition("\njump:")[2].partition("switch")[0]
    assert f"store i8 0, ptr %r{zero:x}.1" in jump
    assert f"ptr %r{pointer:x}.4" not in jump, "checks ask for it"
