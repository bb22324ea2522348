"""How threads leave one another on each processor: where code goes on, and how one begins.

A routine of the Thread Manager that changes threads first returns to its caller's place in name
only: the call goes on at code of the ROM's, which calls the Toolbox once more, and that call
exchanges all registers. So the caller's stack is as after any other call.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from emu.machine.engine.processor_context import ProcessorContext
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import ROM_THREADS

SWITCH_TRAP, END_TRAP = 0xABFA, 0xABFB
"""Trap words that no routine of a Macintosh has."""
SWITCH, END = "SwitchThreads", "EndThread"
"""The names of the routines behind them."""

_LINKAGE_AREA = 64


class ThreadSwitch(ABC):
    """Moves a processor between threads.

    Args:
        host: the machine.

    Attributes:
        stack_index: the place of the stack pointer among the registers.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self.stack_index = host.engine.index[host.cpu.stack_pointer]

    def _register(self, name: str) -> int:
        return int(self._host.engine.registers[self._host.engine.index[name]])

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self._host.engine.registers[self._host.engine.index[name]] = value

    @abstractmethod
    def detour(self) -> int:
        """Have the call being answered go on at the exchange; where it was to go on."""

    @abstractmethod
    def leave(self, place: int) -> ProcessorContext:
        """The state of the thread whose call was to go on at a place, at the exchange."""

    @abstractmethod
    def enter(self, context: ProcessorContext) -> None:
        """Go on, at the exchange or at a thread's end, with another thread's state."""

    @abstractmethod
    def begin(self, entry: int, argument: int, stack: int, size: int) -> None:
        """Go on, there too, at the beginning of a thread with a stack of its own."""

    @abstractmethod
    def result(self) -> int:
        """What the thread returns that has just ended."""


class M68kSwitch(ThreadSwitch):
    """The same with the stack of a 68K."""

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        code = SWITCH_TRAP.to_bytes(2, "big") + END_TRAP.to_bytes(2, "big")
        host.guest.memory.write(ROM_THREADS, code)

    def detour(self) -> int:
        """See there."""
        place, self._host.return_address = self._host.return_address, ROM_THREADS
        return place

    def leave(self, place: int) -> ProcessorContext:
        """See there."""
        self._set(pc=place)
        return self._host.engine.context()

    def enter(self, context: ProcessorContext) -> None:
        """See there."""
        self._host.engine.go_back(context)
        self._host.return_address = self._register("pc")

    def begin(self, entry: int, argument: int, stack: int, size: int) -> None:
        """See there; Pascal's function gets its argument below room for its result."""
        top = stack + size & -4
        frame = (ROM_THREADS + 2, argument, 0)
        self._set(a7=top - 12, a6=0)
        for number, word in enumerate(frame):
            self._host.guest.put32(top - 12 + 4 * number, word)
        self._host.return_address = entry

    def result(self) -> int:
        """See there."""
        return self._host.guest.u32(self._register("a7"))


class PowerPcSwitch(ThreadSwitch):
    """The same with the link register of a PowerPC."""

    def __init__(self, host: Host, dispatcher: PowerPcDispatcher) -> None:
        super().__init__(host)
        self._dispatcher = dispatcher

    def _code(self, name: str) -> int:
        return self._dispatcher.procedure(self._dispatcher.import_address(name))[0]

    def detour(self) -> int:
        """See there."""
        place = self._register("lr")
        self._set(lr=self._code(SWITCH))
        return place

    def leave(self, place: int) -> ProcessorContext:
        """See there; the program counter is at the `blr` behind the exchange."""
        self._set(lr=place, r3=0)
        return self._host.engine.context()

    def enter(self, context: ProcessorContext) -> None:
        """See there."""
        self._host.engine.go_back(context)

    def begin(self, entry: int, argument: int, stack: int, size: int) -> None:
        """See there."""
        code, toc = self._dispatcher.procedure(entry)
        top = (stack + size - _LINKAGE_AREA) & -16
        self._host.guest.write(top, bytes(_LINKAGE_AREA))
        self._set(pc=code, r1=top, r2=toc, r3=argument, lr=self._code(END))

    def result(self) -> int:
        """See there."""
        return self._register("r3")


def thread_switch(host: Host, dispatcher: Dispatcher) -> ThreadSwitch:
    """The one of a program's processor."""
    if isinstance(dispatcher, PowerPcDispatcher):
        return PowerPcSwitch(host, dispatcher)
    return M68kSwitch(host)
