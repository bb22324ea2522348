"""Where blocks of a heap zone were before they moved or were freed, and the calls that did it."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from emu.toolbox.managers.memory.block import Block, HeaderForm, HeapOwner, HeapUse

_MOST = 4096


class Ghost(NamedTuple):
    """The place where a block used to be, and the call that moved or freed it."""

    start: int
    end: int
    handle: int
    moved: bool
    use: HeapUse

    def description(self, call: str) -> str:
        """What was there, with the call in words."""
        if self.moved:
            return f"where the block of handle 0x{self.handle:08x} was until {call} moved it"
        whose = f" of handle 0x{self.handle:08x}" if self.handle else ""
        return f"a block{whose} that {call} had disposed of"


class FormerBlocks:
    """The last 4,096 blocks of a zone that have moved or were freed.

    Args:
        owner: the object that knows the calls.
        form: the form of the blocks' headers.
    """

    def __init__(self, owner: HeapOwner, form: HeaderForm) -> None:
        self._owner = owner
        self._header = form.size
        self._ghosts: deque[Ghost] = deque(maxlen=_MOST)

    def note(self, block: Block, *, moved: bool) -> None:
        """Note where a block is, before it moves or is freed."""
        use = self._owner.heap_use()
        self._ghosts.append(Ghost(block.start, block.end, block.handle, moved, use))

    def at(self, address: int) -> str:
        """Describe the block whose contents began at an address; or ""."""
        ghost = self._last_at(address)
        return "" if ghost is None else self.words(ghost)

    def moved_from(self, address: int) -> Ghost | None:
        """The block whose contents began at an address, if it has moved since."""
        ghost = self._last_at(address)
        return ghost if ghost is not None and ghost.moved else None

    def _last_at(self, address: int) -> Ghost | None:
        start = address - self._header
        return next((ghost for ghost in reversed(self._ghosts) if ghost.start == start), None)

    def words(self, ghost: Ghost) -> str:
        """What was there, and which call moved or freed it."""
        return ghost.description(self._owner.heap_words(ghost.use))

    def around(self, address: int) -> tuple[str, str]:
        """The block that an address lay in, the last of several.

        Returns:
            The name of the check and the place in words, as "4 bytes into where the block ... was
            until NewHandle, call 2 of the Toolbox, moved it"; or "" and "".
        """
        for ghost in reversed(self._ghosts):
            if ghost.start <= address < ghost.end:
                distance = address - ghost.start - self._header
                into = f"{distance} bytes into " if distance > 0 else ""
                check = "stale handle" if ghost.moved else "disposed block"
                return check, into + self.words(ghost)
        return "", ""
