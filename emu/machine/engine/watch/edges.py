"""Counts the edges between blocks that an engine executes, without a Python call for each block.

An *edge* is a block together with the block that ran before it; a block runs from the instruction
it is entered at to the next branch. A hook compiled to machine code (`edge_hook`) counts edges in
a table, and adds up their prices once these are known. Python reads the table.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import unicorn
from numpy.typing import NDArray

from emu.base.errors import MacproofError, ToolMissingError

EDGE = np.dtype(
    [
        ("previous", "u4"),
        ("previous_size", "u4"),
        ("address", "u4"),
        ("size", "u4"),
        ("count", "u8"),
    ]
)
"""An edge: addresses and sizes in bytes of the two blocks, and how often it was taken. The first
block has no block before it; ``previous`` and ``previous_size`` of its edge are 0."""

MOST_EDGES = 1 << 15  # its table takes 2.3 MB

_HookFunction = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_void_p
)

Block = tuple[int, int]
"""Address and size in bytes."""


class TooManyEdgesError(MacproofError):
    """The program has more edges than there is room for; not all were counted."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class NewEdge:
    """An edge without a price.

    Attributes:
        number: its number among the edges.
        previous: the block before it, or (0, 0).
        block: the block itself.
        earlier: the block that most often ran before ``previous`` so far, or (0, 0).
    """

    number: int
    previous: Block
    block: Block
    earlier: Block


