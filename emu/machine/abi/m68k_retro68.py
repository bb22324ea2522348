"""The 68K convention of Retro68's GCC.

It is the convention of ELF systems with these differences, measured on GCC 12.2: a routine may
change D2 as well; a char or short argument takes a slot of 2 bytes, with a char in the upper byte;
pointers return in D0. A5 belongs to the application: its globals lie below, its jump table above.
`long`, `int` and pointers take 4 bytes as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.base import Narrow, as_words
from emu.machine.abi.m68k_elf import M68kElf
from emu.machine.cpu import Cpu

_SLOT = 2
"""Bytes of the smallest argument, because the processor pushes nothing smaller."""


class M68kRetro68(M68kElf):
    """Calls routines of applications that Retro68 made for the 68K."""

    name: ClassVar[str] = "m68k-retro68"

    @property
    def address_register(self) -> str:
        return self.result_register

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        return {name: bits for name, bits in super().preserved(cpu).items() if name != "d2"}

    def pass_arguments(
        self, arguments: tuple[int, ...], entry: NDArray[Any], caller_frame: NDArray[np.uint8]
    ) -> None:
        slots = b"".join(
            _slot(argument, word)
            for argument, word in zip(arguments, as_words(arguments), strict=True)
        )
        caller_frame[: len(slots)] = np.frombuffer(slots, dtype=np.uint8)

    def callee_owns(self, arguments: Sequence[int]) -> int:
        return sum(_SLOT if isinstance(argument, Narrow) else 4 for argument in arguments)


def _slot(argument: int, word: int) -> bytes:
    if not isinstance(argument, Narrow):
        return word.to_bytes(4, "big")
    value = (word & (1 << 8 * argument.width) - 1).to_bytes(argument.width, "big")
    return value.ljust(_SLOT, b"\0")
