"""A program on a processor with a calling convention, ready to be called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from emu.base.arguments import require, whole_number
from emu.base.errors import UsageError
from emu.machine.abi import CALLING_CONVENTIONS, DEFAULT_CONVENTIONS
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_site import CallSite, site_of_words, typed_site
from emu.machine.abi.function_pointers import VECTOR_SIZE, find_vector, vector
from emu.machine.calls.batch import Batch, Budget, CallTerms, SystemCallPolicy
from emu.machine.calls.call_engine import CallEngine
from emu.machine.calls.call_entry import CallEntry
from emu.machine.calls.call_screen import CallScreen, MakeScreen
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.calls.constructors import constructed
from emu.machine.calls.counted_calls import CountedCalls
from emu.machine.calls.fast_calls import FastCalls, WhenAnswered
from emu.machine.calls.faults import ContractViolation, GuestFault
from emu.machine.calls.other_calls import OtherCalls
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.calls.slow_calls import SlowCalls
from emu.machine.calls.system import SystemMaker, SystemTerms
from emu.machine.code_coverage.executed_edges import ExecutedEdges
from emu.machine.code_coverage.new_code import NewCode
from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import describe_engine
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.engine.watch.trace import Trace
from emu.machine.guest.callbacks import Callbacks
from emu.machine.guest.guest_functions import GuestFunctions
from emu.machine.guest.guest_globals import GuestGlobals
from emu.machine.guest.guest_heap import GuestHeap
from emu.machine.guest.guest_values import GuestObject
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory
from emu.machine.memory.surroundings import PLAIN, Surroundings
from emu.machine.program_file import ProgramFile, program_and_cpu
from emu.program import GuestType, Program

HEAP_SIZE = 16 << 10
"""Bytes of the heap of a machine, if no other number is asked for."""


def _convention_of(program: Program, cpu: Cpu) -> CallingConvention:
    """The calling convention that a program names, or else the usual one of its architecture.

    Raises:
        UsageError: there is none of the name that it gives.
    """
    if not program.convention:
        return DEFAULT_CONVENTIONS[cpu.architecture]
    if program.convention not in CALLING_CONVENTIONS:
        raise UsageError(f"{program.path}: no calling convention {program.convention}")
    return CALLING_CONVENTIONS[program.convention]


class BareMachine:
    """Guest memory, an engine and a calling convention around one program.

    Keep a machine for many calls: building one takes milliseconds, a call microseconds.
    ``globals`` are the program's variables as NumPy views, ``functions`` its functions as Python
    functions, both by the names in its source and with the types they have there. ``data`` is the
    image of all data memory of the program, and of the heap if one was asked for. ``system_terms``
    prescribes the state of the operating system that calls find. Constructors of global objects
    have been run. ``executed_edges`` counts the edges that calls have executed, if ``covers`` is
    set.

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
        system: makes the operating system that answers calls of it; None makes such calls faults.
        engine: makes the engine that `run_batch` uses in place of Unicorn.
        covers: whether `executed_edges` counts the edges that calls execute, which makes them
            slower.
        checked: whether the attribute ``checked`` notes wrong accesses to memory. Calls then take
            13 to 28 times as long.
        screen: makes the attribute ``screen``, which looks at the accesses of calls in another way.

    Raises:
        ToolMissingError: accesses are to be noted, and llvmlite is not installed.
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
        engine: MakeEngine | None = None,
        covers: bool = False,
        checked: bool = False,
        screen: MakeScreen | None = None,
    ) -> None:
        self.program, self.cpu = program, cpu = program_and_cpu(program, cpu)
        self.convention = convention or _convention_of(program, cpu)
        self.budget = Budget() if budget is None else require(budget, Budget, "budget", "a Budget")
        heap_size = whole_number(heap_size, "heap_size")
        self.memory = GuestMemory(layout.regions_for(program, heap_size))
        self.globals = GuestGlobals(program, self.memory)
        self.functions = GuestFunctions(program, self)
        self.system_terms = SystemTerms()
        self._heap = GuestHeap(program, self.memory)
        self._vectors: dict[int, int] = {}
        self._entry = CallEntry(program, cpu, self.convention, self.memory)
        self.data = self._entry.data
        self._load()
        self._other: OtherCalls | None = None
        self.screen: CallScreen | None = None
        notes = checked or screen is not None
        self._open_engine(covers=covers, checked=checked, has_short_addresses=notes)
        self._slow = SlowCalls(
            program,
            cpu,
            self.memory,
            self._entry,
            self.new_code,
            system,
            self.executed_edges,
            self.checked,
            notes,
        )
        self._fast = FastCalls(cpu, self.memory, self._entry, self._runner, self._slow)
        self._counted = CountedCalls(program, cpu, self.memory, self._entry, self._slow)
        self.pristine = constructed(self, self.data.copy())
        self.reset()
        self._other = None if engine is None else self._calls_on(engine)
        self.screen = None if screen is None else screen(cpu, program, self.memory, self.convention)
        self._entry.disown()  # whoever built it need not be who calls it

    def _calls_on(self, engine: MakeEngine) -> OtherCalls:
        return OtherCalls(
            self.program,
            self._entry,
            engine(self.cpu, self.program, self.memory),
            self._fast,
            self._counted,
            self.memory,
            self.new_code,
            self.executed_edges,
        )

    def _open_engine(self, *, covers: bool, checked: bool, has_short_addresses: bool) -> None:
        """Make what runs the calls, and what watches them."""
        self.checked: CheckedCalls | None = None
        if checked:
            self.checked = CheckedCalls(self.cpu, self.convention, self.memory, self._entry)
        self._runner = CallEngine(
            self.cpu,
            self.memory,
            self.budget.patience,
            counts=covers,
            checked=self.checked,
            has_short_addresses=has_short_addresses,
        )
        gate = self._entry.gate
        self.new_code = NewCode(self._runner.engine, gate)
        self.executed_edges = ExecutedEdges(range(gate.address, gate.end)) if covers else None
        if self.executed_edges is not None and self._runner.edges is not None:
            self.executed_edges.watch(self._runner.edges)

    def _load(self) -> None:
        # Memory outside the segments is not zero, so that an overrun that writes zeros is seen.
        for region in self.memory.regions:
            if region.writable and region.name != "heap":
                self.memory.view(region.address, region.size).fill(layout.FILL)
        for segment in self.program.segments:
            self.memory.write(segment.address, segment.data.ljust(segment.size, b"\0"))
        checked = layout.shadowed(self.program, self.memory.regions)
        if checked is not None:
            for region in checked.regions():
                self.memory.view(region.address, region.size).fill(0)
            words = np.array(checked.words, f"{self.program.byte_order}u4")
            self.memory.write(checked.table, words.tobytes())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the engine and its memory of translated code; no routine can be called any more.

        A ``with`` statement closes a machine at its end.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> with macproof.Machine(program, "601") as machine:
            ...     machine.functions._Abs(-7)
            7
        """
        self._entry.close()
        if self._other is not None:
            self._other.close()
        del self._runner, self._slow, self._fast, self._counted, self.new_code

    def reset(self) -> None:
        """Put the program's data back to what was loaded, and every byte of the heap to 0.

        What was allocated there stays allocated.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> machine.globals["gObjects"]["x"][0] = 5
            >>> machine.reset()
            >>> int(machine.globals["gObjects"]["x"][0])
            0
        """
        self.data.put(self.pristine)

    def _terms(self) -> CallTerms:
        return CallTerms(self.budget, self.system_terms)

    def number_calls(self, numbers: NDArray[np.int64] | None) -> None:
        """Give numbers to the calls of the next batches, for whatever looks at their accesses.

        Args:
            numbers: the number of each call; None for 0, 1, 2 and so on.
        """
        if self.checked is not None:
            self.checked.numbers = numbers
        if self.screen is not None:
            self.screen.numbers = numbers

    def begin_system(self) -> None:
        """Let the operating system's present state count as its state before the next calls."""
        if self._slow.system is not None:
            self._slow.system.begin()

    def allocate(self, size: int) -> int:
        r"""Allocate guest heap memory; it stays allocated as long as the machine lives.

        Returns:
            Its address, a multiple of 16.

        Raises:
            UsageError: the machine was built without a heap, or the heap is full.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> address = machine.allocate(100)
            >>> address % 16, machine.read(address, 4)
            (0, b'\x00\x00\x00\x00')
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

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> first, second = machine.new("obj", x=100, y=50), machine.new("obj", x=129, y=50)
            >>> machine.functions._IntersectQ(first, second)
            1
            >>> row = machine.new("obj", 3)
            >>> row["x"][:] = [1, 2, 3]
            >>> row[2]["x"].item()
            3
        """
        return self._heap.new(kind, count, members)

    def buffer(self, data: bytes | int) -> GuestObject:
        """Put bytes on the guest heap; a number stands for as many bytes of 0.

        Raises:
            UsageError: it is neither bytes nor such a number, or the heap is full.

        Example:
            >>> path = "mac_src/prebuilt/adjacent-as-counted-601-O2.elf"
            >>> machine = macproof.Machine(macproof.read_program(path), "601")
            >>> target = machine.buffer(b"abcdefgh")
            >>> machine.functions.memset(target, ord("z"), 3) == target.address
            True
            >>> bytes(target), target.value[:4].tolist()
            (b'zzzdefgh', [122, 122, 122, 100])
        """
        return self._heap.buffer(data)

    def c_string(self, text: str | bytes) -> GuestObject:
        r"""Put a text on the guest heap that ends with a 0, in Mac OS Roman.

        Raises:
            UsageError: a character is not in Mac OS Roman, or is a 0.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> bytes(machine.c_string("Café"))
            b'Caf\x8e\x00'
        """
        return self._heap.c_string(text)

    def pascal_string(self, text: str | bytes, size: int = 256) -> GuestObject:
        r"""Put a text with its length before it on the guest heap, in Mac OS Roman.

        Args:
            text: at most 255 characters.
            size: the room in bytes, the length included: 256 for a ``Str255``, 32 for a ``Str31``.

        Raises:
            UsageError: it is too long, or a character is not in Mac OS Roman.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> bytes(machine.pascal_string("Café", 8))
            b'\x04Caf\x8e\x00\x00\x00'
        """
        return self._heap.pascal_string(text, size)

    def read(self, address: SupportsIndex, size: int) -> bytes:
        """Read guest memory, at an address or from the beginning of a `GuestObject`.

        Raises:
            UsageError: some of it is not mapped.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> machine.read(machine.c_string("Hello"), 5)
            b'Hello'
        """
        place, size = whole_number(address, "address"), whole_number(size, "size")
        region = self.memory.find(place)
        if region is None or place + size > region.end:
            raise UsageError(f"{size} bytes at 0x{place:08x} are not guest memory")
        return self.memory.view(place, size).tobytes()

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

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> hex(machine.call("_Abs", -7))
            '0x7'
        """
        __tracebackhide__ = True
        site = self.site_of_words(self.program.function(routine), *arguments)
        return int.from_bytes(self.call_typed(routine, site, site.given), "big")

    def site_of_words(self, routine: int, *arguments: int) -> CallSite:
        """A call of the routine at an address with 32-bit words, and with a word as its result.

        Raises:
            UsageError: an argument does not fit 32 bits, or the convention passes none.
        """
        return site_of_words(self.cpu, self.convention, routine, arguments)

    def typed_site(
        self,
        routine: int,
        names: Sequence[str],
        types: Sequence[GuestType],
        result: GuestType | None,
        declared: int | None = None,
    ) -> CallSite:
        """A call of the routine at an address with arguments of some types.

        Args:
            routine: its address.
            names: a name for each argument, all different.
            types: the type of each argument.
            result: the type of its result; None if there is none.
            declared: how many of them are for declared parameters, of a routine with ``...``; None
                for any other.

        Returns:
            A call site whose record lies nowhere yet.

        Raises:
            UsageError: a value of such a type cannot be passed.
        """
        return typed_site(self.cpu, self.convention, routine, names, types, result, declared)

    def tell_of_answered_calls(self, listener: WhenAnswered) -> None:
        """Have a function called after each call that is made with the operating system.

        Memory that the system gave the call can be read until the next call.
        """
        self._fast.when_answered = listener

    def show_computer(self, see: Callable[[Any], None]) -> None:
        """Have a function called with each computer on which calls are answered, from now on.

        It is called before the computer makes a call, such as with a `Macintosh`.
        """
        self._slow.see_computer = see

    @property
    def callbacks(self) -> Callbacks:
        """The Python functions that guest code can call."""
        return self._entry.callbacks

    def pointer_to(self, routine: int) -> int:
        """What a pointer to a function of the program holds.

        In a code fragment that is the address of its transition vector: the program's own, or else
        one that is put on the guest heap.

        Args:
            routine: the address of the function's code, such as `GuestFunction.address`.

        Raises:
            UsageError: a vector is needed, and there is no heap, or it is full.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> machine = macproof.Machine(program, "601")
            >>> function = machine.functions["_Abs"]
            >>> machine.pointer_to(function.address) == function.address
            True
        """
        if not self.convention.has_transition_vectors:
            return routine
        address = find_vector(self.program, routine) or self._vectors.get(routine)
        if address is None:
            address = self._vectors[routine] = self.allocate(VECTOR_SIZE)
        if address in self._vectors.values():  # `reset` may have put it back to 0
            self.memory.write(address, vector(self.program, routine))
        return address

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
        __tracebackhide__ = True
        if site.needs_memory:
            site = replace(site, address=self._heap.borrow(len(record)))
            self.memory.write(site.address, record)
        else:
            site = replace(site, given=record)
        batch = self.run_batch(site, self.data.copy()[np.newaxis])
        if batch.fault is not None:
            raise GuestFault(name, batch.fault)
        if batch.violations:
            line = self.program.locate(site.routine).source
            raise ContractViolation(name, batch.violations[0], line)
        return self._entry.result(site, batch.after[0])

    def run_batch(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        surroundings: Sequence[Surroundings] | None = None,
        *,
        asking: SystemCallPolicy = SystemCallPolicy.ANSWERED,
        watch: range | None = None,
    ) -> Batch:
        """Call a routine once on each of many images, at full speed.

        Args:
            routine: its address, or a call site that says how it gets its arguments.
            before: (calls, image size) uint8, the data image to begin each call with. It holds the
                record of the arguments, if the call site has an address.
            surroundings: the contents of stack and registers that each call begins with; by default
                `PLAIN`.
            asking: what is done with calls that call the operating system.
            watch: guest addresses. For calls that are made with the operating system,
                `Batch.stores` says which instruction stored to them last, and `Batch.strays` lists
                stray accesses. None watches nothing, which is faster.

        Returns:
            The images afterwards, up to the first call that did not return. The result of each
            call is in the record of its image.
        """
        calls = self._entry.calls(routine, before, surroundings)
        runner = self._other or self._fast
        batch = runner.run(calls, replace(self._terms(), asking=asking, watch=watch))
        if self.screen is not None and self.screen.is_looking:
            self.screen.look(self._entry, calls, batch)
        return batch

    @property
    def engine(self) -> str:
        """Name and version of the engine that makes the calls of `run_batch`."""
        return describe_engine() if self._other is None else self._other.engine.version

    @property
    def leaves_calls(self) -> bool:
        """Whether that engine leaves some calls to Unicorn; `Batch.untranslated` tells them."""
        return self._other is not None and self._other.engine.leaves_calls

    def count_batch(self, routine: int | CallSite, before: NDArray[np.uint8]) -> NDArray[np.void]:
        """Make the calls of `run_batch` once more, and count edges between blocks.

        Returns:
            `emu.machine.engine.watch.edges.EDGE` records of all calls, perhaps with the gate's.

        Raises:
            GuestFault: a call faulted or used up its budget.
            GuestError: the program changes its own code.
            ToolMissingError: llvmlite is not installed.
        """
        count = self._counted.count if self._other is None else self._other.count
        return count(self._entry.calls(routine, before), self._terms())

    def trace(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        *,
        watch: range | None = None,
        has_history: bool = False,
        has_loads: bool = False,
        surroundings: Surroundings = PLAIN,
        sought: StopPoint | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """Make one call slowly: count its blocks, and record its stores to ``watch``.

        With ``has_history`` every single store is in `Trace.history`, if the engine tells of it;
        with ``has_loads``, `Trace.loads` has what is read before anything is stored there.
        With ``sought`` it ends at that access to memory, and `Trace.callers` says who called.

        Afterwards guest memory is as the call left it. Of a call that calls the operating system,
        the record is of the code up to there, but the stores are those of the whole call.
        """
        site = self._entry.site(routine)
        return self._slow.trace(
            site,
            before,
            self._terms(),
            watch=watch,
            has_history=has_history,
            has_loads=has_loads,
            surroundings=surroundings,
            sought=sought,
        )

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
        site = self._entry.site(routine)
        start, until = self._entry.prepare(site, self.pristine)
        if engine is None:
            self._runner.enter(self._entry, site.routine)
            engine = self._runner.engine
        run = engine.run
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
        return self._entry.prepare(self._entry.site(routine), before, surroundings)

    def has_returned(self) -> bool:
        """Whether the call that was prepared last has returned."""
        return self._entry.has_returned()

    def instructions(self, trace: Trace) -> int:
        """How many guest instructions a traced call executed, without the gate's."""
        total = 0
        for (address, size), count in trace.block_counts.items():
            if address not in self._entry.gate:
                code = self.memory.view(address, size).tobytes()
                total += count * self.cpu.count_instructions(code)
        return total
