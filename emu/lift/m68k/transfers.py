"""MOVEM, LINK and UNLK."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import M68kBuilder, general
from emu.lift.m68k.refusals import NotLiftedError
from emu.lift.pcode.operations import Opcode, Varnode, constant

_STACK_POINTER = 15
_LOADS = 0x0400
"""The bit that tells a load from a store of MOVEM."""


def move_several(build: M68kBuilder) -> None:
    """MOVEM: the bits of the list are D0 first, but A7 first for a predecrement."""
    mask, mode, size = build.words.next(), build.word >> 3 & 7, build.size
    is_down = mode == 4
    numbers = [n for n in range(16) if mask >> (15 - n if is_down else n) & 1]
    base = 8 + build.first
    if is_down:
        address = build.add(general(base), -size * len(numbers))
    elif mode == 3:
        address = build.value(Opcode.COPY, general(base))
    else:
        address = build.operand(size).held
    places = [build.add(address, size * at) for at in range(len(numbers))]
    if build.word & _LOADS:
        _load_several(build, numbers, places)
    else:
        _store_several(build, numbers, places, base if is_down else None)
    if is_down:
        build.put(general(base), Opcode.COPY, address)
    elif mode == 3:
        build.put(general(base), Opcode.INT_ADD, address, constant(size * len(numbers), 4))


def _load_several(build: M68kBuilder, numbers: list[int], places: list[Varnode]) -> None:
    """Words are extended with their signs. All are read before a register changes."""
    values = [build.load(place, build.size) for place in places]
    for number, value in zip(numbers, values, strict=True):
        build.put(general(number), Opcode.COPY, build.signed(value, 4))


def _store_several(
    build: M68kBuilder, numbers: list[int], places: list[Varnode], moved: int | None
) -> None:
    """From the highest address down for a predecrement.

    The register that moves is stored as it was by a 68000, and less one operand by later ones.
    """
    pairs = list(zip(numbers, places, strict=True))
    for number, place in pairs if moved is None else reversed(pairs):
        value = general(number)
        if number == moved and build.full:
            value = build.add(value, -build.size)
        build.store(place, build.lower(value, build.size) if build.size < 4 else value)


def link(build: M68kBuilder) -> None:
    """LINK; of A7 itself it depends on the processor what it stores."""
    if build.first == _STACK_POINTER - 8:
        raise NotLiftedError("processors differ in LINK of A7")
    displacement = build.words.long() if build.size == 4 else build.words.next()
    half = 1 << 8 * build.size - 1
    stack, frame = general(_STACK_POINTER), general(8 + build.first)
    saved = build.add(stack, -4)
    build.store(saved, frame)
    build.put(frame, Opcode.COPY, saved)
    build.put(stack, Opcode.INT_ADD, saved, constant((displacement ^ half) - half, 4))


def unlink(build: M68kBuilder) -> None:
    """UNLK: of A7 itself, what lies on top becomes A7."""
    frame = general(8 + build.first)
    saved = build.load(frame, 4)
    build.put(general(_STACK_POINTER), Opcode.INT_ADD, frame, constant(4, 4))
    build.put(frame, Opcode.COPY, saved)
