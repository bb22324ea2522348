"""What the 68K and the PowerPC side of the Toolbox have in common: callbacks and their checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

from emu.toolbox.computer.declaration import Callback, ManagerRoutine, Routine
from emu.toolbox.computer.host import Host


class Runner(Protocol):
    """Runs guest code and does routines; see `Macintosh`, which is one."""

    def run_until_return(self) -> None:
        """Run guest code until it returns to the sentinel."""

    def handler(self, declared: ManagerRoutine) -> Callable[..., Any]:
        """The method that does a routine."""

    def perform(
        self,
        routine: Routine,
        handler: Callable[..., Any],
        arguments: Sequence[Any],
        extra: dict[str, Any],
    ) -> Any:
        """Do one routine; its result."""

    def is_plumbing(self, name: str) -> bool:
        """Whether compilers' libraries call a routine for themselves."""


class Dispatcher(ABC):
    """Answers the program's calls of routines, and calls routines of the program.

    Args:
        host: the machine whose program makes the calls.
        runner: does the routines, and runs what they call back.
        stack_pointer: the name of the register that points to the stack.

    Attributes:
        architecture: "m68k" or "powerpc".
    """

    architecture: ClassVar[str]
    _convention = ""
    """How routines of the program are called, where a message should say so."""

    def __init__(self, host: Host, runner: Runner, stack_pointer: str) -> None:
        self._host = host
        self._runner = runner
        self._guest = host.guest
        self._engine = host.engine
        self._registers = host.engine.registers
        self._pc, self._sp = (host.engine.index[name] for name in ("pc", stack_pointer))
        self._stack_at_start = 0

    def call_guest(self, address: int, called: Callback, values: tuple[Any, ...]) -> Any:
        """Call a routine of the program; its result, or None for a procedure."""
        registers = self._registers
        before, return_address = list(registers), self._host.return_address
        stack_pointer, preserved = self._enter(address, called, values)
        code = registers[self._pc]
        self._runner.run_until_return()
        off = registers[self._sp] - stack_pointer
        if off:
            self._host.report(
                "callback",
                f"a routine of the program at 0x{code:08x} left the stack {off:+d} bytes off"
                f"{self._convention}; its caller goes on, as one with a frame of its own does",
            )
            registers[self._sp] = stack_pointer
        self._check_preserved(preserved, before)
        value = self._result(called)
        registers[:] = before
        self._host.return_address = return_address
        return value

    def _check_preserved(self, names: Sequence[str], before: Sequence[int]) -> None:
        """Report registers that a routine of the program should have preserved."""
        registers, index = self._registers, self._engine.index
        changed = [name for name in names if registers[index[name]] != before[index[name]]]
        if changed:
            self._host.report(
                "callback",
                f"a routine of the program that was called back changed {', '.join(changed)}",
            )

    @abstractmethod
    def procedure_pointer(self, name: str, trap: int) -> int:
        """What a program passes to call a routine of the Toolbox, or to say that it is meant."""

    @abstractmethod
    def _enter(
        self, address: int, called: Callback, values: tuple[Any, ...]
    ) -> tuple[int, tuple[str, ...]]:
        """Prepare stack and registers for a routine of the program.

        Returns:
            The stack pointer that the routine must come back with, and the names of the registers
            that it must preserve.
        """

    @abstractmethod
    def _result(self, called: Callback) -> Any:
        """The result of the routine of the program that has just come back, or None."""

    def set_quickdraw_globals(self, the_port: int) -> None:
        """Let QuickDraw use the globals of which thePort is the last; see InitGraf."""
        self._host.quickdraw_globals = the_port

    def caller_registers(self) -> tuple[int, int]:
        """Program counter and stack pointer of the call being answered."""
        return self._host.return_address, int(self._registers[self._sp])

    def check_end(self) -> None:
        """Check the registers with which the program's main routine has come back."""
        off = self._registers[self._sp] - self._stack_at_start
        if off:
            self._host.report(
                "stack", f"the program's main routine left the stack {off:+d} bytes off"
            )
