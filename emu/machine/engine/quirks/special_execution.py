"""Executes instructions in the engine's place, and keeps why one of them ended the run."""

from __future__ import annotations

from collections.abc import Callable

import unicorn

from emu.machine.cpu import (
    AccessRefusedError,
    Cpu,
    ExceptionTakenError,
    NotExecutableError,
    OutcomeUnknownError,
    SpecialInstruction,
)
from emu.machine.engine.base.models import register_id
from emu.machine.engine.base.processor_state import EngineState, StoppedError
from emu.machine.engine.watch.trace import BadAccess, RefusedInstruction
from emu.machine.memory.memory import GuestMemory

_REFUSALS = (AccessRefusedError, NotExecutableError, OutcomeUnknownError, ExceptionTakenError)


class SpecialExecution:
    """Executes special instructions of an engine's code.

    Args:
        cpu: the processor.
        memory: what the engine runs in.
        now: reads the time, in nanoseconds.

    Attributes:
        state: what the instructions are executed on.
        refused: the instruction that ended the current run, because it cannot be executed; or None.
        exception: the engine's number of the exception that an instruction took by which the
            current run ended; -1 for none.
        was_stopped: whether something stopped the engine while it executed an instruction for this;
            whoever asks clears it.
        bad_access: the access to memory by which an instruction ended the current run; or None.
        privileged: the instructions that were executed and that are an operating system's alone:
            their titles by their addresses, since the caller has cleared it.
        on_privileged: is called with address and title of each of them.
        on_executed: is called with the address and size of each instruction that was executed
            here in place of the engine.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, now: Callable[[], int]) -> None:
        self.state = EngineState(cpu, memory, now)
        self.refused: RefusedInstruction | None = None
        self.exception = -1
        self.was_stopped = False
        self.bad_access: BadAccess | None = None
        self.privileged: dict[int, str] = {}
        self.on_privileged: Callable[[int, str], None] = lambda address, title: None
        self.on_executed: Callable[[int, int], None] = lambda address, size: None
        self._cpu = cpu

    def attach(self, engine: unicorn.Uc) -> None:
        """Use a new engine, which has not run yet."""
        self._engine = engine
        self.state.attach(engine)

    def begin(self) -> None:
        """Forget why the last run ended."""
        self.refused = self.bad_access = None
        self.exception = -1

    def execute(
        self, special: SpecialInstruction, address: int, *, is_seen: bool = False
    ) -> int | None:
        """Execute the instruction at an address; where it goes on, or None if it ends the run.

        Args:
            special: the instruction.
            address: where it is.
            is_seen: whether the engine has counted it as executed.
        """
        if special.is_privileged:
            self.note(address, special)
        if special.execute is None:
            self.refused = RefusedInstruction(address, special.title)
            return None
        try:
            further = special.execute(self.state, address)
        except StoppedError:
            self.was_stopped = True
            return address
        except _REFUSALS as error:
            # The engine may have come to rest elsewhere.
            counter = register_id(self._cpu, "pc")
            self._engine.reg_write(counter, address + self._cpu.interrupt_bias)
            self._end(special, address, error)
            return None
        if not is_seen:
            self.on_executed(address, special.size)
        if self._cpu.odd_fetch >= 0 and further & 1:
            self.exception = self._cpu.odd_fetch
            return None
        return further

    def _end(self, special: SpecialInstruction, address: int, error: Exception) -> None:
        """Keep why an instruction ends the run."""
        match error:
            case AccessRefusedError():
                self.bad_access = BadAccess(error.access, error.reason, error.address, error.size)
            case ExceptionTakenError():
                self.exception = error.number
            case OutcomeUnknownError():
                self.refused = RefusedInstruction(address, special.title, unknown=str(error))
            case _:
                self.refused = RefusedInstruction(address, special.title, str(error))

    def note(self, address: int, special: SpecialInstruction) -> None:
        """Note an instruction that is executed and is an operating system's alone."""
        self.privileged[address] = special.title
        self.on_privileged(address, special.title)
