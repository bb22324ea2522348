"""The moves of XER, FPSCR and MSR.

Lifted code keeps no flags of FPSCR, and what changes its modes leaves. So in lifted code numbers
are rounded to nearest, no exception is enabled, and MSR is what a call begins with.
"""

from __future__ import annotations

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Varnode, constant
from emu.lift.powerpc.registers import (
    CARRY,
    OVERFLOW,
    SUMMARY_OVERFLOW,
    XER,
    Word,
    floating,
    general,
)

_FLAGS = ((SUMMARY_OVERFLOW, 31), (OVERFLOW, 30), (CARRY, 29))
_REST = 0x1FF3FFFF  # engines have no flags in bits 18 and 19, which are reserved
_MFFS, _MFMSR, _TARGET = 0xFC00048E, 0x7C0000A6, 31 << 21
_FIRST_MODE = 24  # the bits of FPSCR behind it are modes
_MACHINE_STATE = 0x2000  # floating point is enabled


def set_xer(build: OperationBuilder, word: Word) -> None:
    """MTXER."""
    value = general(word.d)
    build.put(XER, Opcode.COPY, value)
    for flag, bit in _FLAGS:
        shifted = build.value(Opcode.INT_RIGHT, value, constant(bit, 4))
        lowest = build.value(Opcode.SUBPIECE, shifted, constant(0, 4), size=1)
        build.put(flag, Opcode.INT_AND, lowest, constant(1, 1))


def get_xer(build: OperationBuilder, word: Word) -> None:
    """MFXER."""
    value: Varnode = build.value(Opcode.INT_AND, XER, constant(_REST, 4))
    for flag, bit in _FLAGS:
        wide = build.value(Opcode.INT_ZEXT, flag, size=4)
        shifted = build.value(Opcode.INT_LEFT, wide, constant(bit, 4))
        value = build.value(Opcode.INT_OR, value, shifted)
    build.put(general(word.d), Opcode.COPY, value)


def set_fields(build: OperationBuilder, word: Word) -> None:
    """MTFSF: leave where a mode is not what it was, 0."""
    fields = word.bits >> 17 & 3  # the two lowest fields, which have the modes
    modes = 0xF0 * (fields >> 1) | 0x0F * (fields & 1)
    if modes:
        lower = build.value(Opcode.SUBPIECE, floating(word.b), constant(0, 4), size=1)
        build.leave(build.value(Opcode.INT_AND, lower, constant(modes, 1)))


def set_field(build: OperationBuilder, word: Word) -> None:
    """MTFSFI."""
    if word.d >> 2 >= _FIRST_MODE // 4 and word.bits & 0xF000:
        build.leave(constant(1, 1))


def set_bit(build: OperationBuilder, word: Word) -> None:
    """MTFSB1."""
    if word.d >= _FIRST_MODE:
        build.leave(constant(1, 1))


def is_read(word: Word) -> bool:
    """Whether it is MFFS or MFMSR."""
    return word.bits & ~_TARGET in (_MFFS, _MFMSR)


def read_in_gate(build: OperationBuilder, word: Word) -> None:
    """MFFS and MFMSR where a call ends: what follows looks at modes only."""
    if word.bits & ~_TARGET == _MFFS:
        build.put(floating(word.d), Opcode.COPY, constant(0, 8))
    else:
        build.put(general(word.d), Opcode.COPY, constant(_MACHINE_STATE, 4))
