"""BTST, BCHG, BCLR and BSET."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import M68kBuilder, OperandPlace, Z, general
from emu.lift.pcode.operations import Opcode, Varnode, constant


def change_bit(build: M68kBuilder) -> None:
    """Z says whether the bit was 0, modulo 32 of a data register and modulo 8 of a byte."""
    number: Varnode
    if build.form.fields[0].place == "n16":
        number = constant(build.words.next() & 0xFF, 4)
    else:
        number = build.value(Opcode.COPY, general(build.second))
    if build.word >> 3 & 7:
        target = build.operand(1)
    else:
        target = OperandPlace(general(build.first), in_memory=False, size=4)
    size = target.size
    number = build.both(number, constant(8 * size - 1, 4))
    value, one = build.read(target), build.shift_left(constant(1, size), number)
    build.set_flag(Z, build.is_zero(build.both(value, one)))
    match build.form.operation:
        case "bchg":
            build.write(target, build.value(Opcode.INT_XOR, value, one))
        case "bset":
            build.write(target, build.either(value, one))
        case "bclr":
            build.write(target, build.both(value, build.value(Opcode.INT_NEGATE, one)))
