"""What is known of the functions of a program: places, calls, globals, constants, texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from emu.program.model.model import Program

OWN, GLUE, START_UP, LIBRARY = "", "glue", "start-up code", "library"
"""Kinds of functions: the program's own; one that only hands a call on to the Toolbox or to a
library; one that runs only before the main function is called; one of the compiler's library."""


@dataclass(frozen=True, slots=True)
class FunctionExtent:
    """Where a function lies.

    Attributes:
        start: the address of its first instruction.
        end: the address behind its last one.
        name: its name; "" if the program has none for it.
        evidence: why a function begins there: "name", "jump table", "call", "prologue",
            "traceback table", "transition vector", "entry", "return before" or "name before".
        argument_count: how many arguments a traceback table counts; None without one.
    """

    start: int
    end: int
    name: str = ""
    evidence: tuple[str, ...] = ()
    argument_count: int | None = None


@dataclass(frozen=True, slots=True)
class GlobalUse:
    """How a function uses memory at a fixed address, and how often.

    Attributes:
        address: the address; below A5 of a 68K application, or in a data section.
        place: the same as a case names it: "A5-0x10cc", "section 1+0x40", "0x16a" for low memory,
            or the symbol of another file.
        order: which use of a global in the function this is first, from 0.
        reads: instructions that read it.
        writes: instructions that write it.
        takes: instructions that take its address.
    """

    address: int
    place: str
    order: int
    reads: int
    writes: int
    takes: int


@dataclass(frozen=True, slots=True)
class FunctionContents:
    """What the instructions of a function hold.

    Attributes:
        calls: the addresses that it calls, with the number of instructions that do.
        toolbox: the Toolbox routines that its own instructions call, by name, with that number.
        imports: functions of other files or libraries, by name, that are not the Toolbox's.
        pointer_calls: calls through a pointer.
        function_pointers: functions whose address it takes.
        globals: what it uses at fixed addresses, in the order of the first use.
        constants: numbers in its instructions, as signed ones where their size is known.
        offsets: distances from pointers, as of a member in its struct.
        texts: texts that it refers to.
        frame_size: bytes of local variables; None without a frame.
        parameters: bytes of the largest read of a parameter, 0 if only its address is taken, by the
            distance from the frame pointer, or without one from where LINK would set it: 8 is the
            first.
        loops: how many instructions are gone back to.
        branches: conditional branches.
        floating_point: "FPU", "SANE", "FPU and SANE", or "" for none.
        instructions: how many there are.
    """

    calls: Mapping[int, int] = field(default_factory=dict)
    toolbox: Mapping[str, int] = field(default_factory=dict)
    imports: Mapping[str, int] = field(default_factory=dict)
    pointer_calls: int = 0
    function_pointers: tuple[int, ...] = ()
    globals: tuple[GlobalUse, ...] = ()
    constants: Mapping[int, int] = field(default_factory=dict)
    offsets: Mapping[int, int] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    frame_size: int | None = None
    parameters: Mapping[int, int] = field(default_factory=dict)
    loops: int = 0
    branches: int = 0
    floating_point: str = ""
    instructions: int = 0


@dataclass(frozen=True, slots=True)
class ProgramFunction:
    """A function of a program and the facts of it.

    Attributes:
        extent: where it lies.
        place: the same as a case names it: "CODE 2+0x122", "section 0+0x40".
        contents: what its instructions hold.
        toolbox: the Toolbox routines that it calls, itself or through glue.
        imports: the functions of other files that it calls, itself or through glue.
        callees: the functions that it calls, by address, without glue.
        callers: the addresses of the functions that call it, in the order of addresses.
        kind: what it is by its shape: `OWN`, `GLUE`, `START_UP` or `LIBRARY`.
    """

    extent: FunctionExtent
    place: str
    contents: FunctionContents
    toolbox: Mapping[str, int]
    imports: Mapping[str, int]
    callees: Mapping[int, int]
    callers: tuple[int, ...]
    kind: str = OWN

    @property
    def address(self) -> int:
        """The address of its first instruction."""
        return self.extent.start

    @property
    def name(self) -> str:
        """Its name; "" if the program has none for it."""
        return self.extent.name

    @property
    def label(self) -> str:
        """Its name, or its place if it has none."""
        return self.extent.name or self.place

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.extent.end - self.extent.start

    @property
    def argument_count(self) -> int:
        """How many arguments it has, as far as that is seen; 0 if it is not."""
        counted = self.extent.argument_count
        return len(self.contents.parameters) if counted is None else counted


@dataclass(frozen=True)
class ProgramFunctions:
    """All functions of a program that were found, in the order of their addresses.

    Attributes:
        program: the program.
        functions: the functions.
        code_bytes: how many bytes of code the program has.
    """

    program: Program = field(repr=False)
    functions: tuple[ProgramFunction, ...]
    code_bytes: int

    @cached_property
    def by_address(self) -> Mapping[int, ProgramFunction]:
        """The functions by their addresses."""
        return {function.address: function for function in self.functions}

    @property
    def bytes_in_functions(self) -> int:
        """How many bytes of code lie in functions."""
        return sum(function.size for function in self.functions)
