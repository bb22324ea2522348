"""A program on a processor with a calling convention, ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, SupportsIndex

import numpy as np

from emu.base.arguments import require, whole_number
from emu.base.errors import UsageError
from emu.machine.abi import convention_of
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_site import CallSite, site_of_words, typed_site
from emu.machine.abi.function_pointers import VECTOR_SIZE, find_vector, vector
from emu.machine.calls.batch import Budget
from emu.machine.calls.call_entry import CallEntry
from emu.machine.calls.call_screen import MakeScreen
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.calls.execution.constructors import constructed
from emu.machine.calls.execution.machine_calls import MachineCalls
from emu.machine.calls.faults import ContractViolation, GuestFault
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.calls.system import SystemMaker
from emu.machine.cpu import Cpu
from emu.machine.guest.callbacks import Callbacks
from emu.machine.guest.guest_functions import GuestFunctions
from emu.machine.guest.guest_globals import GuestGlobals
from emu.machine.guest.guest_heap import GuestHeap
from emu.machine.guest.guest_values import GuestObject
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory
from emu.machine.program_file import ProgramFile, program_and_cpu
from emu.program import GuestType, Program

HEAP_SIZE = 16 << 10
"""Bytes of the heap of a machine, if no other number is asked for."""


class BareMachine:
    """Guest memory, an engine and a calling convention around one program.

    Keep a machine for many calls: building one takes milliseconds, a call microseconds.
    ``globals`` are the program's variables as NumPy views, ``functions`` its functions as Python
    functions, both by the names in its source and with the types they have there. ``data`` is the
    image of all data memory of the program, and of the heap if one was asked for. Constructors of
    global objects have been run. ``calls`` makes calls on images of that memory, thousands at once.

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
        engine: makes the engine that ``calls`` uses in place of Unicorn.
        covers: whether ``calls.executed_edges`` counts the edges that calls execute, which makes
            them slower.
        checked: whether ``calls.checked`` notes wrong accesses to memory. Calls then take 13 to 28
            times as long.
        screen: makes ``calls.screen``, which looks at the accesses of calls in another way.

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
        self.convention = convention or convention_of(program, cpu)
        heap_size = whole_number(heap_size, "heap_size")
        self.memory = GuestMemory(layout.regions_for(program, heap_size))
        self.globals = GuestGlobals(program, self.memory)
        self.functions = GuestFunctions(program, self)
        self._heap = GuestHeap(program, self.memory)
        self._vectors: dict[int, int] = {}
        self._entry = CallEntry(program, cpu, self.convention, self.memory)
        self.data = self._entry.data
        layout.load(program, self.memory)
        notes = CheckedCalls(self._entry, self.convention) if checked else None
        self.calls = MachineCalls(
            self._entry,
            Budget() if budget is None else require(budget, Budget, "budget", "a Budget"),
            system,
            covers=covers,
            checked=notes,
            has_short_addresses=checked or screen is not None,
        )
        self.pristine = constructed(self._entry, self.calls.run)
        self.reset()
        if engine is not None:
            self.calls.use(engine(cpu, program, self.memory))
        if screen is not None:
            self.calls.screen = screen(cpu, program, self.memory, self.convention)
        self._entry.disown()  # whoever built it need not be who calls it

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
        self.calls.close()

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

    @property
    def budget(self) -> Budget:
        """The limits of a call."""
        return self.calls.budget

    @budget.setter
    def budget(self, budget: Budget) -> None:
        self.calls.budget = budget

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
        batch = self.calls.run(site, self.data.copy()[np.newaxis])
        if batch.fault is not None:
            raise GuestFault(name, batch.fault)
        if batch.violations:
            line = self.program.locate(site.routine).source
            raise ContractViolation(name, batch.violations[0], line)
        return self._entry.result(site, batch.after[0])
