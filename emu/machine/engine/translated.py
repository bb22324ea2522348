"""The blocks of code that an engine translates, each looked at before it is executed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import unicorn
from unicorn import unicorn_const

from emu.machine.engine.edges import Block
from emu.machine.memory import GuestMemory

Observer = Callable[[Block, bytes], str]
"""Is given a block and its bytes; returns why it must not be executed, or "" if it may."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A block that was not executed.

    Attributes:
        block: its address and size in bytes.
        reason: why, in the words of the observer that refused it.
    """

    block: Block
    reason: str


class TranslatedCode:
    """The bytes of every block that an engine has translated, and who looks at new ones.

    The engine reports a block when it has translated it and before it executes it, so nothing is
    called when the block is executed again. Code that the program has changed is translated, and
    reported, anew. The first block of a run is not reported: a call begins with the gate.

    Args:
        memory: what the engine runs in.

    Attributes:
        code: bytes of each block, as it was when it was last translated.
        observers: are called in this order with each block that is reported, before it is entered
            in ``code``. The first that gives a reason stops the engine.
        refusal: the block before which the engine was stopped last.
    """

    def __init__(self, memory: GuestMemory) -> None:
        self.code: dict[Block, bytes] = {}
        self.observers: list[Observer] = []
        self.refusal: Refusal | None = None
        self._bytes: Any = memory.buffer.data
        self._base = memory.base

    def attach(self, engine: unicorn.Uc) -> None:
        """Have an engine that has not run yet report its blocks here."""
        engine.hook_add(unicorn_const.UC_HOOK_EDGE_GENERATED, self._on_translated)

    def read(self, address: int, size: int) -> bytes:
        """Code as it is in memory now."""
        start = address - self._base
        return bytes(self._bytes[start : start + size])

    def _on_translated(self, uc: unicorn.Uc, current: Any, previous: Any, _: object) -> None:
        if current.size and not self.report((current.pc, current.size)):
            uc.emu_stop()

    def report(self, block: Block) -> bool:
        """Have all observers look at a block; whether it may be executed."""
        data = self.read(*block)
        for observer in self.observers:
            reason = observer(block, data)
            if reason:
                self.refusal = Refusal(block, reason)
                return False
        self.code[block] = data
        return True
