"""The code that makes a call is lifted; what it may read, a program may not."""

from __future__ import annotations

import pytest

from emu.lift.decoder import Decoder, registers
from emu.lift.pcode.operations import LiftedInstruction, Opcode
from emu.lift.powerpc import registers as places
from emu.machine.abi.base import CallPlaces
from emu.machine.abi.ppc_sysv import PpcSysV
from emu.machine.cpu import PPC601

_GATE = 0x1000
_MFFS, _MFMSR = 0xFC00048E, 0x7C0000A6
_PLACES = CallPlaces(
    routine=0x2000,
    code=_GATE,
    sentinel=0x1F00,
    stack_pointer=0x8000,
    entry_registers=0x8100,
    exit_registers=0x8300,
    done=0x8500,
    done_value=1,
)


def _lifted(code: bytes, gate: range) -> list[LiftedInstruction]:
    decoder = Decoder(PPC601, lambda at, size: code[at - _GATE :][:size], gate)
    return [decoder.instruction(_GATE + at) for at in range(0, len(code), 4)]


def _leaves(instruction: LiftedInstruction) -> bool:
    return any(each.opcode is Opcode.LEAVE for each in instruction.operations)


def test_the_gate_is_lifted() -> None:
    code = PpcSysV().gate(PPC601, _PLACES)
    lifted = _lifted(code, range(_GATE, _GATE + len(code)))
    assert [each.refusal for each in lifted] == [""] * len(lifted)
    assert not any(map(_leaves, lifted))


@pytest.mark.parametrize("word", [_MFFS, _MFMSR])
def test_a_program_that_reads_modes_leaves(word: int) -> None:
    (instruction,) = _lifted(word.to_bytes(4, "big"), range(0))
    assert _leaves(instruction)


def test_registers_are_where_sleigh_has_them() -> None:
    sleigh = registers("powerpc")
    for number in range(32):
        assert places.general(number) == sleigh[f"r{number}"]
        assert places.floating(number) == sleigh[f"f{number}"]
    for number in range(8):
        assert places.condition(number) == sleigh[f"cr{number}"]
    assert sleigh["xer_ca"] == places.CARRY
    assert sleigh["xer_ov"] == places.OVERFLOW
    assert sleigh["xer_so"] == places.SUMMARY_OVERFLOW
    assert sleigh["XER"] == places.XER
