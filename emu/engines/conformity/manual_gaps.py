"""What manuals leave undefined after an instruction, so that no vector can decide about it.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4, at each instruction.
"""

from __future__ import annotations

from collections.abc import Mapping

_N, _Z, _V, _C = 8, 4, 2, 1
_CHK = 6


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
