"""Counts the cycles of a whole program by a cycle model, while the program runs.

An edge is a step from one basic block of the program to the next. When the clock is read, Python
computes the price in cycles of every edge that is new. From then on compiled code adds the price
each time the edge is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from emu.cycles.base.model import ASSUMPTION, Code, CycleModel, Source
from emu.cycles.models import model_for
from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.watch.edges import NewEdge
from emu.toolbox.guest.layout import ROM_SIZE, ROM_START

_ROM = range(ROM_START, ROM_START + ROM_SIZE)
_DELAY = 5000.0
"""About how many cycles may pass before a new edge must get its price."""

_LEAST_CYCLES_A_BYTE = 0.125
"""The price until then: half a cycle for an instruction of four bytes."""

Block = tuple[int, int]


class ToolboxCost:
    """The assumed cycles of a Toolbox routine, in addition to the program's own instructions."""

    def __init__(self, cycles: float, reason: str) -> None:
        self.cycles = cycles
        self.source = Source(ASSUMPTION, reason)


TOOLBOX_COSTS: Mapping[str, ToolboxCost] = MappingProxyType(
    {
        "m68k": ToolboxCost(
            0.0,
            "the trap word costs what the processor's manual has for its exception; what the "
            "dispatcher and the routine then do is not known and left out",
        ),
        "powerpc": ToolboxCost(
            0.0,
            "the program's own instructions up to the routine and after it are counted; what the "
            "routine does is not known and left out",
        ),
    }
)
"""The costs by architecture. Both are lower bounds."""


class ModelMeter:
    """Counts the cycles of a program that is being run: a `emu.toolbox.computer.clock.Meter`.

    Args:
        model: the cycle model, or None for that of the processor it is attached to.
        megahertz: the processor's clock, or None for the model's own.
    """

    def __init__(self, model: CycleModel | None = None, megahertz: float | None = None) -> None:
        self._model = model
        self._megahertz = megahertz
        self._code: dict[Block, Code] = {}
        self.megahertz = megahertz or 1.0

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        """Count what the engine executes.

        Raises:
            UsageError: there is no model of the processor.
            ToolMissingError: llvmlite is not installed.
        """
        self.model = self._model or model_for(cpu.name)
        self.megahertz = self._megahertz or self.model.megahertz
        self._call = TOOLBOX_COSTS[cpu.architecture].cycles
        self._edges, self._executed = engine.count_edges()
        self._executed.on_change = self._forget
        self._edges.expect_prices(_DELAY, _LEAST_CYCLES_A_BYTE)

    def cycles(self) -> float:
        """The cycles of everything executed so far; edges without a price get one.

        Raises:
            MacproofError: the model does not know an instruction, or the program has too much code.
        """
        if self._edges.has_new:
            self._edges.price_new(self._price)
        return self._edges.cycles

    def priced_cycles(self) -> float:
        """The cycles of all edges that have a price; no new edge gets one by this call."""
        return self._edges.cycles

    def stop_at(self, cycles: float) -> None:
        """Make the engine stop when `priced_cycles` reaches a value."""
        self._edges.limit = cycles

    def at_stop(self) -> bool:
        """Whether the engine has reached the value of `stop_at`."""
        return self._edges.at_limit

    def _price(self, edge: NewEdge) -> float:
        if edge.block[0] in _ROM:
            # The placeholder code here is not the routine that a Macintosh would execute.
            return self._call
        before = self._decoded(edge.earlier) + self._decoded(edge.previous)
        return sum(self.model.price(before, self._decoded(edge.block)))

    def _decoded(self, block: Block) -> Code:
        if block == (0, 0) or block[0] in _ROM:
            return ()
        instructions = self._code.get(block)
        if instructions is None:
            instructions = self._code[block] = self.model.decode(
                self._executed.code[block], block[0]
            )
        return instructions

    def _forget(self, block: Block) -> None:
        """Price what was executed of a block's old code, since the block has new code now."""
        self.cycles()
        self._code.pop(block, None)
