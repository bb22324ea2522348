"""Stops an engine before blocks that are executed elsewhere, and finds those that are worth it.

A table has a number for each even address: how many bytes of code were executed in blocks that
begin there. Where the number has come to a limit, the engine stops before the block.
"""

from __future__ import annotations

import ctypes
import functools

import numpy as np
import unicorn
from numpy.typing import NDArray

from emu.machine.engine.base.native import NativeFunction, add_block_hook, address_of_stop
from emu.machine.engine.hooks.access_hook import CODE
from emu.machine.memory.memory import GuestMemory

_LIMIT, _PASSED, _MET, _EXECUTED = 1, 2, 3, 8

# The words: memory's base, the limit, the block that is not stopped at, whether it was stopped,
# memory's size, the table, the shadow, the engine's function that stops it, and how many bytes of
# code were executed.
_TEXT = f"""
define void @on_block(i64 %engine, i64 %address, i32 %size, ptr %words) {{
  %base = load i64, ptr %words
  %size.at = getelementptr i64, ptr %words, i64 4
  %all = load i64, ptr %size.at
  %offset = sub i64 %address, %base
  %wide = zext i32 %size to i64
  %last = add i64 %offset, %wide
  %is_outside = icmp uge i64 %last, %all
  br i1 %is_outside, label %end, label %inside
inside:
  %shadow.at = getelementptr i64, ptr %words, i64 6
  %shadow = load ptr, ptr %shadow.at
  %final = sub i64 %last, 1
  %final.at = getelementptr i8, ptr %shadow, i64 %final
  %state = load i8, ptr %final.at
  %marked = and i8 %state, {CODE}
  %is_marked = icmp ne i8 %marked, 0
  br i1 %is_marked, label %count, label %mark
mark:
  %here = phi i64 [ %offset, %inside ], [ %next, %mark ]
  %place = getelementptr i8, ptr %shadow, i64 %here
  %before = load i8, ptr %place
  %after = or i8 %before, {CODE}
  store i8 %after, ptr %place
  %next = add i64 %here, 1
  %goes_on = icmp ult i64 %next, %last
  br i1 %goes_on, label %mark, label %count
count:
  %table.at = getelementptr i64, ptr %words, i64 5
  %table = load ptr, ptr %table.at
  %row = lshr i64 %offset, 1
  %heat.at = getelementptr i32, ptr %table, i64 %row
  %heat = load i32, ptr %heat.at
  %limit.at = getelementptr i64, ptr %words, i64 {_LIMIT}
  %limit.wide = load i64, ptr %limit.at
  %limit = trunc i64 %limit.wide to i32
  %is_hot = icmp sge i32 %heat, %limit
  br i1 %is_hot, label %hot, label %cold
cold:
  %more = add i32 %heat, %size
  store i32 %more, ptr %heat.at
  br label %execute
hot:
  %passed.at = getelementptr i64, ptr %words, i64 {_PASSED}
  %passed = load i64, ptr %passed.at
  store i64 -1, ptr %passed.at
  %is_passed = icmp eq i64 %passed, %address
  br i1 %is_passed, label %execute, label %stop
execute:
  %executed.at = getelementptr i64, ptr %words, i64 {_EXECUTED}
  %executed = load i64, ptr %executed.at
  %executed.now = add i64 %executed, %wide
  store i64 %executed.now, ptr %executed.at
  ret void
stop:
  %met.at = getelementptr i64, ptr %words, i64 {_MET}
  store i64 1, ptr %met.at
  %stop.at = getelementptr i64, ptr %words, i64 7
  %emu_stop = load ptr, ptr %stop.at
  %error = call i32 %emu_stop(i64 %engine)
  ret void
end:
  ret void
}}
"""

_ENTRY, _NEVER = (1 << 31) - 1, -(1 << 31)


class EntryHook:
    """Blocks before which an engine stops.

    Args:
        engine: the engine; another hook that stops it comes first.
        memory: its memory.
        shadow: a byte for each byte of memory; those of executed blocks get the bit `CODE`.
        limit: how many bytes of code are executed in a block before it is one of them.

    Attributes:
        heat: the table.
    """

    def __init__(
        self, engine: unicorn.Uc, memory: GuestMemory, shadow: NDArray[np.uint8], limit: int
    ) -> None:
        size = len(memory.buffer)
        self._base, self._shadow = memory.base, shadow
        self.heat = np.zeros(size // 2 + 1, dtype=np.int32)
        tables = self.heat.ctypes.data, shadow.ctypes.data
        self._words = (ctypes.c_int64 * 9)(
            memory.base, limit, -1, 0, size, *tables, address_of_stop()
        )
        add_block_hook(engine, _function(), ctypes.addressof(self._words))

    def take_met(self) -> bool:
        """Whether the engine was stopped since the last time."""
        is_met = self._words[_MET] != 0
        self._words[_MET] = 0
        return is_met

    @property
    def executed(self) -> int:
        """How many bytes of code the engine has executed."""
        return self._words[_EXECUTED]

    def pass_once(self, address: int) -> None:
        """Do not stop before the block there if it is the next one."""
        self._words[_PASSED] = address

    @property
    def limit(self) -> int:
        """How many bytes of code are executed in a block before the engine stops there."""
        return self._words[_LIMIT]

    @limit.setter
    def limit(self, size: int) -> None:
        self._words[_LIMIT] = size

    def begin_at(self, address: int) -> None:
        """Stop before the block there from now on."""
        self.heat[address - self._base >> 1] = _ENTRY

    def never_at(self, address: int) -> None:
        """Stop no more before the block there."""
        self.heat[address - self._base >> 1] = _NEVER

    def busy(self, most: int) -> list[int]:
        """The addresses of the blocks in which the most bytes of code were executed."""
        rows = np.flatnonzero((self.heat > 0) & (self.heat < _ENTRY))
        rows = rows[np.argsort(self.heat[rows])[-most:]]
        return [self._base + 2 * int(row) for row in rows]


@functools.cache
def _function() -> NativeFunction:
    return NativeFunction(_TEXT, "on_block")
