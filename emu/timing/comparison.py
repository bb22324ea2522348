"""Predictions beside published figures: how far off, in what way, and what cannot be meant.

Two things are kept apart. The *scale* is the one factor by which a build is too fast or too slow
at all sizes; an unknown compiler can make one. The *shape error* is what is left when the scale
is taken out; it says whether the work grows with the number of objects as it did.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from emu.cases.case import Figures
from emu.timing.bounds import least_cycles
from emu.timing.predict import Prediction

CHOICE = "period"
"""The build that stands for a compiler of the time. It was fixed by its flags, which say what such
compilers did, before any prediction was compared with a figure."""

FAR = 2.0
"""How many times the modelled cycles of a build may be those of the figures before the build is
said to be another than what was timed. None of the checks of the models is as far off."""

RULE = (
    "A build cannot be what was timed if, at any size, the figures leave it fewer cycles than the "
    "processor needs at the very least for so many instructions, or more than "
    f"{FAR:g} times the cycles that the model gives it (unless the caches were off, or the "
    "machine did something else most of the time)."
)


@dataclass(frozen=True, slots=True)
class Spread:
    """Ratios of predictions to what they are compared with, as one scale and what is left.

    Attributes:
        ratios: predicted over published, by number of objects.
        scale: their geometric mean.
        errors: each ratio over the scale, less 1.
    """

    ratios: Mapping[int, float]
    scale: float
    errors: Mapping[int, float]

    @classmethod
    def of(cls, ratios: Mapping[int, float]) -> Spread:
        """The spread of some ratios, at least one."""
        scale = geometric_mean(ratios.values())
        return cls(ratios, scale, {size: ratio / scale - 1 for size, ratio in ratios.items()})

    @property
    def has_shape(self) -> bool:
        """Whether there is anything to be in error: a single ratio is its own scale."""
        return len(self.ratios) > 1

    @property
    def rms(self) -> float:
        """The shape error: root of the mean square of the errors."""
        return math.sqrt(sum(error**2 for error in self.errors.values()) / len(self.errors))

    @property
    def worst(self) -> float:
        """The largest error, without its sign."""
        return max(abs(error) for error in self.errors.values())

    @property
    def held_out(self) -> dict[int, float]:
        """The errors at all sizes but the smallest, with the scale taken from that one alone."""
        first, *rest = sorted(self.ratios)
        return {size: self.ratios[size] / self.ratios[first] - 1 for size in rest}


TOO_FEW, TOO_MANY = "too few", "too many"
"""How the cycles that figures leave a build rule it out."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a build cannot be what was timed, at one size.

    Attributes:
        kind: `TOO_FEW`, if the figures leave it too few cycles, or `TOO_MANY`.
        objects: the size.
        left: cycles for an instruction that the figures leave it.
        limit: the least or the most that it could be.
        why: what makes the limit, as a clause.
    """

    kind: str
    objects: int
    left: float
    limit: float
    why: str


@dataclass(frozen=True, slots=True)
class AgainstFigures:
    """One prediction and one machine's published figures.

    Attributes:
        figures: the published ones.
        spread: of predicted over published speed.
        implied: cycles for an instruction that the figures leave the build, by number of objects.
        least: the fewest that the processor can do with.
        modelled: those of the model.
        reasons: why the build cannot be what was timed; empty if it can.
    """

    figures: Figures
    spread: Spread
    implied: Mapping[int, float]
    least: Mapping[int, float]
    modelled: Mapping[int, float]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Variation:
    """What becomes of a prediction if one thing in the model is changed.

    Attributes:
        what: the change, in words.
        cycles: the cycles then, over those before: the geometric mean over the sizes.
        spread: against the figures; None without any.
    """

    what: str
    cycles: float
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class CrossRatio:
    """How much faster one machine is than another, by build.

    Attributes:
        faster: the machine above, and below the line.
        slower: the other.
        published: the ratio of the published figures, by number of objects.
        predicted: that of predictions, by build and source, for builds that both machines have.
    """

    faster: str
    slower: str
    published: Mapping[int, float]
    predicted: Mapping[tuple[str, str], Mapping[int, float]]


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of positive numbers, at least one."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def published_cycles(figures: Figures) -> dict[int, float]:
    """Cycles of a call that figures stand for, by number of objects."""
    return {n: figures.megahertz * 1e6 / speed for n, speed in figures.calls_per_second.items()}


def against(prediction: Prediction, figures: Figures) -> AgainstFigures | None:
    """Compare a prediction with figures of its processor; None if they have no size in common."""
    published = published_cycles(figures)
    sizes = {n: size for n, size in prediction.sizes.items() if n in published}
    if not sizes or figures.cpu != prediction.cpu:
        return None
    implied, least, modelled = {}, {}, {}
    reasons = []
    for n, size in sizes.items():
        bound = least_cycles(prediction.cpu, size.mix)
        implied[n] = published[n] / size.instructions
        least[n] = bound.cycles / size.instructions
        modelled[n] = size.cycles_per_instruction
        if implied[n] < least[n]:
            reasons.append(Reason(TOO_FEW, n, implied[n], least[n], bound.why))
        elif implied[n] > FAR * modelled[n]:
            why = f"{FAR:g} times what the model gives it"
            reasons.append(Reason(TOO_MANY, n, implied[n], FAR * modelled[n], why))
    ratios = {n: published[n] / size.cycles for n, size in sizes.items()}
    return AgainstFigures(figures, Spread.of(ratios), implied, least, modelled, tuple(reasons))


def variations(prediction: Prediction, figures: Figures | None) -> Iterator[Variation]:
    """What each change of the model does to a prediction that was priced with the changes too."""
    published = published_cycles(figures) if figures is not None else {}
    first = next(iter(prediction.sizes.values()))
    for what in first.varied:
        cycles = {n: size.varied[what] for n, size in prediction.sizes.items()}
        change = geometric_mean(cycles[n] / size.cycles for n, size in prediction.sizes.items())
        ratios = {n: published[n] / cycles[n] for n in cycles if n in published}
        yield Variation(what, change, Spread.of(ratios) if ratios else None)


def cross_ratios(
    predictions: Sequence[Prediction], all_figures: Sequence[Figures]
) -> Iterator[CrossRatio]:
    """How much faster each machine is than each slower one with another processor."""
    for one, other in combinations(all_figures, 2):
        common = [n for n in one.calls_per_second if n in other.calls_per_second]
        if one.cpu == other.cpu or not common:
            continue
        slower, faster = sorted(
            (one, other),
            key=lambda figures: geometric_mean(figures.calls_per_second[n] for n in common),
        )
        fast = _by_build(predictions, faster.cpu)
        slow = _by_build(predictions, slower.cpu)
        predicted = {
            key: {
                n: fast[key].sizes[n].per_second(faster.megahertz)
                / slow[key].sizes[n].per_second(slower.megahertz)
                for n in fast[key].sizes
            }
            for key in fast
            if key in slow
        }
        published = {n: faster.calls_per_second[n] / slower.calls_per_second[n] for n in common}
        yield CrossRatio(faster.machine, slower.machine, published, predicted)


def _by_build(predictions: Iterable[Prediction], cpu: str) -> dict[tuple[str, str], Prediction]:
    return {(p.build, p.program.source): p for p in predictions if p.cpu == cpu}
