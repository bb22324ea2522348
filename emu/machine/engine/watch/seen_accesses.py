"""Calls a Python function before each access of guest code to some addresses.

That is slow, so it is for calls that are made once more to be explained.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id
from emu.machine.engine.base.processor_state import Watcher
from emu.machine.engine.hooks import several_words
from emu.machine.memory.memory import GuestMemory

See = Callable[[int, int, int, bool], None]
"""Gets the address of an instruction, that of what it accesses, the number of bytes, and whether it
stores."""

_LONGEST = 16
"""The bytes of the longest access."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenAccesses:
    """The accesses of one engine.

    Attributes:
        engine: the engine.
        cpu: its processor.
        memory: its memory.
        watchers: what sees the accesses of instructions that Python executes for the engine.
    """

    engine: unicorn.Uc
    cpu: Cpu
    memory: GuestMemory
    watchers: list[Watcher]

    @contextlib.contextmanager
    def seeing(self, see: See, places: range, *, has_loads: bool = False) -> Iterator[None]:
        """Have a function called before each access that begins or reaches into some addresses.

        Args:
            see: the function.
            places: the addresses; nothing is seen if there are none.
            has_loads: whether loads are seen, and not only stores.
        """
        if not places:
            yield
            return
        pc, general = register_id(self.cpu, "pc"), self.cpu.general_registers

        def on_access(uc: unicorn.Uc, access: int, place: int, size: int, *_: object) -> None:
            if place + size > places.start:
                see(uc.reg_read(pc), place, size, access == unicorn_const.UC_MEM_WRITE)

        def register(number: int) -> int:
            return int(self.engine.reg_read(register_id(self.cpu, general[number])))

        def on_several(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            word = int.from_bytes(self.memory.view(address, size).tobytes(), "big")
            span = several_words.accessed(word, register)
            is_store = bool(several_words.stored(word, register)[1])
            if span.stop > places.start and span.start < places.stop and (is_store or has_loads):
                see(address, span.start, len(span), is_store)

        kinds = unicorn_const.UC_HOOK_MEM_WRITE
        if has_loads:
            kinds |= unicorn_const.UC_HOOK_MEM_READ
        first, last = max(places.start - _LONGEST + 1, 0), places.stop - 1
        hooks = [self.engine.hook_add(kinds, on_access, begin=first, end=last)]
        watcher = Watcher(kinds, on_access, first, last)
        self.watchers.append(watcher)
        for place in several_words.places(self.cpu, self.memory):
            kind = unicorn_const.UC_HOOK_CODE
            hooks.append(self.engine.hook_add(kind, on_several, begin=place, end=place))
        self.engine.ctl_flush_tb()  # hooks are built into translated code
        try:
            yield
        finally:
            self.watchers.remove(watcher)
            for hook in hooks:
                self.engine.hook_del(hook)
            self.engine.ctl_flush_tb()

    @contextlib.contextmanager
    def noting_stores(self, watched: range) -> Iterator[dict[int, int]]:
        """Note for each of some addresses the program counter of the last store to it."""
        stores: dict[int, int] = {}

        def see(instruction: int, place: int, size: int, is_store: bool) -> None:
            seen = range(max(place, watched.start), min(place + size, watched.stop))
            stores.update(dict.fromkeys(seen, instruction))

        with self.seeing(see, watched):
            yield stores

    @contextlib.contextmanager
    def seeing_code(self, see: Callable[[int], None], places: Collection[range]) -> Iterator[None]:
        """Have a function called with the address of each instruction that is executed there."""

        def on_code(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            see(address)

        kind = unicorn_const.UC_HOOK_CODE
        hooks = [
            self.engine.hook_add(kind, on_code, begin=part.start, end=part.stop - 1)
            for part in places
            if part
        ]
        self.engine.ctl_flush_tb()  # hooks are built into translated code
        try:
            yield
        finally:
            for hook in hooks:
                self.engine.hook_del(hook)
            self.engine.ctl_flush_tb()
