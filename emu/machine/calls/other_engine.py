"""The interface of engines that execute calls in place of Unicorn.

An engine gets guest memory and executes instructions from the gate's beginning to the sentinel.
The gate loads all registers from memory and stores them there after the call, so an engine need not
know calling conventions, and nothing of a register goes through this interface. Arguments are laid,
results are found and the call contract is checked in the memory that it leaves.

An engine that makes one call after the other is a `SequentialEngine`, and writes
`SequentialEngine.execute`. One that makes many calls at once is an `OtherEngine`, and writes
`OtherEngine.run`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from emu.base.errors import UsageError
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.cpu import Cpu
from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import GuestMemory
from emu.program import Program


class EngineRefusal(UsageError):
    """An engine cannot execute this program at all; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class StoppedCall:
    """A call that did not return on an engine.

    Attributes:
        call: its index among the calls.
        why: what happened, as the end of a sentence: "ended with signal 11".
    """

    call: int
    why: str


class OtherEngine(ABC):
    """An engine that executes calls of one program.

    Attributes:
        version: its name, its version, and the processor that it stands for, for reports:
            "qemu-user 7.2.22, m68040".
        leaves_calls: whether it may leave calls to Unicorn, and so any program can be executed.
        drops_calls: whether nobody makes the calls that it leaves: `Batch.untranslated` says which
            they are, and what the batch has of them is of no use.
        counts_edges: whether it counts the edges that each call takes.
    """

    version: str
    counts_edges: bool = False
    leaves_calls: ClassVar[bool] = False
    drops_calls: ClassVar[bool] = False

    @abstractmethod
    def run(self, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        """Make calls up to the last, or up to the first that does not return.

        Args:
            entry: what lays calls into guest memory.
            calls: the calls. What those leave that return is written to ``after`` and ``frames``.
                An engine that may leave calls to Unicorn names them in ``left``, and goes on.

        Returns:
            The first call that did not return; None if all did.

        Raises:
            EngineRefusal: the program cannot be executed.
        """

    def take_reached(self) -> frozenset[Block]:
        """The blocks of code that calls have executed since this was asked last.

        None, if the engine does not tell.
        """
        return frozenset()

    def close(self) -> None:  # noqa: B027 - most engines hold nothing that must be freed
        """Free what the engine holds."""


class SequentialEngine(OtherEngine):
    """An engine that makes one call after the other in the machine's own memory."""

    @abstractmethod
    def execute(self, start: int, until: int) -> str:
        """Execute instructions of guest memory, with registers that hold anything.

        What is stored is in guest memory afterwards. No earlier call may have any influence but
        through guest memory: control registers of the FPU, for example, are as after a reset.

        Args:
            start: the address of the first instruction, in supervisor mode.
            until: the address at which it ends; the instruction there is not executed.

        Returns:
            "" if it came there; else what happened, as the end of a sentence, such as "read from
            0x00000000, which is not mapped".
        """

    def run(self, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        """Make calls up to the first that does not return; see `OtherEngine.run`."""
        start, until = entry.open_gate(calls.site.routine)
        for index in range(len(calls)):
            entry.lay(calls, index)
            why = self.execute(start, until)
            if why:
                return StoppedCall(index, why)
            entry.keep(calls, index)
        return None


MakeEngine: TypeAlias = Callable[[Cpu, Program, GuestMemory], OtherEngine]
"""Makes an engine for the programs and the memory of a machine; raises `EngineRefusal`, and
`ToolMissingError` if something is not installed."""
