"""Traps on a condition that the engine takes for illegal instructions: the 68K's TRAPV.

Unicorn 2.1.4 reports TRAPV as an illegal instruction, whether or not it would trap. That depends on
a flag of the status register, but reading this register through the engine's interface changes it.
Therefore a few guest instructions test the flag; they change no flags and no registers.
"""

from __future__ import annotations

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id
from emu.machine.memory.memory import GuestMemory

_BEHIND_SENTINEL = 8
"""The distance in bytes from the sentinel to the guest instructions of the test."""


class ConditionalTraps:
    """Finds out whether an instruction traps that the engine has reported as illegal.

    Args:
        cpu: the processor.
        memory: what the engine runs in.
        engine: the engine, which has not run yet.

    Attributes:
        testing: whether the test is running, so that its exceptions are not the program's.
        disturbed: whether something else stopped the engine during the last test.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, engine: unicorn.Uc) -> None:
        self.testing = False
        self.disturbed = False
        self._trap = cpu.conditional_trap
        self._memory = memory
        self._engine = engine
        self._pc = register_id(cpu, "pc")
        self._outcome = -1
        if self._trap is not None:
            engine.hook_add(unicorn_const.UC_HOOK_INTR, self._on_interrupt)

    def resolve(self, number: int, sentinel: int) -> tuple[int, int | None]:
        """The exception that a real processor would have taken in place of a reported one.

        Args:
            number: the exception, by the engine's number.
            sentinel: where runs of the engine end.

        Returns:
            The exception's number, and None if the exception is right. If there should have been
            no exception, the second value is the address at which the engine has to go on. It is
            the address of the instruction itself if the test was disturbed.
        """
        trap = self._trap
        self.disturbed = False
        if trap is None or number != trap.reported:
            return number, None
        address = int(self._engine.reg_read(self._pc))
        region = self._memory.find(address)
        if region is None or address + len(trap.code) > region.end:
            return number, None
        if self._memory.view(address, len(trap.code)).tobytes() != trap.code:
            return number, None
        test = sentinel + _BEHIND_SENTINEL
        self._memory.write(test, trap.test)
        self.testing, self._outcome = True, -1
        try:
            self._engine.emu_start(test, sentinel)
        finally:
            self.testing = False
        if self._outcome < 0:
            self.disturbed = True
            return number, address
        if self._outcome == trap.passes:
            return number, address + len(trap.code)
        self._engine.reg_write(self._pc, address)
        return trap.number, None

    def _on_interrupt(self, uc: unicorn.Uc, number: int, _: object) -> None:
        if self.testing:
            self._outcome = number
            uc.emu_stop()
