"""Checks all accesses to memory that calls make; each call begins with a fresh shadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.base import CallingConvention
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.engine.watch.accesses import (
    NO_POISON,
    REPLACED,
    UNDEFINED,
    Access,
    Accesses,
    StackPlace,
)
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory


class CheckedCalls:
    """Writes the shadow of guest memory before each call, and collects the mistakes of each call.

    Args:
        entry: what writes calls to guest memory.
        convention: the calling convention.

    Attributes:
        accesses: the noted accesses.
        marks: the bits of the shadow that do not change, a byte for each byte of guest memory from
            its base: those of `emu.machine.engine.watch.accesses` that tell of objects and code.
        undefined: (calls, image size) bool, the bytes of each image of the next batch that hold no
            defined value, since nothing was stored there; None if all are defined.
        layout: what the marks tell of; None before somebody has written them.
        numbers: the number of each call of the next batch; None for 0, 1, 2 and so on.
        digests: the digest of each call, in the order in which they were made.
        answered: the noted accesses of calls that are made with the operating system; None before
            the first of them.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, entry: CallEntry, convention: CallingConvention) -> None:
        memory = entry.memory
        stack = memory.region("stack")
        self._frame = entry.contract.address - memory.base
        self._stack = slice(stack.address - memory.base, self._frame)
        place = StackPlace(stack.address, entry.contract.address, convention.red_zone)
        self.accesses = Accesses(entry.cpu, memory, place)
        self.marks = np.zeros(len(memory.buffer), dtype=np.uint8)
        self.layout: object = None
        self.undefined: NDArray[np.bool_] | None = None
        self.numbers: NDArray[np.int64] | None = None
        self.digests: list[int] = []
        self.answered: Accesses | None = None
        self._entry = entry
        self._memory = memory
        start = memory.buffer.ctypes.data
        self._pieces = [
            (part, slice(first, first + len(piece)))
            for part, piece in entry.data.pieces
            for first in (piece.ctypes.data - start,)
        ]

    def clear(self) -> None:
        """Forget the noted accesses."""
        for accesses in self._all:
            accesses.clear()
        self.digests.clear()

    @property
    def _all(self) -> list[Accesses]:
        return [self.accesses] if self.answered is None else [self.accesses, self.answered]

    def noted(self) -> list[Access]:
        """The accesses noted since `clear`; each instruction once for each kind."""
        accesses = {
            (access.instruction, access.kind): access
            for all_ in self._all
            for access in all_.noted()
        }
        return sorted(accesses.values(), key=lambda access: (access.instruction, access.kind))

    @property
    def deepest(self) -> int:
        """The most bytes of stack that a call has used since `clear`."""
        return max(accesses.deepest for accesses in self._all)

    @property
    def is_full(self) -> bool:
        """Whether there were more accesses to note than there is room for."""
        return any(accesses.is_full for accesses in self._all)

    def number_of(self, index: int) -> int:
        """The number of a call of the batch."""
        return index if self.numbers is None else int(self.numbers[index])

    def begin_answered(self, index: int, memory: GuestMemory) -> None:
        """Write the shadow of a call that the operating system makes in a memory of its own.

        The system's own stores are not seen, so all bytes count as defined.

        Args:
            index: the index of the call in the batch.
            memory: that memory. It has the regions of this machine's memory at the same addresses.
        """
        assert self.answered is not None
        for region in self._memory.regions:
            here, there = region.address - self._memory.base, region.address - memory.base
            shadow = self.answered.shadow[there : there + region.size]
            shadow[:] = self.marks[here : here + region.size]
        self.answered.begin(self.number_of(index), NO_POISON)

    def begin(self, calls: Calls, index: int) -> None:
        """Write the shadow of a call; guest memory has been written."""
        shadow, frame = self.accesses.shadow, self._frame
        for part, memory in self._pieces:
            shadow[memory] = self.marks[memory]
            if self.undefined is not None:
                shadow[memory] |= self.undefined[index, part] * np.uint8(UNDEFINED)
        shadow[self._stack] = UNDEFINED
        given = frame + calls.site.form.stack_bytes
        shadow[given : frame + layout.CALLER_FRAME] = UNDEFINED
        shadow[frame:given] = 0
        self.accesses.begin(self.number_of(index), int(calls.surroundings[index].stack[0]))

    def end(self, calls: Calls, index: int) -> None:
        """Keep the call's digest, and restore bytes that `Accesses.replace` has changed."""
        self.digests.append(self.accesses.digest)
        if not self.accesses.is_replacing:
            return
        replaced = (self.accesses.shadow & REPLACED) != 0
        for (part, view), (_, memory) in zip(self._entry.data.pieces, self._pieces, strict=True):
            chosen = replaced[memory]
            view[chosen] = calls.before[index, part][chosen]
        end = self._frame + layout.FRAME_SIZE
        chosen = replaced[self._frame : end]
        self._entry.frame[chosen] = calls.entry_frames[index][chosen]
