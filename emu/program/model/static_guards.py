"""The flags in which C++ programs keep whether a static of a function was constructed.

Source: Itanium C++ ABI, "One-time Construction API" and "Guard Variables": the symbol of the flag
is that of the static with ``_ZGV`` in place of ``_Z``.
"""

from __future__ import annotations

import numpy as np

from emu.program.model.model import Program, Variable
from emu.program.model.types import GuestType, array_of

_BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))


def guard_of(program: Program, static: Variable) -> Variable | None:
    """The flag of a static, as an array of bytes; None if it has none."""
    guards = {
        f"_ZGV{symbol.name.removeprefix('_Z')}"
        for symbol in program.symbols
        if symbol.address == static.address and symbol.name.startswith("_Z")
    }
    found = next((symbol for symbol in program.symbols if symbol.name in guards), None)
    if found is None:
        return None
    return Variable(f"guard of {static.name}", found.address, array_of(_BYTE, (found.size,)))
