"""Stores of the PowerPC that SLEIGH has not, or not rightly."""

from __future__ import annotations

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Varnode, constant
from emu.lift.powerpc.registers import Word, general

_SECTOR = 32
"""Bytes that DCBZ sets to 0. Source: PowerPC 601 RISC Microprocessor User's Manual, dcbz."""


def store_string(build: OperationBuilder, word: Word) -> None:
    """STSWI: bytes of registers that follow each other; r0 comes behind r31."""
    address = general(word.a) if word.a else constant(0, 4)
    size = word.b or 32
    for start in range(0, size, 4):
        value = general((word.d + start // 4) % 32)
        part = min(4, size - start)
        if part < 4:
            value = build.value(Opcode.SUBPIECE, value, constant(4 - part, 4), size=part)
        build.store(_sum(build, address, constant(start, 4)), value)


def clear_sector(build: OperationBuilder, word: Word) -> None:
    """DCBZ."""
    address = general(word.b)
    if word.a:
        address = _sum(build, general(word.a), address)
    first = build.value(Opcode.INT_AND, address, constant(-_SECTOR, 4))
    for at in range(0, _SECTOR, 8):
        build.store(_sum(build, first, constant(at, 4)), constant(0, 8))


def _sum(build: OperationBuilder, one: Varnode, other: Varnode) -> Varnode:
    return build.value(Opcode.INT_ADD, one, other)
