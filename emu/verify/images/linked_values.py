"""Moves trees and lists between scenes, answers of references and guest images."""

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


class LinkedValues:
    """What scenes and answers say of the trees and lists of a case, and what calls leave of them.

    Args:
        bound: the case laid onto a program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self._case = bound.case
        self._machine = bound.machine
        self._slots = bound.slots

    def lay(self, images: NDArray[np.uint8], scenes: Sequence[Scene]) -> None:
        """Lay the structures of scenes into their images, and write down all that is observed.

        Raises:
            CaseError: a scene lacks one, or it does not fit the program.
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
        """Write down in an image what an answer says of every structure; how many values.

        Raises:
            CaseError: the answer lacks one, or it does not fit the program.
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
        """Write down what calls left, and put back the pointers and nodes that were written down.

        Args:
            before: (calls, image size), the images that the calls began with.
            after: the images that they left, which are changed.
        """
        for first, image in zip(before, after, strict=True):
            for structure in self._slots.linked:
                written = structure.view(image).copy()
                if written.tobytes() == structure.view(first).tobytes():
                    structure.write_down(image, self._reader(image))
                # Else it was written down when the system's memory was there, which is gone now.
            for structure in self._slots.linked:
                structure.put_back(first, image, self._machine.data)

    def blocks(self, image: NDArray[np.uint8]) -> list[GivenBlock]:
        """The nodes of all structures that scenes give, each as a block of the Memory Manager's."""
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
        """Write down what a call left that the operating system has answered.

        Args:
            image: (image size,), the image that it left.
            of_the_system: reads the memory that the system gave it.
        """
        own = self._reader(image)

        def read(address: int, size: int) -> bytes | None:
            return own(address, size) or of_the_system(address, size)

        for structure in self._slots.linked:
            structure.write_down(image, read)

    def _reader(self, image: NDArray[np.uint8]) -> Reader:
        """What reads memory that an image or the program has."""
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
            return attribute_of(source, structure.slot.phrase.attribute, who, self._case.path)

    def _blamed(self, structure: Structure, error: UsageError) -> CaseError:
        try:
            with self._slots.about(structure.slot):
                raise CaseError(self._case.path, str(error))
        except CaseError as blamed:
            return blamed
