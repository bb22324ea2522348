"""Counts what recorded calls execute in the old and in the new function, and prices both.

Both are priced by one cycle model. What counts is code that only one of them executes: the function
itself, and routines of its compiler's library, such as a multiplication of 32 bits. Old functions
that both call cost the same and are left out. So is code that exists only since the new function
lives in the old program: where it is entered, and where it calls old functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from emu.cycles.base.counting import EDGE, Counts
from emu.cycles.base.model import CycleModel
from emu.cycles.comparison import FunctionCycles
from emu.cycles.pricing import price
from emu.machine.memory.memory import PAGE
from emu.port.graft.graft import Graft
from emu.port.replay.replayer import Replayer
from emu.toolbox.guest.layout import GRAFTS, ROM_SIZE, ROM_START

Block = tuple[int, int]
_ROM = range(ROM_START, ROM_START + ROM_SIZE)
_ENDS = range(GRAFTS.end - PAGE, GRAFTS.end)
"""Where calls return to, behind the new functions."""
_BORDERS = ("entry.", "call.", "old.")
"""What symbols of code at the border between old and new begin with."""


@dataclass(slots=True)
class CallSteps:
    """What calls have executed.

    Attributes:
        edges: how often each edge was taken: address and size of two blocks.
        code: the bytes of each block.
    """

    edges: Counter[tuple[int, int, int, int]] = field(default_factory=Counter)
    code: dict[Block, bytes] = field(default_factory=dict, repr=False)

    def fits(self, more: CallSteps) -> bool:
        """Whether other calls have executed no other code at the same place."""
        return all(self.code.get(block, code) == code for block, code in more.code.items())

    def add(self, more: CallSteps) -> None:
        """Count other calls, too."""
        self.edges.update(more.edges)
        self.code.update(more.code)

    def priced(self, model: CycleModel) -> Mapping[int, tuple[int, float]]:
        """How often each instruction was executed and the cycles of that, by its address."""
        rows = [(*edge, count) for edge, count in self.edges.items()]
        return price(Counts(1, np.array(rows, dtype=EDGE), self.code), model).by_address


@dataclass(slots=True)
class _Group:
    """Calls whose code lay at the same addresses."""

    own: range
    borders: tuple[range, ...]
    calls: int = 0
    old: CallSteps = field(default_factory=CallSteps)
    new: CallSteps = field(default_factory=CallSteps)


class CallMeter:
    """Counts calls of one function after the other.

    Args:
        replayer: makes the calls; it has made none yet.
        model: prices them.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, replayer: Replayer, model: CycleModel) -> None:
        self._replayer, self._model = replayer, model
        self._edges = replayer.count_edges()
        self._groups: list[_Group] = []
        self._toolbox = 0

    def steps(self) -> CallSteps:
        """What the call executed that was made last.

        Raises:
            TooManyEdgesError: it takes more ways than can be counted.
        """
        steps, view = CallSteps(), self._replayer.session.mac.engine.memory.view
        for previous, previous_size, address, size, count in self._edges.edges().tolist():
            if address in _ROM or address in _ENDS:
                continue  # neither a routine of a Macintosh nor one of the program lies there
            if previous in _ROM or previous in _ENDS:
                previous = previous_size = 0
            steps.edges[previous, previous_size, address, size] += count
            steps.code[address, size] = view(address, size).tobytes()
        return steps

    def add(
        self,
        old: CallSteps,
        new: CallSteps,
        own: range,
        graft: Graft,
        toolbox: int = 0,
    ) -> None:
        """Count a call that both functions have made alike.

        Args:
            old: what the old function executed.
            new: what the new one did.
            own: where the old function lies.
            graft: the new functions.
            toolbox: how many calls of the Toolbox there are in it.
        """
        self._toolbox += toolbox
        borders = tuple(
            range(symbol.address, symbol.address + symbol.size)
            for symbol in graft.program.symbols
            if symbol.address in GRAFTS and symbol.name.startswith(_BORDERS)
        )
        for group in self._groups:
            is_same = (group.own, group.borders) == (own, borders)
            if is_same and group.old.fits(old) and group.new.fits(new):
                break
        else:
            group = _Group(own, borders)
            self._groups.append(group)
        group.calls += 1
        group.old.add(old)
        group.new.add(new)

    def take(self) -> FunctionCycles | None:
        """The cycles of all calls since the last time; None if there were none.

        Raises:
            MacproofError: the model does not know an instruction.
        """
        groups, self._groups = self._groups, []
        toolbox, self._toolbox = self._toolbox, 0
        if not groups:
            return None
        old, new = (0, 0.0), (0, 0.0)
        for group in groups:
            old = _sum(old, self._old(group))
            new = _sum(new, self._new(group))
        calls = sum(group.calls for group in groups)
        return FunctionCycles(self._model.cpu, calls, toolbox, *old, *new)

    def _old(self, group: _Group) -> tuple[int, float]:
        old, new = group.old.priced(self._model), group.new.priced(self._model)
        return old_share(old, new, group.own)

    def _new(self, group: _Group) -> tuple[int, float]:
        total = (0, 0.0)
        for address, each in group.new.priced(self._model).items():
            if address in GRAFTS and not any(address in one for one in group.borders):
                total = _sum(total, each)
        return total


def old_share(
    old: Mapping[int, tuple[int, float]], new: Mapping[int, tuple[int, float]], own: range
) -> tuple[int, float]:
    """What the old function executed and the new one did not, in instructions and cycles.

    Of the old function itself it is what remains without the calls of it that the new function
    makes: where a function calls itself, the new one calls the old one, and of a call 928 cycles
    were counted in the old function and 100 in the new one.

    Args:
        old: instructions and cycles of the old function's calls, by address.
        new: the same of the new function's calls.
        own: where the old function lies.
    """
    total = (0, 0.0)
    for address, (count, cycles) in old.items():
        if address in own:
            inner, inner_cycles = new.get(address, (0, 0.0))
            total = _sum(total, (count - inner, cycles - inner_cycles))
        elif address not in new and address not in GRAFTS:
            total = _sum(total, (count, cycles))
    return total


def _sum(one: tuple[int, float], other: tuple[int, float]) -> tuple[int, float]:
    return one[0] + other[0], one[1] + other[1]
