"""Addresses at which guest code calls Python."""

from __future__ import annotations

from collections.abc import Callable, Collection

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import register_id


class Entries:
    """Makes engines call Python whenever guest code comes to one of some addresses.

    Nothing but the code at these addresses runs more slowly.

    Args:
        cpu: the processor.
        addresses: the addresses of instructions.
        action: what is called with the address and the stack pointer. It says whether guest code
            goes on.
    """

    def __init__(
        self, cpu: Cpu, addresses: Collection[int], action: Callable[[int, int], bool]
    ) -> None:
        self.addresses = addresses
        self.action = action
        self._stack_pointer = register_id(cpu, cpu.stack_pointer)

    def attach(self, engine: unicorn.Uc, stop: Callable[[], None]) -> None:
        """Add them to an engine; ``stop`` ends its run."""

        def on_entry(uc: unicorn.Uc, address: int, *_: object) -> None:
            if not self.action(address, int(uc.reg_read(self._stack_pointer))):
                stop()

        for address in self.addresses:
            engine.hook_add(unicorn_const.UC_HOOK_CODE, on_entry, begin=address, end=address)
        engine.ctl_flush_tb()  # hooks are built into translated code
