"""The flags as a whole, TRAPV, and moves of the floating-point unit's registers."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import C, M68kBuilder, N, V, X, Z, general
from emu.lift.m68k.refusals import NotLiftedError
from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Space, Varnode, constant

_FLAGS = (C, V, Z, N, X)
"""From bit 0 on."""

_SUPERVISOR = 0x2000
"""The rest of the status register while a program runs: nothing that changes it is lifted."""

_FPCR = Varnode(Space.REGISTER, 0xB0, 4)
_STORE_FPCR = 0xB000
_LIST = 0xDF00
"""The bits of a command that say that it has a list of registers, not one in a data register."""

_MANTISSA, _IN_MEMORY = 8, 12
"""Bytes of the mantissa, and of all of a number in memory, where 2 behind the sign are 0."""


def move_from_status(build: M68kBuilder) -> None:
    """MOVE from SR."""
    build.write(build.operand(2), build.either(_flags(build), constant(_SUPERVISOR, 2)))


def move_from_flags(build: M68kBuilder) -> None:
    """MOVE from CCR."""
    build.write(build.operand(2), _flags(build))


def move_to_flags(build: M68kBuilder) -> None:
    """MOVE to CCR."""
    _set_flags(build, build.read(build.operand(2)))


def trap_on_overflow(build: M68kBuilder) -> None:
    """TRAPV leaves where it takes an exception."""
    build.leave(V)


def _flags(build: M68kBuilder) -> Varnode:
    """The flags in the lower bits of a word."""
    value = build.unsigned(C, 2)
    for bit, flag in enumerate(_FLAGS[1:], 1):
        value = build.either(value, build.shift_left(build.unsigned(flag, 2), constant(bit, 4)))
    return value


def _set_flags(build: M68kBuilder, value: Varnode) -> None:
    for bit, flag in enumerate(_FLAGS):
        build.set_flag(flag, build.bit(value, bit))


# -- registers of the floating-point unit --------------------------------------------------------


def move_floats(build: M68kBuilder) -> None:
    """FMOVEM.X with a list of registers, and FMOVE.L from FPCR; others compute or set FPSR."""
    command = build.words.next()
    if command == _STORE_FPCR:
        build.write(build.operand(4), _FPCR)
    elif command & _LIST in (0xD000, 0xC000):
        _move_list(build, command)
    else:
        raise NotLiftedError("it is floating point of the 68K")


def _move_list(build: M68kBuilder, command: int) -> None:
    """FMOVEM.X: the bits of the list are FP0 first, but FP7 first for a predecrement."""
    is_store, is_first_highest = bool(command & 0x2000), bool(command & 0x1000)
    mode = build.word >> 3 & 7
    if is_first_highest == (mode == 4):
        raise NotLiftedError("its list has another order than its addressing mode")
    numbers = [n for n in range(8) if command >> (7 - n if is_first_highest else n) & 1]
    address = _list_address(build, mode, _IN_MEMORY * len(numbers))
    for at, number in enumerate(numbers):
        place = build.add(address, _IN_MEMORY * at)
        _move_float(build, Varnode(Space.REGISTER, 0x700 + 10 * number, 10), place, is_store)


def _list_address(build: M68kBuilder, mode: int, size: int) -> Varnode:
    """Where a list begins; the address register moves over all of it."""
    if mode not in (3, 4):
        return build.operand(_IN_MEMORY).held
    register = general(8 + build.first)
    address = build.add(register, -size if mode == 4 else 0)
    build.put(register, Opcode.INT_ADD, register, constant(-size if mode == 4 else size, 4))
    return address


def _move_float(
    build: OperationBuilder, register: Varnode, address: Varnode, is_store: bool
) -> None:
    exponent = Varnode(Space.REGISTER, register.offset, 2)
    mantissa = Varnode(Space.REGISTER, register.offset + 2, _MANTISSA)
    behind = build.value(Opcode.INT_ADD, address, constant(4, 4))
    if is_store:
        build.store(address, build.value(Opcode.PIECE, exponent, constant(0, 2), size=4))
        build.store(behind, mantissa)
    else:
        build.put(exponent, Opcode.LOAD, address)
        build.put(mantissa, Opcode.LOAD, behind)
