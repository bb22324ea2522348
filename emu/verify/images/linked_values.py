"""Writes trees and lists of scenes and answers into images, and reads what calls left of them.

Each is compared by its *transcript*: its nodes in the order in which pointers reach them, with
numbers in place of addresses; see `emu.verify.places.linked_structures.structures`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, UsageError
from emu.cases.keys.parts import Scene
from emu.machine.calls.system import GivenBlock
from emu.verify.images.attributes import attribute_of
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.linked_structures.pointer_walk import Reader
from emu.verify.places.linked_structures.structures import Structure
from emu.verify.scenes.columns import ColumnItem


class LinkedValues:
    """The trees and lists of a case on one program.

    Args:
        bound: the case laid onto a program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self._case = bound.case
        self._machine = bound.machine
        self._slots = bound.slots

    def lay(self, images: NDArray[np.uint8], scenes: Sequence[Scene]) -> None:
        """Lay the structures of scenes into their images, and a transcript of each observed one.

        Args:
            images: (scenes, image size) uint8; they are changed.
            scenes: the scenes.

        Raises:
            CaseError: a scene lacks a structure, or it does not fit the program.
        """
        if not (self._slots.given or self._slots.linked):
            return
        for image, scene in zip(images, scenes, strict=True):
            numbers: dict[int, int] = {}
            for structure in self._slots.given:
                given = self._read(scene, structure, f"a scene of {self._case.make} has")
                what = f"the scene's {structure.slot.phrase.attribute}"
                try:
                    structure.lay(image, given, scene.seed, numbers, what)
                except UsageError as error:
                    raise self._blamed(structure, error) from error
            for structure in self._slots.linked:
                structure.write_down(image, self._reader(image))

    def expect(self, image: NDArray[np.uint8], answer: Any) -> int:
        """Write the transcript of each structure of an answer into an image; the number of values.

        Raises:
            CaseError: the answer lacks a structure, or it does not fit the program.
        """
        values = 0
        for structure in self._slots.linked:
            expected = self._read(answer, structure, f"{self._case.reference} gives")
            try:
                what = f"the reference's {structure.slot.phrase.attribute}"
                values += structure.expect(image, expected, what)
            except UsageError as error:
                raise self._blamed(structure, error) from error
        return values

    def settle(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> None:
        """Write transcripts of what calls left, and put the nodes themselves back as they were.

        The nodes may lie elsewhere than in another right program, so they must not be compared
        byte for byte; the transcripts are compared.

        Args:
            before: (calls, image size), the images that the calls began with.
            after: (calls, image size), the images that they left; they are changed.
        """
        for first, image in zip(before, after, strict=True):
            for structure in self._slots.linked:
                written = structure.view(image).copy()
                if written.tobytes() == structure.view(first).tobytes():
                    structure.write_down(image, self._reader(image))
                # Else `note_answered` has written it, while the Toolbox's memory was still there.
            for structure in self._slots.linked:
                structure.put_back(first, image, self._machine.data)

    def blocks(self, image: NDArray[np.uint8]) -> list[GivenBlock]:
        """The nodes of all structures that scenes give, each as a block of the guest's heap."""
        read = self._reader(image)
        return [
            block
            for structure in self._slots.given
            for block in structure.blocks(image, read)
            if self._machine.data.room(block.address) >= block.room
        ]

    def note_answered(
        self, image: NDArray[np.uint8], of_the_system: Callable[[int, int], bytes | None]
    ) -> None:
        """Write transcripts of what a call left that asked the Toolbox, before that is gone.

        Args:
            image: (image size,), the image that the call left; it is changed.
            of_the_system: reads memory that the Toolbox gave to the call, such as a new block.
        """
        own = self._reader(image)

        def read(address: int, size: int) -> bytes | None:
            return own(address, size) or of_the_system(address, size)

        for structure in self._slots.linked:
            structure.write_down(image, read)

    def _reader(self, image: NDArray[np.uint8]) -> Reader:
        """A function that reads memory of an image, or read-only memory of the program."""
        data, memory = self._machine.data, self._machine.memory

        def read(address: int, size: int) -> bytes | None:
            if data.room(address) >= size:
                start = data.offset(address)
                return image[start : start + size].tobytes()
            region = memory.find(address)
            if region is None or region.writable or address + size > region.end:
                return None
            return memory.view(address, size).tobytes()

        return read

    def _read(self, source: Any, structure: Structure, who: str) -> Any:
        with self._slots.about(structure.slot):
            attribute = structure.slot.phrase.attribute
            return attribute_of(ColumnItem(source), attribute, who, self._case.path)

    def _blamed(self, structure: Structure, error: UsageError) -> CaseError:
        try:
            with self._slots.about(structure.slot):
                raise CaseError(self._case.path, str(error))
        except CaseError as blamed:
            return blamed
