"""Registers and memory of an engine, for instructions that Python executes in its place."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import (
    AccessRefusedError,
    Cpu,
    ExceptionTakenError,
    FloatRegisters,
    NotExecutableError,
    OutcomeUnknownError,
)
from emu.machine.engine.base.float_state import FloatState
from emu.machine.engine.base.models import register_id
from emu.machine.memory.memory import GuestMemory, MemoryRegion

BEHIND_SENTINEL = 8
"""The distance in bytes from the end of a run to code that is executed for an instruction."""
_LONGEST = 16
"""More bytes than such code has."""

ANY_ACCESS = unicorn_const.UC_HOOK_MEM_READ | unicorn_const.UC_HOOK_MEM_WRITE
AccessFunction = ctypes.CFUNCTYPE(
    None,
    ctypes.c_uint64,
    ctypes.c_uint32,
    ctypes.c_uint64,
    ctypes.c_uint32,
    ctypes.c_int64,
    ctypes.c_uint64,
)
"""A uc_cb_hookmem_t of Unicorn's header, for hooks in machine code that Python calls as well."""

OnAccess = Callable[[unicorn.Uc, int, int, int, int, object], None]
"""What the engine calls before an access, too: with itself, UC_MEM_READ or UC_MEM_WRITE, address,
size, the value of a store, and nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Watcher:
    """A function that is called for accesses of some kinds to a range of addresses.

    Attributes:
        kinds: UC_HOOK_MEM_READ, UC_HOOK_MEM_WRITE or their sum.
        on_access: is called with each.
        first: the lowest address at which an access that is seen begins.
        last: the highest.
    """

    kinds: int
    on_access: OnAccess
    first: int = 0
    last: int = 0xFFFFFFFF

    def see(self, engine: unicorn.Uc, is_store: bool, address: int, size: int, value: int) -> None:
        """Call the function for an access, if it is of that kind and in that range."""
        kind, access = _STORE if is_store else _LOAD
        if self.kinds & kind and self.first <= address <= self.last:
            self.on_access(engine, access, address, size, value, None)


_LOAD = unicorn_const.UC_HOOK_MEM_READ, unicorn_const.UC_MEM_READ
_STORE = unicorn_const.UC_HOOK_MEM_WRITE, unicorn_const.UC_MEM_WRITE


class StoppedError(Exception):
    """Something stopped the engine before it executed an instruction that is not the program's."""


def no_interrupt() -> None:
    """Refuse to wait: in a call of a single routine no interrupt ever comes.

    Raises:
        NotExecutableError: always.
    """
    raise NotExecutableError("it waits for an interrupt, and none comes")


def _refuse(problem: str) -> None:
    raise OutcomeUnknownError(problem)


