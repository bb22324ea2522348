"""Where the arguments of the routines that a case calls lie in the guest heap.

The arguments themselves form a record, and each pointer leads to memory of its own behind it. The
rest of the verifier treats both as variables: ``*out`` is what the argument ``out`` points to,
``**p`` is what ``*p`` points to, and ``return`` is the result. So they are filled, compared and
reported as globals are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from emu.cases.keys.arguments import Phrase
from emu.machine.calls.system import GivenBlock
from emu.program import Variable
from emu.verify.calls.call_sequence import Routines
from emu.verify.places.slots.node_types import NodeTypes
from emu.verify.places.slots.transcripts import Transcript

RECORD = "call"
"""The name of the record of arguments in messages: "call.length", "call[3].length"."""

CALLS = "calls"
"""The name of the word that holds the number of calls."""

SCRIPT = "script"
"""The name of the bytes that say which routine each call is of."""

GAP = 64
"""The bytes between one variable and the next, in which nothing may be written."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A place that the scene fills: a variable, a path to a member of it, and what fills it."""

    variable: Variable
    member: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class StructureArea:
    """Memory for a tree or a list: for its nodes, or for the transcript of what a call left.

    Attributes:
        filling: the pointer that leads to it.
        area: the memory.
        types: the types of its nodes.
        target: the index of the type that the pointer leads to.
        depth: 1 for a pointer, 2 for a handle.
        is_given: whether a scene gives it; otherwise it is observed.
    """

    filling: Filling
    area: Variable
    types: NodeTypes
    target: int
    depth: int
    is_given: bool


SIZE_OF = "size of "
"""The name of the word with the size of a block begins so, as in "size of **h"."""

DISPOSED = 0xFFFFFFFF
"""The value of that word after the block was disposed of."""


@dataclass(frozen=True, slots=True)
class Length:
    """The size of a block that is given through a handle.

    Attributes:
        variable: the word that holds it.
        is_exact: whether the reference's values say how large the block is after the call;
            otherwise they may be only the first of them.
    """

    variable: Variable
    is_exact: bool


@dataclass(frozen=True, slots=True)
class ArgumentLayout:
    """The addresses of the arguments of a case's routines, and of what they point to.

    Attributes:
        routines: the routines, and how they get their arguments.
        variables: the record, the result and the memory that pointers lead to, by their names.
        fillings: the places that scenes fill in.
        addresses: words that hold a constant before each call, such as a pointer's address: the
            constant, by the address of the word.
        answers: for each Toolbox routine that the scene answers, the number of its answers and
            room for them; see `OperatingSystem.run`.
        prototypes: the declarations of the routines, as in C, by the names of the variables that
            hold their arguments (of members of the record, if there are several routines).
        linked: memory for trees and lists.
        unobserved: results, and records of calls, that are not compared.
        blocks: the memory that calls find as blocks of the Memory Manager.
        lengths: the sizes of those blocks that handles lead to, by the names of their variables.
        fixed: the addresses of words that fix something of the environment, by its name.
        state: the words for numbers of the Toolbox's state that are compared, by their paths.
        transcripts: the records of how Python functions are called.
        byte_buffers: the names of those variables that begin at odd addresses on some scenes.
    """

    routines: Routines
    variables: dict[str, Variable]
    fillings: list[Filling]
    addresses: dict[int, int]
    answers: dict[str, Variable] = field(default_factory=dict)
    prototypes: dict[str, str] = field(default_factory=dict)
    linked: list[StructureArea] = field(default_factory=list)
    unobserved: list[Variable] = field(default_factory=list)
    blocks: list[GivenBlock] = field(default_factory=list)
    lengths: dict[str, Length] = field(default_factory=dict)
    fixed: dict[str, int] = field(default_factory=dict)
    state: dict[str, int] = field(default_factory=dict)
    transcripts: list[Transcript] = field(default_factory=list)
    byte_buffers: tuple[str, ...] = ()

    def prototype(self, variable: str, member: str) -> str:
        """How the routine is declared that a variable belongs to; "" if it belongs to none."""
        one_of_several = self.prototypes.get(member.partition(".")[0], "")
        return self.prototypes.get(variable, one_of_several)

    @property
    def start(self) -> int:
        """The address of the first byte of them all; 0 if there are none."""
        return min((variable.address for variable in self.every()), default=0)

    @property
    def end(self) -> int:
        """The address behind the last byte of them all, and behind the gap that follows it."""
        return max(
            (variable.address + variable.type.size + GAP for variable in self.every()), default=0
        )

    def every(self) -> list[Variable]:
        """All memory that arguments take."""
        return [*self.variables.values(), *(structure.area for structure in self.linked)]

    @property
    def size(self) -> int:
        """How many bytes of the heap they take."""
        return self.end - self.start

    def odd(self) -> ArgumentLayout:
        """The layout with each buffer of bytes one byte further on; all else is where it was.

        The gap behind a buffer is 64 bytes, so there is room for that byte.
        """
        moved = {self.variables[name].address for name in self.byte_buffers}

        def place(address: int) -> int:
            return address + (address in moved)

        def variable(variable: Variable) -> Variable:
            return replace(variable, address=place(variable.address))

        return replace(
            self,
            variables={name: variable(even) for name, even in self.variables.items()},
            fillings=[
                replace(filling, variable=variable(filling.variable)) for filling in self.fillings
            ],
            addresses={at: place(address) for at, address in self.addresses.items()},
            blocks=[replace(block, address=place(block.address)) for block in self.blocks],
        )

    def beside(self, address: int) -> str:
        """A place in the gap behind a variable, in words; "" if the address is in none."""
        for variable in self.every():
            behind = address - (variable.address + variable.type.size)
            if 0 <= behind < GAP:
                return f"byte {behind + 1} behind {variable.name}"
        for linked in self.linked:
            inside = address - linked.area.address
            if 0 <= inside < linked.area.type.size:
                return f"byte {inside} of {linked.area.name}"
        return ""
