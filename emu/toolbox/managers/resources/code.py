"""Code resources of the program's that routines of the Toolbox call, such as a 'WDEF'.

They are 68K code, which a second processor executes in a program for the PowerPC. There they may
also be a routine descriptor, by which the program hands out a routine of its own.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import field
from typing import Any

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.block import LOCKED
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager

_RETURN = struct.Struct(">LHH")
"""MOVEA.L (A7)+,A0; LEA arguments(A7),A7; JMP (A0): a procedure that only returns."""


class DefinitionFunctions(Manager):
    """Finds definition functions of the program's own, and executes them as guest code.

    Attributes:
        before_call: called when one is in memory and is about to be executed.
    """

    _memory: MemoryManager
    _resources: ResourceManager
    before_call: Callable[[], None] = field(init=False, default_factory=lambda: lambda: None)

    def find(self, kind: str, number: int) -> int:
        """The handle of a code resource of the program's; 0 if it has none.

        Args:
            kind: its type, such as "WDEF".
            number: its ID.
        """
        entry = self._resources.find(kind, number)
        if entry is None or entry.file is self._resources.system:
            return 0
        return self._resources.get(kind, number)

    def of_system(self, kind: str, number: int) -> int:
        """The handle of a code resource of the System file."""
        return self._resources.get(kind, number)

    def absent(self, kind: str, number: int, outcome: str, arguments: int) -> int:
        """Report that a code resource is not there; the handle of one that does nothing.

        Args:
            kind: its type, such as "LDEF".
            number: its ID.
            outcome: what the routine does without it.
            arguments: the bytes of its arguments.
        """
        self._resources.report_missing(kind, number, outcome)
        return self._memory.handle_from(_RETURN.pack(0x205F4FEF, arguments, 0x4ED0))

    def call(self, code: int, heading: str, *values: Any) -> Any:
        """Call a code resource, locked for as long as that takes; its result.

        What was purged is loaded again. A program may also pass the address of a variable that
        holds the address of a routine: to a Mac that is as good as a handle.

        Args:
            code: its handle.
            heading: its heading in Pascal; the name is what a message calls it.
            values: its arguments.

        Raises:
            GuestStopped: it was disposed of.
        """
        memory, name = self._memory, heading.split()[1]
        is_handle = memory.is_handle(code)
        if is_handle and not memory.address(code) and self._resources.entry_of(code):
            self._resources.load_resource(code)
        place = memory.address(code) if is_handle else self.guest.u32(code)
        if not place or place & 1:
            raise self.host.stopped(
                f"the {name} at the handle 0x{code:x} is not in memory any more"
            )
        self.before_call()
        if not is_handle:
            return self.host.call_guest(place, heading, *values)
        flags = memory.flags(code)
        memory.lock(code)
        result = self.host.call_guest(place, heading, *values)
        if not flags & LOCKED and memory.is_handle(code):
            memory.unlock(code)
        return result
