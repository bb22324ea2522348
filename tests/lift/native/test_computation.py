"""Each computation in native code gives what `emu.lift.pcode.integers` says, on any values."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Iterator

import pytest

from emu.lift.native.assembler import Assembler, StorageCells
from emu.lift.native.computation import DIVISIONS, can_compute, computed
from emu.lift.native.objects import LoadedObject, compile_object
from emu.lift.pcode.integers import COMPUTE
from emu.lift.pcode.operations import Opcode, Operation, Space, Varnode

_EDGES = (0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF)
_FLOATS = {
    8: (0x3FF0000000000000, 0x8000000000000000, 0xC00921FB54442D18, 0x41E0000000000000),
    4: (0x3F800000, 0x80000000, 0xC0490FDB, 0x4F000000),
}
_SHAPES: dict[Opcode, tuple[tuple[tuple[int, ...], int], ...]] = {
    Opcode.PIECE: (((2, 2), 4), ((4, 4), 8), ((1, 3), 4)),
    Opcode.SUBPIECE: (((8, 4), 4), ((4, 4), 1), ((4, 4), 2)),
    Opcode.INT_ZEXT: (((1,), 4), ((4,), 8)),
    Opcode.INT_SEXT: (((1,), 4), ((2,), 4), ((4,), 8), ((4,), 2)),
    Opcode.FLOAT_FLOAT2FLOAT: (((8,), 4), ((4,), 8), ((8,), 8)),
    Opcode.FLOAT_INT2FLOAT: (((4,), 8), ((4,), 4)),
    Opcode.FLOAT_TRUNC: (((8,), 4), ((8,), 8), ((4,), 4)),
    Opcode.FLOAT_FMA: (((8, 8, 8), 8),),
}
_ONE = (
    *(Opcode.COPY, Opcode.INT_2COMP, Opcode.INT_NEGATE, Opcode.POPCOUNT, Opcode.LZCOUNT),
    *(Opcode.BOOL_NEGATE, Opcode.FLOAT_NEG, Opcode.FLOAT_ABS, Opcode.FLOAT_SQRT, Opcode.FLOAT_NAN),
)
_SHIFTS = (Opcode.INT_LEFT, Opcode.INT_RIGHT, Opcode.INT_SRIGHT)
_TESTS = ("EQUAL", "LESS", "CARRY", "BORROW", "NAN")


def _shapes(opcode: Opcode) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Sizes of inputs and output that an operation is tried with."""
    if opcode in _SHAPES:
        return _SHAPES[opcode]
    count = 1 if opcode in _ONE else 2
    if opcode.startswith("BOOL_"):
        return (((1,) * count, 1),)
    sizes = (4, 8) if opcode.startswith("FLOAT_") else (1, 2, 4, 8)
    is_test = any(word in opcode for word in _TESTS)
    shapes = [((size,) * count, 1 if is_test else size) for size in sizes]
    if opcode in _SHIFTS:
        shapes += [((4, 1), 4), ((1, 4), 1), ((2, 4), 2), ((8, 4), 8)]
    return tuple(shapes)


_CASES = [(opcode, *shape) for opcode in COMPUTE for shape in _shapes(opcode)]


def _values(opcode: Opcode, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Values of inputs: what is special, and some at random."""
    chance = random.Random(f"{opcode} {sizes}")
    if opcode.startswith("BOOL_"):
        yield from itertools.product((0, 1), repeat=len(sizes))
        return
    is_float = opcode.startswith("FLOAT_") and opcode is not Opcode.FLOAT_INT2FLOAT
    special = [
        _FLOATS[size] if is_float else [edge & (1 << 8 * size) - 1 for edge in (*_EDGES, -1, -2)]
        for size in sizes
    ]
    if opcode is Opcode.SUBPIECE:
        special[1] = list(range(sizes[0]))
    if len(sizes) < 3 or is_float:
        yield from itertools.product(*special)
    for _ in range(40):
        if is_float:
            yield tuple(_number(chance, size) for size in sizes)
        elif opcode is Opcode.SUBPIECE:
            yield chance.getrandbits(8 * sizes[0]), chance.randrange(sizes[0])
        else:
            yield tuple(chance.getrandbits(8 * size) for size in sizes)


def _is_nan(bits: int, size: int) -> bool:
    """Whether a number of 4 or 8 bytes is a NaN; what has 1 byte is the result of a test."""
    least = {4: 0x7F800000, 8: 0x7FF0000000000000}.get(size)
    return least is not None and bits & (1 << 8 * size - 1) - 1 > least


def _number(chance: random.Random, size: int) -> int:
    """The bits of a number that is neither a NaN nor infinite."""
    sign, fraction = chance.getrandbits(1), chance.getrandbits(52 if size == 8 else 23)
    if size == 8:
        return sign << 63 | (1023 + chance.randint(-40, 40)) << 52 | fraction
    return sign << 31 | (127 + chance.randint(-40, 40)) << 23 | fraction


@pytest.fixture(scope="module")
def functions() -> LoadedObject:
    """A function for each case, which gets its inputs and gives its output as 64 bits."""
    texts, declared = [], set()
    for number, (opcode, sizes, size) in enumerate(_CASES):
        shifts = range(max(sizes)) if opcode is Opcode.SUBPIECE else [None]
        for shift in shifts:
            assembler = Assembler(StorageCells(()))
            names = [f"%in{place}" for place in range(len(sizes))]
            values = [
                assembler.let(f"trunc i64 {name} to i{8 * one}") if one < 8 else name
                for name, one in zip(names, sizes, strict=True)
            ]
            if shift is not None:
                values[1] = str(shift)
            result = assembler.resized(computed(assembler, opcode, values, sizes, size), size, 8)
            head = ", ".join(f"i64 {name}" for name in names)
            name = f"f{number}" + ("" if shift is None else f"_{shift}")
            texts.append(f"define i64 @{name}({head}) {{\nentry:")
            texts += [*assembler.lines, f"  ret i64 {result}\n}}"]
            declared |= assembler.declared
    return LoadedObject(compile_object("\n".join([*sorted(declared), *texts])))


@pytest.mark.parametrize("number", range(len(_CASES)))
def test_native_code_computes_what_python_does(functions: LoadedObject, number: int) -> None:
    opcode, sizes, size = _CASES[number]
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_uint64] * len(sizes))
    for values in _values(opcode, sizes):
        if opcode in DIVISIONS and not values[1]:
            continue
        name = f"f{number}" + (f"_{values[1]}" if opcode is Opcode.SUBPIECE else "")
        got = kind(functions.address(name))(*values)
        expected = int(COMPUTE[opcode](values, sizes, size)) & (1 << 8 * size) - 1
        is_float = opcode.startswith("FLOAT_") and opcode is not Opcode.FLOAT_TRUNC
        if is_float and _is_nan(expected, size):
            assert _is_nan(got, size)  # which of the NaNs, processors do not agree about
        else:
            assert got == expected, f"{opcode} {[hex(value) for value in values]}"


def test_numbers_of_80_bits_are_not_computed() -> None:
    """Not every processor has them."""
    wide = Varnode(Space.REGISTER, 0, 10)
    assert not can_compute(Operation(Opcode.FLOAT_ADD, wide, (wide, wide)))
    assert can_compute(Operation(Opcode.COPY, wide, (wide,)))
