"""JSR and RTD."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import M68kBuilder, general
from emu.lift.pcode.operations import Opcode, Space, Varnode, constant

_STACK_POINTER = general(15)


def call(build: M68kBuilder) -> None:
    """JSR: the address is formed before the stack pointer moves."""
    target = build.operand(4).held
    if target.space is Space.REGISTER:
        target = build.value(Opcode.COPY, target)
    build.put(_STACK_POINTER, Opcode.INT_ADD, _STACK_POINTER, constant(-4, 4))
    build.store(_STACK_POINTER, constant(build.address + build.words.taken, 4))
    if target.space is Space.CONSTANT:
        build.go(Opcode.CALL, Varnode(Space.MEMORY, target.offset, 4))
    else:
        build.go(Opcode.CALLIND, target)


def return_and_drop(build: M68kBuilder) -> None:
    """RTD: the stack pointer moves past the return address and some bytes, a signed number."""
    dropped = (build.words.next() ^ 0x8000) - 0x8000
    target = build.load(_STACK_POINTER, 4)
    build.put(_STACK_POINTER, Opcode.INT_ADD, _STACK_POINTER, constant(4 + dropped, 4))
    build.go(Opcode.RETURN, target)
