"""What SLEIGH says wrongly of instructions of the 68K, said rightly."""

from __future__ import annotations

from emu.lift.operations import LiftedInstruction


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
    return plain
