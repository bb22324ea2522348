"""Proves or refutes one program of a case, for all inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import z3

from emu.lift.decoder import Decoder
from emu.prove.calls.answers import holds
from emu.prove.calls.differences import PathDifferences, SpecificationChange
from emu.prove.calls.entry import Entry
from emu.prove.calls.inputs import Inputs, InputSymbol
from emu.prove.numbers.solving import Assumptions
from emu.prove.paths.explorer import Explorer
from emu.prove.paths.state import Path, PathEnding
from emu.verify.batches.bench import Bench

_MOST_SIMPLER = 32
"""So many numbers of a counterexample are made the usual ones, if they can be."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """Inputs with which something seems wrong; Unicorn has not been asked yet.

    Attributes:
        model: the inputs.
        why: what is wrong, as a clause.
    """

    model: z3.ModelRef
    why: str


@dataclass(frozen=True, slots=True)
class RoutinePaths:
    """A routine with all of its paths.

    Attributes:
        entry: the call.
        paths: the paths.
        executed: how many different instructions they have.
    """

    entry: Entry
    paths: Sequence[Path]
    executed: int

    @classmethod
    def of(cls, entry: Entry, inputs: Inputs, most_rounds: int) -> RoutinePaths:
        """Execute a call along all of its paths.

        Raises:
            UndecidedError: there are too many, or z3 does not decide which are possible.
        """
        machine = entry.bench.machine
        decoder = Decoder(machine.cpu, _fetch(entry.bench))
        where = lambda address: str(machine.program.locate(address))  # noqa: E731
        areas = entry.areas(inputs)
        explorer = Explorer(decoder, areas, inputs.assumptions, most_rounds, where)
        paths = explorer.paths(entry.state, entry.until)
        return cls(entry, paths, len(explorer.executed))


def _fetch(bench: Bench) -> Callable[[int, int], bytes]:
    """Reads code of a program."""
    memory = bench.machine.memory
    code = [region for region in memory.regions if region.executable]

    def fetch(address: int, size: int) -> bytes:
        for region in code:
            if address in region:
                return bytes(memory.view(address, min(size, region.end - address)))
        return b""

    return fetch


@dataclass(slots=True)
class Question:
    """Whether a routine is right.

    Attributes:
        inputs: the inputs.
        explored: the routine.
        differences: compares its paths with what is right.
        wrong: for each path that returns, the inputs with which it is wrong.
    """

    inputs: Inputs
    explored: RoutinePaths
    differences: PathDifferences
    wrong: list[z3.BoolRef] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wrong = [self._wrong(path) for path in self._returned]

    @property
    def _returned(self) -> list[Path]:
        return [path for path in self.explored.paths if path.ending is PathEnding.RETURNED]

    def _wrong(self, path: Path, change: SpecificationChange | None = None) -> z3.BoolRef:
        return z3.And(holds(path.state.conditions), self.differences.of(path.state, change))

    def suspects(self, assumptions: Assumptions) -> Iterator[Suspect]:
        """Inputs with which it is wrong, or uses memory that it must not; one for each path.

        Raises:
            UndecidedError: z3 does not decide it in time.
        """
        answered = self.differences.is_answered()
        for path in self.explored.paths:
            if path.ending is PathEnding.WILD:
                model = assumptions.model(answered, *path.state.conditions)
                if model is not None:
                    yield Suspect(model, path.why)
        for wrong in self.wrong:
            model = assumptions.model(wrong)
            if model is not None:
                yield Suspect(self._simpler(assumptions, wrong, model), "it leaves a wrong value")

    def _simpler(
        self, assumptions: Assumptions, wrong: z3.BoolRef, model: z3.ModelRef
    ) -> z3.ModelRef:
        """Inputs that are wrong too, with as many usual values as possible."""
        kept = [wrong]
        for symbol in self.inputs.symbols[:_MOST_SIMPLER]:
            for value in (symbol.usual, 0):
                is_usual = symbol.term == value
                better = assumptions.model(*kept, is_usual)
                if better is not None:
                    kept, model = [*kept, is_usual], better
                    break
        return model

    def why_unknown(self, assumptions: Assumptions) -> str:
        """Why nothing is proved: the first path that has no end; "" if all have.

        Raises:
            UndecidedError: z3 does not decide it in time.
        """
        answered = self.differences.is_answered()
        for path in self.explored.paths:
            is_unknown = path.ending in (PathEnding.LEFT, PathEnding.ENDLESS)
            if is_unknown and assumptions.allow(answered, *path.state.conditions):
                return path.why
        return ""

    def is_right(self, bounds: Sequence[z3.BoolRef]) -> bool:
        """Whether it is right for all inputs within bounds.

        Raises:
            UndecidedError: z3 does not decide it in time.
        """
        assumptions = self.inputs.assumptions.and_also(*bounds)
        return not self.why_unknown(assumptions) and next(self._faults(assumptions), None) is None

    def _faults(self, assumptions: Assumptions) -> Iterator[bool]:
        answered = self.differences.is_answered()
        for path in self.explored.paths:
            if path.ending is PathEnding.WILD and assumptions.allow(
                answered, *path.state.conditions
            ):
                yield True
        for wrong in self.wrong:
            if assumptions.model(wrong) is not None:
                yield True

    # -- controls ------------------------------------------------------------------------------

    def uncovered(self) -> z3.ModelRef | None:
        """Inputs that no path takes; None if the paths cover all."""
        paths = [holds(path.state.conditions) for path in self.explored.paths]
        return self.inputs.assumptions.model(z3.Not(z3.Or(False, *paths)))

    def refuted_when_changed(self) -> str:
        """Turn one bit of the specification round for one input alone, and see it refuted.

        Returns:
            What was changed, as a clause; "" if nothing was refuted.
        """
        model = self.inputs.assumptions.model(self.differences.is_answered())
        place = next(self.differences.places(), None)
        if model is None or place is None:
            return ""
        only = z3.And(
            True,
            *(symbol.term == model.eval(symbol.term, True) for symbol in self.inputs.symbols),
        )
        change = SpecificationChange(place, only)
        for path in self._returned:
            found = self.inputs.assumptions.model(self._wrong(path, change))
            if found is not None and _same(self.inputs.symbols, found, model):
                name, index = place
                where = name + "".join(f"[{n}]" for n in index)
                return f"the lowest bit of {where} for {in_words(self.inputs, model)} alone"
        return ""


def _same(symbols: Sequence[InputSymbol], one: z3.ModelRef, other: z3.ModelRef) -> bool:
    return all(symbol.value_in(one) == symbol.value_in(other) for symbol in symbols)


def in_words(inputs: Inputs, model: z3.ModelRef, most: int = 8) -> str:
    """The inputs of a model: "x = 3, y[0] = -1"."""
    words = [f"{symbol.name} = {symbol.value_in(model)}" for symbol in inputs.symbols[:most]]
    more = len(inputs.symbols) - most
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")
