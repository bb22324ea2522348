"""Which flags are read from an instruction on."""

from __future__ import annotations

from emu.lift.decoder import Decoder
from emu.lift.native.flow import find_flow
from emu.lift.resumable.kept_registers import kept_registers
from emu.lift.resumable.live_flags import live_flags
from emu.machine.cpu import CPUS

# moveq #1,d0; addx.l d0,d1; bne back to addx; move.l d1,d0; rts
CODE = bytes.fromhex("7001 d380 66fc 2001 4e75")
X, Z = 0b00001, 0b00100


def live(elsewhere: int) -> dict[int, int]:
    decoder = Decoder(CPUS["68000"], lambda at, size: CODE[at : at + size], is_compared=bool)
    flow = find_flow(decoder, [0], -1)
    return live_flags(flow.instructions, flow.entries, kept_registers("m68k").flags, elsewhere)


def test_a_flag_is_live_up_to_who_reads_it() -> None:
    found = live(0)
    assert found[0] & X and found[2] & X  # ADDX reads it, and MOVEQ leaves it alone
    assert found[4] & (X | Z) == X | Z  # the branch reads Z, the next round X
    assert found[6] == found[8] == X  # the return may lead to the first instruction


def test_who_is_not_known_may_read_all() -> None:
    found = live(0b11111)
    assert found[8] == 0b11111
    assert found[6] == X  # MOVE sets all others
