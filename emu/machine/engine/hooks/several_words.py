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
from emu.machine.memory.memory import GuestMemory

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


def accessed(word: int, register: Callable[[int], int]) -> range:
    """The addresses that one of these instructions is about to access.

    Args:
        word: the instruction.
        register: reads a general register by its number.
    """
    target, base_register, other = _operands(word)
    base = register(base_register) if base_register else 0
    size = other or 32
    if word >> 26 != EXTENDED:
        base += (word & 0xFFFF ^ 0x8000) - 0x8000
        size = 4 * (32 - target)
    elif _further(word) == DCBZ:
        base, size = base + register(other) & -LINE, LINE
    base &= 0xFFFFFFFF
    return range(base, base + size)


def stored(word: int, register: Callable[[int], int]) -> tuple[int, bytes]:
    """What one of these instructions is about to store; no bytes if it loads.

    Args:
        word: the instruction.
        register: reads a general register by its number.

    Returns:
        The address, and the bytes that go there.
    """
    place, (target, _, _) = accessed(word, register), _operands(word)
    further = _further(word) if word >> 26 == EXTENDED else 0
    if further == DCBZ:
        return place.start, bytes(len(place))
    if word >> 26 != STMW and further != STSWI:
        return place.start, b""
    numbers = [(target + index) % 32 for index in range(-(-len(place) // 4))]
    data = b"".join(register(number).to_bytes(4, "big") for number in numbers)
    return place.start, data[: len(place)]


def _operands(word: int) -> tuple[int, int, int]:
    return word >> 21 & 31, word >> 16 & 31, word >> 11 & 31


def _further(word: int) -> int:
    return word >> 1 & 0x3FF
