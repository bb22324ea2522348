"""Comparisons, arithmetic with X, multiplication, division, and checks of bounds."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import (
    FALSE,
    TRUE,
    C,
    M68kBuilder,
    N,
    OperandPlace,
    V,
    X,
    Z,
    general,
)
from emu.lift.m68k.refusals import NotLiftedError
from emu.lift.pcode.operations import Opcode, Varnode, constant
from emu.program.instructions.m68k.operands import POSTINCREMENT, PREDECREMENT, Operand

_SIGNED, _WIDE = 0x0800, 0x0400
"""Bits of the second word of a long multiplication or division: with signs, with 64 bits."""

_CHECKS = 0x0800
"""The bit of the second word that tells CHK2 from CMP2."""


def compare(build: M68kBuilder) -> None:
    """CMP: X stays."""
    source = build.read(build.operand(build.size))
    _compared(build, general(build.second, build.size), source)


def compare_address(build: M68kBuilder) -> None:
    """CMPA: all 32 bits of the address register with the operand, extended with its sign."""
    source = build.read(build.operand(build.size))
    _compared(build, general(8 + build.second), build.signed(source, 4))


def compare_immediate(build: M68kBuilder) -> None:
    """CMPI."""
    value = build.words.long() if build.size == 4 else build.words.next()
    target = build.read(build.operand(build.size))
    _compared(build, target, constant(value, build.size))


def compare_memory(build: M68kBuilder) -> None:
    """CMPM (Ay)+,(Ax)+."""
    source = build.read(_stepped(build, POSTINCREMENT, build.first))
    target = build.read(_stepped(build, POSTINCREMENT, build.second))
    _compared(build, target, source)


def _compared(build: M68kBuilder, target: Varnode, source: Varnode) -> None:
    result = build.subtract(target, source)
    build.set_flag(C, build.less(target, source))
    build.set_flag(V, build.value(Opcode.INT_SBORROW, target, source, size=1))
    build.set_result(result)


def _stepped(build: M68kBuilder, mode: str, register: int) -> OperandPlace:
    """An operand in memory through an address register that moves."""
    return build.place(Operand(mode, 8 + register), 0, build.size)


# -- arithmetic with X ---------------------------------------------------------------------------


def add_extended(build: M68kBuilder) -> None:
    """ADDX: Z is cleared by a result other than 0, and else it stays."""
    target, source = _extended_operands(build)
    value, more = build.read(target), build.unsigned(X, build.size)
    result = build.add(build.add(value, source), more)
    # The carry out of the highest bit, and out of the one below: from operands and result.
    carries = build.either(
        build.both(value, source),
        build.both(build.either(value, source), build.value(Opcode.INT_NEGATE, result)),
    )
    crossed = build.both(_crossed(build, result, value), _crossed(build, result, source))
    _extended(build, target, result, build.is_negative(carries), build.is_negative(crossed))


def subtract_extended(build: M68kBuilder) -> None:
    """SUBX; Z as of ADDX."""
    target, source = _extended_operands(build)
    _less_extended(build, target, build.read(target), source)


def negate_extended(build: M68kBuilder) -> None:
    """NEGX; Z as of ADDX."""
    target = build.operand(build.size)
    _less_extended(build, target, constant(0, build.size), build.read(target))


def _extended_operands(build: M68kBuilder) -> tuple[OperandPlace, Varnode]:
    """The target and the source, which is read first."""
    if not build.word & 8:
        source = build.value(Opcode.COPY, general(build.first, build.size))
        return OperandPlace(
            general(build.second, build.size), in_memory=False, size=build.size
        ), source
    source = build.read(_stepped(build, PREDECREMENT, build.first))
    return _stepped(build, PREDECREMENT, build.second), source


def _less_extended(
    build: M68kBuilder, target: OperandPlace, value: Varnode, source: Varnode
) -> None:
    more = build.unsigned(X, build.size)
    result = build.subtract(build.subtract(value, source), more)
    inverse = build.value(Opcode.INT_NEGATE, value)
    borrows = build.either(
        build.both(inverse, source), build.both(build.either(inverse, source), result)
    )
    crossed = build.both(_crossed(build, value, source), _crossed(build, result, value))
    _extended(build, target, result, build.is_negative(borrows), build.is_negative(crossed))


def _crossed(build: M68kBuilder, value: Varnode, other: Varnode) -> Varnode:
    return build.value(Opcode.INT_XOR, value, other)


def _extended(
    build: M68kBuilder, target: OperandPlace, result: Varnode, carry: Varnode, overflow: Varnode
) -> None:
    build.write(target, result)
    build.set_flag(C, carry)
    build.set_flag(X, carry)
    build.set_flag(V, overflow)
    build.set_flag(N, build.is_negative(result))
    build.set_flag(Z, build.both(Z, build.is_zero(result)))


# -- multiplication and division -----------------------------------------------------------------


def multiply_long(build: M68kBuilder) -> None:
    """MULU.L and MULS.L, with a product of 32 or 64 bits."""
    second = build.words.next()
    source = build.read(build.operand(4))
    low, high = second >> 12 & 7, second & 7
    widen = build.signed if second & _SIGNED else build.unsigned
    product = build.value(Opcode.INT_MULT, widen(source, 8), widen(general(low), 8))
    result = build.lower(product, 4)
    if second & _WIDE:
        if low == high:
            build.leave(TRUE)  # the manual leaves open which half remains
        build.set_moved(product)
        build.put(general(high), Opcode.COPY, build.piece(product, 4, 4))
    else:
        build.set_moved(result)
        build.set_flag(V, build.differs(product, widen(result, 8)))
    build.put(general(low), Opcode.COPY, result)


def divide_word(build: M68kBuilder) -> None:
    """DIVU.W and DIVS.W: 32 bits by 16; the remainder comes in the upper half."""
    source = build.read(build.operand(2))
    target = general(build.second)
    is_signed = build.form.operation == "divs"
    widen = build.signed if is_signed else build.unsigned
    quotient, remainder = _divided(build, widen(target, 8), widen(source, 8), is_signed=is_signed)
    short = build.lower(quotient, 2)
    overflow = build.differs(quotient, widen(short, 8))
    result = build.value(Opcode.PIECE, build.lower(remainder, 2), short, size=4)
    _quotient_flags(build, short, overflow)
    build.put(target, Opcode.COPY, build.choose(overflow, target, result))


def divide_long(build: M68kBuilder) -> None:
    """DIVU.L, DIVS.L, DIVUL.L, DIVSL.L: 32 or 64 bits by 32; the remainder is another register."""
    second = build.words.next()
    source = build.read(build.operand(4))
    low, high = general(second >> 12 & 7), general(second & 7)
    is_signed = bool(second & _SIGNED)
    widen = build.signed if is_signed else build.unsigned
    dividend = widen(low, 8)
    if second & _WIDE:
        dividend = build.value(Opcode.PIECE, high, low, size=8)
    quotient, remainder = _divided(build, dividend, widen(source, 8), is_signed=is_signed)
    result, rest = build.lower(quotient, 4), build.lower(remainder, 4)
    overflow = build.differs(quotient, widen(result, 8))
    if is_signed:  # of -2**63 the quotient by -1 has no sign that shows it
        overflow = build.either(overflow, _has_wrapped(build, dividend, source, result))
    _quotient_flags(build, result, overflow)
    kept_low, kept_high = build.value(Opcode.COPY, low), build.value(Opcode.COPY, high)
    if high != low:
        build.put(high, Opcode.COPY, build.choose(overflow, kept_high, rest))
    build.put(low, Opcode.COPY, build.choose(overflow, kept_low, result))


def _divided(
    build: M68kBuilder, dividend: Varnode, divisor: Varnode, *, is_signed: bool
) -> tuple[Varnode, Varnode]:
    """Quotient and remainder of 8 bytes, by way of numbers without signs.

    So -2**63 is divided by -1 as any other number is; a host's processor takes an exception there.
    """
    build.leave(build.is_zero(divisor))
    if not is_signed:
        return (
            build.value(Opcode.INT_DIV, dividend, divisor),
            build.value(Opcode.INT_REM, dividend, divisor),
        )
    size, other = _size_of(build, dividend), _size_of(build, divisor)
    quotient = build.value(Opcode.INT_DIV, size, other)
    remainder = build.value(Opcode.INT_REM, size, other)
    differ = build.value(Opcode.BOOL_XOR, build.is_negative(dividend), build.is_negative(divisor))
    return (
        _negated(build, differ, quotient),
        _negated(build, build.is_negative(dividend), remainder),
    )


def _size_of(build: M68kBuilder, value: Varnode) -> Varnode:
    return _negated(build, build.is_negative(value), value)


def _negated(build: M68kBuilder, condition: Varnode, value: Varnode) -> Varnode:
    return build.choose(condition, build.value(Opcode.INT_2COMP, value), value)


def _has_wrapped(
    build: M68kBuilder, dividend: Varnode, divisor: Varnode, quotient: Varnode
) -> Varnode:
    """Whether a quotient has another sign than its operands give it, and is not 0."""
    signs = build.value(Opcode.BOOL_XOR, build.is_negative(dividend), build.is_negative(divisor))
    wrong = build.value(Opcode.BOOL_XOR, signs, build.is_negative(quotient))
    return build.both(wrong, build.differs(quotient))


def _quotient_flags(build: M68kBuilder, quotient: Varnode, overflow: Varnode) -> None:
    """An overflow leaves N and clears Z, as a 68040 does; the manual leaves both open."""
    build.set_flag(N, build.choose(overflow, N, build.is_negative(quotient)))
    build.set_flag(Z, build.choose(overflow, FALSE, build.is_zero(quotient)))
    build.set_flag(V, overflow)
    build.set_flag(C, FALSE)


# -- checks of bounds ----------------------------------------------------------------------------


def check(build: M68kBuilder) -> None:
    """CHK, which leaves where it takes an exception; else it clears N and C, as a 68040 does."""
    bound = build.read(build.operand(build.size))
    value = general(build.second, build.size)
    build.leave(build.is_negative(value))
    build.leave(build.value(Opcode.INT_SLESS, bound, value, size=1))
    build.set_flag(N, FALSE)
    build.set_flag(C, FALSE)


def compare_bounds(build: M68kBuilder) -> None:
    """CMP2: signed bounds if the lower one is not the greater, else unsigned ones."""
    second = build.words.next()
    if second & _CHECKS:
        raise NotLiftedError("it is CHK2")
    place = build.operand(build.size)
    low = build.read(place)
    high = build.load(build.add(place.held, build.size), build.size)
    if second & 0x8000:
        low, high, value = build.signed(low, 4), build.signed(high, 4), general(second >> 12)
    else:
        value = general(second >> 12, build.size)
    is_less = build.value(Opcode.INT_SLESS, value, low, size=1)
    is_greater = build.value(Opcode.INT_SLESS, high, value, size=1)
    is_reversed = build.value(Opcode.INT_SLESS, high, low, size=1)
    outside = build.choose(
        is_reversed, build.both(is_less, is_greater), build.either(is_less, is_greater)
    )
    equal = build.either(
        build.is_zero(_crossed(build, value, low)), build.is_zero(_crossed(build, value, high))
    )
    build.set_flag(Z, equal)
    build.set_flag(C, outside)
