"""Makes calls to their end however long they take, within a number of instructions.

Nothing here depends on how fast the host is: the engine counts what it executes. Counting is
native, so that a hundred million instructions take about a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.machine.abi.call_site import CallSite
from emu.machine.calls.call_entry import CallEntry
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.edges import Block, EdgeCounter, NewEdge
from emu.machine.memory.surroundings import Surroundings

_DELAY, _RATE = 10_000.0, 0.25
"""Instructions after which a new block is decoded, and what a byte of it counts until then."""


@dataclass(frozen=True, slots=True)
class LongCall:
    """How a call within a number of instructions ended.

    Attributes:
        returned: whether it came to its end within the number of instructions.
        is_used_up: whether that number ended it.
        instructions: how many it executed, with those of the gate.
        edges: how often it went from one block to another.
        privileged: the titles of privileged instructions that it executed, by address.
    """

    returned: bool
    is_used_up: bool
    instructions: int
    edges: dict[tuple[Block, Block], int]
    privileged: dict[int, str]


class LongCalls:
    """Makes one call at a time, each in an engine of its own.

    Args:
        entry: what writes calls to guest memory.
    """

    def __init__(self, entry: CallEntry) -> None:
        self._entry = entry

    def make(
        self, site: CallSite, before: NDArray[np.uint8], around: Surroundings, most: int
    ) -> LongCall:
        """Make a call, which may execute so many instructions.

        Raises:
            ToolMissingError: llvmlite is not installed.
            TooManyEdgesError: it goes from block to block in more ways than can be counted.
        """
        engine = FastEngine(self._entry.cpu, self._entry.memory)
        edges = engine.count_edges()
        edges.expect_prices(_DELAY, _RATE)
        edges.limit = float(most)

        is_used_up = False

        def goes_on() -> bool:
            nonlocal is_used_up
            edges.price_new(self._instructions)
            is_used_up = edges.cycles >= most
            return not is_used_up

        engine.goes_on = goes_on
        engine.call_python(self._entry.callbacks.entries)
        engine.run(*self._entry.prepare(site, before, around))
        self._entry.callbacks.raise_error()
        edges.price_new(self._instructions)
        executed = int(edges.cycles)
        return LongCall(
            self._entry.has_returned() and executed <= most,
            is_used_up or executed > most,
            executed,
            _counts(edges),
            dict(engine.privileged),
        )

    def _instructions(self, edge: NewEdge) -> float:
        """How many instructions a block holds; of code that cannot be decoded, its units."""
        code = self._entry.memory.view(*edge.block).tobytes()
        try:
            return float(self._entry.cpu.count_instructions(code))
        except MacproofError:
            return len(code) / len(self._entry.cpu.no_operation)


def _counts(edges: EdgeCounter) -> dict[tuple[Block, Block], int]:
    return {
        ((previous, previous_size), (address, size)): count
        for previous, previous_size, address, size, count in edges.edges().tolist()
    }
