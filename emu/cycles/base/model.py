"""The interface of a cycle model: it decodes blocks, and prices a block after another block.

A *block* is a run of instructions that is entered at its first and left at its last, as the engine
translates it. In a pipeline the instructions of one block can delay those of the next. Therefore a
price belongs not to a block but to an *edge*: a block together with the block that ran before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

MANUAL, MEASUREMENT, COMPILER, ASSUMPTION = "manual", "measurement", "compiler", "assumption"
KINDS = (MANUAL, MEASUREMENT, COMPILER, ASSUMPTION)
"""The kinds of sources of a number, the most reliable first."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number comes from.

    Attributes:
        kind: one of `KINDS`.
        title: the document and its section, the measurement, or the reason for an assumption.
    """

    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """A decoded instruction. Models extend it with what they need to price it.

    Attributes:
        address: where it lies in guest memory.
        size: bytes.
        mnemonic: "move.l", "addi": as in the processor's manual, in lower case.
        text: the whole instruction, for readers.
        cell: the name of the table cell that prices it.
    """

    address: int
    size: int
    mnemonic: str
    text: str
    cell: str


Code = tuple[Instruction, ...]


class CycleModel(ABC):
    """Predicts cycles of one processor."""

    cpu: ClassVar[str]
    """The processor's name in `emu.machine.cpu.CPUS`."""
    title: ClassVar[str]
    """What the model describes, for a heading ("68040: three-stage integer pipeline")."""
    megahertz: ClassVar[float]
    """The default clock of the machine, in MHz."""

    @abstractmethod
    def decode(self, code: bytes, address: int) -> Code:
        """The instructions of a block.

        Raises:
            MacproofError: the bytes cannot be decoded, with the address.
        """

    @abstractmethod
    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        """Cycles each instruction of a block adds, given the instructions that ran before it.

        Args:
            before: the instructions that ran just before, oldest first; empty at the start of a
                call, when the pipeline is taken to be empty. If the address of ``block`` is not
                the one that follows them, their last instruction has branched.
            block: the instructions to be priced.

        Returns:
            One number for each instruction of ``block``; their sum is the price of the edge.
        """

    def knowing(self, edges: Iterable[tuple[int, int, int, int, int]]) -> CycleModel:
        """The model with what it needs to know of all code that was counted, before it prices any.

        Models of processors whose caches hold all code need nothing.

        Args:
            edges: previous address and size, address and size, and how often, as in
                `emu.cycles.base.counting.Counts`.
        """
        return self

    def in_memory_of(self, machine: str) -> CycleModel:
        """The model with the memory of a Macintosh, if memory is a part of the model.

        Args:
            machine: a name in ``buses.yaml``.
        """
        return self

    @abstractmethod
    def source(self, instruction: Instruction) -> Source:
        """The source of an instruction's price: the least reliable source of the cells it uses."""

    @abstractmethod
    def sensitivities(self) -> Mapping[str, CycleModel]:
        """Variants of the model with one thing changed, by a description of the change."""

    @abstractmethod
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of the model as sentences for the report."""
