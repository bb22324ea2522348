"""Tells which code the calls of a run have reached, at no cost for each call.

The engine tells of every block of code when it translates it, which is when it is executed for the
first time. So the blocks that were translated are those that were executed, on whichever scene.
"""

from __future__ import annotations

from collections.abc import Hashable

from emu.machine import CodeBlock
from emu.machine.code_coverage.new_code import NewCode

Reached = tuple[tuple[int, int], ...]
"""Address and size in bytes of blocks of code, in the order of the addresses."""


class ReachedCode:
    """The blocks that the calls of a machine reach for the first time in a run.

    A machine is kept from one run to the next, and then has translated code that the next one may
    never come to. So its blocks are forgotten when a run begins.

    Args:
        new_code: the blocks that the machine executes for the first time.
    """

    def __init__(self, new_code: NewCode) -> None:
        self._new_code = new_code
        self._known: set[CodeBlock] = set()
        self._run: Hashable = None

    def begin(self, run: Hashable) -> None:
        """Begin a run, unless it is the one that is under way; equal values stand for one run."""
        if run == self._run:
            return
        self.take()
        self._new_code.report_again(self._known)
        self._run, self._known = run, set()

    def take(self) -> list[CodeBlock]:
        """The blocks that were reached since the last call of this function."""
        blocks = self._new_code.take()
        self._known.update(blocks)
        return blocks
