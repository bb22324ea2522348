"""A program on a processor with a calling convention, ready to be called."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from operator import index
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from emu.base.black_box import black_box
from emu.base.errors import GuestError, UsageError
from emu.machine import layout
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS, CallingConvention
from emu.machine.batch import Batch, Budget
from emu.machine.call_engine import CallEngine
from emu.machine.call_site import CallSite, record_of
from emu.machine.changed_code import CodeChanges, find_changing_code
from emu.machine.constructors import constructed
from emu.machine.contract import CallFrame
from emu.machine.cpu import Cpu
from emu.machine.data_image import DataImage
from emu.machine.engine import (
    FastEngine,
    StaleCode,
    Trace,
    TracedEngine,
    find_stale_code,
)
from emu.machine.faults import (
    ContractViolation,
    Fault,
    GuestFault,
    explain_system_calls,
    explain_trace,
)
from emu.machine.guest_functions import GuestFunctions
from emu.machine.guest_globals import GuestGlobals
from emu.machine.guest_heap import GuestHeap
from emu.machine.guest_values import GuestObject
from emu.machine.memory import PAGE, GuestMemory
from emu.machine.new_code import NewCode
from emu.machine.program_file import ProgramFile, program_and_cpu
from emu.machine.surroundings import PLAIN, Surroundings
from emu.machine.system import System, SystemCalls, SystemMaker
from emu.program import GuestType, Program

HEAP_SIZE = 16 << 10
"""Bytes of the heap of a machine, if no other number is asked for."""

WORD = GuestType("long unsigned int", "integer", np.dtype(">u4"))


class Machine:
    """Guest memory, an engine and a calling convention around one program.

    A machine is meant to be kept: building one costs milliseconds, a call microseconds.
    ``globals`` are the program's variables as NumPy views, ``functions`` its functions as Python
    functions, both by the names in its source and with the types they have there. ``data`` is the
    image of all data memory of the program, and of the heap if one was asked for. ``answers`` says
    which routines of the operating system are answered from guest memory (see `System.run`).
    Constructors of global objects have been run.

    A machine belongs to the thread that first calls a routine of it, which need not be the thread
    that built it. In any other thread, every method that runs guest code raises UsageError, because
    the engine crashes the process when two threads run it.

    Args:
        program: what `programs_of` or `read_program` returns.
        cpu: the processor or its name; needed for a program of `read_program`.
        convention: the calling convention. By default it is the one that the program names, or
            else the usual one of its architecture.
        budget: the limits of a call.
        heap_size: bytes of guest memory for `allocate`, for objects of `new`, and for the arguments
            of typed functions. Every call copies them, so thousands of calls want few.
        system: makes what answers calls of the operating system; without one they are faults.

    Raises:
        UsageError: no processor is given and the program names none, or the name is unknown.
        ProgramError: the program cannot be read, or is for another processor.
        GuestFault, ContractViolation: a constructor of a global object faulted, or broke a rule.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> machine = macproof.Machine(macproof.programs_of(case, cpus=["68040"], builds=["O0"])[0])
        >>> objects = machine.globals["gObjects"]
        >>> objects["x"][:2], objects["y"][:2] = [100, 129], [50, 50]
        >>> first, second = (machine.globals.address_of("gObjects", n) for n in range(2))
        >>> machine.functions._IntersectQ(first, second)
        1
    """

    def __init__(
        self,
        program: Program | ProgramFile,
        cpu: Cpu | str | None = None,
        convention: CallingConvention | None = None,
        *,
        budget: Budget | None = None,
        heap_size: int = HEAP_SIZE,
        system: SystemMaker | None = None,
    ) -> None:
        self.program, self.cpu = program, cpu = program_and_cpu(program, cpu)
        if convention is None and program.convention:
            convention = CALLING_CONVENTIONS.get(program.convention)
            if convention is None:
                raise UsageError(f"{program.path}: no calling convention {program.convention}")
        self.convention = convention or DEFAULT_CONVENTIONS[cpu.architecture]
        self.budget = budget or Budget()
        self.memory = GuestMemory(layout.regions_for(program, heap_size))
        self.globals = GuestGlobals(program, self.memory)
        self.functions = GuestFunctions(program, self)
        self._fast = CallEngine(cpu, self.memory, self.budget.patience, counts=False)
        self._counting: CallEngine | None = None
        self._traced = TracedEngine(cpu, self.memory)
        self._make_system = system
        self._system: System | None = None
        self.answers: dict[str, int] = {}
        self._gate = self.memory.region("gate")
        self.new_code = NewCode(self._fast.engine, self._gate)
        self._stack = self.memory.region("stack")
        self.data = DataImage(self.memory, self._stack)
        self._heap = GuestHeap(program, self.memory)
        self._gate_routine = -1
        self._plain_form = self.convention.form(cpu, (), None)
        self._owner: threading.Thread | None = None
        self._is_closed = False
        self._contract = CallFrame(
            cpu, self.convention, self._stack.end - layout.FRAME_SIZE, program.registers
        )
        self._frame = self.memory.view(self._contract.address, layout.FRAME_SIZE)
        self._load()
        self._changes = CodeChanges(self._fast.engine, self.memory)
        self.pristine = constructed(self, self.data.copy())
        self.reset()
        self._owner = None  # whoever built it need not be who calls it

    def _load(self) -> None:
        # Memory outside the segments is not zero, so that an overrun that writes zeros is seen.
        for region in self.memory.regions:
            if region.writable and region.name != "heap":
                self.memory.view(region.address, region.size).fill(layout.FILL)
        for segment in self.program.segments:
            self.memory.write(segment.address, segment.data.ljust(segment.size, b"\0"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the engine and its memory of translated code; no routine can be called any more."""
        self._is_closed = True
        self._system = None
        del self._fast, self._traced, self._changes, self.new_code
        self._counting = None

    def reset(self) -> None:
        """Put the program's data back to what was loaded."""
        self.data.put(self.pristine)

    def allocate(self, size: int) -> int:
        """Allocate guest heap memory; it stays allocated as long as the machine lives.

        Returns:
            Its address, a multiple of 16.

        Raises:
            UsageError: the machine was built without a heap, or the heap is full.
        """
        return self._heap.allocate(size)

    def new(self, kind: str, count: int | None = None, **members: Any) -> GuestObject:
        """Make an object, or an array of objects, on the guest heap.

        Args:
            kind: the name of its type in the program ("Rect", "short").
            count: how many, for an array; None for a single object.
            members: values of the struct's members; the others are 0. An array gets none.

        Raises:
            ProgramError: the program has no type of this name.
            UsageError: it has no such member, a value does not fit, or the heap is full.
        """
        return self._heap.new(kind, count, members)

    def buffer(self, data: bytes | int) -> GuestObject:
        """Put bytes on the guest heap; a number stands for as many bytes of 0."""
        return self._heap.buffer(data)

    def c_string(self, text: str | bytes) -> GuestObject:
        """Put a text on the guest heap that ends with a 0, in Mac OS Roman.

        Raises:
            UsageError: a character is not in Mac OS Roman, or is a 0.
        """
        return self._heap.c_string(text)

    def pascal_string(self, text: str | bytes, size: int = 256) -> GuestObject:
        """Put a text with its length before it on the guest heap, in Mac OS Roman.

        Args:
            text: at most 255 characters.
            size: the room in bytes, the length included: 256 for a ``Str255``, 32 for a ``Str31``.

        Raises:
            UsageError: it is too long, or a character is not in Mac OS Roman.
        """
        return self._heap.pascal_string(text, size)

    def read(self, address: SupportsIndex, size: int) -> bytes:
        """Read guest memory, at an address or from the beginning of a `GuestObject`.

        Raises:
            UsageError: some of it is not mapped.
        """
        place = index(address)
        region = self.memory.find(place)
        if region is None or place + size > region.end:
            raise UsageError(f"{size} bytes at 0x{place:08x} are not guest memory")
        return self.memory.view(place, size).tobytes()

    # -- calls -------------------------------------------------------------------------------

    def call(self, routine: str, *arguments: int) -> int:
        """Call a routine with 32-bit words on the memory as it is, whatever its signature.

        ``machine.functions`` has the routines with their types.

        Returns:
            Its integer result as unsigned 32 bits. On 68K the upper bits of a narrower result, such
            as a ``short``, have no meaning.

        Raises:
            UsageError: an argument does not fit 32 bits.
            GuestFault: it faulted or used up its budget.
            ContractViolation: it returned, but broke a rule that every call must keep.
        """
        site = self.site_of_words(self.program.function(routine), *arguments)
        return int.from_bytes(self.call_typed(routine, site, site.given), "big")

    def site_of_words(self, routine: int, *arguments: int) -> CallSite:
        """A call of the routine at an address with 32-bit words, and with a word as its result.

        Raises:
            UsageError: an argument does not fit 32 bits, or the convention passes none.
        """
        for argument in arguments:
            if not -(1 << 31) <= argument < 1 << 32:
                raise UsageError(f"argument {argument} does not fit 32 bits")
        names = [f"argument {number}" for number in range(len(arguments))]
        types = [WORD] * len(arguments)
        record = record_of(names, types, WORD)
        data = np.zeros((), record.dtype)
        for name, argument in zip(names, arguments, strict=True):
            data[name] = argument & 0xFFFFFFFF
        form = self.convention.form(self.cpu, types, WORD)
        return CallSite(routine, form, record, given=data.tobytes())

    def typed_site(
        self,
        routine: int,
        names: Sequence[str],
        types: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallSite:
        """A call of the routine at an address with arguments of some types.

        Args:
            routine: its address.
            names: a name for each argument, all different.
            types: the type of each argument.
            result: the type of its result; None if there is none.

        Returns:
            A call site whose record lies nowhere yet.

        Raises:
            UsageError: a value of such a type cannot be passed.
        """
        form = self.convention.form(self.cpu, types, result)
        return CallSite(routine, form, record_of(names, types, result))

    def call_typed(self, name: str, site: CallSite, record: bytes) -> bytes:
        """Call a routine with the arguments of a record, on the memory as it is.

        Args:
            name: the routine's name, for messages.
            site: what `typed_site` gave.
            record: the arguments; `CallSite.record` is its type.

        Returns:
            The result as it lies in memory; empty if there is none.

        Raises:
            UsageError: a struct has to lie in memory, and there is no heap.
            GuestFault: it faulted or used up its budget.
            ContractViolation: it returned, but broke a rule that every call must keep.
        """
        if site.needs_memory:
            site = replace(site, address=self._heap.borrow(len(record)))
            self.memory.write(site.address, record)
        else:
            site = replace(site, given=record)
        batch = self.run_batch(site, self.data.copy()[np.newaxis])
        if batch.fault is not None:
            raise GuestFault(name, batch.fault)
        if batch.violations:
            raise ContractViolation(name, batch.violations[0])
        if site.result is None:
            return b""
        if not site.address:
            result = self._contract.results(self._frame[np.newaxis], site)
            return b"" if result is None else result.tobytes()
        start = self.data.offset(site.address) + site.result.offset
        return batch.after[0, start : start + site.result.type.size].tobytes()

    def run_batch(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        surroundings: Sequence[Surroundings] | None = None,
    ) -> Batch:
        """Call a routine once on each of many images, at full speed.

        Args:
            routine: its address, or a call site that says how it gets its arguments.
            before: (calls, image size) uint8, the data image to begin each call with. It holds the
                record of the arguments, if the call site has an address.
            surroundings: what each call finds on the stack and in registers; by default `PLAIN`.

        Returns:
            The images afterwards, up to the first call that did not return. The result of each
            call is in the record of its image.
        """
        site = self._site(routine)
        around = surroundings or [PLAIN] * len(before)
        entry_frames = self._frames(site, before, around)
        after = np.empty_like(before)
        frames = np.empty_like(entry_frames)
        fault: Fault | None = None
        mistakes: dict[int, tuple[str, ...]] = {}
        done = 0
        while done < len(before) and fault is None:
            tried = done + self._run_fast(
                self._fast,
                site.routine,
                before[done:],
                after[done:],
                frames[done:],
                entry_frames[done:],
                around[done:],
            )
            stopped = np.flatnonzero(~self._contract.returned(frames[done:tried]))
            asks = self._fast.engine.called_system and not len(stopped)
            done = done + int(stopped[0]) if len(stopped) else tried
            if done == len(before):
                break
            fault, wrong = self._made_again(site, before[done], around[done], asks=asks)
            if wrong:
                mistakes[done] = wrong
            if fault is None:
                after[done] = self.data.copy()
                frames[done] = self._frame
                done += 1
        violations = self._contract.violations(frames[:done], entry_frames[:done], site)
        for call, sentences in mistakes.items():
            violations[call] = (*violations.get(call, ()), *sentences)
        self._settle(site, before[:done], after[:done], frames[:done])
        return Batch(after[:done], violations, fault, self._stale(site))

    def _made_again(
        self, site: CallSite, before: NDArray[np.uint8], around: Surroundings, *, asks: bool
    ) -> tuple[Fault | None, tuple[str, ...]]:
        """Make a call again that did not come back at full speed.

        Returns:
            Why it does not return, if it does not; and what it did wrong without being stopped.
        """
        if asks and self._make_system is not None:
            called = self._run_answered(site, before, around)
            return explain_system_calls(called, self.program), called.mistakes
        # It faulted, or the watchdog stopped it. It is run slowly, to say why.
        trace, registers = self.trace(site, before, surroundings=around)
        fault = explain_trace(trace, registers, self.program, self.memory)
        if fault is None:
            self.new_code.add(trace.block_counts, self.memory)
        return fault, ()

    def count_batch(self, routine: int | CallSite, before: NDArray[np.uint8]) -> NDArray[np.void]:
        """Make the calls of `run_batch` once more, and count edges between blocks.

        Returns:
            `emu.machine.engine.EDGE` records of all calls together, with those of the gate.

        Raises:
            GuestFault: a call faulted or used up its budget.
            GuestError: the program changes its own code.
            ToolMissingError: llvmlite is not installed.
        """
        site = self._site(routine)
        around = [PLAIN] * len(before)
        entry_frames = self._frames(site, before, around)
        after = np.empty_like(before)
        frames = np.empty_like(entry_frames)
        patience = self.budget.patience
        while True:
            if self._counting is None:
                self._counting = CallEngine(
                    self.cpu, self.memory, self.budget.patience, counts=True
                )
            edges = self._counting.edges
            assert edges is not None
            edges.clear()
            tried = self._run_fast(
                self._counting, site.routine, before, after, frames, entry_frames, around, patience
            )
            stopped = np.flatnonzero(~self._contract.returned(frames[:tried]))
            place = int(stopped[0]) if len(stopped) else tried
            if place == len(before):
                break
            if self._make_system is not None and self._counting.engine.called_system:
                raise GuestError("what calls the operating system is not counted")
            self._counting = None  # its engine may not have survived
            trace, registers = self.trace(site, before[place])
            fault = explain_trace(trace, registers, self.program, self.memory)
            if fault is not None:
                raise GuestFault(str(self.program.locate(site.routine)), fault)
            # The call does return, but was stopped too early. Its partial counts are of no use.
            if patience > self.budget.seconds:
                raise GuestError(f"a call that is counted took more than {patience:g} seconds")
            patience *= 4
        records = edges.edges()
        changing = find_changing_code(records, self.memory, self.data, before, after)
        if changing is not None:
            raise GuestError(
                f"the program changes its own code at {self.program.locate(changing)}; "
                "counts of what is at an address would say nothing"
            )
        return records

    def trace(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        *,
        watch: range | None = None,
        surroundings: Surroundings = PLAIN,
    ) -> tuple[Trace, dict[str, int]]:
        """Make one call slowly: count its blocks, and record its stores to ``watch``.

        Afterwards guest memory is as the call left it. Of a call that calls the operating system,
        the record is of the code up to there, but the stores are those of the whole call.
        """
        start, until = self.prepare(routine, before, surroundings)
        budget = self.budget
        trace, registers = self._traced.run(
            start, until, blocks=budget.blocks, seconds=budget.seconds, watch=watch
        )
        if self._make_system is not None and trace.exception == self.cpu.system_call:
            site = self._site(routine)
            called = self._run_answered(site, before, surroundings, watch or range(0))
            trace = replace(trace, stores=dict(called.stores))
        return trace, registers

    def _run_answered(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        watch: range = range(0),
    ) -> SystemCalls:
        """Make one call from its beginning, with the answers of the operating system."""
        start, until = self.prepare(site, before, surroundings)
        if self._system is None:
            assert self._make_system is not None
            self._system = self._make_system(self.cpu, self.program, self.memory, until)
            self.new_code.forgetting.append(self._system.forget_code)
        called = self._system.run(start, self.budget.seconds, self.answers, watch)
        self.new_code.add(called.code, self.memory)
        return called

    def run_bare(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        engine: FastEngine | None = None,
    ) -> None:
        """Call a routine once on each of many images in a loop that keeps and checks nothing.

        It serves to measure what keeping and checking costs. ``engine`` replaces the machine's own
        engine; it must have been made for the machine's memory.
        """
        start, until = self.prepare(routine, self.pristine)
        run = (engine or self._fast.engine).run
        for image in before:
            self.data.put(image)
            run(start, until)

    def prepare(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        surroundings: Surroundings = PLAIN,
    ) -> tuple[int, int]:
        """Write everything that one call needs to guest memory, without making the call.

        An engine of your own that has the machine's ``memory`` can then make the call, for example
        with a hook on every instruction. `has_returned` tells whether the call returned.

        Args:
            routine: its address, or a call site that says how it gets its arguments.
            before: (image size,) uint8, the data image to begin with.
            surroundings: what the call finds on the stack and in registers.

        Returns:
            The addresses at which the engine has to start and to stop.

        Raises:
            UsageError: another thread has called a routine of this machine before.
        """
        site = self._site(routine)
        start, until = self._prepare_gate(site.routine)
        self.memory.view(self._stack.address, self._stack.size)[:] = surroundings.stack
        self._frame[:] = self._frames(site, before[np.newaxis], [surroundings])[0]
        self.data.put(before)
        return start, until

    def has_returned(self) -> bool:
        """Whether the call that was prepared last has returned."""
        return bool(self._contract.returned(self._frame[np.newaxis]).all())

    def instructions(self, trace: Trace) -> int:
        """How many guest instructions a traced call executed, without the gate's."""
        total = 0
        for (address, size), count in trace.block_counts.items():
            if address not in self._gate:
                code = self.memory.view(address, size).tobytes()
                total += count * self.cpu.count_instructions(code)
        return total

    # -- inside ------------------------------------------------------------------------------

    def _site(self, routine: int | CallSite) -> CallSite:
        if self._is_closed:
            raise UsageError(f"the Machine of {self.program.path} is closed")
        if isinstance(routine, CallSite):
            return routine
        return CallSite(routine, self._plain_form)

    def _frames(
        self, site: CallSite, before: NDArray[np.uint8], around: Sequence[Surroundings]
    ) -> NDArray[np.uint8]:
        """The frames that calls begin with, shape (calls, frame size)."""
        offset = self.data.offset(site.address) if site.address else 0
        return self._contract.before_calls(site, site.records(before, offset), around)

    def _settle(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        after: NDArray[np.uint8],
        frames: NDArray[np.uint8],
    ) -> None:
        """Put results into the images, and put back arguments that a routine owns."""
        if not site.address:
            return
        start = self.data.offset(site.address)
        for passing, field in site.arguments:
            if passing.by_address:
                part = slice(start + field.offset, start + field.offset + field.type.size)
                after[:, part] = before[:, part]
        results = self._contract.results(frames, site)
        if results is not None and site.result is not None:
            offset = start + site.result.offset
            after[:, offset : offset + results.shape[1]] = results

    def _stale(self, site: CallSite) -> StaleCode | None:
        """The first stale code that calls of the batch have executed, or None."""
        for call in self._changes.take():
            offset = self.data.offset(call.address)
            if call.before[offset : offset + len(call.code)].tobytes() == call.code:
                continue  # the image already had this code, so the call did not change it
            way = self.prepare(site, call.before)
            stale = find_stale_code(self.cpu, self.memory, *way, self.budget.seconds)
            if stale is not None:
                return stale
        return None

    def _run_fast(
        self,
        runner: CallEngine,
        routine: int,
        before: NDArray[np.uint8],
        after: NDArray[np.uint8],
        frames: NDArray[np.uint8],
        entry_frames: NDArray[np.uint8],
        around: Sequence[Surroundings],
        patience: float | None = None,
    ) -> int:
        """Run calls up to the last, or up to one that the watchdog may have disturbed.

        This loop is the hot path of macproof: it only copies memory and calls the engine.

        Returns:
            How many undisturbed calls there were.
        """
        start, until = self._prepare_gate(routine)
        pieces = self.data.pieces
        stack = self.memory.view(self._stack.address, self._stack.size)
        stacks = [one.stack for one in around]
        frame = self._frame
        engine = runner.engine
        run = engine.run
        runner.watchdog.seconds = patience or self.budget.patience
        with runner.watchdog as watchdog:
            for index in range(len(before)):
                stack[:] = stacks[index]
                frame[:] = entry_frames[index]
                for part, memory in pieces:
                    memory[:] = before[index, part]
                watchdog.calls += 1
                run(start, until)
                if self._changes.fresh:
                    self._changes.end_call(before[index])
                for part, memory in pieces:
                    after[index, part] = memory
                frames[index] = frame
                if watchdog.barked or engine.called_system:
                    return index
        return len(before)

    def _prepare_gate(self, routine: int) -> tuple[int, int]:
        box = black_box()
        if box is not None:
            box.note_program(self.program.path)
        thread = threading.current_thread()
        if self._owner is None:
            self._owner = thread
        elif self._owner is not thread:
            raise UsageError(
                f"this Machine belongs to thread {self._owner.name}, which called it first, and "
                f"was called from thread {thread.name}; build a Machine in each thread"
            )
        start = self._gate.address
        until = start + layout.SENTINEL_OFFSET
        if routine != self._gate_routine:
            places = self._contract.places(routine, start, until)
            self.memory.write(start, self.convention.gate(self.cpu, places))
            for runner in (self._fast, self._counting):
                if runner is not None:
                    runner.engine.forget_code(start, PAGE)
            self._gate_routine = routine
        return start, until
