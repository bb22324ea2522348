"""What guest code may do with each page of memory, decided when it first uses the page."""

from __future__ import annotations

from collections.abc import Callable, Collection

import unicorn
from unicorn import unicorn_const
from unicorn.unicorn_py3 import unicorn as binding

from emu.machine.cpu import AccessRefusedError, Cpu
from emu.machine.engine.base.models import map_memory, map_short, pages_of
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.engine.watch.trace import BadAccess
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion, page_floor

_ACCESSES = {
    unicorn_const.UC_MEM_READ: "read",
    unicorn_const.UC_MEM_WRITE: "write",
    unicorn_const.UC_MEM_FETCH: "fetch",
}
_FLUSH_PAGES = unicorn_const.UC_CTL_TLB_FLUSH | unicorn_const.UC_CTL_IO_WRITE << 30
_FETCH = unicorn_const.UC_PROT_EXEC
_STORE = unicorn_const.UC_PROT_WRITE
_NEEDED = {
    unicorn_const.UC_MEM_READ: unicorn_const.UC_PROT_READ,
    unicorn_const.UC_MEM_WRITE: unicorn_const.UC_PROT_WRITE,
    unicorn_const.UC_MEM_FETCH: _FETCH,
}
_REASONS = {
    1: "memory that may not be read",
    2: "memory that may not be written",
    4: "memory that may not be executed",
}


