"""A process of qemu-user with a program laid into its memory, which makes calls by the thousand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.engines.driven_process import DrivenProcess

_WORD = 4
_STACKS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """What a process is laid out for.

    Attributes:
        start: the address that a call begins at.
        stack: the address and size of the stack.
        frame: the address and size of the frame on top of it.
        regions: address, size, permissions (1 read, 2 write, 4 execute) and bytes of each region of
            memory, and whether calls begin with bytes of their own there.
    """

    start: int
    stack: tuple[int, int]
    frame: tuple[int, int]
    regions: tuple[tuple[int, int, int, bytes, bool], ...]

    @property
    def record(self) -> int:
        """Bytes of the record of a call: where its stack is, its frame, and its data."""
        data = sum(size for _, size, _, _, is_data in self.regions if is_data)
        return _WORD + self.frame[1] + data


class QemuProcess:
    """A process of qemu-user that makes calls of one routine.

    Args:
        command: the command that runs the driver.
        plan: what is laid into its memory.
        seconds: a call that takes longer is given up.
    """

    def __init__(self, command: Sequence[str], plan: Plan, seconds: float) -> None:
        self._plan = plan
        self.driven = DrivenProcess(command, seconds, byte_order="big", further=1)
        (self._stacks,) = self.driven.further
        self._known: dict[int, tuple[NDArray[np.uint8], int]] = {}
        heads = [(a, size, rights, is_data) for a, size, rights, _, is_data in plan.regions]
        words = [*self.driven.descriptors, plan.record, plan.start, *plan.stack, *plan.frame]
        words += [len(heads), *(int(word) for head in heads for word in head)]
        content = b"".join(data for _, _, _, data, _ in plan.regions)
        self.trouble = self.driven.begin(np.array(words, ">u4").tobytes() + content)
        """Why the process cannot make any call; "" if it can."""

    def run(
        self,
        stacks: Sequence[NDArray[np.uint8]],
        frames: NDArray[np.uint8],
        images: NDArray[np.uint8],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
        """Make calls.

        Args:
            stacks: what is on the stack of each.
            frames: (calls, frame size), the frames that they begin with.
            images: (calls, image size), the data that they begin with.

        Returns:
            The frames and the images of the calls that returned, which last until the next run; and
            why the next call did not return, or "".
        """
        count, size, record = len(images), frames.shape[1], self._plan.record
        given = self.driven.calls.resized(count * record).reshape(count, record)
        left = self.driven.made.resized(count * record).reshape(count, record)
        given[:, :_WORD] = self._places(stacks).view(np.uint8).reshape(count, _WORD)
        given[:, _WORD : _WORD + size] = frames
        given[:, _WORD + size :] = images
        done, why = self.driven.make(count, record)
        return left[:done, _WORD : _WORD + size], left[:done, _WORD + size :], why

    def _places(self, stacks: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint32]:
        """Where each stack lies in the file of stacks."""
        size = self._plan.stack[1]
        if len(self._known) > _STACKS_KEPT:
            self._known.clear()
        for stack in stacks:
            if id(stack) not in self._known:
                # The array is kept, so that no other gets its identity.
                self._known[id(stack)] = stack, len(self._known) * size
                os.pwrite(self._stacks.descriptor, stack.tobytes(), self._known[id(stack)][1])
        return np.array([self._known[id(stack)][1] for stack in stacks], ">u4")
