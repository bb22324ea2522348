"""Shifts and rotations of registers and of words in memory.

A value is shifted with 64 bits, so that the last bit that leaves it is one of them.
"""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import FALSE, C, M68kBuilder, OperandPlace, V, X, general
from emu.lift.pcode.operations import Opcode, Varnode, constant

_COUNTS = 0x3F
"""A count in a register is taken modulo 64."""


def shift(build: M68kBuilder) -> None:
    """Any of them."""
    count: Varnode | int
    if build.form.fields[0].place == "n1":
        target, count = build.operand(2), 1
    else:
        target = OperandPlace(general(build.first, build.size), in_memory=False, size=build.size)
        count = build.second or 8
        if build.form.fields[0].place == "Dx":
            count = build.both(general(build.second), constant(_COUNTS, 4))
    if isinstance(count, int):
        count = constant(count, 4)
    value = build.read(target)
    name = build.form.operation
    build.set_flag(V, FALSE)
    if name in ("asl", "asr", "lsl", "lsr"):
        result = _shifted(build, name, value, count)
    elif name in ("rol", "ror"):
        result = _rotated(build, value, count, is_left=name == "rol")
    else:
        result = _rotated_with_x(build, value, count, is_left=name == "roxl")
    build.set_result(result)
    build.write(target, result)


def _shifted(build: M68kBuilder, name: str, value: Varnode, count: Varnode) -> Varnode:
    bits = 8 * value.size
    if name in ("asl", "lsl"):
        wide = build.shift_left(build.unsigned(value, 8), count)
        result, carry = build.lower(wide, value.size), build.bit(wide, bits)
        if name == "asl":
            build.set_flag(V, _has_changed_sign(build, value, result, count))
    else:
        widen, opcode = (
            (build.signed, Opcode.INT_SRIGHT)
            if name == "asr"
            else (build.unsigned, Opcode.INT_RIGHT)
        )
        one_more = build.shift_left(widen(value, 8), constant(1, 4))
        wide = build.value(opcode, one_more, count)
        carry = build.bit(wide, 0)
        result = build.lower(build.shift_right(wide, constant(1, 4)), value.size)
    build.set_flag(C, carry)
    build.set_flag(X, _unless_none(build, count, carry, X))
    return result


def _unless_none(build: M68kBuilder, count: Varnode, value: Varnode, otherwise: Varnode) -> Varnode:
    """A flag, but another one for a count of 0."""
    return build.choose(build.is_zero(count), otherwise, value)


def _has_changed_sign(
    build: M68kBuilder, value: Varnode, result: Varnode, count: Varnode
) -> Varnode:
    """Whether the highest bit has changed at any time while a value was shifted left."""
    wide = build.shift_left(build.signed(value, 8), count)
    differs = build.differs(wide, build.signed(result, 8))
    all_out = build.less(constant(8 * value.size - 1, 4), count)
    return build.choose(all_out, build.differs(value), differs)


def _rotated(build: M68kBuilder, value: Varnode, count: Varnode, *, is_left: bool) -> Varnode:
    """X stays; a count of 0 clears C."""
    bits = 8 * value.size
    turns = build.both(count, constant(bits - 1, 4))
    back = build.subtract(constant(bits, 4), turns)
    wide = build.unsigned(value, 8)
    if not is_left:
        turns, back = back, turns
    turned = build.either(build.shift_left(wide, turns), build.shift_right(wide, back))
    result = build.lower(turned, value.size)
    out = build.bit(result, 0) if is_left else build.is_negative(result)
    build.set_flag(C, _unless_none(build, count, out, FALSE))
    return result


def _rotated_with_x(
    build: M68kBuilder, value: Varnode, count: Varnode, *, is_left: bool
) -> Varnode:
    """X is one more bit, above the others; C is what X becomes, even for a count of 0."""
    bits = 8 * value.size
    turns = build.value(Opcode.INT_REM, count, constant(bits + 1, 4))
    back = build.subtract(constant(bits + 1, 4), turns)
    wide = build.either(
        build.shift_left(build.unsigned(X, 8), constant(bits, 4)), build.unsigned(value, 8)
    )
    if not is_left:
        turns, back = back, turns
    turned = build.either(build.shift_left(wide, turns), build.shift_right(wide, back))
    build.set_flag(X, build.bit(turned, bits))
    build.set_flag(C, X)
    return build.lower(turned, value.size)
