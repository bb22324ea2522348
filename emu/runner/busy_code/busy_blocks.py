"""Decides which code of a program is translated, and executes it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from emu.lift.resumable.access_screen import ScreenedMemory
from emu.machine.cpu import Cpu
from emu.machine.engine.base.processor_state import BEHIND_SENTINEL
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.watch.accesses import APART, CODE, FIXED, OUTSIDE, Accesses
from emu.machine.memory.memory import PAGE
from emu.runner.busy_code.exchanges import Exchange, M68kExchange, PowerPCExchange
from emu.runner.busy_code.translated_code import (
    LoadedPart,
    TranslatedPart,
    keep,
    kept_part,
    key_of_part,
    translated_part,
)

_WARM, _HOT = 1 << 16, 1 << 20
"""Bytes of code executed in one block after which a kept translation is looked for, and after which
one is made."""

_OWN_CODE = 64
"""Bytes of memory in which the engine puts instructions that are not the program's."""

_MOST_BLOCKS = 2000
"""So many blocks are translated together; to translate one takes a millisecond or two."""

_MOST_ROUNDS = 8
_MOST_MISSED = 5000
"""So often code is left for code that is not translated, before it is."""

_TRIALS, _LEAST = 32, 400
"""After so many entries at an address, fewer bytes of code for each are not worth it: to enter and
leave costs as much as that on the engine."""


