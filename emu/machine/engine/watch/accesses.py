"""Looks at every access to memory that an engine makes, without a Python call for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import unicorn
from numpy.typing import NDArray
from unicorn import unicorn_const

from emu.base.errors import ToolMissingError
from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id
from emu.machine.engine.base.processor_state import ANY_ACCESS, AccessFunction, Watcher
from emu.machine.engine.hooks.several_words import places
from emu.machine.memory.memory import GuestMemory

OUTSIDE, UNDEFINED, CODE, EDGE, REPLACED, LIMIT = 1, 2, 4, 8, 16, 32
"""Bits of a byte's shadow: it belongs to no object; nobody has stored it; it is code; an object
begins there that follows another without a gap; it was replaced (see `ByteReplacement`);
an object begins there that follows one with several elements."""

APART, FIXED = 64, 128
"""Bits that the hooks do not look at: the engine itself has to make each access to the byte, or
each store."""

NO_POISON = 1 << 8
"""In place of a byte: dead memory of the stack stays as it is, and counts as stored."""

_MOST = (1 << 64) - 1
_PADDING = 8  # the hook reads eight bytes of the shadow at once


class AccessKind(IntEnum):
    """What is wrong with an access."""

    MISALIGNED = 1
    BELOW_STACK = 2
    TWO_OBJECTS = 3
    READ_OUTSIDE = 4
    WRITE_OUTSIDE = 5
    WRITE_CODE = 6
    READ_UNDEFINED = 7
    BEYOND_END = 8
    HIGH_BITS = 9


@dataclass(frozen=True, slots=True)
class Access:
    """The accesses of one kind that one instruction made.

    Attributes:
        kind: what is wrong with them.
        instruction: the address of the instruction.
        address: the address of the first access.
        size: its bytes.
        stack_pointer: the stack pointer at that time.
        call: the number of the call that made it; see `Accesses.begin`.
        count: how many such accesses there were.
    """

    kind: AccessKind
    instruction: int
    address: int
    size: int
    stack_pointer: int
    call: int
    count: int


@dataclass(frozen=True, slots=True)
class ByteReplacement:
    """How undefined bytes are changed, each before it is read for the first time.

    If a result changes with them, it depends on a value that nobody has stored.

    Attributes:
        kept: the bits of a byte that are kept.
        turned: the bits that are inverted in the result.
        instruction: the address of the only instruction whose reads count; None for all.
    """

    kept: int
    turned: int
    instruction: int | None = None


@dataclass(frozen=True, slots=True)
class StackPlace:
    """The stack of calls.

    Attributes:
        start: its lowest address.
        end: the stack pointer that a call begins with.
        red_zone: the bytes below the stack pointer that belong to the running routine.
    """

    start: int
    end: int
    red_zone: int


class Accesses:
    """The wrong accesses of an engine, noted by native hooks.

    Memory below the stack pointer is filled with another byte again and again, as an interrupt
    does on a real computer.

    Args:
        cpu: the processor.
        memory: the guest memory.
        stack: where the stack is.

    Attributes:
        stack: where the stack is.
        shadow: a byte of bits for each byte of guest memory; a call begins with `begin`.
        padded: the same, with some bytes behind it.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, stack: StackPlace) -> None:
        try:
            from emu.machine.engine.base import native
            from emu.machine.engine.hooks import access_hook as hook
        except ImportError as error:
            raise ToolMissingError("full checks need llvmlite: pip install llvmlite") from error
        self._hook: Any = hook
        self._native: Any = native
        self._cpu, self._memory = cpu, memory
        self.stack = stack
        self._words = np.zeros(hook.WORDS, dtype=np.uint64)
        size = len(memory.buffer)
        self.padded = np.zeros(size + _PADDING, dtype=np.uint8)
        self.shadow: NDArray[np.uint8] = self.padded[:size]
        for word, value in (
            (hook.BASE, memory.base),
            (hook.SIZE, size),
            (hook.SHADOW, self.padded.ctypes.data),
            (hook.MEMORY, memory.buffer.ctypes.data),
            (hook.STACK, stack.start),
            (hook.STACK_SIZE, stack.end - stack.start + 1),
            (hook.RED_ZONE, stack.red_zone),
            (hook.ALIGNED, cpu.aligned),
            (hook.POINTER, register_id(cpu, cpu.stack_pointer)),
            (hook.COUNTER, register_id(cpu, "pc")),
            (hook.GENERAL, register_id(cpu, cpu.general_registers[0])),
            (hook.LINES, (1 << cpu.address_lines) - 1),
            (hook.READ, native.address_of_register_read()),
        ):
            self._words[word] = value
        self.replace(None)
        self.clear()

    def attach(self, engine: unicorn.Uc) -> None:
        """Check the accesses of an engine that has not run yet."""
        memory, hook = self._words.ctypes.data, self._hook
        self._native.add_block_hook(engine, hook.ON_BLOCK, memory)
        # Calls take 15 to 28 times as long from here on, and with hooks that do nothing it is no
        # better: 40% of the time is Unicorn's search for the program counter (docs/checks.md).
        self._native.add_hook(engine, ANY_ACCESS, hook.ON_ACCESS, memory)
        for place in places(self._cpu, self._memory):
            at_place = range(place, place + 1)
            self._native.add_hook(
                engine, unicorn_const.UC_HOOK_CODE, hook.ON_MULTIPLE, memory, at_place
            )

    @property
    def watcher(self) -> Watcher:
        """The watcher that checks accesses of instructions that Python executes for the engine."""
        on_access, memory = AccessFunction(self._hook.ON_ACCESS.address), self._words.ctypes.data

        def see(
            uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
        ) -> None:
            on_access(uc._uch.value, access, address, size, value, memory)

        return Watcher(ANY_ACCESS, see)

    def clear(self) -> None:
        """Forget the noted accesses and the deepest stack."""
        self._words[self._hook.HEADER :] = 0
        self._words[[self._hook.USED, self._hook.FULL]] = 0
        self._words[self._hook.DEEPEST] = _MOST

    def replace(self, how: ByteReplacement | None) -> None:
        """Replace undefined bytes from now on; None leaves them as they are."""
        hook = self._hook
        kept, turned = (0xFF, 0) if how is None else (how.kept, how.turned)
        self._words[hook.KEPT] = int.from_bytes(bytes([kept]) * 8, "big")
        self._words[hook.TURNED] = int.from_bytes(bytes([turned]) * 8, "big")
        where = hook.EVERYWHERE
        if how is None:
            where = hook.NOWHERE
        elif how.instruction is not None:
            where = how.instruction
        self._words[hook.CHANGED] = where
        self.is_replacing = how is not None

    def begin(self, call: int, poison: int) -> None:
        """Get ready for a call; its shadow and its memory have been written.

        Args:
            call: a number for it.
            poison: the byte that dead memory of the stack is filled with, or `NO_POISON`.
        """
        hook, live = self._hook, self.stack.end - self.stack.red_zone
        self._words[hook.CALL] = call
        self._words[hook.POISON] = poison
        self._words[[hook.LIVE, hook.LOWEST]] = live
        self._words[hook.DIGEST] = 0

    @property
    def digest(self) -> int:
        """A digest of the blocks that the call executed and the addresses that it used."""
        return int(self._words[self._hook.DIGEST])

    @property
    def deepest(self) -> int:
        """How far below its first stack pointer a call has stored since `clear`, in bytes."""
        return max(0, self.stack.end - int(self._words[self._hook.DEEPEST]))

    @property
    def used(self) -> int:
        """How many `Access` objects `noted` would give."""
        return int(self._words[self._hook.USED])

    @property
    def is_full(self) -> bool:
        """Whether there were more accesses to note than there is room for."""
        return bool(self._words[self._hook.FULL])

    def noted(self) -> Sequence[Access]:
        """The accesses noted since `clear`, in the order of the instructions' addresses."""
        hook = self._hook
        table = self._words[hook.HEADER : hook.RING].reshape(-1, hook.RECORD_SIZE)
        accesses = [
            Access(
                kind=AccessKind(int(row[hook.KEY]) & 0xFF),
                instruction=int(row[hook.KEY]) >> 8,
                address=int(row[hook.ADDRESS]),
                size=int(row[hook.BYTES]),
                stack_pointer=int(row[hook.SP]),
                call=int(row[hook.FIRST]),
                count=int(row[hook.COUNT]),
            )
            for row in table[table[:, hook.KEY] != 0]
        ]
        return sorted(accesses, key=lambda access: (access.instruction, access.kind))
