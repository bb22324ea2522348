"""The execution engine: the only module that knows Unicorn.

Two engines can share one guest memory. The *fast* one has no hooks but a page-table answer; it
runs scenes by the thousand. The *traced* one runs a single call again, counts blocks, keeps the
last ones, enforces the budget and says exactly which access failed. What is worked around here,
with Unicorn 2.1.4, has a test of its own in ``tests/machine/test_engine_pitfalls.py``.
"""

from __future__ import annotations

import functools
import time
from collections import Counter, deque
from dataclasses import dataclass, field

import unicorn
from unicorn import m68k_const, ppc_const, unicorn_const

from emu.errors import MacproofError
from emu.machine.cpu import Cpu
from emu.machine.memory import PAGE, GuestMemory, Region, page_floor

_CONSTANTS = {"M68K": m68k_const, "PPC": ppc_const}
_MODES = {
    "M68K": (unicorn.UC_ARCH_M68K, unicorn.UC_MODE_BIG_ENDIAN),
    "PPC": (unicorn.UC_ARCH_PPC, unicorn.UC_MODE_BIG_ENDIAN | unicorn.UC_MODE_PPC32),
}
_READ: int = unicorn_const.UC_PROT_READ
_WRITE: int = unicorn_const.UC_PROT_WRITE
_EXECUTE: int = unicorn_const.UC_PROT_EXEC
_ACCESS_WORDS = {
    unicorn_const.UC_MEM_READ_UNMAPPED: ("read", "unmapped memory"),
    unicorn_const.UC_MEM_WRITE_UNMAPPED: ("write", "unmapped memory"),
    unicorn_const.UC_MEM_FETCH_UNMAPPED: ("fetch", "unmapped memory"),
    unicorn_const.UC_MEM_READ_PROT: ("read", "memory that may not be read"),
    unicorn_const.UC_MEM_WRITE_PROT: ("write", "memory that may not be written"),
    unicorn_const.UC_MEM_FETCH_PROT: ("fetch", "memory that may not be executed"),
}
# Translated code of one small program; the engine's own default reserves 1 GiB of addresses.
_TRANSLATION_BUFFER = 32 << 20
_LAST_BLOCKS = 12
_BLOCKS_BETWEEN_CLOCK_READINGS = 4096


class EngineError(MacproofError):
    """The engine cannot do what macproof needs; nothing it would say could be trusted."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class BadAccess:
    """A memory access the engine refused: what it was, where to, why, and from which address."""

    access: str
    reason: str
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What a traced run saw.

    Attributes:
        completed: the sentinel was reached.
        blocks: how many translation blocks were entered.
        block_counts: entries by (address, size in bytes) of the block.
        last_blocks: addresses of the last blocks, oldest first.
        program_counter: where it stopped.
        interrupt: the processor exception it stopped with, in words.
        bad_access: the memory access it stopped with.
        exceeded: the limit it used up ("2000000 blocks"), or "".
        stores: for every watched address, the program counter of the last store to it.
    """

    completed: bool
    blocks: int
    block_counts: dict[tuple[int, int], int]
    last_blocks: tuple[int, ...]
    program_counter: int
    interrupt: str = ""
    bad_access: BadAccess | None = None
    exceeded: str = ""
    stores: dict[int, int] = field(default_factory=dict)


def _register_id(cpu: Cpu, name: str) -> int:
    constant = f"UC_{cpu.family}_REG_{name.upper()}"
    if cpu.family == "PPC" and name[0] == "r" and name[1:].isdigit():
        constant = f"UC_PPC_REG_{name[1:]}"
    return int(getattr(_CONSTANTS[cpu.family], constant))


def _open(cpu: Cpu, model: int) -> unicorn.Uc:
    engine = unicorn.Uc(*_MODES[cpu.family])
    engine.ctl_set_cpu_model(model)  # must come before any other call
    engine.ctl_set_tcg_buffer_size(_TRANSLATION_BUFFER)
    for name, value in cpu.boot:
        engine.reg_write(_register_id(cpu, name), value)
    return engine


@functools.cache
def find_model(cpu: Cpu) -> int:
    """The engine's model number that executes exactly what this processor does.

    The number is found by running the processor's probes, never by the name of a constant.

    Raises:
        EngineError: no model of the engine behaves like the processor.
    """
    for model in cpu.models:
        try:
            if all(_executes(cpu, model, probe.code) == probe.runs for probe in cpu.probes):
                return model
        except unicorn.UcError:
            continue  # not a model number of this engine
    raise EngineError(
        f"no CPU model of Unicorn {unicorn.__version__} behaves like a {cpu.title}: "
        f"tried {len(cpu.models)} models with {len(cpu.probes)} probes. "
        "Install another version of unicorn (2.1.4 is known to work)."
    )


