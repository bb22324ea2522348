"""The block hook of `emu.machine.engine.edges`, compiled to machine code by Numba.

It is a module of its own because it needs Numba as soon as it is imported, which takes half a
second; `edges` imports it when something is to be counted.

All memory is one array of 64-bit words: a header, then slots of `SLOT_SIZE` words, one an edge,
then the offsets of the slots in the order in which they were taken. Offsets are in words from the
beginning. A block's *key* is its address in the upper half and its size in bytes in the lower.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

# Everything is unsigned: an index that might be negative would be tested for it.
_W = np.uint64

TOTAL, LIMIT, DUE, DELAY, RATE = map(_W, range(5))
"""Words of the header that are float64: cycles so far; at how many of them to stop; when edges
without a price are to get theirs; how long that is after the first one; what a byte of their code
is taken to cost until then."""

LAST, SLOT, USED, MOST, MASK, ORDER, STOP, ENGINE, STOPPED, FULL = map(_W, range(5, 15))
"""Words of the header: the key of the block entered last; the slot of the edge to it; slots in use;
how many may be; slots less one; where the order is kept; the engine's function that stops it and
what to give it; whether it was stopped here; whether an edge found no place."""

FIRST_SLOT = _W(16)

BLOCK, PREVIOUS, COUNT, PRICE = map(_W, range(4))
"""Words of a slot: the key of the block; of the one before; how often; its price (float64)."""

SLOT_SIZE = _W(4)

NO_BLOCK = _W(0)
"""The key before the first block, and of an empty slot."""

REMOVED = _W(1)
"""The key of a slot whose edge was forgotten; no block of a size of 1 is at address 0."""

_HASH = _W(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio: multiplicative hashing (Knuth, volume 3, section 6.4)."""

_ONE, _TURN, _HALF, _SLOT_SHIFT = _W(1), _W(23), _W(32), _W(2)


@intrinsic  # type: ignore[untyped-decorator]
def _call(context: Any, function: Any, argument: Any) -> Any:
    """Call the C function at an address with one pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.IntType(32), [word]).as_pointer()
        return builder.call(builder.inttoptr(arguments[0], kind), [arguments[1]])

    return types.int32(types.uint64, types.uint64), generate


def on_block(engine: Any, address: Any, size: Any, memory: Any) -> None:
    """Count the edge to a block that is about to be executed, and add its price."""
    words = numba.carray(memory, 1 << 40, numba.uint64)
    cycles = numba.carray(memory, 1 << 40, numba.float64)
    if cycles[TOTAL] >= cycles[LIMIT]:
        # The engine looks for this before the block; it will be entered again.
        words[STOPPED] = _ONE
        _call(words[STOP], words[ENGINE])
        return
    key = (address << _HALF) | _W(size)
    previous = words[LAST]
    words[LAST] = key
    mask = words[MASK]
    # Both blocks are known early, so nothing here waits for what an earlier call has found.
    index = ((key ^ (previous >> _TURN)) * _HASH) >> _HALF & mask
    slot = FIRST_SLOT + (index << _SLOT_SHIFT)
    while (words[slot + BLOCK] ^ key) | (words[slot + PREVIOUS] ^ previous):
        if words[slot + BLOCK] == NO_BLOCK:
            used = words[USED]
            if used >= words[MOST]:
                words[FULL] = _ONE
                return
            words[slot + BLOCK] = key
            words[slot + PREVIOUS] = previous
            cycles[slot + PRICE] = size * cycles[RATE]
            cycles[DUE] = min(cycles[DUE], cycles[TOTAL] + cycles[DELAY])
            cycles[LIMIT] = min(cycles[LIMIT], cycles[DUE])
            words[words[ORDER] + used] = slot
            words[USED] = used + _ONE
            break
        index = (index + _ONE) & mask
        slot = FIRST_SLOT + (index << _SLOT_SHIFT)
    words[SLOT] = slot
    words[slot + COUNT] += _ONE
    cycles[TOTAL] += cycles[slot + PRICE]


_SIGNATURE = "void(voidptr, uint64, uint32, voidptr)"


def _compile() -> Any:
    try:
        return numba.cfunc(_SIGNATURE, cache=True)(on_block)
    except (RuntimeError, OSError):  # nowhere to keep it
        return numba.cfunc(_SIGNATURE)(on_block)


HOOK = _compile()
"""The compiled function; ``HOOK.address`` is its address."""
