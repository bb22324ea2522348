"""Operands in memory of 68K instructions: how long they are, and what address they have.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 2.2.
"""

from __future__ import annotations

from emu.machine.cpu.special import ProcessorState

_WORD = (0x8000, 0x10000)
_POSTINCREMENT, _PREDECREMENT, _DISPLACEMENT, _INDEX, _OTHER = 3, 4, 5, 6, 7


def operand_size(code: bytes, *, full: bool) -> int | None:
    """The bytes of the extension words of an alterable operand in memory.

    Args:
        code: the instruction, which has its operand in the lower six bits of the first word and no
            other extension words; it may end early.
        full: whether the processor has the full format of extension words (68020 and later).

    Returns:
        None if no processor has such an operand.
    """
    mode, register = code[1] >> 3 & 7, code[1] & 7
    if mode == _INDEX:
        return _index_size(int.from_bytes(code[2:4], "big"), full=full)
    if mode == _OTHER:
        return (2, 4)[register] if register < 2 else None
    return {2: 0, _POSTINCREMENT: 0, _PREDECREMENT: 0, _DISPLACEMENT: 2}.get(mode)


def _index_size(extension: int, *, full: bool) -> int | None:
    if not (full and extension & 0x100):
        return 2
    base, selection = extension >> 4 & 3, extension & 7
    is_reserved = base == 0 or selection == 4 or extension & 8
    if is_reserved or (extension & 0x40 and selection > 3):
        return None
    return 2 + (0, 0, 2, 4)[base] + (0, 0, 2, 4)[selection & 3]


def operand_address(state: ProcessorState, at: int, size: int, *, full: bool) -> int:
    """The address of such an operand; a postincrement is left to `increment`.

    Args:
        state: the processor, whose address register a predecrement changes.
        at: the address of the instruction.
        size: the bytes of the operand.
        full: see `operand_size`.
    """
    word = state.fetch(at, 2)
    mode, register = word >> 3 & 7, word & 7
    if mode == _OTHER:
        if register:
            return state.fetch(at + 2, 4)
        return _signed(state.fetch(at + 2, 2), 2) & 0xFFFFFFFF
    base = state.register(f"a{register}")
    if mode == _PREDECREMENT:
        base -= _step(register, size)
        state.set_register(f"a{register}", base)
    elif mode == _DISPLACEMENT:
        base += _signed(state.fetch(at + 2, 2), 2)
    elif mode == _INDEX:
        base = _indexed(state, base, at + 2, full=full)
    return base & 0xFFFFFFFF


def increment(state: ProcessorState, at: int, size: int) -> None:
    """Advance the address register of a postincrement, after the operand was used."""
    word = state.fetch(at, 2)
    if word >> 3 & 7 == _POSTINCREMENT:
        register = word & 7
        value = state.register(f"a{register}") + _step(register, size)
        state.set_register(f"a{register}", value)


def _step(register: int, size: int) -> int:
    return 2 if register == 7 and size == 1 else size


def _indexed(state: ProcessorState, base: int, at: int, *, full: bool) -> int:
    """(d8,An,Xn), and what the full format of its extension word has in its place."""
    extension = state.fetch(at, 2)
    index = state.register(f"{'da'[extension >> 15]}{extension >> 12 & 7}")
    if not extension & 0x800:
        index = _signed(index & 0xFFFF, 2)
    if full:
        index <<= extension >> 9 & 3
    if not (full and extension & 0x100):
        return base + index + _signed(extension & 0xFF, 1)
    base = 0 if extension & 0x80 else base
    index = 0 if extension & 0x40 else index
    at += 2
    length = (0, 0, 2, 4)[extension >> 4 & 3]
    base += _signed(state.fetch(at, length), length) if length else 0
    selection = extension & 7
    if selection == 0:
        return base + index
    at += length
    length = (0, 0, 2, 4)[selection & 3]
    outer = _signed(state.fetch(at, length), length) if length else 0
    is_postindexed = selection > 4
    place = base if is_postindexed else base + index
    pointer = state.load(place & 0xFFFFFFFF, 4)
    return pointer + outer + (index if is_postindexed else 0)


def _signed(value: int, size: int) -> int:
    return value - (value >> 8 * size - 1 << 8 * size)
