"""Writes computations as instructions of LLVM; `emu.lift.pcode.integers` says what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from emu.lift.native.assembler import Assembler
from emu.lift.native.flow import COMPUTED_JUMPS
from emu.lift.pcode.operations import Opcode, Operation

Write: TypeAlias = Callable[[Assembler, Sequence[str], Sequence[int], int], str]
"""Gets the inputs, their sizes in bytes and the size of the output; gives the output."""

DIVISIONS = (Opcode.INT_DIV, Opcode.INT_REM, Opcode.INT_SDIV, Opcode.INT_SREM)
"""What has no result where the second input is 0."""

_FLOW = COMPUTED_JUMPS | {
    *(Opcode.BRANCH, Opcode.CALL, Opcode.CBRANCH, Opcode.LEAVE, Opcode.LOAD, Opcode.STORE)
}
"""What does something else than to compute."""

_FLOATS = {4: ("float", "f32"), 8: ("double", "f64")}


def can_compute(operation: Operation) -> bool:
    """Whether an operation can be written: it computes, and on formats that any processor has."""
    write = _WRITE.get(operation.opcode)
    if write is None or operation.output is None:
        return False
    inputs, output = [varnode.size for varnode in operation.inputs], operation.output.size
    if operation.opcode is Opcode.FLOAT_INT2FLOAT:
        return output in _FLOATS
    if operation.opcode.startswith("FLOAT_"):
        floats = [*inputs, output] if operation.opcode in _FLOAT_RESULTS else inputs
        return all(size in _FLOATS for size in floats)
    return True


def is_written(operation: Operation) -> bool:
    """Whether an operation is written as what it is, and not as one that always leaves."""
    return operation.opcode in _FLOW or can_compute(operation)


def computed(
    assembler: Assembler, opcode: Opcode, values: Sequence[str], sizes: Sequence[int], size: int
) -> str:
    """The result of a computation that `can_compute` allows, as a value of so many bytes."""
    return _WRITE[opcode](assembler, values, sizes, size)


def _wide(instruction: str) -> Write:
    """An operation whose lower bits do not depend on how wide it is made."""

    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        width = max(*sizes, size)
        first, second = (
            assembler.resized(value, own, width) for value, own in zip(values, sizes, strict=True)
        )
        result = assembler.let(f"{instruction} i{8 * width} {first}, {second}")
        return assembler.resized(result, width, size)

    return write


def _same(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
    return assembler.resized(values[0], sizes[0], size)


def _sign_extended(
    assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int
) -> str:
    if size <= sizes[0]:
        return assembler.resized(values[0], sizes[0], size)
    return assembler.let(f"sext i{8 * sizes[0]} {values[0]} to i{8 * size}")


def _of_first(instruction: str, first: int) -> Write:
    """An operation of a constant and the input."""

    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        width = max(sizes[0], size)
        value = assembler.resized(values[0], sizes[0], width)
        result = assembler.let(f"{instruction} i{8 * width} {first}, {value}")
        return assembler.resized(result, width, size)

    return write


def _test(predicate: str) -> Write:
    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        width = max(sizes)
        how = _sign_extended if predicate.startswith("s") else _same
        first, second = (
            how(assembler, [value], [own], width) for value, own in zip(values, sizes, strict=True)
        )
        bit = assembler.let(f"icmp {predicate} i{8 * width} {first}, {second}")
        return assembler.let(f"zext i1 {bit} to i{8 * size}")

    return write


def _is_zero(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
    bit = assembler.let(f"icmp eq i{8 * sizes[0]} {values[0]}, 0")
    return assembler.let(f"zext i1 {bit} to i{8 * size}")


def _overflows(name: str) -> Write:
    """Whether the result of LLVM's arithmetic "with overflow" does not fit."""

    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        bits = 8 * sizes[0]
        kind, function = f"{{i{bits}, i1}}", f"llvm.{name}.with.overflow.i{bits}"
        assembler.declared.add(f"declare {kind} @{function}(i{bits}, i{bits})")
        pair = assembler.let(f"call {kind} @{function}(i{bits} {values[0]}, i{bits} {values[1]})")
        bit = assembler.let(f"extractvalue {kind} {pair}, 1")
        return assembler.let(f"zext i1 {bit} to i{8 * size}")

    return write


