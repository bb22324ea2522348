"""A process of qemu-user with a program laid into its memory, which makes calls by the thousand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.engines.base.driven_process import DrivenProcess, SharedFile
from emu.machine.calls.call_entry import Calls
from emu.machine.memory import layout
from emu.machine.memory.memory import PAGE
from emu.machine.memory.surroundings import Surroundings

_TOP = PAGE - layout.FRAME_SIZE
"""Bytes of the stack below the frame that are part of a call's record. What is below them, the
*depth* of the stack, is whole pages, which can be mapped."""

_STACKS_KEPT = 256  # 16 MB of them, in the file that the process maps them from
_MOST_MEMORY = 2 << 30  # bytes that QEMU and the guest may use


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """What a process is laid out for.

    Attributes:
        start: the address that a call begins at.
        stack: the address of the stack.
        frame: the address and size of the frame on top of it.
        regions: address, size, permissions (1 read, 2 write, 4 execute) and bytes of each region of
            memory, and whether calls begin with bytes of their own there.
    """

    start: int
    stack: int
    frame: tuple[int, int]
    regions: tuple[tuple[int, int, int, bytes, bool], ...]

    @property
    def depth(self) -> int:
        """Bytes of the stack's depth."""
        return self.frame[0] - _TOP - self.stack

    @property
    def record(self) -> np.dtype[np.void]:
        """The record of a call: the page of its depth, the top of the stack, frame, and data."""
        data = sum(size for _, size, _, _, is_data in self.regions if is_data)
        fields = [("page", ">u4"), ("top", "u1", _TOP), ("frame", "u1", self.frame[1])]
        return np.dtype([*fields, ("data", "u1", data)])


class QemuProcess:
    """A process of qemu-user that makes calls of one routine.

    Args:
        command: the command that runs the driver.
        plan: what is laid into its memory.
        seconds: a call that takes longer is given up.
    """

    def __init__(self, command: Sequence[str], plan: ProcessPlan, seconds: float) -> None:
        self._given = plan.record
        self._left = np.dtype([(name, self._given[name]) for name in ("frame", "data")])
        self.driven = DrivenProcess(
            command, seconds, byte_order="big", further=1, memory=_MOST_MEMORY
        )
        (stacks,) = self.driven.further
        self._stacks = _Stacks(stacks, plan.depth)
        heads = [(a, size, rights, is_data) for a, size, rights, _, is_data in plan.regions]
        words = [*self.driven.descriptors, self._given.itemsize, self._left.itemsize, plan.start]
        words += [plan.stack, plan.depth, _TOP, *plan.frame]
        words += [len(heads), *(int(word) for head in heads for word in head)]
        content = b"".join(data for _, _, _, data, _ in plan.regions)
        self.trouble = self.driven.begin(np.array(words, ">u4").tobytes() + content)
        """Why the process cannot make any call; "" if it can."""

    def run(self, calls: Calls, part: slice) -> tuple[int, str]:
        """Make some calls. What those leave that return is written to ``frames`` and ``after``.

        Args:
            calls: the calls.
            part: which of them are made.

        Returns:
            How many returned; and why the next one did not, or "".
        """
        numbers = self._stacks.numbers(calls.surroundings[part])
        count = len(numbers)
        given = self.driven.calls.resized(count * self._given.itemsize).view(self._given)
        results = self.driven.made.resized(count * self._left.itemsize).view(self._left)
        given["page"] = numbers * (self._stacks.depth // PAGE)
        given["top"] = self._stacks.tops[numbers]
        given["frame"], given["data"] = calls.entry_frames[part], calls.before[part]
        done, why = self.driven.make(count, self._left.itemsize)
        rows = slice(part.start, part.start + done)
        calls.frames[rows], calls.after[rows] = results["frame"][:done], results["data"][:done]
        return done, why


class _Stacks:
    """The stacks that calls have been made with, by numbers.

    A stack has 62 KiB, and scenes share a few of them. So the process does not copy the one that a
    call needs, but maps it out of a file.

    Args:
        file: the file that a process maps their depths from, one behind the other.
        depth: bytes of a depth.

    Attributes:
        depth: bytes of a depth.
        tops: (stacks, bytes of a top) uint8.
    """

    def __init__(self, file: SharedFile, depth: int) -> None:
        self._file = file
        self.depth = depth
        self._known: dict[Surroundings, int] = {}
        self.tops = np.empty((0, _TOP), np.uint8)

    def numbers(self, surroundings: Sequence[Surroundings]) -> NDArray[np.intp]:
        """The number of the stack of each call."""
        new = dict.fromkeys(
            surrounding for surrounding in surroundings if surrounding not in self._known
        )
        if new:
            if len(self._known) > _STACKS_KEPT:
                self._known.clear()
                new = dict.fromkeys(surroundings)
            self._add(list(new))
        return np.array([self._known[surrounding] for surrounding in surroundings], np.intp)

    def _add(self, new: Sequence[Surroundings]) -> None:
        count, depth = len(self._known), self.depth
        stacks = np.array([surroundings.stack[: depth + _TOP] for surroundings in new])
        self.tops = np.vstack([self.tops[:count], stacks[:, depth:]])
        os.pwrite(self._file.descriptor, stacks[:, :depth].tobytes(), count * depth)
        self._known.update(zip(new, range(count, len(self.tops)), strict=True))
