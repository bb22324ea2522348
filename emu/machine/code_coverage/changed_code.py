"""Finds code that a call has changed and then executed.

Only a program with memory that is both writable and executable can do this. For all other programs
nothing is watched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.data_image import DataImage
from emu.machine.memory.memory import GuestMemory


@dataclass(frozen=True, slots=True, eq=False)
class ChangedCode:
    """A call that executed code which differs from the loaded code.

    Attributes:
        address: where the block begins.
        code: the bytes that were executed.
        before: (image size,) uint8, the data image that the call began with.
    """

    address: int
    code: bytes
    before: NDArray[np.uint8]


class CodeChanges:
    """Notices when changed code is executed.

    Args:
        engine: the engine, which has not run yet.
        memory: the guest memory with the program loaded.
    """

    def __init__(self, engine: FastEngine, memory: GuestMemory) -> None:
        self._engine = engine
        self._loaded = {
            region: memory.view(region.address, region.size).tobytes()
            for region in memory.regions
            if region.writable and region.executable
        }
        self.fresh: list[tuple[int, bytes]] = []
        """Changed blocks that the current call has executed: address and code."""
        self._calls: list[ChangedCode] = []
        if self._loaded:
            engine.translated.observers.append(self._on_block)

    def _on_block(self, block: tuple[int, int], code: bytes) -> str:
        for region, loaded in self._loaded.items():
            start = block[0] - region.address
            if block[0] in region and loaded[start : start + len(code)] != code:
                self.fresh.append((block[0], code))
        return ""

    def end_call(self, before: NDArray[np.uint8]) -> None:
        """Record the call, and make the engine forget its translation of the changed blocks.

        Otherwise the next call would execute the changed code, because the engine does not notice
        that Python restores the memory.
        """
        for address, code in self.fresh:
            self._engine.forget_code(address, len(code))
        address, code = self.fresh[0]
        self._calls.append(ChangedCode(address, code, before.copy()))
        self.fresh.clear()

    def take(self) -> list[ChangedCode]:
        """The recorded calls since the last `take`, with the first changed block of each."""
        calls, self._calls = self._calls, []
        return calls


def find_changing_code(
    edges: NDArray[np.void],
    memory: GuestMemory,
    data: DataImage,
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> int | None:
    """The address of executed code that differs between some calls; None if there is none.

    Args:
        edges: `emu.machine.engine.watch.edges.EDGE` records of what the calls executed.
        memory: the guest memory.
        data: the layout of images.
        before: (calls, image size) uint8, the images before the calls.
        after: the same shape, the images after the calls.
    """
    for address, size in {(address, size) for _, _, address, size, _ in edges.tolist()}:
        region = memory.find(address)
        if region is None or not region.writable:
            continue
        start = data.offset(address)
        block = slice(start, start + size)
        if any(np.any(images[:, block] != before[0, block]) for images in (before, after)):
            return int(address)
    return None
