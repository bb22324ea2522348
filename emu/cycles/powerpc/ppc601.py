"""A cycle model of the PowerPC 601: one integer unit, one for floating point, one for branches.

Instructions wait in a queue. In each clock the branch unit can take a branch and the floating-point
unit an instruction from the bottom four places of the queue. The integer unit can take the
instruction in the lowest place only. Loads and stores form their addresses in the integer unit, so
each takes one of its clocks. An instruction is dispatched when its unit is free and the registers
it needs are ready.

A branch takes no clock of a unit (it is *folded*). It costs only the time for which others wait:
its target arrives a fixed time after the branch is decided. If the integer unit has enough to do
until then, no time is lost. A conditional branch whose condition is not ready is predicted. If the
prediction is right, the branch is decided at once; if it is wrong, when the condition is ready.
Branches through LR and CTR wait until these registers are ready.

The numbers are in ``data/ppc601.yaml``. What the model takes for granted is in `assumptions`.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from emu.cycles.base.model import Code, CycleModel, Instruction, Source
from emu.cycles.base.tables import Cell, CellTable, table, weakest
from emu.cycles.powerpc import ppc_code
from emu.cycles.powerpc.ppc_code import CTR, FPU, IU, LR, PpcInstruction

_SEVERAL = ("load_multiple", "store_multiple", "load_string", "store_string")


@dataclass(frozen=True, slots=True)
class Ppc601Options:
    """Changes to the model of the 601.

    Attributes:
        instead: cells of the table that replace others, by the names of the replaced cells.
        ideal: whether every result and every branch's target is ready in the next clock.
    """

    instead: Mapping[str, str] = field(default_factory=dict)
    ideal: bool = False


class Ppc601(CycleModel):
    """A 601 with everything in its cache.

    Args:
        options: what is changed from the usual.
        numbers: its table; by default the one that comes with macproof.
    """

    cpu = "601"
    title = "PowerPC 601: integer, floating-point and branch units, branches folded"
    megahertz = 80.0

    def __init__(
        self, options: Ppc601Options | None = None, numbers: CellTable | None = None
    ) -> None:
        self.options = options or Ppc601Options()
        self._table = table("ppc601") if numbers is None else numbers
        self.folds = self.number("branch", "slots") == 0
        self.redirect = self.number("target", "redirect")
        self.places = int(self.number("dispatch", "places"))
        self.wait_for_memory = self.number("hits", "missed") * self.number("hits", "line")

    def decode(self, code: bytes, address: int) -> Code:
        """The instructions of a block; see `CycleModel.decode`."""
        return ppc_code.decode(code, address)

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        """Cycles each instruction of a block adds; see `CycleModel.price`."""
        pipeline = _Pipeline(self)
        trace = [_own(instruction) for instruction in (*before, *block)]
        ends = [0.0, *(pipeline.run(trace, index) for index in range(len(trace)))]
        return tuple(after - first for first, after in itertools.pairwise(ends))[len(before) :]

    def source(self, instruction: Instruction) -> Source:
        """The source of an instruction's price; see `CycleModel.source`."""
        own = _own(instruction)
        cells = [self.cell(own.cell)]
        if own.branch:
            cells += [self.cell("target"), self.cell("dispatch")]
        names = dict.fromkeys(_for_branches(own, written) for written in own.writes)
        return weakest(cell.source for cell in (*cells, *(self.cell(n) for n in names if n)))

    def sensitivities(self) -> Mapping[str, CycleModel]:
        """Variants of the model with one thing changed; see `CycleModel.sensitivities`."""
        late = {"condition": "condition_late", "special": "special_late"}
        changes = {
            "targets of taken branches 3 clocks after them": {"target": "target_late"},
            "loaded values ready after 3 clocks": {"load": "load_late"},
            "targets after 3 clocks, compares 3 and LR or CTR 4 before branches": {
                "target": "target_late",
                **late,
            },
            "branches not folded": {"branch": "branch_unfolded"},
            "one load in fifty misses the cache": {"hits": "misses"},
        }
        models: dict[str, CycleModel] = {
            words: Ppc601(replace(self.options, instead={**self.options.instead, **cells}))
            for words, cells in changes.items()
        }
        models["all latencies ideal"] = Ppc601(replace(self.options, ideal=True))
        return MappingProxyType(models)

    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of the model as sentences; see `CycleModel.assumptions`."""
        return (
            "The unified cache of 32 KB always hits, for instructions and data, and address "
            "translation costs nothing.",
            "Instructions are fetched fast enough, except after a taken branch, and loads and "
            "stores never delay fetching.",
            "A taken branch's target is dispatched two clocks after the clock in which the branch "
            "is decided.",
            "Clocks lost behind a branch are counted with the instruction at its target.",
            "A compare decides a branch two clocks after its dispatch, a move to LR or CTR three.",
            "Several predicted branches can be outstanding, and branches that set LR or count CTR "
            "are folded like others.",
            "A multiplication takes five clocks whatever its operands.",
            "Accesses are aligned, stores never fill their queue, and a loaded value may come from "
            "a store just before without delay.",
            "Interrupts, refresh and traffic of other bus masters take no time.",
        )

    def cell(self, name: str) -> Cell:
        """The cell of a name, or the cell that replaces it under the options."""
        return self._table[self.options.instead.get(name, name)]

    def number(self, name: str, number: str) -> float:
        """A number of a cell under the options."""
        if self.options.ideal and number in self._table["ideal"].numbers:
            return min(self.cell(name)[number], self._table["ideal"][number])
        return self.cell(name)[number]


def _own(instruction: Instruction) -> PpcInstruction:
    if not isinstance(instruction, PpcInstruction):
        raise TypeError(f"{instruction.text} at {instruction.address:#x} is of another processor")
    return instruction


def _for_branches(instruction: PpcInstruction, written: str) -> str:
    """The cell that says when a branch can use a register that an instruction writes, or ""."""
    if instruction.branch:
        return ""
    if written in (LR, CTR):
        return "special"
    if not written.startswith("cr"):
        return ""
    if instruction.unit == FPU:
        return "condition_of_float"
    return "condition_moved" if instruction.cell in ("cr_logical", "move_to_cr") else "condition"


class _Pipeline:
    """The clocks at which instructions of a trace are dispatched."""

    def __init__(self, model: Ppc601) -> None:
        self._model = model
        # When each register is ready: for integer and floating-point instructions, for branches.
        self._ready: dict[str, float] = {}
        self._decided: dict[str, float] = {}
        self._arrived = 0.0  # when the instructions behind the last redirection reach the queue
        self._order = 0.0  # the earliest clock in which the lowest place may be left
        self._branched = -1.0
        self._free = {IU: 0.0, FPU: 0.0}
        self._left: deque[float] = deque([-1.0] * model.places, model.places)
        self._end = 0.0
        self._memory = 0.0

    def run(self, trace: Sequence[PpcInstruction], index: int) -> float:
        """Dispatch an instruction of a trace; calls must come in the order of the trace.

        Returns:
            The clock in which this instruction and all before it have been dispatched.
        """
        instruction = trace[index]
        if instruction.branch:
            following = trace[index + 1].address if index + 1 < len(trace) else None
            self._run_branch(instruction, following)
        elif instruction.unit == FPU:
            self._run_float(instruction)
        else:
            self._run_integer(instruction)
        return self._end + self._memory

    def _run_integer(self, instruction: PpcInstruction) -> None:
        clock = max(self._arrived, self._order, self._free[IU], self._needs(instruction))
        slots = self._slots(instruction)
        if instruction.access == "load":
            self._memory += self._model.wait_for_memory  # a cache miss stops all units
        if instruction.cell == "float_store":  # it takes a clock of the floating-point unit, too
            self._free[FPU] = max(self._free[FPU], clock) + 1
        self._free[IU] = clock + slots
        self._leave(clock)
        self._write(instruction, clock)
        self._reach(clock + slots)

    def _run_float(self, instruction: PpcInstruction) -> None:
        clock = max(self._arrived, self._in_reach(), self._free[FPU], self._needs(instruction))
        self._free[FPU] = clock + self._slots(instruction)
        self._order = max(self._order, clock)
        self._write(instruction, clock)
        self._reach(clock)

    def _run_branch(self, instruction: PpcInstruction, following: int | None) -> None:
        branch = instruction.branch
        assert branch is not None
        clock = max(self._arrived, self._in_reach(), self._branched + 1)
        # The target of a branch through LR or CTR is not known until that register is ready, and
        # a branch that counts CTR is not predicted.
        waits = {branch.through, CTR if branch.counts else ""} - {""}
        clock = max([clock, *(self._decided.get(name, 0.0) for name in waits)])
        decided = max(clock, self._decided.get(branch.condition, 0.0))
        self._branched = clock
        if not self._model.folds:
            self._order = max(self._order, clock) + 1
            self._reach(self._order)
        self._reach(clock)
        for name in instruction.writes:
            self._decided[name] = self._ready[name] = clock + 1
        if following is None:
            return
        taken = following != instruction.next
        right = decided == clock or branch.predicted == taken
        if not right:
            self._arrived = decided + self._model.redirect
        elif taken:
            self._arrived = clock + self._model.redirect

    def _in_reach(self) -> float:
        """When an instruction is in the bottom four places, where all units can take it."""
        return self._left[0] + 1

    def _leave(self, clock: float) -> None:
        self._left.append(clock)
        self._order = clock + 1

    def _reach(self, clock: float) -> None:
        self._end = max(self._end, clock)

    def _needs(self, instruction: PpcInstruction) -> float:
        """When the registers that an instruction reads are ready.

        A store of a floating-point register does not wait for it; the FPU stores it when ready.
        """
        return max(
            (
                self._ready.get(name, 0.0)
                for name in instruction.reads
                if instruction.cell != "float_store" or not name.startswith("f")
            ),
            default=0.0,
        )

    def _slots(self, instruction: PpcInstruction) -> float:
        slots = self._model.cell(instruction.cell)["slots"]
        return slots * instruction.registers if instruction.cell in _SEVERAL else slots

    def _write(self, instruction: PpcInstruction, clock: float) -> None:
        model = self._model
        result = model.number(instruction.cell, "result")
        for index, name in enumerate(instruction.writes):
            later = index if instruction.cell in _SEVERAL else 0
            self._ready[name] = clock + result + later
            cell = _for_branches(instruction, name)
            if cell:
                self._decided[name] = clock + model.number(cell, "to_branch")
        if instruction.updates:
            self._ready[instruction.updates] = clock + model.number("integer", "result")