def _shift(instruction: str) -> Write:
    """A shift; by as many bits as there are or more, nothing is left but copies of the sign."""

    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        is_left, is_signed = instruction == "shl", instruction == "ashr"
        width = max(sizes[0], size) if is_left or is_signed else sizes[0]
        extended = _sign_extended if is_signed else _same
        value = extended(assembler, values[:1], sizes[:1], width)
        most = 8 * sizes[0]
        if values[1].isdecimal():
            count = int(values[1])
            if count < most:
                result = assembler.let(f"{instruction} i{8 * width} {value}, {count}")
                return assembler.resized(result, width, size)
            if not is_signed:
                return "0"
            result = assembler.let(f"ashr i{8 * width} {value}, {8 * width - 1}")
            return assembler.resized(result, width, size)
        fits = assembler.let(f"icmp ult i{8 * sizes[1]} {values[1]}, {_limit(most, sizes[1])}")
        count_ = assembler.resized(values[1], sizes[1], width)
        limit = most - 1 if is_signed else 0
        safe = assembler.let(f"select i1 {fits}, i{8 * width} {count_}, i{8 * width} {limit}")
        result = assembler.let(f"{instruction} i{8 * width} {value}, {safe}")
        if not is_signed:
            result = assembler.let(f"select i1 {fits}, i{8 * width} {result}, i{8 * width} 0")
        return assembler.resized(result, width, size)

    return write


def _limit(most: int, size: int) -> int:
    """The number of bits as an unsigned constant of some bytes, or the largest there is."""
    return min(most, (1 << 8 * size) - 1)


def _division(instruction: str) -> Write:
    """A division by what is not 0; the smallest number by -1 wraps, for which a host may trap."""

    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        is_signed = instruction.startswith("s")
        width = max(sizes)
        how = _sign_extended if is_signed else _same
        first, second = (
            how(assembler, [value], [own], width) for value, own in zip(values, sizes, strict=True)
        )
        if is_signed:
            least = assembler.let(f"icmp eq i{8 * width} {first}, {-(1 << 8 * width - 1)}")
            minus = assembler.let(f"icmp eq i{8 * width} {second}, -1")
            both = assembler.let(f"and i1 {least}, {minus}")
            second = assembler.let(f"select i1 {both}, i{8 * width} 1, i{8 * width} {second}")
        result = assembler.let(f"{instruction} i{8 * width} {first}, {second}")
        return (_sign_extended if is_signed else _same)(assembler, [result], [width], size)

    return write


