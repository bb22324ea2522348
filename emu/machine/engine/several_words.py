"""PowerPC instructions that access several words, of which Unicorn 2.1.4 does not tell.

The engine's helpers for LMW, STMW, LSWI, STSWI and DCBZ use guest memory without its hooks.
(LSWX and STSWX take their number of bytes from XER, which cannot be read; no compiler uses them.)
Source: PowerPC 601 RISC Microprocessor User's Manual (MPC601UM/AD), chapter 10; measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from emu.machine.cpu import Cpu
from emu.machine.memory import GuestMemory

LMW, STMW, EXTENDED = 46, 47, 31
"""Primary codes; the others have the last one, and one of these further codes."""
LSWI, STSWI, DCBZ = 597, 725, 1014

LINE = 32
"""Bytes that DCBZ clears."""


def places(cpu: Cpu, memory: GuestMemory) -> Iterator[int]:
    """The addresses of words in executable memory that look like such an instruction."""
    if cpu.architecture != "powerpc":
        return
    for region in memory.regions:
        if region.executable:
            words: Any = memory.view(region.address, region.size).view(">u4").astype(np.uint32)
            primary, extended = words >> 26, words >> 1 & 0x3FF
            chosen = (primary == LMW) | (primary == STMW)
            chosen |= (primary == EXTENDED) & np.isin(extended, (LSWI, STSWI, DCBZ))
            yield from (region.address + 4 * np.flatnonzero(chosen)).tolist()


def stored(word: int, register: Callable[[int], int]) -> tuple[int, bytes]:
    """What one of these instructions is about to store; nothing if it loads.

    Args:
        word: the instruction.
        register: reads a general register by its number.

    Returns:
        The address, and the bytes that go there.
    """
    target, one, other = (word >> shift & 31 for shift in (21, 16, 11))
    base = register(one) if one else 0
    primary, extended = word >> 26, word >> 1 & 0x3FF
    if primary == STMW:
        distance = (word & 0xFFFF ^ 0x8000) - 0x8000
        data = b"".join(register(number).to_bytes(4, "big") for number in range(target, 32))
        return base + distance & 0xFFFFFFFF, data
    if primary == EXTENDED and extended == STSWI:
        size = other or 32
        numbers = [(target + index) % 32 for index in range(-(-size // 4))]
        data = b"".join(register(number).to_bytes(4, "big") for number in numbers)
        return base, data[:size]
    if primary == EXTENDED and extended == DCBZ:
        return base + register(other) & 0xFFFFFFFF & -LINE, bytes(LINE)
    return base, b""