def _executes(cpu: Cpu, model: int, code: bytes) -> bool:
    engine = _open(cpu, model)
    engine.mem_map(0x1000, 0x2000)
    probe = code + cpu.no_operation
    engine.mem_write(0x1000, probe)
    refused: list[int] = []

    def stop(uc: unicorn.Uc, number: int, _: object) -> None:
        refused.append(number)
        uc.emu_stop()

    engine.hook_add(unicorn_const.UC_HOOK_INTR, stop)
    for name in cpu.general_registers[8:10]:  # A0 and A1, or r8 and r9: addresses for MOVE16
        engine.reg_write(_register_id(cpu, name), 0x2000)
    try:
        engine.emu_start(0x1000, 0x1000 + len(probe))
    except unicorn.UcError:
        return False
    return not refused


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
        self._engine = _open(cpu, find_model(cpu))
        self._pages = {
            page: _permissions(region)
            for region in memory.regions
            for page in range(region.address, region.end, PAGE)
        }
        self.touched: set[int] = set()
        """Addresses of the pages that guest code has accessed so far."""
        _map(self._engine, memory)
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


class TracedEngine:
    """Runs one call slowly and says everything about it."""

    def __init__(self, cpu: Cpu, memory: GuestMemory) -> None:
        self._cpu = cpu
        self._memory = memory

    def run(
        self,
        start: int,
        until: int,
        *,
        blocks: int,
        seconds: float,
        watch: range | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """Run from one address until another, within a budget.

        Args:
            start: where to begin.
            until: the sentinel.
            blocks: how many blocks may be entered.
            seconds: how long it may take by the clock.
            watch: guest addresses whose stores are to be recorded.

        Returns:
            What was seen, and the general registers as they were at the end. The status register
            is not among them: reading it changes it.
        """
        # A new engine each time: hooks and the sentinel are built into translated code, and a
        # traced run is rare.
        engine = _open(self._cpu, find_model(self._cpu))
        _map(engine, self._memory)
        counts: Counter[tuple[int, int]] = Counter()
        last: deque[int] = deque(maxlen=_LAST_BLOCKS)
        entered = 0
        ends = time.monotonic() + seconds
        outcome: dict[str, str] = {}
        refused: list[BadAccess] = []
        stores: dict[int, int] = {}
        watched = watch or range(0)
        pc_id = _register_id(self._cpu, "pc")

        def on_block(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            nonlocal entered
            if entered >= blocks:
                outcome.setdefault("exceeded", f"{blocks} blocks")
                uc.emu_stop()
                return
            entered += 1
            counts[address, size] += 1
            last.append(address)
            if entered % _BLOCKS_BETWEEN_CLOCK_READINGS == 0 and time.monotonic() > ends:
                outcome.setdefault("exceeded", f"{seconds} seconds")
                uc.emu_stop()

        def on_bad_access(
            uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
        ) -> bool:
            word, reason = _ACCESS_WORDS[access]
            refused.append(BadAccess(word, reason, address, size))
            return False

        def on_interrupt(uc: unicorn.Uc, number: int, _: object) -> None:
            words = self._cpu.interrupts.get(number, f"exception {number}")
            outcome.setdefault("interrupt", words)
            uc.emu_stop()

        def on_store(
            uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
        ) -> None:
            program_counter = uc.reg_read(pc_id)
            stored = range(max(address, watched.start), min(address + size, watched.stop))
            stores.update(dict.fromkeys(stored, program_counter))

        engine.hook_add(unicorn_const.UC_HOOK_BLOCK, on_block)
        engine.hook_add(unicorn_const.UC_HOOK_MEM_INVALID, on_bad_access)
        engine.hook_add(unicorn_const.UC_HOOK_INTR, on_interrupt)
        if watched:
            # An access that begins up to 15 bytes below may reach into the range.
            engine.hook_add(
                unicorn_const.UC_HOOK_MEM_WRITE,
                on_store,
                begin=max(watched.start - 15, 0),
                end=watched.stop - 1,
            )
        try:
            engine.emu_start(start, until)
        except unicorn.UcError as error:
            outcome.setdefault("interrupt", "" if refused else str(error))
        program_counter = engine.reg_read(pc_id)
        if outcome.get("interrupt"):
            program_counter -= self._cpu.interrupt_bias
        trace = Trace(
            completed=program_counter == until and not outcome and not refused,
            blocks=entered,
            block_counts=dict(counts),
            last_blocks=tuple(last),
            program_counter=program_counter,
            interrupt=outcome.get("interrupt", ""),
            bad_access=refused[0] if refused else None,
            exceeded=outcome.get("exceeded", ""),
            stores=stores,
        )
        registers = {
            name: engine.reg_read(_register_id(self._cpu, name))
            for name in self._cpu.general_registers
        }
        return trace, registers


def describe_engine() -> str:
    """Name and version of the engine, for receipts."""
    return f"unicorn {unicorn.__version__}"


def _permissions(region: Region) -> int:
    writable = _WRITE if region.writable else 0
    return _READ | writable | (_EXECUTE if region.executable else 0)


def _map(engine: unicorn.Uc, memory: GuestMemory) -> None:
    for region in memory.regions:
        engine.mem_map_ptr(
            region.address, region.size, _permissions(region), memory.host_address(region.address)
        )
