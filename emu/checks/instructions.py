"""What instructions do with the stack pointer, as far as checks of memory have to know it.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 8; PowerPC 601 RISC
Microprocessor User's Manual (MPC601UM/AD), section 5.4.6 for alignment exceptions.
"""

from __future__ import annotations

_PUSHED_AT_MOST = 128  # bytes: FMOVEM of eight registers, of 12 bytes each, and some


def pushes(architecture: str, code: bytes, distance: int) -> bool:
    """Whether an instruction lowers the stack pointer to what it stores.

    Args:
        architecture: "m68k" or "powerpc".
        code: the instruction's first four bytes.
        distance: how many bytes below the stack pointer it stores.
    """
    if architecture == "m68k":
        return distance <= _PUSHED_AT_MOST and _m68k_pushes(int.from_bytes(code[:2], "big"))
    word = int.from_bytes(code[:4], "big")
    is_on_stack = word >> 16 & 31 == 1
    updates = word >> 26 in (37, 39, 45, 53, 55)  # stwu, stbu, sthu, stfsu, stfdu
    indexed = word >> 26 == 31 and word >> 1 & 0x3FF in (183, 247, 439, 695, 759)
    return is_on_stack and (updates or indexed)


def _m68k_pushes(word: int) -> bool:
    is_predecrement = word & 0x3F == 0x27  # -(A7) as the operand
    is_move = word >> 12 in (1, 2, 3) and word & 0xFC0 == 0xF00  # -(A7) as MOVE's destination
    is_call = word & 0xFFC0 == 0x4E80 or word & 0xFF00 == 0x6100  # JSR, BSR
    is_pea = word & 0xFFC0 == 0x4840 and word & 0x38 > 0x08
    is_link = word & 0xFFF8 in (0x4E50, 0x4808)
    return is_predecrement or is_move or is_call or is_pea or is_link


def needs_words(code: bytes) -> bool:
    """Whether a 601 takes an alignment exception for an operand that is not at a multiple of 4."""
    word = int.from_bytes(code[:4], "big")
    return word >> 26 in (46, 47) or (word >> 26 == 31 and word >> 1 & 0x3FF in (20, 150))
