"""The interface of what looks at the accesses of calls without hooks of the engine.

A screen makes the calls of a batch once more, in a way of its own that checks each access and is
much faster than hooks. It says which calls made a mistake. Those that it cannot make it says, too;
their accesses have to be looked at by hooks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.base import CallingConvention
from emu.machine.calls.batch import Batch
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.accesses import Access
from emu.machine.memory.memory import GuestMemory
from emu.program import Program


class CallScreen(ABC):
    """Looks at the accesses of calls.

    Args:
        memory: the guest memory.

    Attributes:
        marks: the bits of the shadow that do not change, as of `CheckedCalls`.
        layout: what the marks tell of; None before somebody has written them.
        undefined: (calls, image size) bool, the bytes of each image of the next batch that hold no
            defined value; None if all are defined.
        compared: (image size,) uint8, the bits of an image that are compared with the reference.
        numbers: the number of each call of the next batch; None for 0, 1, 2 and so on.
        is_looking: whether it looks at the calls that the machine makes.
        left: the calls that it could not make, by their numbers: why.
        deepest: the most bytes of stack that a call has used since `clear`.
        is_full: whether there was more to note than there is room for.
        disagreements: the numbers of calls that left something else on the machine's own engine.
    """

    def __init__(self, memory: GuestMemory) -> None:
        self.marks = np.zeros(len(memory.buffer), dtype=np.uint8)
        self.layout: object = None
        self.undefined: NDArray[np.bool_] | None = None
        self.compared: NDArray[np.uint8] | None = None
        self.numbers: NDArray[np.int64] | None = None
        self.is_looking = False
        self.clear()

    def clear(self) -> None:
        """Forget what was noted."""
        self.left: dict[int, str] = {}
        self.deepest = 0
        self.is_full = False
        self.disagreements: list[int] = []

    def number_of(self, index: int) -> int:
        """The number of a call of the batch."""
        return index if self.numbers is None else int(self.numbers[index])

    @abstractmethod
    def look(self, entry: CallEntry, calls: Calls, batch: Batch) -> None:
        """Make calls once more and look at their accesses.

        Args:
            entry: what lays calls into guest memory.
            calls: the calls, as they begin.
            batch: what they have left on the machine's own engine.
        """

    @abstractmethod
    def noted(self) -> list[Access]:
        """The mistakes since `clear`; each instruction once for each kind.

        Reads of undefined bytes are among them only if something depends on these bytes.
        """


MakeScreen: TypeAlias = Callable[[Cpu, Program, GuestMemory, CallingConvention], CallScreen]
"""Makes a screen for a machine; raises `EngineRefusal`, and `ToolMissingError` if something is not
installed."""
