"""What manuals leave undefined after an instruction, so that no vector can decide about it.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4; PowerPC 601 RISC
Microprocessor User's Manual, chapter 10; at each instruction.
"""

from __future__ import annotations

from collections.abc import Mapping

_N, _Z, _V, _C = 8, 4, 2, 1
_CHK = 6
_ALL, _COMPARISON = 0xFFFFFFFF, 0xE0000000
_LOWEST, _MINUS_ONE = 0x80000000, 0xFFFFFFFF


def undefined_flags(group: str, status: int, exception: int | None) -> Mapping[str, int]:
    """The flags of a 68000 that the manual leaves undefined after an instruction.

    Args:
        group: the instruction.
        status: the status register after it.
        exception: the exception that it takes, or None.
    """
    name, flags = group.split(".")[0], 0
    if name in ("ABCD", "SBCD", "NBCD"):
        flags = _N | _V
    elif name in ("DIVU", "DIVS") and status & _V:
        flags = _N | _Z
    elif name == "CHK":
        flags = _Z | _V | _C if exception == _CHK else _N | _Z | _V | _C
    return {"sr": flags} if flags else {}


def undefined_quotient(group: str, dividend: int, divisor: int) -> Mapping[str, int]:
    """What a 601 leaves undefined after an instruction: the result of a division that has none.

    Args:
        group: the instruction.
        dividend: what r3 holds before it.
        divisor: what r4 holds before it.
    """
    name = group.rstrip(".")
    is_too_large = (dividend, divisor) == (_LOWEST, _MINUS_ONE) and name in ("DIVW", "DIVWO")
    if name not in ("DIVW", "DIVWO", "DIVWU", "DIVWUO") or (divisor and not is_too_large):
        return {}
    return {"r3": _ALL, "cr": _COMPARISON} if group.endswith(".") else {"r3": _ALL}
