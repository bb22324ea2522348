"""What SLEIGH says wrongly of instructions of the PowerPC, said rightly."""

from __future__ import annotations

from dataclasses import replace

from emu.lift.builder import OperationBuilder
from emu.lift.operations import LiftedInstruction, refused
from emu.lift.powerpc import status
from emu.lift.powerpc.registers import Word

_SIZE = 4
_MTXER, _MFXER, _NO_TARGET = 0x7C0103A6, 0x7C0102A6, 0xFC1FFFFF


def amend(
    processor: str, code: bytes, plain: LiftedInstruction, *, is_gate: bool = False
) -> LiftedInstruction:
    """An instruction as the processor executes it.

    Args:
        processor: the processor's name.
        code: the bytes at its address, 22 if there are so many.
        plain: the instruction as SLEIGH describes it.
        is_gate: whether it belongs to the code that makes a call.
    """
    word, build = Word(int.from_bytes(code[:_SIZE], "big")), OperationBuilder()
    if word.bits & _NO_TARGET == _MTXER:
        status.set_xer(build, word)
    elif word.bits & _NO_TARGET == _MFXER:
        status.get_xer(build, word)
    elif status.is_read(word):
        if not is_gate:
            return refused(plain.address, code[:_SIZE], "it reads flags that are not kept")
        status.read_in_gate(build, word)
    else:
        return plain
    return replace(plain, code=code[:_SIZE], operations=build.operations, refusal="")
