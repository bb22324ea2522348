"""What the 68K and the PowerPC side of the Toolbox have in common: callbacks and their checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from emu.toolbox.declaration import Parameter
from emu.toolbox.guest_types import GuestType

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


class Dispatcher(ABC):
    """Answers the program's calls of routines, and calls routines of the program.

    Args:
        mac: the machine whose program makes the calls.
        stack_pointer: the name of the register that points to the stack.

    Attributes:
        return_address: where the caller of the routine being answered goes on.
    """

    _convention = ""
    """How routines of the program are called, where a message should say so."""

    def __init__(self, mac: Macintosh, stack_pointer: str) -> None:
        self._mac = mac
        self._guest = mac.guest
        self._engine = mac.engine
        self._registers = mac.engine.registers
        self._pc, self._sp = (mac.engine.index[name] for name in ("pc", stack_pointer))
        self._stack_at_start = 0
        self.return_address = 0

    def call_guest(
        self,
        address: int,
        parameters: tuple[Parameter, ...],
        result: GuestType | None,
        values: tuple[Any, ...],
    ) -> Any:
        """Call a Pascal routine of the program; its result, or None for a procedure."""
        registers = self._registers
        before, return_address = list(registers), self.return_address
        stack_pointer, preserved = self._enter(address, parameters, result, values)
        code = registers[self._pc]
        self._mac.run_until_return()
        off = registers[self._sp] - stack_pointer
        if off:
            raise self._mac.stopped(
                f"a routine of the program at 0x{code:08x} left the stack {off:+d} bytes off"
                f"{self._convention}"
            )
        self._mac.check_preserved(preserved, before)
        value = self._result(result) if result is not None else None
        registers[:] = before
        self.return_address = return_address
        return value

    @abstractmethod
    def _enter(
        self,
        address: int,
        parameters: tuple[Parameter, ...],
        result: GuestType | None,
        values: tuple[Any, ...],
    ) -> tuple[int, tuple[str, ...]]:
        """Prepare stack and registers for a routine of the program.

        Returns:
            The stack pointer that the routine must come back with, and the names of the registers
            that it must preserve.
        """

    @abstractmethod
    def _result(self, kind: GuestType) -> Any:
        """The result of the routine of the program that has just come back."""

    def caller_registers(self) -> tuple[int, int]:
        """Program counter and stack pointer of the call being answered."""
        return self.return_address, int(self._registers[self._sp])

    def check_end(self) -> None:
        """Check the registers with which the program's main routine has come back."""
        off = self._registers[self._sp] - self._stack_at_start
        if off:
            self._mac.report(
                "stack", f"the program's main routine left the stack {off:+d} bytes off"
            )
