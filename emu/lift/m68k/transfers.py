"""MOVEM, MOVEP, and jumps that SLEIGH describes wrongly."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import M68kBuilder, general
from emu.lift.operations import Opcode, constant


def move_peripheral(build: M68kBuilder) -> None:
    """MOVEP: the bytes of a data register and every second byte of memory, the highest first."""
    register, opmode = build.second, build.word >> 6 & 7
    size = 4 if opmode & 1 else 2
    displacement = (build.words.next() ^ 0x8000) - 0x8000
    address = build.add(general(8 + build.first), displacement)
    places = [build.add(address, 2 * n) for n in range(size)]
    if opmode & 2:
        for place, above in zip(places, reversed(range(size)), strict=True):
            build.store(place, build.piece(general(register), above, 1))
        return
    value = build.load(places[0], 1)
    for place in places[1:]:
        value = build.value(Opcode.PIECE, value, build.load(place, 1), size=value.size + 1)
    build.put(general(register, size), Opcode.COPY, value)


def unlink(build: M68kBuilder) -> None:
    """UNLK: of A7 itself, what lies on top becomes A7."""
    frame = general(8 + build.first)
    saved = build.load(frame, 4)
    build.put(general(15), Opcode.INT_ADD, frame, constant(4, 4))
    build.put(frame, Opcode.COPY, saved)
