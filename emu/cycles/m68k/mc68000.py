"""The 68000: published clocks of each instruction, added up.

The 68000 has no cache and hardly a pipeline, so an instruction takes the clocks of the manual's
tables, whatever ran before. The clocks of some instructions depend on data: a shift's on its count.
If the code before loads the count as a constant, that count is used; otherwise a stated assumption.

Sources: M68000 User's Manual (9th edition, 1993), section 8; the data file names each table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from emu.cycles.base.model import Code, CycleModel, Instruction, Source
from emu.cycles.base.tables import table
from emu.cycles.m68k import m68k_code
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.cycles.m68k.mc68000_clocks import SHIFTS, Clocks, clocks_of
from emu.program.instructions.m68k.operands import DATA, IMMEDIATE


@dataclass(frozen=True, slots=True)
class Mc68000Options:
    """What can be changed in the model.

    Attributes:
        video: whether memory is shared with the screen, as in a Macintosh Plus: while a line is
            drawn, the processor and the screen take turns.
        shift_count: the count of a shift whose count the code does not show; None takes the count
            in the data file.
        division: a division's clocks, as a fraction of the longest division's.
    """

    video: bool = False
    shift_count: int | None = None
    division: float = 1.0


_CHANGES: Mapping[str, Callable[[Mc68000Options], Mc68000Options]] = {
    "memory shared with the screen (at most)": lambda o: replace(o, video=True),
    "shifts by unknown counts are by 1": lambda o: replace(o, shift_count=1),
    "shifts by unknown counts are by 16": lambda o: replace(o, shift_count=16),
    "divisions take a tenth less": lambda o: replace(o, division=0.9),
}


class Mc68000(CycleModel):
    """A 68000 with memory that never makes it wait.

    Args:
        options: what is changed from the usual.
    """

    cpu: ClassVar[str] = "68000"
    title: ClassVar[str] = "68000: published clocks of each instruction"
    megahertz: ClassVar[float] = 7.8336

    def __init__(self, options: Mc68000Options | None = None) -> None:
        self.options = options or Mc68000Options()

    def decode(self, code: bytes, address: int) -> Code:
        """The instructions of a block, each with the names of its cells."""
        return tuple(
            m68k_code.with_cell(instruction, clocks_of(instruction).cell)
            for instruction in m68k_code.decode(code, address)
        )

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        """Clocks of each instruction of a block.

        Whether a branch at the end of the block is taken is not known here. The branch gets the
        smaller of its two numbers of clocks. When the next block is priced, its first instruction
        gets the difference if the branch took the larger number.
        """
        flow = [_checked(instruction) for instruction in (*before, *block)]
        prices = []
        for index in range(len(before), len(flow)):
            clocks = self._clocks(flow, index)
            if index == len(flow) - 1:
                price = min(clocks.clocks, clocks.not_taken)
            else:
                price = _outcome(clocks, flow[index], flow[index + 1])
            if before and index == len(before):
                last = self._clocks(flow, index - 1)
                more = _outcome(last, flow[index - 1], flow[index])
                price += more - min(last.clocks, last.not_taken)
            prices.append(price + self._waiting(flow[index]))
        return tuple(prices)

    def source(self, instruction: Instruction) -> Source:
        """The weakest source of the cells that the instruction uses, if no data are known."""
        return clocks_of(_checked(instruction)).source

    def sensitivities(self) -> Mapping[str, CycleModel]:
        """The model with one assumption changed at a time."""
        return {words: Mc68000(change(self.options)) for words, change in _CHANGES.items()}

    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        return _ASSUMPTIONS

    def _clocks(self, flow: list[M68kInstruction], index: int) -> Clocks:
        instruction = flow[index]
        value = _register_value(flow, index)
        if value is None and instruction.source is not None and _shifts(instruction):
            value = self.options.shift_count
        clocks = clocks_of(instruction, value)
        if instruction.operation in ("divu", "divs"):
            most = table("mc68000")[instruction.operation]["most"]
            less = most * (1 - self.options.division)
            return replace(clocks, clocks=clocks.clocks - less, not_taken=clocks.not_taken - less)
        return clocks

    def _waiting(self, instruction: M68kInstruction) -> float:
        """Clocks in which an instruction waits for memory because the screen uses it."""
        if not self.options.video:
            return 0.0
        cell = table("mc68000")["video"]
        drawn = cell["line_drawn"] / cell["line"] * cell["lines_drawn"] / cell["lines"]
        # For a program that does nothing but access memory: it gets one access in each turn while
        # lines are drawn, and at other times one access after the other.
        rate = drawn / cell["turn"] + (1 - drawn) / cell["access"]
        words = 2 if instruction.length == 4 or not instruction.length else 1
        accesses = instruction.size // 2 + (instruction.reads + instruction.writes) * words
        return accesses * (1 / rate - cell["access"])


_ASSUMPTIONS = (
    "The processor never waits for memory; in a Macintosh Plus it waits while the screen reads it.",
    "A division takes the most that the manual prints; the least is within a tenth of it.",
    "Shifts by a register take the count that the code before loads into it, or 8; "
    "multiplications by a register, 8 ones or changes between ones and zeros.",
    "Scc into a register takes 5 clocks: 4 if false and 6 if true.",
    "BCHG, BCLR, BSET and BTST of a register take the most that the manual prints.",
    "Interrupts, the handlers of exceptions, and what the Toolbox does are left out.",
)


def _checked(instruction: Instruction) -> M68kInstruction:
    if not isinstance(instruction, M68kInstruction):
        raise TypeError(f"{type(instruction).__name__} is not a decoded 68K instruction")
    return instruction


def _outcome(clocks: Clocks, instruction: M68kInstruction, after: M68kInstruction) -> float:
    return clocks.clocks if after.address != instruction.end else clocks.not_taken


def _shifts(instruction: M68kInstruction) -> bool:
    return instruction.operation in SHIFTS


def _register_value(flow: list[M68kInstruction], index: int) -> int | None:
    """The value of the data register that an instruction's clocks depend on; None if not known.

    It is known if the instruction that last changed the register loaded a constant into all of it.
    """
    instruction = flow[index]
    source = instruction.source
    decides = _shifts(instruction) or instruction.operation in ("mulu", "muls")
    if not decides or source is None or source.mode != DATA:
        return None
    for earlier in reversed(flow[:index]):
        if source.register in earlier.late:
            return _loaded(earlier, whole=not _shifts(instruction))
    return None


def _loaded(instruction: M68kInstruction, *, whole: bool) -> int | None:
    """The constant that an instruction loads into a data register.

    Args:
        instruction: the instruction that changes the register.
        whole: whether more than the register's lowest byte is needed.
    """
    given = instruction.source
    if given is None or given.mode != IMMEDIATE:
        return None
    if instruction.operation == "moveq":
        return given.value - 256 if given.value >= 128 else given.value
    if instruction.operation == "move" and not (whole and instruction.length == 1):
        return given.value
    return None
