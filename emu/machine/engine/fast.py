"""Calls at full speed, with no hook but the answer to page faults."""

from __future__ import annotations

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.models import find_model, map_memory, open_engine, permissions_of
from emu.machine.memory import PAGE, GuestMemory, page_floor


class FastEngine:
    """Runs calls at full speed; says only whether one came to its end.

    Data pages are answered as not executable. Unicorn otherwise sends every store down a path
    that is twenty times slower, and a jump into data would run.

    Args:
        cpu: the processor.
        memory: what it runs in.
        answer_pages: False leaves the page table to Unicorn, to measure what the answer gains.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, *, answer_pages: bool = True) -> None:
        self._engine = open_engine(cpu, find_model(cpu))
        self._pages = {
            page: permissions_of(region)
            for region in memory.regions
            for page in range(region.address, region.end, PAGE)
        }
        self.touched: set[int] = set()
        """Addresses of the pages that guest code has accessed so far."""
        map_memory(self._engine, memory)
        if answer_pages:
            self._engine.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
            self._engine.hook_add(unicorn_const.UC_HOOK_TLB_FILL, self._answer_page)
        self._engine.hook_add(unicorn_const.UC_HOOK_INTR, lambda uc, *_: uc.emu_stop())

    def _answer_page(
        self, uc: unicorn.Uc, address: int, access: int, entry: object, _: object
    ) -> bool:
        page = page_floor(address)
        permissions = self._pages.get(page)
        if permissions is None:
            return False
        self.touched.add(page)
        entry.paddr = page  # type: ignore[attr-defined]
        entry.perms = permissions  # type: ignore[attr-defined]
        return True

    def run(self, start: int, until: int) -> None:
        """Run from one address until another.

        How it ended is for the caller to read in memory: a fault, an exception and `stop` all
        leave the exit register file unwritten.
        """
        try:
            self._engine.emu_start(start, until)
        except unicorn.UcError:
            return

    def stop(self) -> None:
        """End the run under way, from any thread."""
        self._engine.emu_stop()

    def forget_code(self, address: int, size: int) -> None:
        """Drop translations of code that Python has overwritten."""
        self._engine.ctl_remove_cache(address, address + size)
