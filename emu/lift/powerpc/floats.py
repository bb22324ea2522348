"""Floating point of the PowerPC: numbers are rounded to nearest, and no exception is enabled.

Flags of FPSCR are not kept. P-code does not say which NaN a result is, and rounds the sum of a
product and a number twice; here the first NaN among the operands is taken, and all is rounded once.

Sources: PowerPC Architecture, Book I, chapter 4; PowerPC 601 RISC Microprocessor User's Manual,
chapter 10. For "round to odd": S. Boldo and G. Melquiond, Emulation of a FMA and Correctly Rounded
Sums: Proved Algorithms Using Rounding to Odd (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Operation, Varnode, constant
from emu.lift.powerpc.registers import Word, floating

_SIGN, _QUIET, _NO_NUMBER = 1 << 63, 1 << 51, 0x7FF8000000000000
_SINGLE_NAN = ~0x1FFFFFFF
_SINGLE = 59  # the primary opcode of FADDS and its like
_WHOLE = 0x4338000000000000
"""1.5 * 2**52: what is added to it loses its fraction, rounded to nearest."""
_LARGE = 0x4320000000000000
"""2**51: below it, that addition does not change the number otherwise."""

Describe = Callable[[OperationBuilder, Word], None]


def _sum(build: OperationBuilder, word: Word) -> None:
    a, b = floating(word.a), floating(word.b)
    _result(build, word, build.value(Opcode.FLOAT_ADD, a, b), (a, b))


def _difference(build: OperationBuilder, word: Word) -> None:
    a, b = floating(word.a), floating(word.b)
    _result(build, word, build.value(Opcode.FLOAT_SUB, a, b), (a, b))


def _product(build: OperationBuilder, word: Word) -> None:
    a, c = floating(word.a), floating(word.c)
    _result(build, word, build.value(Opcode.FLOAT_MULT, a, c), (a, c))


def _quotient(build: OperationBuilder, word: Word) -> None:
    a, b = floating(word.a), floating(word.b)
    _result(build, word, build.value(Opcode.FLOAT_DIV, a, b), (a, b))


def _multiply_add(*, subtracts: bool, negates: bool) -> Describe:
    """FMADD and its like. They negate after they have rounded, and a NaN keeps its sign."""

    def describe(build: OperationBuilder, word: Word) -> None:
        a, b, c = floating(word.a), floating(word.b), floating(word.c)
        addend = build.value(Opcode.INT_XOR, b, constant(_SIGN, 8)) if subtracts else b
        if word.primary == _SINGLE:
            total = _odd_sum(build, a, c, addend)
        else:
            total = build.value(Opcode.FLOAT_FMA, a, c, addend)
        _result(build, word, total, (a, b, c), negates=negates)

    return describe


def _odd_sum(build: OperationBuilder, a: Varnode, c: Varnode, addend: Varnode) -> Varnode:
    """The sum a * c + addend, rounded to odd, so that to round it to single is right.

    The product of two numbers of single precision has no error; where it has one, the operands are
    not of single precision, the manual leaves the result undefined, and the code leaves.
    """
    product = build.value(Opcode.FLOAT_MULT, a, c)
    negative = build.value(Opcode.INT_XOR, product, constant(_SIGN, 8))
    build.leave(_is_nonzero(build, build.value(Opcode.FLOAT_FMA, a, c, negative)))
    total = build.value(Opcode.FLOAT_ADD, product, addend)
    other = build.value(Opcode.FLOAT_SUB, total, product)
    one = build.value(Opcode.FLOAT_SUB, total, other)
    error = build.value(
        Opcode.FLOAT_ADD,
        build.value(Opcode.FLOAT_SUB, product, one),
        build.value(Opcode.FLOAT_SUB, addend, other),
    )
    return _to_odd(build, total, error)


def _is_nonzero(build: OperationBuilder, value: Varnode) -> Varnode:
    """Whether a number is neither 0 nor a NaN."""
    size = build.value(Opcode.INT_AND, value, constant(~_SIGN, 8))
    return build.value(Opcode.FLOAT_LESS, constant(0, 8), size, size=1)


def _to_odd(build: OperationBuilder, total: Varnode, error: Varnode) -> Varnode:
    """A sum and its error as one number, whose lowest bit is set if there is an error."""
    lowest = build.value(Opcode.SUBPIECE, total, constant(0, 4), size=1)
    is_even = build.value(Opcode.INT_XOR, lowest, constant(1, 1))
    is_changed = build.value(
        Opcode.INT_AND,
        build.value(Opcode.INT_AND, is_even, constant(1, 1)),
        _is_nonzero(build, error),
    )
    signs = build.value(Opcode.INT_XOR, total, error)
    apart = build.value(Opcode.INT_SLESS, signs, constant(0, 8), size=1)
    step = build.choose(apart, constant(-1, 8), constant(1, 8))
    return build.value(Opcode.INT_ADD, total, build.choose(is_changed, step, constant(0, 8)))


def _result(
    build: OperationBuilder,
    word: Word,
    total: Varnode,
    operands: tuple[Varnode, ...],
    *,
    negates: bool = False,
) -> None:
    """Put a result into frD, rounded to single if the instruction says so."""
    if word.primary == _SINGLE:
        total = _as_single(build, total)
    value = build.value(Opcode.INT_XOR, total, constant(_SIGN, 8)) if negates else total
    _put(build, word, total, value, _nan(build, operands))


def _put(build: OperationBuilder, word: Word, total: Varnode, value: Varnode, nan: Varnode) -> None:
    is_nan = build.value(Opcode.FLOAT_NAN, total, size=1)
    build.put(floating(word.d), Opcode.COPY, build.choose(is_nan, nan, value))


def _nan(build: OperationBuilder, operands: tuple[Varnode, ...]) -> Varnode:
    """The first NaN among operands, made quiet; without one, the NaN of an invalid operation."""
    nan = constant(_NO_NUMBER, 8)
    for operand in reversed(operands):
        quiet = build.value(Opcode.INT_OR, operand, constant(_QUIET, 8))
        is_nan = build.value(Opcode.FLOAT_NAN, operand, size=1)
        nan = build.choose(is_nan, quiet, nan)
    return nan


def _as_single(build: OperationBuilder, value: Varnode) -> Varnode:
    single = build.value(Opcode.FLOAT_FLOAT2FLOAT, value, size=4)
    return build.value(Opcode.FLOAT_FLOAT2FLOAT, single, size=8)


def _round_to_single(build: OperationBuilder, word: Word) -> None:
    b = floating(word.b)
    quiet = build.value(Opcode.INT_OR, b, constant(_QUIET, 8))
    nan = build.value(Opcode.INT_AND, quiet, constant(_SINGLE_NAN, 8))
    _put(build, word, b, _as_single(build, b), nan)


def _to_integer(build: OperationBuilder, word: Word) -> None:
    """FCTIW; the upper half of the result, which the manual leaves undefined, is its sign."""
    b = floating(word.b)
    size = build.value(Opcode.INT_AND, b, constant(~_SIGN, 8))
    is_small = build.value(Opcode.FLOAT_LESS, size, constant(_LARGE, 8), size=1)
    raised = build.value(Opcode.FLOAT_ADD, b, constant(_WHOLE, 8))
    whole = build.value(Opcode.FLOAT_SUB, raised, constant(_WHOLE, 8))
    _put_integer(build, word, build.choose(is_small, whole, b))


def _truncate(build: OperationBuilder, word: Word) -> None:
    _put_integer(build, word, floating(word.b))


def _put_integer(build: OperationBuilder, word: Word, value: Varnode) -> None:
    integer = build.value(Opcode.FLOAT_TRUNC, value, size=4)
    build.put(floating(word.d), Opcode.INT_SEXT, integer)


def _move(build: OperationBuilder, word: Word) -> None:
    build.put(floating(word.d), Opcode.COPY, floating(word.b))


def _negate(build: OperationBuilder, word: Word) -> None:
    build.put(floating(word.d), Opcode.INT_XOR, floating(word.b), constant(_SIGN, 8))


def _absolute(build: OperationBuilder, word: Word) -> None:
    build.put(floating(word.d), Opcode.INT_AND, floating(word.b), constant(~_SIGN, 8))


def _negative(build: OperationBuilder, word: Word) -> None:
    build.put(floating(word.d), Opcode.INT_OR, floating(word.b), constant(_SIGN, 8))


_ARITHMETIC: Mapping[str, Describe] = MappingProxyType(
    {
        "fdiv": _quotient,
        "fsub": _difference,
        "fadd": _sum,
        "fmul": _product,
        "fmsub": _multiply_add(subtracts=True, negates=False),
        "fmadd": _multiply_add(subtracts=False, negates=False),
        "fnmsub": _multiply_add(subtracts=True, negates=True),
        "fnmadd": _multiply_add(subtracts=False, negates=True),
    }
)
DESCRIBED: Mapping[str, Describe] = MappingProxyType(
    {
        **_ARITHMETIC,
        **{f"{name}s": describe for name, describe in _ARITHMETIC.items()},
        "frsp": _round_to_single,
        "fctiw": _to_integer,
        "fctiwz": _truncate,
        "fneg": _negate,
        "fmr": _move,
        "fnabs": _negative,
        "fabs": _absolute,
    }
)
"""What instructions of the floating-point unit do, by mnemonic."""


def with_exact_moves(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of LFS or STFS as SLEIGH has them, with our conversions.

    A load changes no NaN, and a store does not round: it takes bits of the register.
    Source: PowerPC Architecture, Book I, floating-point load and store instructions.
    """
    build = OperationBuilder()
    for each in operations:
        if each.opcode is Opcode.FLOAT_FLOAT2FLOAT and each.output is not None:
            convert = _to_double if each.output.size == 8 else _to_single
            build.put(each.output, Opcode.COPY, convert(build, each.inputs[0]))
        else:
            build.append(each)
    return build.operations