def _piece(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
    width = max(sum(sizes), size)
    high, low = (
        assembler.resized(value, own, width) for value, own in zip(values, sizes, strict=True)
    )
    high = assembler.let(f"shl i{8 * width} {high}, {8 * sizes[1]}")
    return assembler.resized(assembler.let(f"or i{8 * width} {high}, {low}"), width, size)


def _subpiece(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
    count = 8 * int(values[1])
    if count >= 8 * sizes[0]:
        return "0"
    value = values[0]
    if count:
        value = assembler.let(f"lshr i{8 * sizes[0]} {value}, {count}")
    return assembler.resized(value, sizes[0], size)


def _counted(name: str, more: str) -> Write:
    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        bits = 8 * sizes[0]
        call = f"call i{bits} @llvm.{name}.i{bits}(i{bits} {values[0]}{more})"
        return assembler.resized(assembler.let(call), sizes[0], size)

    return write


def _as_floats(assembler: Assembler, values: Sequence[str], sizes: Sequence[int]) -> list[str]:
    return [
        assembler.let(f"bitcast i{8 * size} {value} to {_FLOATS[size][0]}")
        for value, size in zip(values, sizes, strict=True)
    ]


def _float(instruction: str) -> Write:
    """A floating-point operation; ``{kind}`` stands for the type and ``{name}`` for its name."""

    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        kind, name = _FLOATS[sizes[0]]
        floats = _as_floats(assembler, values, sizes)
        result = assembler.let(instruction.format(*floats, kind=kind, name=name))
        return assembler.let(f"bitcast {kind} {result} to i{8 * size}")

    return write


def _float_test(predicate: str) -> Write:
    def write(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
        kind, _ = _FLOATS[sizes[0]]
        floats = _as_floats(assembler, values, sizes)
        bit = assembler.let(f"fcmp {predicate} {kind} {floats[0]}, {floats[-1]}")
        return assembler.let(f"zext i1 {bit} to i{8 * size}")

    return write


def _other_format(
    assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int
) -> str:
    if size == sizes[0]:
        return values[0]
    (value,) = _as_floats(assembler, values, sizes)
    how = "fpext" if size > sizes[0] else "fptrunc"
    result = assembler.let(f"{how} {_FLOATS[sizes[0]][0]} {value} to {_FLOATS[size][0]}")
    return assembler.let(f"bitcast {_FLOATS[size][0]} {result} to i{8 * size}")


def _from_integer(
    assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int
) -> str:
    kind, _ = _FLOATS[size]
    result = assembler.let(f"sitofp i{8 * sizes[0]} {values[0]} to {kind}")
    return assembler.let(f"bitcast {kind} {result} to i{8 * size}")


def _truncated(assembler: Assembler, values: Sequence[str], sizes: Sequence[int], size: int) -> str:
    """What does not fit becomes the nearest integer that does, a NaN the smallest."""
    kind, name = _FLOATS[sizes[0]]
    bits = 8 * size
    (value,) = _as_floats(assembler, values, sizes)
    near = assembler.let(f"call i{bits} @llvm.fptosi.sat.i{bits}.{name}({kind} {value})")
    is_nan = assembler.let(f"fcmp uno {kind} {value}, {value}")
    return assembler.let(f"select i1 {is_nan}, i{bits} {-(1 << bits - 1)}, i{bits} {near}")


_FLOAT_RESULTS = (
    *(Opcode.FLOAT_ADD, Opcode.FLOAT_SUB, Opcode.FLOAT_MULT, Opcode.FLOAT_DIV, Opcode.FLOAT_NEG),
    *(Opcode.FLOAT_FMA, Opcode.FLOAT_ABS, Opcode.FLOAT_SQRT, Opcode.FLOAT_FLOAT2FLOAT),
)
_WRITE: dict[Opcode, Write] = {
    Opcode.COPY: _same,
    Opcode.INT_ZEXT: _same,
    Opcode.INT_SEXT: _sign_extended,
    Opcode.INT_EQUAL: _test("eq"),
    Opcode.INT_NOTEQUAL: _test("ne"),
    Opcode.INT_LESS: _test("ult"),
    Opcode.INT_LESSEQUAL: _test("ule"),
    Opcode.INT_SLESS: _test("slt"),
    Opcode.INT_SLESSEQUAL: _test("sle"),
    Opcode.INT_ADD: _wide("add"),
    Opcode.INT_SUB: _wide("sub"),
    Opcode.INT_MULT: _wide("mul"),
    Opcode.INT_XOR: _wide("xor"),
    Opcode.INT_AND: _wide("and"),
    Opcode.INT_OR: _wide("or"),
    Opcode.INT_CARRY: _overflows("uadd"),
    Opcode.INT_SCARRY: _overflows("sadd"),
    Opcode.INT_SBORROW: _overflows("ssub"),
    Opcode.INT_2COMP: _of_first("sub", 0),
    Opcode.INT_NEGATE: _of_first("xor", -1),
    Opcode.INT_LEFT: _shift("shl"),
    Opcode.INT_RIGHT: _shift("lshr"),
    Opcode.INT_SRIGHT: _shift("ashr"),
    Opcode.INT_DIV: _division("udiv"),
    Opcode.INT_REM: _division("urem"),
    Opcode.INT_SDIV: _division("sdiv"),
    Opcode.INT_SREM: _division("srem"),
    Opcode.BOOL_NEGATE: _is_zero,
    Opcode.BOOL_XOR: _wide("xor"),
    Opcode.BOOL_AND: _wide("and"),
    Opcode.BOOL_OR: _wide("or"),
    Opcode.PIECE: _piece,
    Opcode.SUBPIECE: _subpiece,
    Opcode.POPCOUNT: _counted("ctpop", ""),
    Opcode.LZCOUNT: _counted("ctlz", ", i1 false"),
    Opcode.FLOAT_EQUAL: _float_test("oeq"),
    Opcode.FLOAT_NOTEQUAL: _float_test("une"),
    Opcode.FLOAT_LESS: _float_test("olt"),
    Opcode.FLOAT_LESSEQUAL: _float_test("ole"),
    Opcode.FLOAT_NAN: _float_test("uno"),
    Opcode.FLOAT_ADD: _float("fadd {kind} {0}, {1}"),
    Opcode.FLOAT_SUB: _float("fsub {kind} {0}, {1}"),
    Opcode.FLOAT_MULT: _float("fmul {kind} {0}, {1}"),
    Opcode.FLOAT_DIV: _float("fdiv {kind} {0}, {1}"),
    Opcode.FLOAT_FMA: _float("call {kind} @llvm.fma.{name}({kind} {0}, {kind} {1}, {kind} {2})"),
    Opcode.FLOAT_NEG: _float("fneg {kind} {0}"),
    Opcode.FLOAT_ABS: _float("call {kind} @llvm.fabs.{name}({kind} {0})"),
    Opcode.FLOAT_SQRT: _float("call {kind} @llvm.sqrt.{name}({kind} {0})"),
    Opcode.FLOAT_FLOAT2FLOAT: _other_format,
    Opcode.FLOAT_INT2FLOAT: _from_integer,
    Opcode.FLOAT_TRUNC: _truncated,
}
