"""The two processors of a program for the PowerPC: its own, and a 68K for 68K code in it.

A Power Macintosh executes 68K code by an emulator: definition functions, code resources, and what a
routine descriptor says is of a 68K. Here a second engine does so, on the same memory and stack. One
processor waits while the other runs; each finds its stack below that of the other. 68K code in turn
calls routines of the PowerPC by their descriptors, whose first word is a trap to it.
Sources: Inside Macintosh: PowerPC System Software, chapter 1 "The 68LC040 Emulator" and chapter 2
"Mixed Mode Manager" (switch frames, pp. 2-7 to 2-12).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from emu.machine.cpu import CPUS, Cpu
from emu.machine.engine.hosted_engine import HostedEngine
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.procedure_information import ProcedureInformation
from emu.toolbox.calls.routine_descriptors import (
    DescribedRoutine,
    described_routine,
    is_descriptor,
)
from emu.toolbox.calls.trap_table import trap_at, trap_code, trap_number
from emu.toolbox.computer.declaration import Callback, callback
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import LOW_MEMORY_SIZE, SENTINEL, SHADOW

_RED_ZONE = 256
"""Bytes below r1 that a routine of the PowerPC may use without moving it, 224, and a few more."""


@dataclass(slots=True, eq=False)
class GuestProcessor:
    """A processor of the machine.

    Attributes:
        cpu: its kind.
        engine: what executes its code.
        dispatcher: answers its calls of the Toolbox, and calls its routines.
    """

    cpu: Cpu
    engine: HostedEngine
    dispatcher: Dispatcher

    @property
    def stack_pointer(self) -> int:
        """Where its stack ends."""
        return int(self.engine.registers[self.engine.index[self.cpu.stack_pointer]])

    @stack_pointer.setter
    def stack_pointer(self, address: int) -> None:
        self.engine.registers[self.engine.index[self.cpu.stack_pointer]] = address


class ProcessorOwner(Protocol):
    """What is told which processor runs; see `Macintosh`, which is one."""

    host: Host

    def use(self, processor: GuestProcessor) -> None:
        """Run this processor from now on."""

    def run_until_return(self) -> None:
        """Run guest code until it returns to the sentinel."""


class Processors:
    """Calls routines of either processor.

    Args:
        machine: runs them.
        first: the program's own processor.
        make_dispatcher: makes what answers the traps of the 68K, which the host then has.
    """

    def __init__(
        self,
        machine: ProcessorOwner,
        first: GuestProcessor,
        make_dispatcher: Callable[[], M68kDispatcher],
    ) -> None:
        self._machine, self._host = machine, machine.host
        self._first = self._current = first
        self._second: GuestProcessor | None = None
        self._make_dispatcher = make_dispatcher

    # -- the second processor ----------------------------------------------------------------------

    def _emulator(self) -> GuestProcessor:
        """The second processor, made when it is first needed."""
        if self._second is None:
            host, cpu = self._host, CPUS["68040"]
            engine = HostedEngine(cpu, host.engine.memory, SENTINEL, closed=[SHADOW])
            engine.special.execution.state.now = host.engine.special.execution.state.now
            engine.pages.may_execute = lambda region: True
            engine.pages.may_write = host.guest.may_write
            host.guard.keep(engine.pages)
            kept, host.engine = host.engine, engine
            try:
                dispatcher = self._make_dispatcher()
            finally:
                host.engine = kept
            dispatcher.needs_a5 = False
            dispatcher.call_other = self._answer_descriptor
            self._second = GuestProcessor(cpu, engine, dispatcher)
        return self._second

    @contextlib.contextmanager
    def _running(self, target: GuestProcessor) -> Iterator[None]:
        """Have a processor run during a block, with its stack below that of the one that waits."""
        source = self._current
        if target is source:
            yield
            return
        kept = target.stack_pointer
        target.stack_pointer = (source.stack_pointer - _RED_ZONE) & -16
        if target is self._second:
            self._prepare(target)
        self._current = target
        self._machine.use(target)
        try:
            yield
        finally:
            self._current = source
            self._machine.use(source)
            target.stack_pointer = kept

    def _prepare(self, second: GuestProcessor) -> None:
        """Give 68K code its A5, which leads to QuickDraw's globals, and what memory holds now."""
        host, engine = self._host, second.engine
        a5 = host.current_a5()
        engine.registers[engine.index["a5"]] = a5
        if host.quickdraw_globals:
            host.guest.put32(a5, host.quickdraw_globals)
        # The other processor has written what its own stores do not tell this engine of.
        engine.forget_places([(r.address, r.end) for r in engine.memory.regions if r != SHADOW])

    # -- calls -------------------------------------------------------------------------------------

    def is_68k(self, address: int) -> bool:
        """Whether a routine pointer leads to 68K code.

        It does if a descriptor says so, or if it is neither a descriptor nor a transition vector,
        which begins with the address of code.
        """
        guest = self._host.guest
        if address & 1 or address < LOW_MEMORY_SIZE or not guest.is_mapped(address, 4):
            return False
        if is_descriptor(guest, address):
            return self._described(address).is_68k
        code = guest.u32(address)
        return code % 4 != 0 or code < LOW_MEMORY_SIZE or not guest.is_mapped(code, 4)

    def _described(self, address: int) -> DescribedRoutine:
        return described_routine(self._host.guest, address, self._host.connect_fragment)

    def _code(self, address: int) -> int:
        """The 68K code to which a routine pointer leads."""
        if is_descriptor(self._host.guest, address):
            return self._described(address).address
        return address

    def call(self, address: int, called: Callback, values: tuple[Any, ...]) -> Any:
        """Call a routine on the processor whose code it is; its result."""
        is_68k = self.is_68k(address)
        target = self._emulator() if is_68k else self._first
        with self._running(target):
            place = self._code(address) if is_68k else address
            return target.dispatcher.call_guest(place, called, values)

    def call_68k(self, address: int, information: int, words: Sequence[int]) -> int:
        """Call 68K code with the arguments of a PowerPC program, as words; the result is one.

        Args:
            address: a routine pointer.
            information: the routine's procInfo.
            words: the arguments.

        Raises:
            GuestStopped: it is called by a convention that is not done here.
        """
        convention = self._convention(information)
        second = self._emulator()
        with self._running(second):
            code = self._code(address)
            if convention.is_pascal:
                masks = (8 * size for size in convention.sizes)
                values = tuple(w & (1 << bits) - 1 for w, bits in zip(words, masks, strict=True))
                return int(second.dispatcher.call_guest(code, convention.heading(), values) or 0)
            return self._call_plainly(second, code, convention, words)

    def _call_plainly(
        self,
        second: GuestProcessor,
        code: int,
        convention: ProcedureInformation,
        words: Sequence[int],
    ) -> int:
        """Call 68K code by registers, or as C does: arguments as long words, result in D0."""
        registers, index = second.engine.registers, second.engine.index
        before = list(registers)
        if convention.is_by_registers:
            for name, word in zip(convention.registers, words, strict=True):
                registers[index[name]] = word
            pushed: Sequence[int] = ()
            trap = trap_at(code)
            if trap is not None:
                code = self._push_trap(second, trap, registers[index["d1"]] & 0xFFFF)
        else:
            pushed = words
        for word in (*reversed(pushed), second.engine.sentinel):
            second.stack_pointer -= 4
            self._host.guest.put32(second.stack_pointer, word)
        registers[index["pc"]] = code
        self._machine.run_until_return()
        result = registers[index[convention.result_register]]
        registers[:] = before
        return int(result & (1 << 8 * convention.result_size) - 1)

    def _push_trap(self, second: GuestProcessor, number: int, word: int) -> int:
        """Put a trap where the 68K can execute it, below its stack; the address.

        An Operating System trap's routine finds in D1 the word that called it, whose other bits say
        how, such as CLEAR. A word of another trap there says nothing.
        """
        if word & 0xF000 != 0xA000 or trap_number(word) != number:
            word = 0xA000 | number
        second.stack_pointer -= 4
        self._host.guest.write(second.stack_pointer, trap_code(word))
        return second.stack_pointer

    def _convention(self, information: int) -> ProcedureInformation:
        convention = ProcedureInformation.of(information)
        if not convention.is_known:
            raise self._host.stopped(
                f"a routine for the other processor is called by convention "
                f"{convention.convention}, which macproof does not have"
            )
        return convention

    def _answer_descriptor(self, address: int) -> None:
        """Do a call that 68K code has made of a routine descriptor: it has been jumped to."""
        guest, second = self._host.guest, self._emulator()
        described = self._described(address)
        registers, index = second.engine.registers, second.engine.index
        if described.is_68k:
            registers[index["pc"]] = described.address
            return
        convention = self._convention(described.information)
        back, place = guest.u32(second.stack_pointer), second.stack_pointer + 4
        words, size = self._arguments(convention, place)
        inside = "; ".join(f"p{n}: UInt32" for n in range(len(words)))
        heading = f"FUNCTION Routine{f' ({inside})' if inside else ''}: UInt32"
        with self._running(self._first):
            result = self._first.dispatcher.call_guest(address, callback(heading), tuple(words))
        if convention.is_pascal:
            second.stack_pointer = place + size
            self._store(second.stack_pointer, convention.result_size, result)
        else:
            second.stack_pointer = place
            if convention.result_size:
                registers[index[convention.result_register]] = result
        registers[index["pc"]] = back

    def _arguments(self, convention: ProcedureInformation, place: int) -> tuple[list[int], int]:
        """The arguments of such a call, as words, and how many bytes they take on the stack."""
        guest, second = self._host.guest, self._emulator()
        if convention.is_by_registers:
            registers, index = second.engine.registers, second.engine.index
            return [registers[index[name]] for name in convention.registers], 0
        words, offset = [], 0
        ordered = convention.sizes[::-1] if convention.is_pascal else convention.sizes
        for size in ordered:
            slot = max(size, 2) if convention.is_pascal else 4
            # Pascal has a byte in the high half of its word, C in the low end of its long word.
            at = place + offset + (0 if convention.is_pascal else slot - size)
            word = int.from_bytes(guest.read(at, size), "big", signed=size == 2)
            words.append(word & 0xFFFFFFFF)
            offset += slot
        return words[::-1] if convention.is_pascal else words, offset

    def _store(self, place: int, size: int, result: int) -> None:
        """Leave a result where Pascal's caller has made room for it."""
        if size:
            self._host.guest.write(place, (result & (1 << 8 * size) - 1).to_bytes(size, "big"))
