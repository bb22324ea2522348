"""Arithmetic of decimal digits, and digits that are packed two to a byte.

What a 68000 makes of digits above 9, which the manual leaves open, and of N and V, is found in
vectors of SingleStepTests; `emu.machine.cpu.m68k_decimal` has it for Unicorn.
"""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import C, M68kBuilder, N, OperandPlace, V, X, Z, general
from emu.lift.pcode.operations import Opcode, Varnode, constant
from emu.program.instructions.m68k.operands import PREDECREMENT, Operand

_IN_MEMORY = 8
"""The bit that tells -(Ay),-(Ax) from Dy,Dx."""


def add_decimal(build: M68kBuilder) -> None:
    """ABCD."""
    source, target = _operands(build)
    value = build.unsigned(build.read(target), 2)
    low = build.add(
        build.add(_masked(build, value, 15), _masked(build, source, 15)), build.unsigned(X, 2)
    )
    high = build.add(_masked(build, value, 0xF0), _masked(build, source, 0xF0))
    plain = build.add(high, low)
    above = build.less(constant(9, 2), low)
    result = build.add(plain, _times(build, above, 6))
    carry = build.less(constant(0x90, 2), _masked(build, result, 0x3F0))
    result = build.add(result, _times(build, carry, 0x60))
    overflow = build.both(build.value(Opcode.INT_NEGATE, plain), result)
    _finished(build, target, result, carry, overflow)


def subtract_decimal(build: M68kBuilder) -> None:
    """SBCD."""
    source, target = _operands(build)
    _less_decimal(build, target, build.unsigned(build.read(target), 2), source)


def negate_decimal(build: M68kBuilder) -> None:
    """NBCD."""
    target = build.operand(1)
    source = build.unsigned(build.read(target), 2)
    _less_decimal(build, target, constant(0, 2), source)


def _less_decimal(
    build: M68kBuilder, target: OperandPlace, value: Varnode, source: Varnode
) -> None:
    more = build.unsigned(X, 2)
    plain = build.subtract(build.subtract(value, source), more)
    low = build.subtract(
        build.subtract(_masked(build, value, 15), _masked(build, source, 15)), more
    )
    less = build.subtract(plain, _times(build, build.is_negative(low), 6))
    result = build.subtract(less, _times(build, build.is_negative(plain), 0x60))
    overflow = build.both(plain, build.value(Opcode.INT_NEGATE, result))
    _finished(build, target, result, build.is_negative(less), overflow)


def _operands(build: M68kBuilder) -> tuple[Varnode, OperandPlace]:
    """The source, which is read first, with two bytes, and the target."""
    if not build.word & _IN_MEMORY:
        source = build.value(Opcode.COPY, general(build.first, 1))
        target = OperandPlace(general(build.second, 1), in_memory=False, size=1)
    else:
        source = build.read(_before(build, build.first))
        target = _before(build, build.second)
    return build.unsigned(source, 2), target


def _before(build: M68kBuilder, register: int) -> OperandPlace:
    return build.place(Operand(PREDECREMENT, 8 + register), 0, 1)


def _masked(build: M68kBuilder, value: Varnode, mask: int) -> Varnode:
    return build.both(value, constant(mask, value.size))


def _times(build: M68kBuilder, condition: Varnode, number: int) -> Varnode:
    """A number if a condition is 1, else 0."""
    return build.value(Opcode.INT_MULT, build.unsigned(condition, 2), constant(number, 2))


def _finished(
    build: M68kBuilder, target: OperandPlace, result: Varnode, carry: Varnode, overflow: Varnode
) -> None:
    """Store a result and set the flags; Z stays as it is if the result is 0."""
    byte = build.lower(result, 1)
    build.write(target, byte)
    build.set_flag(C, carry)
    build.set_flag(X, carry)
    build.set_flag(N, build.is_negative(byte))
    build.set_flag(V, build.bit(overflow, 7))
    build.set_flag(Z, build.both(Z, build.is_zero(byte)))


# -- packed digits -------------------------------------------------------------------------------


def pack(build: M68kBuilder) -> None:
    """PACK: a digit of each of two bytes becomes one byte; no flag changes."""
    adjustment = constant(build.words.next(), 2)
    value = build.add(_read_before(build, build.first, 2), adjustment)
    upper = _masked(build, build.shift_right(value, constant(4, 4)), 0xF0)
    result = build.lower(build.either(upper, _masked(build, value, 0x0F)), 1)
    _write_before(build, build.second, result)


def unpack(build: M68kBuilder) -> None:
    """UNPK: a byte becomes two, with a digit each; no flag changes."""
    adjustment = constant(build.words.next(), 2)
    value = build.unsigned(_read_before(build, build.first, 1), 2)
    upper = _masked(build, build.shift_left(value, constant(4, 4)), 0x0F00)
    result = build.add(build.either(upper, _masked(build, value, 0x0F)), adjustment)
    _write_before(build, build.second, result)


def _read_before(build: M68kBuilder, register: int, size: int) -> Varnode:
    """The lower bytes of a data register, or bytes before an address, each reached by itself."""
    if not build.word & _IN_MEMORY:
        return build.value(Opcode.COPY, general(register, size))
    low = build.read(_before(build, register))
    if size == 1:
        return low
    return build.value(Opcode.PIECE, build.read(_before(build, register)), low, size=2)


def _write_before(build: M68kBuilder, register: int, value: Varnode) -> None:
    if not build.word & _IN_MEMORY:
        build.put(general(register, value.size), Opcode.COPY, value)
        return
    for above in range(value.size):
        build.write(_before(build, register), build.piece(value, above, 1))