def _to_double(build: OperationBuilder, single: Varnode) -> Varnode:
    wide = build.value(Opcode.FLOAT_FLOAT2FLOAT, single, size=8)
    extended = build.value(Opcode.INT_SEXT, single, size=8)
    sign = build.value(Opcode.INT_AND, extended, constant(_SIGN, 8))
    shifted = build.value(Opcode.INT_LEFT, extended, constant(29, 4))
    fraction = build.value(Opcode.INT_AND, shifted, constant((1 << 52) - 1, 8))
    signed = build.value(Opcode.INT_OR, sign, constant(0x7FF << 52, 8))
    nan = build.value(Opcode.INT_OR, signed, fraction)
    is_nan = build.value(Opcode.FLOAT_NAN, single, size=1)
    return build.choose(is_nan, nan, wide)


def _to_single(build: OperationBuilder, double: Varnode) -> Varnode:
    def part(shift: int, mask: int) -> Varnode:
        shifted = build.value(Opcode.INT_RIGHT, double, constant(shift, 4))
        return build.value(Opcode.INT_AND, shifted, constant(mask, 8))

    exponent = part(52, 0x7FF)
    sign, rest = part(32, 0xC0000000), part(29, 0x3FFFFFFF)
    normal = build.value(Opcode.INT_OR, sign, rest)
    fraction = build.value(Opcode.INT_AND, double, constant((1 << 52) - 1, 8))
    mantissa = build.value(Opcode.INT_OR, fraction, constant(1 << 52, 8))
    count = build.value(Opcode.INT_SUB, constant(896 + 30, 8), exponent)
    denormal = build.value(
        Opcode.INT_OR,
        part(32, 0x80000000),
        build.value(Opcode.INT_RIGHT, mantissa, count),
    )
    is_normal = build.value(Opcode.INT_LESS, constant(896, 8), exponent, size=1)
    bits = build.choose(is_normal, normal, denormal)
    return build.value(Opcode.SUBPIECE, bits, constant(0, 4), size=4)
