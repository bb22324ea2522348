"""Undefined bits of results, held against all values that the undefined bits of inputs can have."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable, Sequence

import pytest

from emu.lift.native.assembler import SHADOW, Assembler, StorageCells
from emu.lift.native.objects import LoadedObject, compile_object
from emu.lift.pcode.integers import COMPUTE
from emu.lift.pcode.operations import Opcode, Operation, Space, Varnode, constant
from emu.lift.shadow.undefined_bits import undefined_bits

FIRST, SECOND = (Varnode(Space.REGISTER, place, 1) for place in (0, 1))
TRIES = 400

TWO = (
    *(Opcode.INT_ADD, Opcode.INT_SUB, Opcode.INT_MULT, Opcode.INT_AND, Opcode.INT_OR),
    *(Opcode.INT_XOR, Opcode.INT_EQUAL, Opcode.INT_NOTEQUAL, Opcode.INT_LESS),
    *(Opcode.INT_LESSEQUAL, Opcode.INT_SLESS, Opcode.INT_SLESSEQUAL, Opcode.INT_CARRY),
    *(Opcode.INT_SCARRY, Opcode.INT_SBORROW, Opcode.INT_LEFT, Opcode.INT_RIGHT),
    *(Opcode.INT_SRIGHT, Opcode.PIECE),
)
ONE = (
    *(Opcode.COPY, Opcode.INT_ZEXT, Opcode.INT_SEXT, Opcode.INT_NEGATE, Opcode.INT_2COMP),
    *(Opcode.POPCOUNT, Opcode.LZCOUNT),
)
EXACT = (
    *(Opcode.INT_AND, Opcode.INT_OR, Opcode.INT_XOR, Opcode.INT_EQUAL, Opcode.INT_NOTEQUAL),
    *(Opcode.INT_LESS, Opcode.INT_LESSEQUAL, Opcode.INT_SLESS, Opcode.INT_SLESSEQUAL),
    *(Opcode.INT_CARRY, Opcode.PIECE, Opcode.COPY, Opcode.INT_ZEXT, Opcode.INT_SEXT),
    Opcode.INT_NEGATE,
)
"""Of these, exactly the bits that can change are undefined; of sums, hardly any other is."""
WIDER = (Opcode.INT_ZEXT, Opcode.INT_SEXT, Opcode.PIECE)

Bits = Callable[[int, int, int, int], int]


def bits_of(operation: Operation) -> Bits:
    """A native function of two values and their undefined bits."""
    write = Assembler(StorageCells([FIRST, SECOND]))
    write.tracks = True
    for number, varnode in enumerate((FIRST, SECOND)):
        write.write(varnode, f"%value{number}")
        write.write(varnode, f"%bits{number}", SHADOW)
    result = undefined_bits(write, operation)
    assert operation.output is not None
    result = write.resized(result, operation.output.size, 8)
    local = [f"  %{name} = alloca i{bits}" for name, bits in write.locals.items()]
    text = "\n".join(
        [
            *sorted(write.declared),
            "define i64 @bits(i8 %value0, i8 %bits0, i8 %value1, i8 %bits1) {",
            *local,
            *write.lines,
            f"  ret i64 {result}",
            "}",
        ]
    )
    loaded = LoadedObject(compile_object(text))
    call = ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_uint8] * 4)(loaded.address("bits"))

    def keep_it(*values: int) -> int:
        return int(call(*values)) if loaded else 0

    return keep_it


def values_of(value: int, bits: int) -> list[int]:
    """All values that an input with some undefined bits can have."""
    places = [place for place in range(8) if bits >> place & 1]
    return [
        (value & ~bits) | sum(bit << place for bit, place in zip(chosen, places, strict=True))
        for chosen in itertools.product((0, 1), repeat=len(places))
    ]


def changing(operation: Operation, inputs: Sequence[Sequence[int]]) -> int:
    """The bits of a result that are not the same for all values of the inputs."""
    assert operation.output is not None
    size, compute = operation.output.size, COMPUTE[operation.opcode]
    sizes, mask = [varnode.size for varnode in operation.inputs], (1 << 8 * size) - 1
    results = [int(compute(one, sizes, size)) & mask for one in itertools.product(*inputs)]
    ever, always = 0, mask
    for result in results:
        ever, always = ever | result, always & result
    return ever & ~always


@pytest.mark.parametrize("opcode", [*TWO, *ONE])
def test_no_bit_that_can_change_counts_as_defined(opcode: Opcode) -> None:
    output = Varnode(Space.REGISTER, 0, 2 if opcode in WIDER else 1)
    inputs = (FIRST, SECOND) if opcode in TWO else (FIRST,)
    operation = Operation(opcode, output, inputs)
    bits, chance = bits_of(operation), random.Random(opcode)
    more = 0
    for _ in range(TRIES):
        few = [chance.getrandbits(8) & chance.getrandbits(8) & chance.getrandbits(8), 0]
        chance.shuffle(few)
        values = [chance.getrandbits(8) for _ in range(2)]
        if chance.random() < 0.3:
            values[1] = chance.choice([0, 1, values[0], values[0] ^ 1])
        pairs = list(zip(values, few, strict=True))
        change = changing(operation, [values_of(*pair) for pair in pairs[: len(inputs)]])
        found = bits(values[0], few[0], values[1], few[1])
        assert change & ~found == 0, (opcode, pairs)
        more += found != change
    if opcode in EXACT:
        assert more == 0
    assert more < TRIES


def test_an_operand_on_both_sides_cancels_out() -> None:
    bits = bits_of(Operation(Opcode.INT_XOR, FIRST, (FIRST, FIRST)))
    assert bits(0x5A, 0xFF, 0, 0) == 0


def test_shifts_by_constants_move_undefined_bits() -> None:
    bits = bits_of(Operation(Opcode.INT_LEFT, FIRST, (FIRST, constant(3, 1))))
    assert bits(0, 0b0001_0011, 0, 0) == 0b1001_1000


def test_a_text_that_is_searched_by_words_is_no_mistake() -> None:
    """The test of strlen: (x - 0x01) & ~x & 0x80 of a byte whose lower bits alone are unknown."""
    less = bits_of(Operation(Opcode.INT_SUB, FIRST, (FIRST, constant(0x01, 1))))
    assert less(0x41, 0, 0, 0) == 0
    assert less(0x50, 0x01, 0, 0) & 0x80 == 0, "a borrow of the lowest bit ends at a defined 1"
