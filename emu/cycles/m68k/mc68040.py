"""The 68040's integer pipeline: address calculation, operand fetch, execution.

Each instruction passes three stages in order. The first stage forms its addresses and takes
``calculate`` clocks. The second fetches an operand in one clock. The third executes in ``lead +
base`` clocks; the lead may run while the instruction before still executes, the base may not.
Execution of a long instruction begins two clocks after its address calculation begins, not after
it ends. That is why the manual's columns for the first and the third stage are equal for nearly
every instruction. An instruction that waits for its execution delays the one behind it.

The result of an instruction can be used to form an address only when its execution has ended.
Registers that the first stage changes itself, by (An)+, -(An), LEA and pushes, can be used at once.

Sources: M68040 User's Manual (1993), chapter 10; the data file names what each number rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from emu.cycles.base.model import Code, CycleModel, Instruction, Source
from emu.cycles.base.tables import Cell, table, weakest
from emu.cycles.m68k import m68k_code
from emu.cycles.m68k.m68k_code import M68kInstruction
from emu.cycles.m68k.mc68040_cells import Mc68040Timing, timing_of
from emu.program.instructions.m68k.forms import CONDITIONAL, LOOP
from emu.program.instructions.m68k.operands import EXTENDED

COPYBACK, WRITE_THROUGH = "copyback", "write-through"

_INTERLOCKED = frozenset(
    {"dbcc", "nop", "rts", "rtd", "rtr", "rte", "trap", "a-line", "illegal", "movem", "tas"}
)
"""Operations whose address calculation waits until they execute, in every addressing mode."""


@dataclass(frozen=True, slots=True)
class Mc68040Options:
    """What can be changed in the model.

    Attributes:
        address_interlocks: whether results wait for the end of execution before addresses can be
            formed from them.
        overlapped: whether a long instruction's execution begins while it still forms addresses.
        stores: "copyback", where a store costs nothing beyond its execution, or "write-through",
            where each store keeps the bus busy and the next one waits for it.
        caches: whether the caches are on; if not, every access and every four bytes of code cost
            a read from memory.
        branches_execute: whether Bcc and BRA take clocks of execution at all.
        slow_redirect: whether the target of a taken branch comes a clock later.
        movea_extends: whether MOVEA.W takes a clock more than MOVEA.L.
        movea_calculates: whether MOVEA takes two clocks where CMPA does.
    """

    address_interlocks: bool = True
    overlapped: bool = True
    stores: str = COPYBACK
    caches: bool = True
    branches_execute: bool = True
    slow_redirect: bool = False
    movea_extends: bool = True
    movea_calculates: bool = False


_CHANGES: Mapping[str, Callable[[Mc68040Options], Mc68040Options]] = {
    "no address-register interlocks": lambda o: replace(o, address_interlocks=False),
    "execution begins after address calculation": lambda o: replace(o, overlapped=False),
    "stores written through": lambda o: replace(o, stores=WRITE_THROUGH),
    "branches execute in no time": lambda o: replace(o, branches_execute=False),
    "targets of branches one clock later": lambda o: replace(o, slow_redirect=True),
    "caches off": lambda o: replace(o, caches=False, stores=WRITE_THROUGH),
    "MOVEA.W as fast as MOVEA.L": lambda o: replace(o, movea_extends=False),
    "MOVEA two clocks where CMPA is": lambda o: replace(o, movea_calculates=True),
}


@dataclass(slots=True)
class Pipeline:
    """The state of the stages, as times in clocks since the pipeline was empty.

    Attributes:
        options: how it behaves.
        calculate_free: when the stage that forms addresses takes the next instruction.
        fetch_free: when the last instruction's last piece leaves the fetch stage.
        executed: when the last instruction's execution ends.
        bus_free: when the last store, or uncached read, is done with the bus.
        ready: when a register's new value can be used to form an address.
    """

    options: Mc68040Options
    calculate_free: float = 0.0
    fetch_free: float = 0.0
    executed: float = 0.0
    bus_free: float = 0.0
    ready: dict[int, float] = field(default_factory=dict)

    def copy(self) -> Pipeline:
        """An independent pipeline in the same state."""
        return replace(self, ready=dict(self.ready))

    def step(self, instruction: M68kInstruction, *, taken: bool) -> float:
        """Send the next instruction through the pipeline.

        Args:
            instruction: the instruction.
            taken: whether it changes the flow of control.

        Returns:
            When its execution ends.
        """
        cells = table("mc68040")
        timing = _adjusted(timing_of(instruction, taken), instruction, self.options)
        latency = cells["latency"]["clocks"]
        begin = self._begin(instruction, cells["dbcc.counter"])
        arrive = begin + latency
        if not self.options.overlapped:
            arrive += timing.calculate - 1
        stall = max(0.0, self.executed - arrive)
        calculated = begin + timing.calculate
        if _interlocked(instruction):
            calculated += max(0.0, stall - timing.lead)
        executed = max(arrive + timing.lead, self.executed) + timing.base
        # The last piece of a long instruction is fetched when its addresses are formed.
        executed = max(executed, calculated + latency)
        executed = self._memory(instruction, executed)
        # It leaves address calculation when the piece in the fetch stage has gone on.
        begun = max(calculated, self.fetch_free)
        self.fetch_free = executed - max(1.0, timing.execute - (timing.calculate - 1))
        self.executed = executed
        redirect = "redirect.slower" if self.options.slow_redirect else "redirect"
        self.calculate_free = begun + (cells[redirect]["clocks"] if taken else 0.0)
        for register in instruction.early:
            self.ready.pop(register, None)
        for register in instruction.late:
            self.ready[register] = executed
        return executed

    def _begin(self, instruction: M68kInstruction, counter: Cell) -> float:
        """When an instruction's address calculation begins."""
        begin = self.calculate_free
        if self.options.address_interlocks:
            for register in instruction.address_uses:
                begin = max(begin, self.ready.get(register, 0.0))
        if instruction.flow == LOOP:  # DBcc needs its counter while it forms addresses
            for register in instruction.late:
                begin = max(begin, self.ready.get(register, 0.0) - counter["clocks"])
        return begin

    def _memory(self, instruction: M68kInstruction, executed: float) -> float:
        """When execution ends, with the time that the bus needs if the caches do not help.

        A store is given to the bus when execution ends, and waits only for the store before it.
        Without caches, execution waits for each operand and for the code itself.
        """
        cells = table("mc68040")
        if not self.options.caches:
            fetched = instruction.reads + instruction.size / 4
            executed = max(executed, self.bus_free) + fetched * cells["read.uncached"]["clocks"]
            self.bus_free = executed
        if self.options.stores == WRITE_THROUGH and instruction.writes:
            clocks = cells["store.write_through"]["clocks"]
            first = max(executed - (instruction.writes - 1), self.bus_free)
            executed = max(executed, first + clocks * (instruction.writes - 1))
            self.bus_free = first + clocks * instruction.writes
        return executed


