"""Code resources of the program's that routines of the Toolbox call, such as a 'WDEF'."""

from __future__ import annotations

from typing import Any

from emu.toolbox.manager import Manager
from emu.toolbox.managers.memory.block import LOCKED
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager


class CodeResources(Manager):
    """Finds definition functions of the program's own, and executes them as guest code."""

    title = "Resource Manager"

    _memory: MemoryManager
    _resources: ResourceManager

    def find(self, kind: str, number: int) -> int:
        """The handle of a code resource of the program's; 0 if it has none.

        Args:
            kind: its type, such as "WDEF".
            number: its ID.

        Raises:
            GuestStopped: the program runs on a PowerPC, and code resources are 68K code.
        """
        if self._resources.find(kind, number) is None:
            return 0
        if self.host.cpu.architecture != "m68k":
            raise self.host.stopped(
                f"the program wants its code resource {kind} {number} to be executed, which is "
                "68K code: macproof has no Mixed Mode Manager that would execute it in a program "
                "for the PowerPC"
            )
        return self._resources.get(kind, number)

    def call(self, code: int, heading: str, *values: Any) -> Any:
        """Call a code resource, locked for as long as that takes; its result.

        Args:
            code: its handle.
            heading: its heading in Pascal; the name is what a message calls it.
            values: its arguments.

        Raises:
            GuestStopped: it was purged or disposed of.
        """
        memory = self._memory
        if not memory.is_handle(code) or not memory.address(code):
            name = heading.split()[1]
            raise self.host.stopped(
                f"the {name} at the handle 0x{code:x} is not in memory any more"
            )
        flags = memory.flags(code)
        memory.lock(code)
        result = self.host.call_guest(memory.address(code), heading, *values)
        if not flags & LOCKED and memory.is_handle(code):
            memory.unlock(code)
        return result
