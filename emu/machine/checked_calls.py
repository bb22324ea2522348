"""Lets an engine look at all accesses to memory that calls make, each call with a fresh shadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.machine import layout
from emu.machine.abi import CallingConvention
from emu.machine.call_entry import CallEntry, Calls
from emu.machine.cpu import Cpu
from emu.machine.engine.accesses import REPLACED, UNDEFINED, Accesses, StackPlace
from emu.machine.memory import GuestMemory


class CheckedCalls:
    """The shadow of guest memory before each call, and what is told of each call.

    Args:
        cpu: the processor.
        convention: the calling convention.
        memory: the guest memory.
        entry: what writes calls there.

    Attributes:
        accesses: what is noted of them.
        marks: the bits of the shadow that do not change, a byte for each byte of guest memory from
            its base: those of `emu.machine.engine.accesses` that tell of objects and code.
        undefined: (calls, image size) bool, the bytes of each image of the next batch that nobody
            has stored; None if all are defined.
        has_marks: whether somebody has written the marks.
        numbers: the number of each call of the next batch; None for 0, 1, 2 and so on.
        digests: the digest of each call, in the order in which they were made.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(
        self, cpu: Cpu, convention: CallingConvention, memory: GuestMemory, entry: CallEntry
    ) -> None:
        stack = memory.region("stack")
        self._frame = entry.contract.address - memory.base
        self._stack = slice(stack.address - memory.base, self._frame)
        place = StackPlace(stack.address, entry.contract.address, convention.red_zone)
        self.accesses = Accesses(cpu, memory, place)
        self.marks = np.zeros(len(memory.buffer), dtype=np.uint8)
        self.has_marks = False
        self.undefined: NDArray[np.bool_] | None = None
        self.numbers: NDArray[np.int64] | None = None
        self.digests: list[int] = []
        self._entry = entry
        start = memory.buffer.ctypes.data
        self._pieces = [
            (part, slice(first, first + len(piece)))
            for part, piece in entry.data.pieces
            for first in (piece.ctypes.data - start,)
        ]

    def clear(self) -> None:
        """Forget what was noted of calls."""
        self.accesses.clear()
        self.digests.clear()

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
        number = index if self.numbers is None else int(self.numbers[index])
        self.accesses.begin(number, int(calls.surroundings[index].stack[0]))

    def end(self, calls: Calls, index: int) -> None:
        """Keep what is told of a call, and put bytes back that were replaced and not stored."""
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
