"""The PowerPC convention of Mac OS (PowerOpen), as Retro68's and Apple's compilers have it.

As in System V, arguments begin in r3 and results come in r3. A caller's frame begins with a linkage
area of 24 bytes, into which the routine saves CR (at 4), LR (at 8) and the TOC pointer (at 20).
Behind it the frame has room for all arguments, at least for eight words, although the first eight
arguments travel in registers. r2 points at the fragment's table of contents. A routine must keep
r1, r2, r13-r31, f14-f31 and the condition register fields 2 to 4.
Source: Inside Macintosh: PowerPC System Software, chapter 1, "PowerPC Stack Structure".
"""

from __future__ import annotations

from typing import ClassVar

from emu.machine.abi.ppc_sysv import PpcSysV


class PpcPowerOpen(PpcSysV):
    """Calls routines of PowerPC code fragments, at the address of their code."""

    name: ClassVar[str] = "ppc-poweropen"
    stack_arguments: ClassVar[int] = 24 + 4 * 8  # the linkage area, and room for r3 to r10
