"""Collects the code that calls have executed for the first time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import GuestMemory, MemoryRegion


@dataclass(frozen=True, slots=True, order=True)
class CodeBlock:
    """A block of code: its address, and its bytes at the time when it was executed."""

    address: int
    code: bytes


class NewCode:
    """The blocks that guest code has executed since `take` was last called, without the gate's.

    Args:
        engine: the engine, which has not run yet.
        gate: the region of the gate.
    """

    def __init__(self, engine: FastEngine, gate: MemoryRegion) -> None:
        self.forgetting: list[Callable[[int, int], None]] = [engine.forget_code]
        """Functions of an address and a size that make an engine report code there again."""
        self._gate = gate
        self._blocks: set[CodeBlock] = set()
        engine.translated.observers.append(self._on_block)

    def _on_block(self, block: tuple[int, int], code: bytes) -> str:
        if block[0] not in self._gate:
            self._blocks.add(CodeBlock(block[0], code))
        return ""

    def add(self, blocks: Iterable[Block], memory: GuestMemory) -> None:
        """Add blocks that another engine has executed."""
        for address, size in blocks:
            self._on_block((address, size), memory.view(address, size).tobytes())

    def take(self) -> list[CodeBlock]:
        """The new blocks in the order of their addresses; each block is returned once."""
        blocks, self._blocks = sorted(self._blocks), set()
        return blocks

    def report_again(self, blocks: Iterable[CodeBlock]) -> None:
        """Let blocks count as new once more when they are executed again."""
        for block in blocks:
            for forget in self.forgetting:
                forget(block.address, len(block.code))
