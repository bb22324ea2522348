"""Stops an engine before it enters a block, from any thread or after so much code.

`unicorn.Uc.emu_stop` cannot be used when another thread calls it. The engine then stops after any
access to memory, in the middle of an instruction, and later begins the same instruction again:
``lwz r12,0(r12)`` loads twice, and ``addq.l #1,(a0)`` adds 2 (see `check_exit_request` in tcg-op.c
of Unicorn 2.1.4). Here a function that is called before each block stops the engine, so no
instruction has begun.
"""

from __future__ import annotations

import ctypes
import functools

import unicorn

from emu.machine.engine.base.native import NativeFunction, add_block_hook, address_of_stop

# The three words: whether a stop was asked for, the engine's function that stops it, and how many
# bytes of code may be executed yet.
_TEXT = """
define void @on_block(i64 %engine, i64 %address, i32 %size, i64* %words) {
  %budget = getelementptr i64, i64* %words, i64 2
  %before = load i64, i64* %budget
  %bytes = zext i32 %size to i64
  %left = sub i64 %before, %bytes
  store i64 %left, i64* %budget
  %is_spent = icmp slt i64 %left, 0
  %asked = load volatile i64, i64* %words
  %is_asked = icmp ne i64 %asked, 0
  %stops = or i1 %is_spent, %is_asked
  br i1 %stops, label %stop, label %end
stop:
  store volatile i64 0, i64* %words
  %place = getelementptr i64, i64* %words, i64 1
  %function = load i64, i64* %place
  %emu_stop = inttoptr i64 %function to i32 (i64)*
  %error = call i32 %emu_stop(i64 %engine)
  br label %end
end:
  ret void
}
"""

_UNLIMITED = 1 << 62


class StopHook:
    """Lets an engine be stopped; to be made before the engine has run.

    Args:
        engine: the engine. It should have no other hook on blocks.
    """

    # Unicorn calls a single hook on blocks from translated code, but walks a list of two: the call
    # that takes 20 µs with `edge_hook` takes 28 with both. So `EdgeCounter` stops engines, too.

    def __init__(self, engine: unicorn.Uc) -> None:
        self._words = (ctypes.c_int64 * 3)(0, address_of_stop(), _UNLIMITED)
        add_block_hook(engine, _function(), ctypes.addressof(self._words))

    def ask(self) -> None:
        """Stop the engine before the next block that it enters, in this run or the next."""
        self._words[0] = 1

    @property
    def asked_at(self) -> int:
        """Where the word is that is not 0 if a stop was asked for."""
        return ctypes.addressof(self._words)

    @property
    def budget(self) -> int:
        """How many bytes of code may be executed yet; below 0 if the engine was stopped for it.

        The engine stops before it enters a block that is longer.
        """
        return self._words[2]

    @budget.setter
    def budget(self, size: int) -> None:
        self._words[2] = size


@functools.cache
def _function() -> NativeFunction:
    return NativeFunction(_TEXT, "on_block")
