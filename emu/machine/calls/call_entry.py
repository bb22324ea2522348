"""Writes a call to guest memory before it is made, and reads its result there afterwards.

A call begins at the *gate*, a few instructions that load the registers, call the routine, store the
registers again and reach the sentinel. It needs a stack with the caller's frame on top, and the
program's data.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.processes.black_box import black_box
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_site import CallSite
from emu.machine.calls.contract import CallFrame
from emu.machine.code_coverage.edges_of_calls import EdgesOfCalls
from emu.machine.cpu import Cpu
from emu.machine.guest.callbacks import Callbacks
from emu.machine.memory import layout
from emu.machine.memory.data_image import DataImage
from emu.machine.memory.memory import GuestMemory
from emu.machine.memory.surroundings import PLAIN, Surroundings
from emu.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """Calls of one routine: the memory that each begins with, and the memory after it.

    Attributes:
        site: what is called.
        surroundings: what each call finds on the stack and in registers.
        before: (calls, image size) uint8, the data image that each begins with.
        entry_frames: (calls, frame size) uint8, the frame that each begins with.
        after: the data image after each call; the same shape as ``before``.
        frames: the frame after each call; the same shape as ``entry_frames``.
        privileged: the privileged instructions that each call has executed, by the call's index:
            their titles by their addresses.
        left: the calls that an engine has not made and Unicorn has to make, by the call's index:
            why, as a noun.
        edges: the edges that calls have taken, as far as an engine counts them for each call.
    """

    site: CallSite
    surroundings: Sequence[Surroundings]
    before: NDArray[np.uint8]
    entry_frames: NDArray[np.uint8]
    after: NDArray[np.uint8]
    frames: NDArray[np.uint8]
    privileged: dict[int, Mapping[int, str]] = dataclasses.field(default_factory=dict)
    left: dict[int, str] = dataclasses.field(default_factory=dict)
    edges: list[EdgesOfCalls] = dataclasses.field(default_factory=list)

    def __len__(self) -> int:
        return len(self.before)


class CallEntry:
    """Writes calls of a program's routines to guest memory, and reads their results.

    Args:
        program: the program, for messages and for the registers that it holds.
        cpu: the processor.
        convention: the calling convention.
        memory: guest memory.

    Attributes:
        program, cpu, memory: as above.
        gate: the region of the gate.
        stack_region: the region of the stack.
        stack: its bytes in guest memory.
        data: the layout of data images.
        frame: the bytes of the frame in guest memory.
        contract: the contract of calls.
        callbacks: the Python functions that guest code can call.
    """

    def __init__(
        self, program: Program, cpu: Cpu, convention: CallingConvention, memory: GuestMemory
    ) -> None:
        stack = self.stack_region = memory.region("stack")
        self.gate = memory.region("gate")
        self.stack = memory.view(stack.address, stack.size)
        self.data = DataImage(memory, stack)
        self.contract = CallFrame(cpu, convention, stack.end - layout.FRAME_SIZE, program.registers)
        self.frame = memory.view(self.contract.address, layout.FRAME_SIZE)
        self.program = program
        self.cpu = cpu
        self.memory = memory
        self._convention = convention
        self.callbacks = Callbacks(cpu, convention, memory, self.gate, program.registers)
        self._plain_form = convention.form(cpu, (), None)
        self._gate_routine = -1
        self._owner: threading.Thread | None = None
        self._is_closed = False

    def close(self) -> None:
        """Refuse all further calls."""
        self._is_closed = True

    def site(self, routine: int | CallSite) -> CallSite:
        """The call site of a routine that may be given by its address alone.

        Raises:
            UsageError: the machine is closed.
        """
        if self._is_closed:
            raise UsageError(f"the Machine of {self.program.path} is closed")
        if isinstance(routine, CallSite):
            return routine
        return CallSite(routine, self._plain_form)

    def calls(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        surroundings: Sequence[Surroundings] | None = None,
    ) -> Calls:
        """Calls on some images, which are not made yet."""
        site = self.site(routine)
        around = surroundings or [PLAIN] * len(before)
        frames = self._frames(site, before, around)
        return Calls(site, around, before, frames, np.empty_like(before), np.empty_like(frames))

    def prepare(
        self, site: CallSite, before: NDArray[np.uint8], surroundings: Surroundings = PLAIN
    ) -> tuple[int, int]:
        """Write everything that one call needs.

        Returns:
            The addresses at which the engine has to start and to stop.
        """
        start, until = self.open_gate(site.routine)
        self.stack[:] = surroundings.stack
        self.frame[:] = self._frames(site, before[np.newaxis], [surroundings])[0]
        self.data.put(before)
        return start, until

    def lay(self, calls: Calls, index: int) -> None:
        """Write everything that the call of an index needs, except for the gate."""
        self.stack[:] = calls.surroundings[index].stack
        self.frame[:] = calls.entry_frames[index]
        self.data.put(calls.before[index])

    def keep(self, calls: Calls, index: int) -> None:
        """Copy the memory after the call of an index into ``calls``."""
        calls.after[index] = self.data.copy()
        calls.frames[index] = self.frame

    def user_gate(self, routine: int) -> bytes:
        """A gate for an engine that refuses privileged instructions.

        It cannot read the state registers that only a supervisor may read. In their place it stores
        the values that they should hold, so a routine that changes them is not noticed.
        """
        start = self.gate.address
        places = self.contract.places(routine, start, start + layout.SENTINEL_OFFSET)
        return self._convention.gate(self.cpu, replace(places, is_user=True))

    def open_gate(self, routine: int) -> tuple[int, int]:
        """Write the gate to a routine, unless it is there already.

        Returns:
            The addresses at which an engine has to start and to stop. An engine that has executed
            the gate to another routine must forget that code.

        Raises:
            UsageError: another thread has made calls before, or guest code waits for Python.
        """
        box = black_box()
        if box is not None:
            box.note_program(self.program.path)
        self._claim()
        if self.callbacks.is_running:
            raise UsageError(
                "a Python function that guest code has called cannot call guest functions of the "
                "same Machine"
            )
        start = self.gate.address
        until = start + layout.SENTINEL_OFFSET
        if routine != self._gate_routine:
            places = self.contract.places(routine, start, until)
            self.memory.write(start, self._convention.gate(self.cpu, places))
            self._gate_routine = routine
        return start, until

    def _claim(self) -> None:
        """Let the machine belong to the thread that makes its first call."""
        thread = threading.current_thread()
        if self._owner is None:
            self._owner = thread
        elif self._owner is not thread:
            raise UsageError(
                f"this Machine belongs to thread {self._owner.name}, which called it first, and "
                f"was called from thread {thread.name}; build a Machine in each thread"
            )

    def disown(self) -> None:
        """Forget the thread that the machine belongs to: the next one that makes a call owns it."""
        self._owner = None

    def has_returned(self) -> bool:
        """Whether the call that was made last has returned."""
        return bool(self.contract.returned(self.frame[np.newaxis]).all())

    def settle(self, calls: Calls, count: int) -> None:
        """Copy the results of the first ``count`` calls from their frames into their images.

        Arguments that are passed by address get the values back that they had before the call, as a
        routine may change them.
        """
        site = calls.site
        if not site.address:
            return
        start = self.data.offset(site.address)
        for passing, field in site.arguments:
            if passing.by_address:
                part = slice(start + field.offset, start + field.offset + field.type.size)
                calls.after[:count, part] = calls.before[:count, part]
        results = self.contract.results(calls.frames[:count], site)
        if results is not None and site.result is not None:
            offset = start + site.result.offset
            calls.after[:count, offset : offset + results.shape[1]] = results

    def result(self, site: CallSite, after: NDArray[np.uint8]) -> bytes:
        """The result of the call that was made last, as it lies in memory; empty if it has none.

        Args:
            site: what was called.
            after: (image size,) uint8, the image that the call left.
        """
        if site.result is None:
            return b""
        if not site.address:
            result = self.contract.results(self.frame[np.newaxis], site)
            return b"" if result is None else result.tobytes()
        start = self.data.offset(site.address) + site.result.offset
        return after[start : start + site.result.type.size].tobytes()

    def _frames(
        self, site: CallSite, before: NDArray[np.uint8], around: Sequence[Surroundings]
    ) -> NDArray[np.uint8]:
        """The frames that calls begin with, shape (calls, frame size)."""
        offset = self.data.offset(site.address) if site.address else 0
        return self.contract.before_calls(site, site.records(before, offset), around)
