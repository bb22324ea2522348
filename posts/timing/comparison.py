"""Compares predictions with published figures: the error, and which builds are ruled out.

The error has two parts. The *scale* is the factor by which a build is too fast or too slow at all
numbers of objects; another compiler can be the reason. The *shape error* is the error that remains
after the prediction is divided by the scale. It shows whether the time grows with the number of
objects as the published times do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from emu.cases.keys.parts import Figures
from emu.toolchain.builds import labelled
from macproof import Prediction
from posts.timing.bounds import least_cycles

CHOICE = "period"
"""The build that imitates a compiler of 1994. It was chosen for its flags, before any prediction
was compared with a figure. For which processor it is compiled is said by the figures."""

FAR = 2.0
"""A build is ruled out if the published cycles are more than this many times its modelled cycles.
All checks of the models against measured loops are far closer than this."""

RULE = (
    "A build cannot be the program that was timed if, for any number of objects, the published "
    "time is shorter than the processor needs at least for the build's instructions, or longer "
    f"than {FAR:g} times the time by the model (unless the caches were off, or the machine did "
    "something else most of the time)."
)


def chosen_build(figures: Figures) -> str:
    """The build by which published figures are judged: `CHOICE`, with whose code it is."""
    return labelled(CHOICE, figures.code.cpu if figures.code is not None else "")


@dataclass(frozen=True, slots=True)
class Spread:
    """Ratios of predicted to published speed, divided into a scale and shape errors.

    Attributes:
        ratios: predicted speed / published speed, by number of objects.
        scale: the geometric mean of the ratios.
        errors: ratio / scale - 1, by number of objects.
    """

    ratios: Mapping[int, float]
    scale: float
    errors: Mapping[int, float]

    @classmethod
    def of(cls, ratios: Mapping[int, float]) -> Spread:
        """Divide ratios, at least one, into a scale and shape errors."""
        scale = geometric_mean(ratios.values())
        return cls(ratios, scale, {size: ratio / scale - 1 for size, ratio in ratios.items()})

    @property
    def has_shape(self) -> bool:
        """Whether there are several ratios. A single one is the scale and has no shape error."""
        return len(self.ratios) > 1

    @property
    def rms(self) -> float:
        """The shape error: the root mean square of the errors."""
        return math.sqrt(sum(error**2 for error in self.errors.values()) / len(self.errors))

    @property
    def worst(self) -> float:
        """The largest absolute error."""
        return max(abs(error) for error in self.errors.values())

    @property
    def held_out(self) -> dict[int, float]:
        """The errors if the ratio with the fewest objects is the scale, without that one itself."""
        first, *rest = sorted(self.ratios)
        return {size: self.ratios[size] / self.ratios[first] - 1 for size in rest}


TOO_FEW, TOO_MANY = "too few", "too many"
"""The two ways in which the published cycles rule out a build."""


@dataclass(frozen=True, slots=True)
class ExclusionReason:
    """Why a build cannot be the program that was timed.

    Attributes:
        kind: `TOO_FEW` if the published cycles are too few for it, or `TOO_MANY`.
        objects: the number of objects for which this is so.
        left: published cycles per call / instructions of the build per call.
        limit: the smallest, or the largest, value of ``left`` that is possible.
        why: the reason for the limit, as a clause.
    """

    kind: str
    objects: int
    left: float
    limit: float
    why: str


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """A program's predicted speeds compared with the published speeds of one machine.

    Attributes:
        machine: the name of the machine.
        ratios: predicted / published speed, by number of objects.
        scale: the geometric mean of the ratios.
        shape_errors: ratio / scale - 1, by number of objects.
        shape_rms: the root mean square of the shape errors; None if there is only one number of
            objects.
        shape_worst: the largest absolute shape error; None likewise.
        errors_with_scale_of_smallest: the shape errors if the ratio with the fewest objects is the
            scale, without that one itself.
        implied_cycles_per_instruction: published cycles per call / instructions of this program.
        least_cycles_per_instruction: the fewest cycles per instruction that the processor can take.
        cannot_be: why this program cannot be the one that was timed; empty if it can be.
    """

    machine: str
    ratios: Mapping[int, float]
    scale: float
    shape_errors: Mapping[int, float]
    shape_rms: float | None
    shape_worst: float | None
    errors_with_scale_of_smallest: Mapping[int, float]
    implied_cycles_per_instruction: Mapping[int, float]
    least_cycles_per_instruction: Mapping[int, float]
    cannot_be: tuple[ExclusionReason, ...]


@dataclass(frozen=True, slots=True)
class ModelChange:
    """A prediction after one thing in the model was changed.

    Attributes:
        what: the change, in words.
        cycles: cycles after the change / before it.
        scale: the scale after the change; None if there are no published speeds.
        shape_rms: the shape error after the change, the root mean square; None if there are no
            published speeds or only one number of objects.
        shape_worst: the largest absolute shape error after the change; None likewise.
    """

    what: str
    cycles: float
    scale: float | None
    shape_rms: float | None
    shape_worst: float | None


@dataclass(frozen=True, slots=True)
class PredictedRatio:
    """The predicted speed of a build on one machine / on another machine.

    Attributes:
        build: the name of the build.
        source: the short name of its source.
        ratios: the ratio, by number of objects.
    """

    build: str
    source: str
    ratios: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class MachineRatio:
    """The ratio of the speeds of two machines.

    Attributes:
        faster: the name of the faster machine.
        slower: the name of the slower machine.
        published: published speed of the faster / of the slower, by number of objects.
        predicted: the same ratio of predicted speeds, for builds that both machines have.
    """

    faster: str
    slower: str
    published: Mapping[int, float]
    predicted: tuple[PredictedRatio, ...]


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of positive numbers, at least one."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def published_cycles(figures: Figures) -> dict[int, float]:
    """The cycles of a call that follow from published speed and clock, by number of objects."""
    return {n: figures.megahertz * 1e6 / speed for n, speed in figures.calls_per_second.items()}


def against(prediction: Prediction, figures: Figures) -> PublishedComparison | None:
    """Compare a prediction with published figures.

    Returns:
        The comparison; None if the figures are of another processor or other numbers of objects.
    """
    published = published_cycles(figures)
    sizes = {n: size for n, size in prediction.sizes.items() if n in published}
    if not sizes or figures.cpu != prediction.cpu:
        return None
    implied, least = {}, {}
    reasons = []
    for n, size in sizes.items():
        bound = least_cycles(prediction.cpu, size.mix)
        implied[n] = published[n] / size.instructions
        least[n] = bound.cycles / size.instructions
        most = FAR * size.cycles_per_instruction
        if implied[n] < least[n]:
            reasons.append(ExclusionReason(TOO_FEW, n, implied[n], least[n], bound.why))
        elif implied[n] > most:
            why = f"{FAR:g} times the cycles by the model"
            reasons.append(ExclusionReason(TOO_MANY, n, implied[n], most, why))
    spread = Spread.of({n: published[n] / size.cycles for n, size in sizes.items()})
    return PublishedComparison(
        machine=figures.machine,
        ratios=spread.ratios,
        scale=spread.scale,
        shape_errors=spread.errors,
        shape_rms=spread.rms if spread.has_shape else None,
        shape_worst=spread.worst if spread.has_shape else None,
        errors_with_scale_of_smallest=spread.held_out,
        implied_cycles_per_instruction=implied,
        least_cycles_per_instruction=least,
        cannot_be=tuple(reasons),
    )


def variations(prediction: Prediction, figures: Figures | None) -> Iterator[ModelChange]:
    """Compare each changed model's prediction with the unchanged one.

    Args:
        prediction: a prediction that was made with `emu.timing.predict.predict_programs` and
            ``varied``, so that it has the cycles of the changed models.
        figures: the published figures to compare with; None for none.
    """
    published = published_cycles(figures) if figures is not None else {}
    first = next(iter(prediction.sizes.values()))
    for what in first.varied:
        cycles = {n: size.varied[what] for n, size in prediction.sizes.items()}
        change = geometric_mean(cycles[n] / size.cycles for n, size in prediction.sizes.items())
        ratios = {n: published[n] / cycles[n] for n in cycles if n in published}
        spread = Spread.of(ratios) if ratios else None
        rms, worst = None, None
        if spread is not None and spread.has_shape:
            rms, worst = spread.rms, spread.worst
        yield ModelChange(what, change, None if spread is None else spread.scale, rms, worst)


def cross_ratios(
    predictions: Sequence[Prediction], all_figures: Sequence[Figures]
) -> Iterator[MachineRatio]:
    """Compare each pair of machines with different processors and a common number of objects."""
    for combination, other in combinations(all_figures, 2):
        common = [n for n in combination.calls_per_second if n in other.calls_per_second]
        if combination.cpu == other.cpu or not common:
            continue
        slower, faster = sorted(
            (combination, other),
            key=lambda figures: geometric_mean(figures.calls_per_second[n] for n in common),
        )
        fast = _by_build(predictions, faster.cpu)
        slow = _by_build(predictions, slower.cpu)
        chosen = (chosen_build(faster), chosen_build(slower))
        predicted = tuple(
            PredictedRatio(
                max(build, other, key=len),
                source,
                {
                    n: quick.sizes[n].per_second(faster.megahertz)
                    / late.sizes[n].per_second(slower.megahertz)
                    for n in quick.sizes
                },
            )
            for (build, source), quick in fast.items()
            for (other, its_source), late in slow.items()
            if source == its_source and (build == other or (build, other) == chosen)
        )
        published = {n: faster.calls_per_second[n] / slower.calls_per_second[n] for n in common}
        yield MachineRatio(faster.machine, slower.machine, published, predicted)


def _by_build(predictions: Iterable[Prediction], cpu: str) -> dict[tuple[str, str], Prediction]:
    return {(p.build, p.program.source): p for p in predictions if p.cpu == cpu}