class Mc68040(CycleModel):
    """A 68040 with everything in its caches.

    Args:
        options: what is changed from the usual.
    """

    cpu: ClassVar[str] = "68040"
    title: ClassVar[str] = "68040: three-stage integer pipeline"
    megahertz: ClassVar[float] = 25.0

    def __init__(self, options: Mc68040Options | None = None) -> None:
        self.options = options or Mc68040Options()

    def decode(self, code: bytes, address: int) -> Code:
        """The instructions of a block, each with the names of its cells."""
        return tuple(
            m68k_code.with_cell(instruction, _cells(instruction))
            for instruction in m68k_code.decode(code, address)
        )

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        """Clocks between the end of the execution of one instruction and that of the next."""
        flow = [_checked(instruction) for instruction in (*before, *block)]
        pipeline = Pipeline(self.options)
        previous = 0.0
        prices: list[float] = []
        for index, instruction in enumerate(flow):
            if index == len(before) - 1:
                # When the block before was priced, its branch's direction was not known. Its
                # guessed end is the starting point here, so the difference is added to this block.
                previous = pipeline.copy().step(instruction, taken=_branches(instruction, None))
            after = flow[index + 1] if index + 1 < len(flow) else None
            end = pipeline.step(instruction, taken=_branches(instruction, after))
            if index >= len(before):
                prices.append(end - previous)
                previous = end
        return tuple(prices)

    def source(self, instruction: Instruction) -> Source:
        """The weakest source of the cells for the instruction when it branches and when not."""
        checked = _checked(instruction)
        return weakest(timing_of(checked, taken).source for taken in (True, False))

    def sensitivities(self) -> Mapping[str, CycleModel]:
        """The model with one rule changed at a time."""
        return {words: Mc68040(change(self.options)) for words, change in _CHANGES.items()}

    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        return _ASSUMPTIONS


_ASSUMPTIONS = (
    "Code and data are in the caches, addresses are translated without a search, and operands "
    "are aligned.",
    "An instruction that forms its addresses in several clocks executes at the same time, two "
    "clocks behind: the manual says that waiting for execution lengthens address calculation, and "
    "prints equal numbers for both in nearly all cases.",
    "Stores are copied back later and cost nothing beyond their execution, unless said otherwise.",
    "A result reaches address calculation when its execution ends; (An)+, -(An), LEA and the "
    "stack pointer of calls and pushes do so at once.",
    "The target of a branch follows without a gap, and a branch that is not taken costs one clock "
    "more, as the manual prints.",
    "DBcc executes after everything that ran before it, and needs its counter one clock after its "
    "address calculation begins; both rules come from published measurements of three loops.",
    "Interrupts, floating-point instructions and what the Toolbox does within a trap are left out.",
)


def _checked(instruction: Instruction) -> M68kInstruction:
    if not isinstance(instruction, M68kInstruction):
        raise TypeError(f"{type(instruction).__name__} is not a decoded 68K instruction")
    return instruction


def _cells(instruction: M68kInstruction) -> str:
    taken, not_taken = (timing_of(instruction, taken).cell for taken in (True, False))
    return taken if taken == not_taken else f"{taken} or {not_taken}"


def _branches(instruction: M68kInstruction, after: M68kInstruction | None) -> bool:
    """Whether an instruction branches; if its successor is not known, one that may branch does."""
    if instruction.flow in (CONDITIONAL, LOOP):
        return after is None or after.address != instruction.end
    return bool(instruction.flow)


def _interlocked(instruction: M68kInstruction) -> bool:
    if instruction.operation in _INTERLOCKED:
        return True
    operands = (instruction.source, instruction.destination)
    return any(operand is not None and operand.mode in EXTENDED for operand in operands)


def _adjusted(
    timing: Mc68040Timing, instruction: M68kInstruction, options: Mc68040Options
) -> Mc68040Timing:
    """An instruction's clocks under the options."""
    operation = instruction.operation
    if not options.branches_execute and operation in ("bcc", "bra"):
        return replace(timing, lead=timing.execute, base=0.0)
    if operation == "movea":
        if not options.movea_extends and instruction.length == 2:
            timing = replace(timing, base=timing.base - 1)
        source = instruction.source
        updating = source is not None and source.mode in ("postinc", "predec", "d16")
        if options.movea_calculates and updating:
            timing = replace(timing, calculate=timing.calculate + 1, lead=timing.lead + 1)
    return timing
