"""What instructions do with the stack pointer, as far as checks of memory have to know it.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 8; PowerPC 601 RISC
Microprocessor User's Manual (MPC601UM/AD), section 5.4.6 for alignment exceptions.
"""

from __future__ import annotations

from emu.program.instructions.m68k.forms import EFFECTIVE_ADDRESS, TARGET, find_form, mode_of

_A7 = 7

PUSHED_AT_MOST = 128
"""Bytes that an instruction of a 68K pushes: FMOVEM of eight registers, of 12 each, and some."""


def pushes(architecture: str, code: bytes, distance: int) -> bool:
    """Whether an instruction lowers the stack pointer to what it stores.

    Args:
        architecture: "m68k" or "powerpc".
        code: the instruction's first four bytes.
        distance: how many bytes below the stack pointer it stores.
    """
    if architecture == "m68k":
        return distance <= PUSHED_AT_MOST and _m68k_pushes(int.from_bytes(code[:2], "big"))
    word = int.from_bytes(code[:4], "big")
    is_on_stack = word >> 16 & 31 == 1
    updates = word >> 26 in (37, 39, 45, 53, 55)  # stwu, stbu, sthu, stfsu, stfdu
    indexed = word >> 26 == 31 and word >> 1 & 0x3FF in (183, 247, 439, 695, 759)
    return is_on_stack and (updates or indexed)


def _m68k_pushes(word: int) -> bool:
    """Whether an instruction of the 68K pushes, or has -(A7) as its operand or destination."""
    form = find_form(word)
    if form is None:
        return False
    lower, upper = word & 7 == _A7, word >> 9 & 7 == _A7
    places = {field.place: field.modes for field in form.fields}
    return (
        form.pushes
        or (lower and EFFECTIVE_ADDRESS in places and mode_of(word) == "M")
        or (upper and (places.get(TARGET) == "M" or "-x" in places))
    )


def needs_words(code: bytes) -> bool:
    """Whether a 601 takes an alignment exception for an operand that is not at a multiple of 4."""
    word = int.from_bytes(code[:4], "big")
    return word >> 26 in (46, 47) or (word >> 26 == 31 and word >> 1 & 0x3FF in (20, 150))
