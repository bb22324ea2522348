"""Stops the engine before instructions that it must not execute.

Some of these instructions crash the engine's process, and one never ends. Some read the clock of
the 601, which the engine does not have, and some of a 68K's the engine does wrongly, such as the
one that calls code on the stack; they are executed here. A word that code stores a little ahead of
itself the engine has translated already; it stops there and translates the word that is new.

The engine can be told addresses at which a run ends. It compares them with the address of each
instruction before it reads the instruction. So every address whose bytes look like a special
instruction can be one of them. An address in the middle of an instruction, or in data, has no
effect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import unicorn

from emu.machine.cpu import Cpu, Special
from emu.machine.engine.edges import Block
from emu.machine.engine.models import register_id
from emu.machine.memory import PAGE, GuestMemory

_LONGEST = 4
_BEHIND_SENTINEL = 8
"""The distance in bytes from the end of a run to code that is executed for an instruction."""

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Refused:
    """An instruction that was not executed: its address, and its name for a reader."""

    address: int
    title: str


class ReadingClock:
    """Virtual time that advances by a fixed step at each reading, so that all runs are equal.

    The step is 1,024 ns, about eighty cycles of a 601 at 80 MHz. The clock of a 601 counts in steps
    of 128 ns (PowerPC 601 RISC Microprocessor User's Manual, on RTCU and RTCL).
    """

    def __init__(self) -> None:
        self._now = 0

    def reset(self) -> None:
        """Set the time to 0."""
        self._now = 0

    def read(self) -> int:
        """Advance the time by a step and return it in nanoseconds."""
        self._now += 1024
        return self._now


class SpecialInstructions:
    """The special instructions of an engine's code, as `Cpu.special` knows them.

    Args:
        cpu: the processor.
        memory: what the engine runs in.
        now: reads the time, in nanoseconds.

    Attributes:
        refused: the instruction that ended the current run, because it cannot be executed; or None.
        on_executed: is called with the address and size of each instruction that was executed
            here in place of the engine.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, now: Callable[[], int]) -> None:
        self.refused: Refused | None = None
        self.on_executed: Callable[[int, int], None] = lambda address, size: None
        self.now = now
        self._cpu = cpu
        self._memory = memory
        self._program_counter = register_id(cpu, "pc")
        self._places: dict[int, Special] = {}
        self._scanned: set[int] = set()
        self._planted: set[int] = set()
        self._passed = -1  # a planted word that is no end for the moment, or -1
        self._changed: Block | None = None
        self._has_ends = False
        self._until = -1

    def attach(self, engine: unicorn.Uc) -> None:
        """Use a new engine, which has not run yet."""
        self._engine = engine
        self._scanned.clear()
        self._places.clear()
        self._planted.clear()
        self._passed = -1
        self._changed = None
        self._has_ends = False

    def begin(self, until: int) -> None:
        """Prepare a run that has to end at an address."""
        self.refused = None
        if until != self._until or self._passed >= 0:
            self._until, self._passed = until, -1
            self._set_ends()

    def scan(self, page: int) -> None:
        """Find the special instructions on a page, before code on it is executed."""
        if page in self._scanned:
            return
        self._scanned.add(page)
        self._add(page, self._bytes(page, PAGE + _LONGEST))

    def scan_again(self, address: int, size: int) -> None:
        """Find special instructions anew, where Python has changed code.

        Places whose bytes are no such instruction any more are forgotten: a program whose memory
        moves often would else be stopped at more and more of them.
        """
        pages = self._scanned.intersection(range(address & -PAGE, address + size, PAGE))
        if not pages:
            return
        places = {at: one for at, one in self._places.items() if at & -PAGE not in pages}
        for page in pages:
            places.update(self._find(page, self._bytes(page, PAGE + _LONGEST)))
        planted = {at for at in self._planted if at & -PAGE not in pages}
        for page in pages:
            planted |= self._plants(page, self._bytes(page, PAGE + _LONGEST))
        if places.keys() != self._places.keys() or planted != self._planted:
            self._places, self._planted = places, planted
            self._set_ends()

    def look(self, block: Block, code: bytes) -> str:
        """Check a block for special instructions that were not there when its page was scanned.

        Returns:
            Why the engine has to stop before the block, so that `next` can have the block
            translated anew; "" if it need not stop.
        """
        if not self._add(block[0], code):
            return ""
        self._changed = block
        return "it is new code with an instruction that the engine must not execute"

    def next(self) -> int | None:
        """After a run: the address at which a further run has to go on, or None if all is done."""
        if self._changed is not None:
            (address, size), self._changed = self._changed, None
            self._engine.ctl_remove_cache(address, address + size)
            return address
        if not self._places and not self._planted:
            return None
        address = self._engine.reg_read(self._program_counter)
        if address not in self._places:
            return self._pass(address) if address in self._planted else None
        special = self._cpu.special(self._bytes(address, _LONGEST)).get(0)
        if special is None:  # the code has changed
            del self._places[address]
            self._set_ends()
            self._engine.ctl_remove_cache(address, address + _LONGEST)
            return int(address)
        further = self._execute(special, address)
        if further is None:
            self.refused = Refused(address, special.title)
        else:
            self.on_executed(address, special.size)
        return further

    def _pass(self, address: int) -> int:
        """Go on at a word that was stored a moment ago, and forget how it was translated before."""
        self._passed = address
        self._set_ends()
        self._engine.ctl_remove_cache(address, address + 2)
        return address

    def _execute(self, special: Special, address: int) -> int | None:
        """Execute the instruction at an address; where it goes on, or None if it cannot be done."""
        after = address + special.size
        if special.calls_stack:
            return self._call_stack(after)
        if special.loads_fpu:
            self._load_fpu(address)
            return after
        if special.does_nothing:
            return after
        if special.clock is None:
            return None
        seconds, nanoseconds = divmod(self.now(), _NANOSECONDS)
        value = seconds & 0xFFFFFFFF if special.clock.seconds else nanoseconds & ~127
        self._engine.reg_write(register_id(self._cpu, special.clock.register), value)
        return after

    def _call_stack(self, after: int) -> int | None:
        """Push the address where the program goes on later; where the stack pointer pointed."""
        register = register_id(self._cpu, self._cpu.stack_pointer)
        target = self._engine.reg_read(register)
        place = target - 4
        region = self._memory.find(place)
        if region is None or not region.writable:
            return None
        self._memory.write(place, after.to_bytes(4, "big"))
        self._engine.reg_write(register, place)
        return int(target)

    def _load_fpu(self, address: int) -> None:
        """Let the engine move a constant to a control register of the FPU by way of D0."""
        operation, value = self._bytes(address + 2, 2), self._bytes(address + 4, 4)
        register, place = register_id(self._cpu, "d0"), self._until + _BEHIND_SENTINEL
        kept = self._engine.reg_read(register)
        self._engine.reg_write(register, int.from_bytes(value, "big"))
        # FMOVE.L D0,register; BRA.S to the end of the run
        code = b"\xf2\0" + operation + bytes([0x60, -_BEHIND_SENTINEL - 6 & 0xFF])
        self._memory.write(place, code)
        self._engine.ctl_remove_cache(place, place + len(code))  # it may be another register now
        self._engine.emu_start(place, self._until)
        self._engine.reg_write(register, kept)

    def _find(self, start: int, code: bytes) -> dict[int, Special]:
        return {start + offset: special for offset, special in self._cpu.special(code).items()}

    def _plants(self, start: int, code: bytes) -> set[int]:
        return {start + offset for offset in self._cpu.planted(code)}

    def _add(self, start: int, code: bytes) -> bool:
        found, planted = self._find(start, code), self._plants(start, code)
        if not found.keys() - self._places.keys() and planted <= self._planted:
            return False
        self._planted |= planted
        self._places.update(found)
        self._set_ends()
        return True

    def _set_ends(self) -> None:
        if self._until >= 0 and (self._places or self._planted or self._has_ends):
            self._has_ends = True
            self._engine.ctl_exits_enabled(True)
            ends = {self._until, *self._places, *self._planted} - {self._passed}
            self._engine.ctl_set_exits(sorted(ends))

    def _bytes(self, address: int, size: int) -> bytes:
        start = address - self._memory.base
        return self._memory.buffer[start : start + size].tobytes()
