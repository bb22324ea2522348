"""Follows the calls of a run, to say who called the code that makes a certain access to memory.

A call is known by what it leaves: the address behind it, on top of the stack of a 68K or in the
link register of a PowerPC. So neither frame pointers nor debugging information are needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id
from emu.machine.engine.base.processor_state import Watcher
from emu.machine.engine.hooks import several_words
from emu.machine.memory.memory import GuestMemory


@dataclass(frozen=True, slots=True)
class StopPoint:
    """The access to memory at which a run is to be stopped.

    Attributes:
        instruction: the address of the instruction.
        address: the address that it accesses.
        stack_pointer: the stack pointer at that time.
    """

    instruction: int
    address: int
    stack_pointer: int


class CallStack:
    """Follows the calls of an engine that has not run yet, up to an access.

    Args:
        cpu: the processor; a 68K or a PowerPC.
        memory: the guest memory.
        engine: the engine.
        sought: where it is stopped.

    Attributes:
        callers: where the calls under way return to at the access, the innermost first; None if
            the engine has not come there.
        watcher: sees the accesses of instructions that Python executes.
    """

    def __init__(
        self, cpu: Cpu, memory: GuestMemory, engine: unicorn.Uc, sought: StopPoint
    ) -> None:
        self.callers: tuple[int, ...] | None = None
        self._memory = memory
        self._is_68k = cpu.architecture == "m68k"
        self._pc = register_id(cpu, "pc")
        self._general = [register_id(cpu, name) for name in cpu.general_registers]
        self._stack_pointer = register_id(cpu, cpu.stack_pointer)
        self._link = -1 if self._is_68k else register_id(cpu, "lr")
        self._sought = sought
        self._frames: list[tuple[int, int]] = []
        self._behind = -1
        add = engine.hook_add
        add(unicorn_const.UC_HOOK_BLOCK, self._on_block)
        place = sought.instruction
        if place in several_words.places(cpu, memory):
            add(unicorn_const.UC_HOOK_CODE, self._on_several, begin=place, end=place)
        kinds = unicorn_const.UC_HOOK_MEM_READ | unicorn_const.UC_HOOK_MEM_WRITE
        add(kinds, self._on_access, begin=sought.address, end=sought.address)
        self.watcher = Watcher(kinds, self._on_access, sought.address, sought.address)

    def _on_block(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        stack_pointer = int(uc.reg_read(self._stack_pointer))
        frames = self._frames
        while frames and (frames[-1][1] < stack_pointer or frames[-1] == (address, stack_pointer)):
            frames.pop()
        behind, self._behind = self._behind, address + size
        if address != behind and self._returns_to(uc, stack_pointer) == behind:
            frames.append((behind, stack_pointer))

    def _returns_to(self, uc: unicorn.Uc, stack_pointer: int) -> int:
        """Where a routine returns to that has just been called."""
        if not self._is_68k:
            return int(uc.reg_read(self._link))
        if self._memory.find(stack_pointer) is None:
            return -1
        return int.from_bytes(self._memory.view(stack_pointer, 4).tobytes(), "big")

    def _on_access(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> None:
        if address == self._sought.address and uc.reg_read(self._pc) == self._sought.instruction:
            self._come(uc)

    def _on_several(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        word = int.from_bytes(self._memory.view(address, size).tobytes(), "big")
        place = several_words.accessed(word, lambda number: int(uc.reg_read(self._general[number])))
        if self._sought.address in place:
            self._come(uc)

    def _come(self, uc: unicorn.Uc) -> None:
        """Keep the callers, and stop, if the stack pointer is what it was."""
        is_same = int(uc.reg_read(self._stack_pointer)) == self._sought.stack_pointer
        if self.callers is None and is_same:
            self.callers = tuple(returns for returns, _ in reversed(self._frames))
            uc.emu_stop()
