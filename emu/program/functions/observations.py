"""Gathers what the instructions of one function hold, whatever the processor."""

from __future__ import annotations

from collections import Counter

from emu.program.functions.model import FunctionContents, GlobalUse
from emu.program.functions.program_memory import ProgramMemory
from emu.program.instructions.trap_table import signatures

READS, WRITES, TAKES = "reads", "writes", "takes"
_LOW_MEMORY = 0x3000


class Observations:
    """The facts of one function while its instructions are read.

    Args:
        memory: the program's memory.

    Attributes:
        calls, toolbox, imports, constants, offsets: counts; see `FunctionContents`.
        parameters: bytes of the largest read, by the distance from the frame pointer.
        texts, function_pointers: in the order of their use.
        loop_targets: what branches go back to.
    """

    def __init__(self, memory: ProgramMemory) -> None:
        self._memory = memory
        self.calls: Counter[int] = Counter()
        self.toolbox: Counter[str] = Counter()
        self.imports: Counter[str] = Counter()
        self.constants: Counter[int] = Counter()
        self.offsets: Counter[int] = Counter()
        self.parameters: dict[int, int] = {}
        self.texts: dict[str, None] = {}
        self.function_pointers: dict[int, None] = {}
        self.loop_targets: set[int] = set()
        self.pointer_calls = self.branches = self.instructions = 0
        self.frame_size: int | None = None
        self.units: set[str] = set()
        self._globals: dict[int, Counter[str]] = {}

    def parameter(self, distance: int, size: int) -> None:
        """A read of some bytes of a parameter; 0 if only its address is taken."""
        self.parameters[distance] = max(size, self.parameters.get(distance, 0))

    def call(self, address: int) -> None:
        """A call of an address, by way of the jump table perhaps."""
        address = self._memory.jumps.get(address, address)
        name = self._memory.outside_name(address)
        if name:
            self.import_call(name)
        else:
            self.calls[address] += 1

    def import_call(self, name: str) -> None:
        """A call of a function that another file has."""
        (self.toolbox if name in signatures() else self.imports)[name] += 1

    def use(self, address: int, access: str) -> None:
        """A use of memory at a fixed address; ``access`` is `READS`, `WRITES` or `TAKES`."""
        memory = self._memory
        pointed = memory.jumps.get(address, address)
        text = memory.text(address) if access != WRITES else ""
        if text:
            self.texts.setdefault(text)
        if text and not memory.is_variable(address):
            return
        if memory.is_code(pointed):
            if access == TAKES:
                self.function_pointers.setdefault(pointed)
        elif memory.is_data(address) or memory.outside_name(address) or address < _LOW_MEMORY:
            self._globals.setdefault(address, Counter())[access] += 1
        else:
            self.constants[address] += 1

    def drop_use(self, address: int) -> None:
        """Take back the uses of a fixed address that was only needed for a call."""
        self._globals.pop(address, None)

    def is_fixed(self, address: int) -> bool:
        """Whether a number can be the address of something in the program or another file."""
        memory = self._memory
        return memory.segment(address) is not None or bool(memory.outside_name(address))

    @property
    def contents(self) -> FunctionContents:
        """All that was gathered."""
        return FunctionContents(
            calls=dict(self.calls),
            toolbox=dict(self.toolbox),
            imports=dict(self.imports),
            pointer_calls=self.pointer_calls,
            function_pointers=tuple(self.function_pointers),
            globals=tuple(
                GlobalUse(
                    address,
                    self._memory.place(address),
                    order,
                    uses[READS],
                    uses[WRITES],
                    uses[TAKES],
                )
                for order, (address, uses) in enumerate(self._globals.items())
            ),
            constants=dict(self.constants),
            offsets=dict(self.offsets),
            texts=tuple(self.texts),
            frame_size=self.frame_size,
            parameters=dict(sorted(self.parameters.items())),
            loops=len(self.loop_targets),
            branches=self.branches,
            floating_point=" and ".join(sorted(self.units)),
            instructions=self.instructions,
        )
