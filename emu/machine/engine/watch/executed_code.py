"""Remembers the code that was executed, and notices when it changes."""

from __future__ import annotations

from collections.abc import Callable

from emu.machine.engine.watch.edges import Block, EdgeCounter
from emu.machine.engine.watch.translated_code import TranslatedCode


class ExecutedCode:
    """The bytes of every block that an engine has executed, for `EdgeCounter`.

    A program can move its code, load other code to the same place, or change it. The engine reports
    each block that it translates, except the first block of a run; that one is compared here.

    Args:
        translated: the blocks of the engine, which has not run yet.
        edges: the counter of the engine's edges.

    Attributes:
        code: bytes of each block, as it was when it was last translated.
        on_change: is called before a block's new code replaces the old code in ``code``. The counts
            are still those of the old code; they are forgotten afterwards.
    """

    def __init__(self, translated: TranslatedCode, edges: EdgeCounter) -> None:
        self.code: dict[Block, bytes] = {}
        self.on_change: Callable[[Block], None] = lambda block: None
        self._edges = edges
        self._translated = translated
        self._longest: dict[int, bytes] = {}
        self._seen = 0
        translated.observers.append(self._on_translated)

    def before_run(self, address: int) -> None:
        """Check whether the block at which a run begins has changed since it was executed."""
        code = self._longest.get(address)
        if code is not None and self._translated.read(address, len(code)) != code:
            for block in [block for block in self.code if block[0] == address]:
                self._note(block, self._translated.read(*block))

    def after_run(self) -> None:
        """Keep the code of blocks that were executed for the first time."""
        if self._edges.used != self._seen:
            self._seen = self._edges.used
            for block in self._edges.blocks():
                if block not in self.code:
                    self._note(block, self._translated.read(*block))

    def _on_translated(self, block: Block, data: bytes) -> str:
        self._note(block, data)
        return ""

    def _note(self, block: Block, data: bytes) -> None:
        code = self.code.get(block)
        if code == data:
            return
        if code is not None:
            self.on_change(block)
            self._edges.forget({block})
            self._longest.pop(block[0], None)
        self.code[block] = data
        if len(data) > len(self._longest.get(block[0], b"")):
            self._longest[block[0]] = data