class EdgeCounter:
    """Counts the edges that an engine executes from now on.

    It must be made before the engine has run, because hooks are built into translated code.

    Args:
        engine: the engine.
        most: how many different edges there may be, a power of two.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, engine: unicorn.Uc, most: int = MOST_EDGES) -> None:
        try:
            from emu.machine.engine.base import native
            from emu.machine.engine.hooks import edge_hook as hook
        except ImportError as error:
            raise ToolMissingError(
                "counting blocks needs llvmlite: pip install llvmlite"
            ) from error
        self._hook: Any = hook
        # At most half of the slots are taken, so that a search looks at 1.5 slots on average if the
        # edge is there, and at 2.5 if it is not (linear probing; Knuth, volume 3, section 6.4).
        slots = 2 * most
        self._first, self._slot_size = hook.FIRST_SLOT, hook.SLOT_SIZE
        self._order = self._first + slots * self._slot_size
        self._words = _aligned_words(self._order + most)
        self._cycles: NDArray[np.float64] = self._words.view(np.float64)
        # Single words are read much faster through these.
        self._word: Any = self._words.data
        self._number: Any = self._cycles.data
        self._total, self._limit, self._last, self._slot, self._used = (
            place for place in (hook.TOTAL, hook.LIMIT, hook.LAST, hook.SLOT, hook.USED)
        )
        self._stopped, self._full = hook.STOPPED, hook.FULL
        self._words[hook.MOST] = most
        self._words[hook.MASK] = (slots - 1) * self._slot_size * self._words.itemsize
        self._words[self._slot] = hook.NO_SLOT
        self._words[hook.ORDER] = self._order
        self._words[hook.STOP] = native.address_of_stop()
        self._due = hook.DUE
        self._planned = np.inf
        self._cycles[[self._limit, self._due, hook.DELAY]] = np.inf
        self._priced = 0
        self._into: defaultdict[int, list[int]] = defaultdict(list)
        self._enter = _HookFunction(hook.HOOK.address)
        self._add_hook = native.add_block_hook
        self.attach(engine)

    def attach(self, engine: unicorn.Uc) -> None:
        """Go on counting in this engine, which has not run yet, in place of the one before."""
        self._words[self._hook.ENGINE] = engine._uch.value
        self._add_hook(engine, self._hook.HOOK, self._words.ctypes.data)

    # -- counts ------------------------------------------------------------------------------------

    @property
    def used(self) -> int:
        """How many different edges there were, including the forgotten ones."""
        return int(self._word[self._used])

    def check(self) -> None:
        """Check that every edge was counted.

        Raises:
            TooManyEdgesError: there were more different edges than there is room for.
        """
        if self._word[self._full]:
            most = len(self._words) - self._order
            raise TooManyEdgesError(
                f"the program goes from block to block in more than {most:,} ways, of which each "
                "needs a place to be counted; no count or time of it would be right"
            )

    def edges(self) -> NDArray[np.void]:
        """`EDGE` records without the forgotten ones, in the order in which they were first taken.

        Raises:
            TooManyEdgesError: see `check`.
        """
        self.check()
        return self.edges_since()

    def counts(self) -> NDArray[np.uint64]:
        """How often each edge was taken so far, the forgotten ones too, in the order of `edges`."""
        slots = self._words[self._order : self._order + self.used].astype(np.intp)
        counts: NDArray[np.uint64] = self._words[slots + self._hook.COUNT]
        return counts

    def edges_since(
        self, before: NDArray[np.uint64] | None = None, *, first: int = 0
    ) -> NDArray[np.void]:
        """`EDGE` records of what was taken since a moment; of edges without room there are none.

        Args:
            before: `counts` at that moment; None for the beginning.
            first: the number of the first edge that is looked at.
        """
        hook = self._hook
        slots = self._words[self._order + first : self._order + self.used].astype(np.intp)
        block, previous, count = (
            self._words[slots + place] for place in (hook.BLOCK, hook.PREVIOUS, hook.COUNT)
        )
        if before is not None:
            count[: len(before)] -= before
        records = np.zeros(len(slots), dtype=EDGE)
        records["previous"], records["previous_size"] = previous >> 32, previous & 0xFFFFFFFF
        records["address"], records["size"] = block >> 32, block & 0xFFFFFFFF
        records["count"] = count
        kept: NDArray[np.void] = records[(block != hook.REMOVED) & (count > 0)]
        return kept

    def blocks(self) -> set[Block]:
        """Every block that was entered."""
        slots = self._words[self._order : self._order + self.used].astype(np.intp)
        keys: set[int] = set(self._words[slots + self._hook.BLOCK].tolist())
        return {_block(key) for key in keys if key != self._hook.REMOVED}

    def clear(self) -> None:
        """Forget all counts and prices."""
        # Only what is in use: all of it takes much longer than a short call.
        order = slice(self._order, self._order + self.used)
        slots = self._words[order].astype(np.intp)
        self._words[slots[:, np.newaxis] + np.arange(self._slot_size)] = 0
        self._words[order] = 0
        self._cycles[self._due] = np.inf
        self._cycles[self._limit] = self._planned
        for place in (
            self._total,
            self._last,
            self._used,
            self._full,
            self._stopped,
        ):
            self._words[place] = 0
        self._words[self._slot] = self._hook.NO_SLOT
        self._priced = 0
        self._into.clear()

    def take_back(self, address: int) -> None:
        """Take back the count of the block entered last, if it is the one at this address.

        The engine was stopped before it executed the block. It will enter the block again.
        """
        hook = self._hook
        last = int(self._words[self._last])
        offset = int(self._words[self._slot])
        if last >> 32 != address or offset == hook.NO_SLOT:
            return
        slot = self._first + offset // self._words.itemsize
        if self._words[slot + hook.BLOCK] == last:
            self._words[slot + hook.COUNT] -= np.uint64(1)
            self._cycles[self._total] -= self._cycles[slot + hook.PRICE]
            self._words[self._last] = self._words[slot + hook.PREVIOUS]
            self._words[self._slot] = hook.NO_SLOT

    def enter(self, address: int, size: int) -> None:
        """Count a block that was executed without the engine."""
        self._enter(None, address, size, self._words.ctypes.data)

    # -- prices ------------------------------------------------------------------------------------

    @property
    def cycles(self) -> float:
        """The sum of the prices of all edges taken so far, each as often as it was taken.

        Edges without a price count as `expect_prices` says.

        Raises:
            TooManyEdgesError: see `check`.
        """
        if self._word[self._full]:
            self.check()
        return float(self._number[self._total])

    @property
    def has_new(self) -> bool:
        """Whether there are edges without a price."""
        return bool(self._word[self._used] != self._priced)

    def expect_prices(self, delay: float, rate: float) -> None:
        """Make the engine stop some time after an edge without a price was taken.

        Otherwise a program that only waits for time to pass might never stop, and its edges would
        never get prices.

        Args:
            delay: after how many cycles the engine stops. The price of an edge depends on what ran
                before it, which is known better after some time.
            rate: the cycles that a byte of code costs until its edge has a price. It should be too
                low rather than too high.
        """
        self._cycles[self._hook.DELAY] = delay
        self._cycles[self._hook.RATE] = rate

    def price_new(self, price: Callable[[NewEdge], float]) -> None:
        """Give every edge without a price one, and add what the edge has cost so far.

        Raises:
            TooManyEdgesError: see `check`.
        """
        self.check()
        hook, used = self._hook, self.used
        price_word = hook.PRICE
        slots = self._words[self._order + self._priced : self._order + used].tolist()
        for slot in slots:
            self._into[int(self._words[slot + hook.BLOCK])].append(slot)
        for number, slot in enumerate(slots, self._priced):
            block, previous, count = (
                int(self._words[slot + place]) for place in (hook.BLOCK, hook.PREVIOUS, hook.COUNT)
            )
            if block != hook.REMOVED:
                edge = NewEdge(number, _block(previous), _block(block), self._before(previous))
                cycles = price(edge)
                self._cycles[self._total] += (cycles - self._cycles[slot + price_word]) * count
                self._cycles[slot + price_word] = cycles
        self._priced = used
        self._cycles[self._due] = np.inf
        self._cycles[self._limit] = self._planned

    def _before(self, block: int) -> Block:
        """The block that most often ran before a block so far."""
        hook = self._hook
        into = self._into.get(block) if block else None
        if not into:
            return (0, 0)
        most = max(into, key=lambda slot: int(self._words[slot + hook.COUNT]))
        return _block(int(self._words[most + hook.PREVIOUS]))

    def forget(self, blocks: set[Block]) -> None:
        """Forget the counts and prices of edges from and to blocks whose code has changed.

        What the edges have cost remains in `cycles`. Edges without a price cost nothing, so call
        `price_new` first.
        """
        hook = self._hook
        keys = np.array([address << 32 | size for address, size in blocks], dtype=np.uint64)
        slots = self._words[self._order : self._order + self.used].astype(np.intp)
        touched = np.isin(self._words[slots + hook.BLOCK], keys) | np.isin(
            self._words[slots + hook.PREVIOUS], keys
        )
        self._words[slots[touched] + hook.BLOCK] = hook.REMOVED
        for key in keys.tolist():
            self._into.pop(key, None)
        if self._words[self._last] in keys:
            self._words[self._last] = hook.NO_BLOCK

    # -- stopping ----------------------------------------------------------------------------------

    @property
    def limit(self) -> float:
        """At how many cycles the engine stops, before it enters another block."""
        return self._planned

    @limit.setter
    def limit(self, cycles: float) -> None:
        self._planned = cycles
        self._cycles[self._limit] = self._next_stop()

    def stop(self) -> None:
        """Stop the engine before it enters another block, from any thread.

        `unicorn.Uc.emu_stop` would stop it anywhere, even after a block was counted and before the
        block is executed.
        """
        self._cycles[self._limit] = -np.inf

    @property
    def was_stopped(self) -> bool:
        """Whether the engine has come to the limit, or to a `stop`, since `go_on`."""
        return bool(self._word[self._stopped])

    def go_on(self) -> None:
        """Let the engine go on after it was stopped, up to the limit."""
        self._words[self._stopped] = 0
        self._cycles[self._limit] = self._next_stop()

    @property
    def at_limit(self) -> bool:
        """Whether the limit has been reached, or it is time for new prices."""
        return bool(self._number[self._total] >= self._next_stop())

    def _next_stop(self) -> float:
        return min(self._planned, float(self._number[self._due]))


def _block(key: int) -> Block:
    return key >> 32, key & 0xFFFFFFFF


def _aligned_words(count: int) -> NDArray[np.uint64]:
    """An array of zeros that begins at a cache line."""
    words = np.zeros(count + 8, dtype=np.uint64)
    start = -(words.ctypes.data // 8) % 8
    return words[start : start + count]