class EngineState:
    """The `emu.machine.cpu.ProcessorState` of an engine that has stopped before an instruction.

    Args:
        cpu: the processor.
        memory: what the engine runs in.
        now: reads the time, in nanoseconds.

    Attributes:
        now: reads the time, in nanoseconds.
        wait: lets time pass up to the next interrupt.
        watchers: what sees each access.
        place: gives the address in ``memory`` of what guest code finds at an address; raises
            `AccessRefusedError`. It gets the address, how many bytes, and whether they are stored.
        on_code_change: is called with address and size after a store to executable memory.
        on_touched: is called with address in ``memory`` and size before each access.
        is_float_status_stale: see `emu.machine.cpu.ProcessorState`.
        on_unknown_status: see there, too.
        is_running: whether the engine executes an instruction that is not the program's, so that
            its exceptions are not the program's.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, now: Callable[[], int]) -> None:
        self.now = now
        self.wait: Callable[[], None] = no_interrupt
        self.watchers: list[Watcher] = []
        self.place: Callable[[int, int, bool], int] = self.mapped
        self.on_code_change: Callable[[int, int], None] = lambda address, size: None
        self.on_touched: Callable[[int, int], None] = lambda address, size: None
        self._cpu = cpu
        self._memory = memory
        self._bytes: Any = memory.buffer.data
        self._base = memory.base
        self._region = memory.regions[0]  # of the last access: most go where the last one went
        self._until = -1
        self._exception = -1
        self.is_float_status_stale = False
        self.on_unknown_status: Callable[[str], None] = _refuse
        self.is_running = False

    def attach(self, engine: unicorn.Uc) -> None:
        """Work on another engine from now on, which has not run yet."""
        self._engine = engine
        if self._cpu.read_status:  # else nothing is ever run for an instruction
            engine.hook_add(unicorn_const.UC_HOOK_INTR, self._on_interrupt)

    def _on_interrupt(self, uc: unicorn.Uc, number: int, _: object) -> None:
        if self.is_running:
            self._exception = number
            uc.emu_stop()

    def begin(self, until: int) -> None:
        """The run that begins has to end at an address."""
        self._until = until

    def has_own_code(self, address: int) -> bool:
        """Whether `run` puts code at an address."""
        return 0 <= address - self._until - BEHIND_SENTINEL < _LONGEST

    def register(self, name: str) -> int:
        """See `emu.machine.cpu.ProcessorState`, as for all that follows."""
        return int(self._engine.reg_read(register_id(self._cpu, name)))

    def set_register(self, name: str, value: int) -> None:  # noqa: D102
        self._engine.reg_write(register_id(self._cpu, name), value & 0xFFFFFFFF)

    def set_double(self, name: str, value: int) -> None:  # noqa: D102
        self._engine.reg_write(register_id(self._cpu, name), value)

    def float_registers(self) -> FloatRegisters:  # noqa: D102
        return FloatState(self._cpu, self._engine).read()

    def set_float_status(self, value: int) -> None:  # noqa: D102
        FloatState(self._cpu, self._engine).set_status(value)

    def fetch(self, address: int, size: int) -> int:  # noqa: D102
        self.on_touched(address, size)
        start = address - self._base
        return int.from_bytes(self._bytes[start : start + size], "big")

    def load(self, address: int, size: int) -> int:  # noqa: D102
        place = self.place(address, size, False)
        for watcher in self.watchers:
            watcher.see(self._engine, False, address, size, 0)
        return self.fetch(place, size)

    def store(self, address: int, size: int, value: int) -> None:  # noqa: D102
        place = self.place(address, size, True)
        for watcher in self.watchers:
            watcher.see(self._engine, True, address, size, value)
        self.on_touched(place, size)
        start = place - self._base
        self._bytes[start : start + size] = value.to_bytes(size, "big")
        region = self._find(place)
        if region is not None and region.executable:
            self._engine.ctl_remove_cache(place, place + size)
            self.on_code_change(place, size)

    def status(self) -> int:
        """The upper byte of the status register.

        Reading the register spoils its flags, so whoever reads it has to write it.
        """
        return self.register("sr") & 0xFF00

    def status_and_flags(self) -> int:
        """All of the status register; by guest code, because the engine's interface spoils it."""
        first = self._cpu.general_registers[0]
        kept = self.register(first)
        self.run(self._cpu.read_status)
        flags = self.register(first) & 0xFFFF
        self.set_register(first, kept)
        if not flags & 0xFF00:
            flags |= self.status()
            self.set_status(flags)
        return flags

    def set_status(self, value: int) -> None:  # noqa: D102
        self._engine.reg_write(register_id(self._cpu, "sr"), value & 0xFFFF)

    def run(self, code: bytes) -> None:
        """Let the engine execute an instruction behind the end of the run."""
        place = self._until + BEHIND_SENTINEL
        code += self._cpu.branch(-BEHIND_SENTINEL - len(code))  # to the end of the run
        before = self._memory.view(place, len(code)).tobytes()
        self._memory.write(place, code)
        self._engine.ctl_remove_cache(place, place + len(code))  # other code may have been there
        self._exception, self.is_running = -1, True
        try:
            self._engine.emu_start(place, self._until)
        except unicorn.UcError as error:
            raise AccessRefusedError("read", str(error), place, 0) from error
        finally:
            self.is_running = False
            self._memory.write(place, before)
        if self._exception >= 0:
            raise ExceptionTakenError(self._exception)
        if self._engine.reg_read(register_id(self._cpu, "pc")) == place:
            raise StoppedError

    def mapped(self, address: int, size: int, stores: bool) -> int:
        """The address itself, if memory is mapped there for such an access; see ``place``."""
        access = "write" if stores else "read"
        for at in (address, address + size - 1 & 0xFFFFFFFF):
            region = self._find(at)
            if region is None:
                raise AccessRefusedError(access, "unmapped memory", address, size)
            if stores and not region.writable:
                reason = "memory that may not be written"
                raise AccessRefusedError(access, reason, address, size)
        return address

    def _find(self, address: int) -> MemoryRegion | None:
        if address not in self._region:
            region = self._memory.find(address)
            if region is None:
                return None
            self._region = region
        return self._region

    def short(self, address: int, size: int, stores: bool) -> int:
        """As `mapped`, for a processor that ignores upper bits of an address, as a 68000 does."""
        if self._memory.find(address) is None:
            address &= (1 << self._cpu.address_lines) - 1
        return self.mapped(address, size, stores)
