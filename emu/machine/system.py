"""What answers a routine that calls the operating system: a protocol that the Toolbox implements.

A call runs at full speed until it executes the instruction by which its processor calls the
system. Then it is made once more from its beginning, and the system answers everything it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from emu.machine.checked_calls import CheckedCalls
from emu.machine.cpu import Cpu
from emu.machine.engine import Block, EdgeCounter, Entries
from emu.machine.memory import GuestMemory
from emu.program import Program


@dataclass(frozen=True, slots=True)
class SystemCalls:
    """What became of a call whose questions were answered.

    Attributes:
        problem: why it could not go on, as a clause; "" if it could.
        kind: the `Fault.kind` of the problem.
        program_counter: where it stopped.
        registers: the general registers at that point.
        mistakes: sentences about what it did wrong and did not stop it.
        stores: for every watched address, the program counter of the last store to it.
        code: the blocks that were executed for the first time.
    """

    problem: str
    kind: str
    program_counter: int
    registers: Mapping[str, int]
    mistakes: tuple[str, ...] = ()
    stores: Mapping[int, int] = field(default_factory=dict)
    code: tuple[Block, ...] = ()


class System(Protocol):
    """Makes calls and answers what they ask of the operating system."""

    def run(
        self,
        start: int,
        seconds: float,
        answers: Mapping[str, int],
        watch: range,
        entries: Entries | None,
        *,
        goes_on: bool = False,
        number: int = 0,
    ) -> SystemCalls:
        """Make the call that was prepared in the machine's memory.

        Nothing that an earlier call did can influence it, unless the system goes on.

        Args:
            start: where it begins.
            seconds: how long it may take.
            answers: routines that are answered from guest memory instead, by name: the address of
                a long with the number of answers, which follow it as longs. With `EVERY_TIME` as
                the number, the first of them is the answer every time.
            watch: guest addresses whose stores are to be recorded.
            entries: where guest code calls Python, or None. The machine's memory is then as guest
                code has left it so far, and guest code goes on with what Python leaves there.
            goes_on: whether the system is as the last call has left it.
            number: the index of the call in its batch.
        """

    def count_edges(self) -> EdgeCounter:
        """Count the edges that calls execute; to be called before the first call."""

    def look_at(self, checked: CheckedCalls) -> None:
        """Note what is wrong with accesses to memory; to be called before the first call."""

    def read(self, address: int, size: int) -> bytes | None:
        """Memory of the last call, also what the system gave it; None if there is none."""

    def forget_code(self, address: int, size: int) -> None:
        """Report code there as new when it is executed again."""


EVERY_TIME = 0xFFFFFFFF

SystemMaker = Callable[[Cpu, Program, GuestMemory, int], System]
"""Makes a system for calls on a processor: of a program, in a memory, to the address of the end."""
