"""Shifts of a word by one on the 68K, from the manual's text alone; it shares nothing with emu.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4: ASL and ASR, LSL and
LSR, ROL and ROR, ROXL and ROXR.
"""

from __future__ import annotations

X, N, Z, V, C = 16, 8, 4, 2, 1

KINDS = {"as": 0, "ls": 1, "rox": 2, "ro": 3}
"""The two bits of an opcode that tell what kind of shift it is."""


def shifted(kind: str, way: str, word: int, flags: int) -> tuple[int, int]:
    """What a shift by one leaves.

    Args:
        kind: "as", "ls", "rox" or "ro".
        way: "l" or "r".
        word: the operand.
        flags: X, N, Z, V and C before.

    Returns:
        The word and the flags.
    """
    bits = [word >> n & 1 for n in range(16)]  # bit 0 first
    out = bits[15] if way == "l" else bits[0]
    extend = 1 if flags & X else 0
    enters = {
        "as": 0 if way == "l" else bits[15],
        "ls": 0,
        "rox": extend,
        "ro": out,
    }[kind]
    moved = [enters, *bits[:15]] if way == "l" else [*bits[1:], enters]
    result = sum(bit << n for n, bit in enumerate(moved))
    after = C * out
    after |= (flags & X) if kind == "ro" else X * out
    after |= N * moved[15] | Z * (result == 0)
    if kind == "as" and way == "l" and bits[15] != moved[15]:
        after |= V
    return result, after