class BusyCode:
    """Executes busy code of a program as native code; see `OtherCode`.

    Args:
        cpu: the processor.
        engine: its engine, whose accesses are looked at.
        accesses: looks at them.
    """

    def __init__(
        self,
        cpu: Cpu,
        engine: HostedEngine,
        accesses: Accesses,
    ) -> None:
        self._cpu, self._engine, self._accesses = cpu, engine, accesses
        self._hook, self._stop_hook = engine.stop_at_entries(accesses.shadow, _WARM)
        self._loaded: LoadedPart | None = None
        self._exchange: Exchange | None = None
        self._code: tuple[tuple[slice, bytes], ...] = ()
        self._entries: set[int] = set()
        self._watched: frozenset[int] = frozenset()
        self._tries: Counter[int] = Counter()
        self._gains: Counter[int] = Counter()
        self._key = ""
        self._kept: TranslatedPart | None = None
        self._rounds = self._missed = 0
        self.executed = 0
        memory, stack = engine.memory, accesses.stack
        self._screened = ScreenedMemory(
            memory.base,
            len(memory.buffer),
            stack.start,
            stack.red_zone,
            loads=OUTSIDE | APART,
            stores=OUTSIDE | APART | FIXED | CODE,
        )
        own = engine.sentinel + BEHIND_SENTINEL
        for address in range(own, own + _OWN_CODE, 2):
            self._hook.never_at(address)
        self._mark_pages()
        engine.pages.on_change = self._mark_page
        engine.other = self

    @property
    def bytes_on_engine(self) -> int:
        """How many bytes of code the engine has executed."""
        return self._hook.executed

    # -- what the engine asks --------------------------------------------------------------------

    def has_stopped(self) -> bool:
        """Whether the engine was stopped before a busy block."""
        return self._hook.take_met()

    def go_on(self, address: int) -> int:
        """Execute native code from an address on, as far as there is some."""
        if address not in self._entries and self._hook.heat[self._row(address)] >= self._hook.limit:
            self._meet(address)
        if address not in self._entries or self._loaded is None or self._exchange is None:
            self._hook.pass_once(address)
            return address
        if self._is_changed() or self._engine.watched.places != self._watched:
            self._forget()
            return address
        state = self._loaded.state
        self._exchange.enter(state)
        following, executed = self._loaded.execute(address)
        index = self._engine.index["pc"]
        self._engine.registers[index] = following
        self._exchange.leave(state)
        self.executed += executed
        self._judge(address, executed)
        if following not in self._entries and not self._has(following):
            self._missed += 1
            if self._missed == _MOST_MISSED:
                self._meet(following)
        self._hook.pass_once(following)
        return following

    def _row(self, address: int) -> int:
        offset = address - self._engine.memory.base
        return offset >> 1 if 0 <= offset < len(self._engine.memory.buffer) else 0

    def _judge(self, address: int, executed: int) -> None:
        """Enter no more where that is not worth it."""
        self._tries[address] += 1
        self._gains[address] += executed
        tries = self._tries[address]
        if tries % _TRIALS == 0:
            if self._gains[address] < _LEAST * _TRIALS:
                self._entries.discard(address)
                self._hook.never_at(address)
            self._gains[address] = 0

    # -- what is translated ----------------------------------------------------------------------

    def _meet(self, address: int) -> None:
        """Translate busy code, of which a block was found."""
        hook = self._hook
        is_first = not self._key
        if is_first:
            self._key = self._key_of(address)
            self._kept = kept_part(self._key)
        # It may have code that is loaded later, or moved to other addresses.
        if self._kept is not None and self._is_here(self._kept):
            kept, self._kept = self._kept, None
            self._load(kept)
            self._end(address)
            return
        if is_first:
            hook.limit = _HOT
            return
        if self._rounds == _MOST_ROUNDS or self._has(address):
            self._end(address)
            return
        self._rounds += 1
        self._missed = 0
        roots = {address, *hook.busy(_MOST_BLOCKS)}
        if self._loaded is not None:
            roots |= set(self._loaded.part.roots)
        part = translated_part(
            self._cpu, self._fetch, sorted(roots), self._screened, self._is_executed
        )
        hook.limit = min(4 * hook.limit, 1 << 30)
        keep(self._key, part)
        self._load(part)
        self._end(address)

    def _end(self, address: int) -> None:
        """Stop no more before a block that cannot be entered."""
        if address not in self._entries:
            self._hook.never_at(address)

    def _key_of(self, address: int) -> str:
        """Stands for all that decides what is translated, as far as it is known yet."""
        page = address & -PAGE
        return key_of_part(self._cpu, self._screened, page, self._fetch(page, PAGE))

    def _load(self, part: TranslatedPart) -> None:
        memory, accesses = self._engine.memory, self._accesses
        shadow = accesses.shadow.ctypes.data
        self._loaded = LoadedPart(part, memory.host_address(0), shadow, self._stop_hook.asked_at)
        self._exchange = (
            M68kExchange(self._engine, part.places)
            if self._cpu.architecture == "m68k"
            else PowerPCExchange(self._engine, part.places, part.floats)
        )
        self._code = tuple((self._slice(at, len(code)), code) for at, code in part.code)
        for place, _ in self._code:
            accesses.shadow[place] |= np.uint8(CODE)
        for address in self._entries - set(part.entries):
            self._hook.never_at(address)
        self._entries = set(part.entries)
        self._watched = self._engine.watched.places
        for address in self._entries:
            self._hook.begin_at(address)

    def _forget(self) -> None:
        for address in self._entries:
            self._hook.never_at(address)
        self._entries.clear()
        self._loaded = None

    # -- memory ----------------------------------------------------------------------------------

    def _fetch(self, address: int, size: int) -> bytes:
        """Code at an address; none where the engine has to stop, or where is no memory."""
        region = self._engine.memory.find(address)
        if region is None or address in self._engine.watched.places:
            return b""
        return bytes(self._engine.memory.view(address, min(size, region.end - address)))

    def _is_executed(self, address: int) -> bool:
        """Whether code there was executed."""
        row = self._row(address)
        return bool(self._hook.heat[row]) or address in self._entries

    def _slice(self, address: int, size: int) -> slice:
        start = address - self._engine.memory.base
        return slice(start, start + size)

    def _has(self, address: int) -> bool:
        """Whether the code at an address is translated."""
        offset = address - self._engine.memory.base
        return any(place.start <= offset < place.stop for place, _ in self._code)

    def _is_changed(self) -> bool:
        buffer = self._engine.memory.buffer
        return any(buffer[place].tobytes() != code for place, code in self._code)

    def _is_here(self, part: TranslatedPart) -> bool:
        """Whether memory has the code that a translation was made of, and nobody watches it."""
        watched = self._engine.watched.places
        if any(at <= place < at + len(code) for at, code in part.code for place in watched):
            return False
        return all(self._fetch(at, len(code)) == code for at, code in part.code)

    def _mark_pages(self) -> None:
        memory = self._engine.memory
        self._accesses.padded |= np.uint8(APART)
        for region in memory.regions:
            for page in range(region.address, region.end, PAGE):
                self._mark_page(page)

    def _mark_page(self, page: int) -> None:
        """Mark a page by what guest code may do there without that anybody is asked."""
        loads, stores = self._engine.pages.allowed(page)
        part = self._accesses.shadow[self._slice(page, PAGE)]
        part &= np.uint8(0xFF ^ APART ^ FIXED)
        if not loads:
            part |= np.uint8(APART)
        elif not stores:
            part |= np.uint8(FIXED)
