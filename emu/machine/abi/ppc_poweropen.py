"""The PowerPC convention of Mac OS (PowerOpen), as Retro68's and Apple's compilers have it.

As in System V, arguments begin in r3 and results come in r3. A caller's frame begins with a linkage
area of 24 bytes, into which the routine saves LR (at 8), CR (at 4) and the TOC pointer (at 20), and
has room behind it for all arguments, eight words at least, although the first eight travel in
registers. r2 points at the fragment's table of contents and must be kept, as must r1, r13-r31,
f14-f31 and the condition register fields 2 to 4.
Source: Inside Macintosh: PowerPC System Software, chapter 1, "PowerPC Stack Structure".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.base import as_words
from emu.machine.abi.ppc_sysv import ARGUMENT_REGISTERS, PpcSysV

_LINKAGE = 24


class PpcPowerOpen(PpcSysV):
    """Calls routines of PowerPC code fragments, at the address of their code."""

    name: ClassVar[str] = "ppc-poweropen"

    def pass_arguments(
        self, arguments: tuple[int, ...], entry: NDArray[Any], caller_frame: NDArray[np.uint8]
    ) -> None:
        words = as_words(arguments)
        for name, word in zip(ARGUMENT_REGISTERS, words, strict=False):
            entry[name] = word
        first = len(ARGUMENT_REGISTERS)
        rest = np.array(words[first:], dtype=">u4").view(np.uint8)
        start = _LINKAGE + 4 * first
        caller_frame[start : start + len(rest)] = rest

    def callee_owns(self, arguments: Sequence[int]) -> int:
        return _LINKAGE + 4 * max(len(ARGUMENT_REGISTERS), len(arguments))
