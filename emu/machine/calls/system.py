"""The operating system as a machine sees it: a protocol, which the Toolbox implements.

A call runs at full speed until it executes the instruction by which its processor calls the
operating system. It is then made again from its beginning, and the system answers every call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.watch.edges import Block, EdgeCounter
from emu.machine.memory.memory import GuestMemory
from emu.program import Program


@dataclass(frozen=True, slots=True)
class GivenBlock:
    """Memory of a call that the system treats as a block of its heap, as if NewPtr had made it.

    Attributes:
        address: where it begins, and where its bytes are before and after the call.
        room: how many bytes there are.
        master: the address of the word that holds ``address``, if the system may move the block;
            0 if it may not. The address of that word is the block's handle.
        length: the address of a word with the size of the block, before and after the call; 0 if
            the block takes all the room.
    """

    address: int
    room: int
    master: int = 0
    length: int = 0


def _no_blocks(image: NDArray[np.uint8]) -> Sequence[GivenBlock]:
    return ()


@dataclass(frozen=True, slots=True)
class SystemTerms:
    """The state of the operating system that calls find, as far as the case prescribes it.

    Attributes:
        answers: Toolbox routines whose results the scene prescribes, by name: the address in guest
            memory of a long with the number of results, which follow it as longs. With `EVERY_TIME`
            as the number, the first of them is the result of every call.
        fixed: numbers of the environment that the scene prescribes, such as the time, by name: the
            address of the word that holds each.
        blocks: the blocks in the data image of a call.
    """

    answers: Mapping[str, int] = field(default_factory=dict)
    fixed: Mapping[str, int] = field(default_factory=dict)
    blocks: Callable[[NDArray[np.uint8]], Sequence[GivenBlock]] = _no_blocks


@dataclass(frozen=True, slots=True)
class Leftover:
    """A part of the operating system's state that a call has left changed.

    Attributes:
        kind: the part of the system: "heap", "port".
        what: what was left, without numbers: "a block that NewHandle made".
    """

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


ANSWERS = "answers"
"""The kind of `Leftover` that is about routines which a scene answers."""


def unasked(name: str) -> Leftover:
    """The sentence about a routine that was called less often than the scene has results for it."""
    return Leftover(ANSWERS, f"answers of {name} that it did not ask for")


@dataclass(frozen=True, slots=True)
class StrayAccess:
    """An access of guest code to memory of the system's that belongs to no block.

    Attributes:
        instruction: the address of the instruction.
        is_store: whether it stores.
        what: what it does, as a clause without its subject: "writes 2 bytes at 0x000634cc, ...".
    """

    instruction: int
    is_store: bool
    what: str


@dataclass(frozen=True, slots=True)
class SystemCalls:
    """How a call that was made with the operating system ended.

    Attributes:
        problem: why it could not go on, as a clause; "" if it could.
        kind: the `Fault.kind` of the problem.
        program_counter: where it stopped.
        registers: the general registers at that point.
        mistakes: sentences about its mistakes that did not stop it.
        stores: for every watched address, the program counter of the last store to it.
        code: the blocks that were executed for the first time.
        left: what differs from the state before the call; if several calls share one state, from
            the state before the first of them.
        state: the same differences as numbers, by name; 0 is no difference.
        freed: which blocks of `GivenBlock` the call disposed of: the address of each, and its
            contents before the call.
        moved: the other blocks of `GivenBlock` that the call moved: the address after the call, and
            the address before.
        strays: accesses to memory that belongs to no block, in the order in which they were made,
            the first of each instruction; of a call that was watched.
    """

    problem: str
    kind: str
    program_counter: int
    registers: Mapping[str, int]
    mistakes: tuple[str, ...] = ()
    stores: Mapping[int, int] = field(default_factory=dict)
    code: tuple[Block, ...] = ()
    left: tuple[Leftover, ...] = ()
    state: Mapping[str, int] = field(default_factory=dict)
    freed: tuple[tuple[int, bytes], ...] = ()
    moved: tuple[tuple[range, int], ...] = ()
    strays: tuple[StrayAccess, ...] = ()


class OperatingSystem(Protocol):
    """Makes calls, and answers their calls of the operating system."""

    def run(
        self,
        start: int,
        seconds: float,
        terms: SystemTerms,
        watch: range | None,
        entries: Entries | None,
        *,
        blocks: Sequence[GivenBlock] = (),
        environment: int = 0,
        goes_on: bool = False,
        number: int = 0,
    ) -> SystemCalls:
        """Make the call that was prepared in the machine's memory.

        Nothing that an earlier call did can influence it, unless the system goes on.

        Args:
            start: where it begins.
            seconds: how long it may take.
            terms: the state of the system that the call finds.
            watch: guest addresses whose stores are to be recorded; stray accesses are, too, and the
                call is slow. None for a call that is not watched.
            entries: where guest code calls Python, or None. While Python runs, the machine's memory
                holds what guest code has stored so far, and guest code goes on with what Python
                leaves there.
            blocks: memory of the call that the system treats as blocks of its heap.
            environment: chooses the state that the terms leave open, such as the time; 0 is the
                usual one.
            goes_on: whether the call finds the system as the last call has left it, and not a fresh
                one.
            number: the index of the call in its batch.
        """

    def begin(self) -> None:
        """Let the state after the last call count as the state before the next one."""

    def count_edges(self) -> EdgeCounter:
        """Count the edges that calls execute; to be called before the first call."""

    def look_at(self, checked: CheckedCalls) -> None:
        """Check accesses to memory from now on; to be called before the first call."""

    def show_computer(self, see: Callable[[Any], None]) -> None:
        """Have a function called with each computer that answers calls, before it runs one."""

    def read(self, address: int, size: int) -> bytes | None:
        """Memory of the last call, also what the system gave it; None if there is none."""

    def forget_code(self, address: int, size: int) -> None:
        """Report code there as new when it is executed again."""


EVERY_TIME = 0xFFFFFFFF

SystemMaker = Callable[[Cpu, Program, GuestMemory, int], OperatingSystem]
"""Makes a system for calls on a processor: of a program, in a memory, to the address of the end."""
