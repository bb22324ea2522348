"""Calls that ask the Toolbox: what they find there, and how its state gets into their images.

A call may, for example, resize a block that the scene gave it. The Toolbox is gone after the call,
so what it knows (sizes of blocks, freed blocks, its random seed) is written into words of the
image, and is compared there as any global is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.toolbox_state import TOOLBOX
from emu.machine.calls.execution.fast_calls import Reader
from emu.machine.calls.system import GivenBlock, SystemCalls, SystemTerms
from emu.verify.images.linked_values import LinkedValues
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.slots.argument_layout import DISPOSED, SIZE_OF
from emu.verify.places.slots.blocks import bring_home
from emu.verify.places.slots.fields import Slot
from emu.verify.places.slots.state import state_slots


class AskingCalls:
    """Tells a machine which Toolbox its calls find, and writes what they did there into images.

    Args:
        bound: the case laid onto a program.
        linked: the trees and lists of the case.

    Attributes:
        unchanged: words that are compared beside the case's own places, and that stay as they were
            unless an answer says otherwise: sizes of blocks, and numbers of the Toolbox's state.
    """

    def __init__(self, bound: BoundCase, linked: LinkedValues) -> None:
        self._machine, self._data = bound.machine, bound.machine.data
        self._layout = layout = bound.layout
        self._pointers = [slot for slot in bound.slots.observed if slot.type.kind == "pointer"]
        self._linked = linked
        blocks = layout.blocks if bound.case.keeps_blocks else []
        self._lengths = {block.address: block.length for block in blocks}
        answers = {name: answer.address for name, answer in layout.answers.items()}
        self._terms = SystemTerms(answers, layout.fixed, self._blocks)
        self.attend()
        start = self._data.offset
        sizes = [
            variable for name, variable in layout.variables.items() if name.startswith(SIZE_OF)
        ]
        self.unchanged = [Slot(size, (), size.type, start(size.address)) for size in sizes]
        state = layout.variables.get(TOOLBOX)
        if layout.state and state is not None:
            self.unchanged += state_slots(state, start(state.address), layout.state)

    def attend(self) -> None:
        """Register with the machine, whose calls before may have been of another layout."""
        self._machine.calls.system_terms = self._terms
        self._machine.calls.tell_of_answered(self._note)

    def _blocks(self, image: NDArray[np.uint8]) -> Sequence[GivenBlock]:
        """The blocks of the Memory Manager's heap that the scene of an image gives to its call."""
        return [*self._layout.blocks, *self._linked.blocks(image)]

    def _note(self, image: NDArray[np.uint8], answered: SystemCalls, read: Reader) -> None:
        """Write into an image what the Toolbox knows of the call that left it."""
        self._linked.note_answered(image, read)
        for address, before in answered.freed:
            if self._data.room(address) >= len(before):
                self._put(image, address, before)
            if address in self._lengths:
                self._put(image, self._lengths[address], DISPOSED.to_bytes(4, "big"))
        for slot in self._pointers:
            bring_home(slot.view(image[np.newaxis]), answered.moved)
        for path, address in self._layout.state.items():
            self._put(image, address, answered.state.get(path, 0).to_bytes(4, "big"))

    def _put(self, image: NDArray[np.uint8], address: int, data: bytes) -> None:
        start = self._data.offset(address)
        image[start : start + len(data)] = np.frombuffer(data, np.uint8)
