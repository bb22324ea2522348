"""The places of the code at which checks are made, in a table that their functions look into.

A check is called with the number of its site, so the call takes four registers and not six: what
the fast way has in the others stays there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.lift.native.assembler import Assembler
from emu.lift.shadow.areas import LAST_BYTES, LASTS

_SIZE = 4  # bytes of an address

NO_LAST = LASTS
"""The place of the last address of a site that keeps none: 0 stays there."""

SITE = """
  %site.at = getelementptr [4 x i32], ptr @check_sites, i32 %site
  %at = load i32, ptr %site.at
  %size.at = getelementptr i32, ptr %site.at, i32 1
  %size = load i32, ptr %size.at
  %last.place = getelementptr i32, ptr %site.at, i32 2
  %last.distance = load i32, ptr %last.place
  %last.at = getelementptr i8, ptr %shadow, i32 %last.distance
  %last = load i32, ptr %last.at
  %pushes.at = getelementptr i32, ptr %site.at, i32 3
  %pushes.word = load i32, ptr %pushes.at
  %pushes = trunc i32 %pushes.word to i1"""
"""Instructions that read the entry with the number ``%site``: the address of the guest instruction,
the bytes that it uses, the last address that it has used, or 0, and whether it stores before it
moves the stack pointer."""


@dataclass(slots=True)
class CheckSites:
    """The sites of one program."""

    _numbers: dict[tuple[int, int, int, bool], int] = field(default_factory=dict)
    _lasts: int = 0

    def new_last(self) -> int:
        """A place in which a site keeps the last address that it has used.

        It is the distance from ``%shadow``, whose register the fast way has anyhow. In a global
        variable of LLVM it took an instruction of 10 bytes and a register more.
        """
        self._lasts += 1
        return LASTS + _SIZE * (1 + (self._lasts - 1) % (LAST_BYTES // _SIZE - 1))

    def number(self, write: Assembler, size: int, last: int, *, is_push: bool) -> int:
        """The number of a site: the present instruction, with an access of so many bytes.

        Args:
            write: has the instruction.
            size: the bytes.
            last: what `new_last` gave, or `NO_LAST`.
            is_push: whether the instruction stores before it moves the stack pointer.
        """
        site = write.instruction.address, size, last, is_push
        return self._numbers.setdefault(site, len(self._numbers))

    def text(self) -> str:
        """The table in LLVM's assembler language."""
        entries = [
            f"[4 x i32] [{', '.join(f'i32 {int(word)}' for word in site)}]"
            for site in self._numbers or [(0, 0, 0, False)]
        ]
        kind = f"[{len(entries)} x [4 x i32]]"
        return f"@check_sites = internal constant {kind} [{', '.join(entries)}]\n"
