"""A prediction of published speeds by compilers that were measured on other programs.

The build `period` is made by a compiler of today. What compilers of the time made of other sources
was measured beside it, and how far the cycle model is off was measured on published times of exact
binaries. Both divide the speed of `period`. Neither uses a figure that is predicted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from emu.cases.keys.parts import Figures
from emu.cycles.validation.compiler_pairs import CompilerFactor, compiler_pairs, factor_of
from emu.cycles.validation.published_times import (
    PublishedTime,
    published_programs,
    published_times,
    summary_of,
)
from posts.timing.comparison import PublishedComparison, chosen_build


@dataclass(frozen=True, slots=True)
class CompilerPrediction:
    """The speeds of a published machine by compilers that were measured.

    Attributes:
        machine: the machine.
        build: the build whose speed is divided.
        compilers: how much slower code of the time is than `period`; None if no pair of old and
            new code for this processor was measured. Then nothing is predicted.
        bias: how much faster the model is than real machines; 1 if no time is known.
        times: how many published times that rests on.
        per_second: calls in a second, by number of objects.
        published: those that were published.
        interval: by what factor one routine lies around the prediction; None if a single program
            tells nothing of that.
    """

    machine: str
    build: str
    compilers: CompilerFactor | None
    bias: float
    times: int
    per_second: Mapping[int, float]
    published: Mapping[int, float]
    interval: float | None

    @property
    def ratios(self) -> dict[int, float]:
        """Predicted over published speed, by number of objects."""
        return {n: speed / self.published[n] for n, speed in self.per_second.items()}


def predict_by_compilers(
    compared: Iterable[tuple[Figures, PublishedComparison]],
) -> Iterator[CompilerPrediction]:
    """Predict published speeds.

    Args:
        compared: the chosen build of each machine, compared with its figures.
    """
    for figures, comparison in compared:
        factor = factor_of(compiler_pairs().pairs, figures.cpu)
        times = _times_of(figures.cpu)
        bias = summary_of(times).mean if times else 1.0
        published = {n: figures.calls_per_second[n] for n in comparison.ratios}
        ratios = comparison.ratios if factor is not None else {}
        slower = factor.mean * bias if factor is not None else bias
        yield CompilerPrediction(
            figures.machine,
            chosen_build(figures),
            factor,
            bias,
            len(times),
            {n: ratio * published[n] / slower for n, ratio in ratios.items()},
            published,
            factor.interval if factor is not None else None,
        )


def _times_of(cpu: str) -> list[PublishedTime]:
    programs, times = published_programs(), published_times().times
    return [time for key, each in times.items() if programs[key].cpu == cpu for time in each]
