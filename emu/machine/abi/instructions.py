"""What the conventions of MIPS and PowerPC share: one form of instructions."""

from __future__ import annotations

from collections.abc import Iterable


def with_immediate(opcode: int, first: int, second: int, immediate: int) -> int:
    """An instruction of an opcode, two registers and 16 bits; both architectures have this form."""
    return opcode << 26 | first << 21 | second << 16 | immediate & 0xFFFF


def machine_code(instructions: Iterable[int]) -> bytes:
    """Instructions as they lie in memory, each a big-endian word."""
    return b"".join(instruction.to_bytes(4, "big") for instruction in instructions)
