"""Reports the blocks of code that an engine translates, each before it is executed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import unicorn
from unicorn import unicorn_const

from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import GuestMemory

Observer = Callable[[Block, bytes], str]
"""A function of a block and its bytes; returns why the block must not be executed, or ""."""


@dataclass(frozen=True, slots=True)
class BlockRefusal:
    """A block that was not executed.

    Attributes:
        block: its address and size in bytes.
        reason: the reason that the observer gave.
    """

    block: Block
    reason: str


class TranslatedCode:
    """The bytes of every block that an engine has translated, and the observers of new blocks.

    The engine reports a block after it has translated it and before it executes it. When the block
    is executed again, it is not reported. Code that the program has changed is translated again,
    and reported again. The first block of a run is never reported; of a call it is the gate's.

    Args:
        memory: the guest memory.

    Attributes:
        code: bytes of each block, as it was when it was last translated.
        observers: functions that are called in this order with each reported block, before the
            block is entered in ``code``. The first one that returns a reason stops the engine.
        refusal: the block before which the engine was stopped last.
    """

    def __init__(self, memory: GuestMemory) -> None:
        self.code: dict[Block, bytes] = {}
        self.observers: list[Observer] = []
        self.refusal: BlockRefusal | None = None
        self._bytes: Any = memory.buffer.data
        self._base = memory.base

    def attach(self, engine: unicorn.Uc) -> None:
        """Let an engine that has not run yet report its blocks here."""
        # Called once for a block, when it is translated: a loop that runs a million times costs one
        # call of Python, where a hook on blocks would take 350 ns for each round.
        engine.hook_add(unicorn_const.UC_HOOK_EDGE_GENERATED, self._on_translated)

    def read(self, address: int, size: int) -> bytes:
        """The bytes that are in memory now."""
        start = address - self._base
        return bytes(self._bytes[start : start + size])

    def _on_translated(self, uc: unicorn.Uc, current: Any, previous: Any, _: object) -> None:
        if current.size and not self.report((current.pc, current.size)):
            uc.emu_stop()

    def report(self, block: Block) -> bool:
        """Call all observers with a block; whether it may be executed."""
        data = self.read(*block)
        for observer in self.observers:
            reason = observer(block, data)
            if reason:
                self.refusal = BlockRefusal(block, reason)
                return False
        self.code[block] = data
        return True