class GuestPages:
    """The pages of an engine.

    Args:
        engine: the engine; its memory is mapped here.
        cpu: the processor.
        memory: the guest memory.
        special: the instructions that Python executes; a page's are looked for when it is fetched.
        closed: regions that guest code may not access; only Python may.

    Attributes:
        may_execute: asked when guest code jumps into a region that is not executable; whether it
            goes on.
        may_write: asked when guest code writes to a region that is not writable; whether it goes
            on.
        on_change: called with a page with which guest code may do other things than before.
        short_address: asked for the address that stands for one where there is no memory, to read
            or write.
        stand_in: asked for the page that answers where there is no memory, be it loaded or stored;
            None if the access is refused.
        touched: the pages that guest code has accessed since `forget`, if they are to be noted.
        fetched: the pages of which code was executed, and those that were lent.
        maps_short: whether an address that another one stands for is mapped, so that those who
            look at accesses are told of the whole address.
        refused: the access that was refused in this run, or None.
    """

    def __init__(
        self,
        engine: unicorn.Uc,
        cpu: Cpu,
        memory: GuestMemory,
        special: SpecialInstructions,
        closed: Collection[MemoryRegion],
    ) -> None:
        self._engine, self._cpu, self._memory, self._special = engine, cpu, memory, special
        self._pages = pages_of(region for region in memory.regions if region not in closed)
        map_memory(engine, memory, further=_FETCH | _STORE)
        engine.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
        engine.hook_add(unicorn_const.UC_HOOK_TLB_FILL, self._answer)
        self.may_execute: Callable[[MemoryRegion], bool] = lambda region: False
        self.may_write: Callable[[MemoryRegion], bool] = lambda region: False
        self.on_change: Callable[[int], None] = lambda page: None
        self.short_address: Callable[[int], int] = lambda address: address
        self.stand_in: Callable[[int, bool], int | None] = lambda address, stores: None
        self.touched: set[int] | None = None
        self.fetched: set[int] = set()
        self.maps_short = False
        self.refused: BadAccess | None = None
        self._code_pages: set[int] = set()

    def open(self, region: MemoryRegion) -> None:
        """Let guest code access a region that was closed."""
        self._pages |= pages_of([region])
        for page in pages_of([region]):
            self.on_change(page)

    def allow_stores(self, pages: range, allowed: bool) -> None:
        """Let guest code store into pages, or have `may_write` asked before it first does."""
        for page in pages:
            self._pages[page] = self._pages[page] & ~_STORE | _STORE * allowed
            self.on_change(page)
        binding.uclib.uc_ctl(self._engine._uch, _FLUSH_PAGES)

    def allowed(self, page: int) -> tuple[bool, bool]:
        """Whether guest code may read a page, and write to it, without that anybody is asked."""
        permissions = self._pages.get(page, 0)
        return bool(permissions & unicorn_const.UC_PROT_READ), bool(permissions & _STORE)

    def forget(self) -> None:
        """Have `touched` begin anew: every page is noted when it is next accessed."""
        self.touched = set()
        binding.uclib.uc_ctl(self._engine._uch, _FLUSH_PAGES)

    def has_code(self, page: int) -> bool:
        """Whether code of a page has been executed."""
        return page in self._code_pages

    def _answer(self, uc: unicorn.Uc, address: int, access: int, entry: object, _: object) -> bool:
        page, permissions = self._page_for(uc, address, access)
        if not permissions:
            return False
        needed = _NEEDED[access]
        if needed == _FETCH:
            self.fetched.add(page)
            if self._pages.get(page, 0) & _FETCH:  # else it is only lent
                self._code_pages.add(page)
                self._special.scan(page)
        elif page not in self._code_pages:
            # Stores to an executable page are twenty times slower, because the engine checks
            # whether they change code. A page without executed code has no code to change.
            permissions &= ~_FETCH
        if self.touched is not None:
            self.touched.add(page)
        entry.paddr = page  # type: ignore[attr-defined]
        entry.perms = permissions  # type: ignore[attr-defined]
        return True

    def _page_for(self, uc: unicorn.Uc, address: int, access: int) -> tuple[int, int]:
        """The page at an address, and what may be done with it: 0 if not this, and why is kept."""
        page = page_floor(address)
        permissions = self._pages.get(page)
        needed = _NEEDED[access]
        if permissions is None and needed != _FETCH:
            short = page_floor(self.short_address(address))
            permissions = self._pages.get(short)
            if permissions is not None and self.maps_short:
                # They are told of the whole address only if something is mapped there.
                map_short(uc, self._cpu, self._memory, address, further=_FETCH | _STORE)
                self._pages[page] = permissions
            else:
                page = short
            stand_in = None if permissions else self.stand_in(address, needed == _STORE)
            if stand_in is not None:
                return stand_in, needed  # not more, so that the other kind is asked about, too
        if permissions is not None and not permissions & needed:
            region = self._memory.find(address)
            allows = {_FETCH: self.may_execute, _STORE: self.may_write}.get(needed)
            if region is not None and allows is not None and allows(region):
                permissions = self._pages[page] = permissions | needed
                self.on_change(page)
        has_needed = permissions is not None and permissions & needed
        if needed == _FETCH and not has_needed and self._special.lends(page):
            return page, _FETCH
        if permissions is None or not has_needed:
            reason = "unmapped memory" if permissions is None else _REASONS[needed]
            self.refused = BadAccess(_ACCESSES[access], reason, address, 0)
            return page, 0
        return page, permissions

    def short_jump(self, target: int) -> int | None:
        """Where a program goes on that was refused a jump, if some bits of the address are ignored.

        Args:
            target: the program counter; what was refused is only the page.
        """
        if self.refused is None or self.refused.access != "fetch":
            return None
        short = self.short_address(target)
        region = self._memory.find(short)
        if short == target or region is None or not region.executable:
            return None
        self.refused = None
        return short

    def place(self, address: int, size: int, stores: bool) -> int:
        """Where an instruction that Python executes finds its operand: see `EngineState.place`."""
        access = unicorn_const.UC_MEM_WRITE if stores else unicorn_const.UC_MEM_READ
        for at in (address + size - 1 & 0xFFFFFFFF, address):
            page, permissions = self._page_for(self._engine, at, access)
            if not permissions and self.refused is not None:
                raise AccessRefusedError(_ACCESSES[access], self.refused.reason, at, size)
        place = page | address & PAGE - 1
        return place if self._memory.find(place) is not None else self.short_address(address)
