"""Which blocks of the old function calls have reached, and what would lead to the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from emu.machine.engine.watch.edges import Block
from emu.port.vary.old_function import OldFunction

_COMPARISON = re.compile(r"cmp|tst|btst|chk|andi?\.|subq|rlwinm\.|and\w*\.")
_MOST_LINES_BEFORE = 3


@dataclass(frozen=True, slots=True)
class UnreachedBlock:
    """A block that no call has reached.

    Attributes:
        place: where it begins in the old program.
        words: what would lead there, in words; "" if that is not known.
    """

    place: str
    words: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """What calls have reached of an old function.

    Attributes:
        blocks: how many blocks it has.
        recorded: how many the recorded calls reached.
        varied: how many recorded and changed calls reached.
        unreached: the others, in the order of addresses.
    """

    blocks: int
    recorded: int
    varied: int
    unreached: tuple[UnreachedBlock, ...]


class ReachedBlocks:
    """The instructions of an old function that were executed.

    Args:
        function: the function.
    """

    def __init__(self, function: OldFunction) -> None:
        self._function = function
        self._blocks: set[Block] = set()
        self._offsets: set[int] = set()

    def add(self, entry: int, blocks: Iterable[Block]) -> None:
        """Take in the blocks of a call.

        Args:
            entry: the address of the function in it.
            blocks: what was executed, of all functions.
        """
        inside = range(entry, entry + self._function.size)
        own = {(start - entry, size) for start, size in blocks if start in inside}
        for start, size in own - self._blocks:
            self._offsets.update(range(start, start + size, 2))
        self._blocks |= own

    @property
    def count(self) -> int:
        """How many blocks of the function were entered."""
        return sum(block.start in self._offsets for block in self._function.blocks)

    def coverage(self, recorded: int) -> Coverage:
        """What was reached.

        Args:
            recorded: how many blocks recorded calls had reached.
        """
        function = self._function
        unreached = [block for block in function.blocks if block.start not in self._offsets]
        return Coverage(
            len(function.blocks),
            recorded,
            len(function.blocks) - len(unreached),
            tuple(
                UnreachedBlock(function.place_at(block.start), self._words(block.branches))
                for block in unreached
            ),
        )

    def _words(self, branches: Collection[int]) -> str:
        """What leads to a block: the comparison before a branch that was reached."""
        for offset in branches:
            if offset not in self._offsets:
                continue
            lines = self._function.lines
            order = [at for at in sorted(lines) if at <= offset][-1 - _MOST_LINES_BEFORE :]
            branch = f"{lines[offset]} at {self._function.place_at(offset)}" if order else ""
            for at in reversed(order[:-1]):
                if _COMPARISON.match(lines[at]):
                    return (
                        f"{lines[at]} at {self._function.place_at(at)} would have to come out "
                        f"otherwise for {branch}"
                    )
            return f"{branch} would have to go the other way" if branch else ""
        return ""
