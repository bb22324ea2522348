"""What SLEIGH says wrongly of instructions of the PowerPC, said rightly."""

from __future__ import annotations

from emu.lift.operations import LiftedInstruction


def amend(processor: str, code: bytes, plain: LiftedInstruction) -> LiftedInstruction:
    """An instruction as the processor executes it.

    Args:
        processor: the processor's name.
        code: the bytes at its address, 22 if there are so many.
        plain: the instruction as SLEIGH describes it.
    """
    return plain
