"""Tables of the speeds that compilers predict which were measured on other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.cycles.validation.compiler_pairs import CompilerFactor
from emu.report.document import Section, Table
from emu.report.plots.numbers import significant
from posts.timing.compilers.prediction import CompilerPrediction

NOTE = (
    "This prediction came after the older one had missed, so it is no prediction made blindly; but "
    "none of its numbers was set by these figures. The interval is two standard deviations, "
    "between programs and between functions, for one routine of an unknown compiler."
)


def sections(predictions: Sequence[CompilerPrediction]) -> Iterator[Section]:
    """A table for each machine, beside its published speeds."""
    for one in predictions:
        title = f"{one.machine}: predicted by compilers that were measured"
        if one.compilers is None:
            yield Section(title, ("Nothing: no program for this processor was measured.",))
            continue
        sizes = tuple(one.per_second)
        rows = [
            (one.machine, *(significant(one.published[n]) for n in sizes)),
            ("predicted", *(significant(one.per_second[n]) for n in sizes)),
            ("predicted over published", *(f"{one.ratios[n]:.2f}" for n in sizes)),
        ]
        if one.interval is not None:
            bounds = (_bounds(one.per_second[n], one.interval) for n in sizes)
            rows.insert(2, ("interval", *bounds))
        table = Table(("", *map(str, sizes)), tuple(rows))
        yield Section(title, (_basis(one, one.compilers), table))


def _bounds(speed: float, interval: float) -> str:
    return f"{significant(speed / interval)} to {significant(speed * interval)}"


def _basis(one: CompilerPrediction, factor: CompilerFactor) -> str:
    bias = (
        f"{one.bias:.2f}, by which the model is too fast on {one.times} published times"
        if one.times
        else "nothing else, as no published time of such a processor is known"
    )
    return (
        f"The speeds of {one.build} divided by {factor.mean:.2f}, the geometric mean of "
        f"{factor.programs} other programs with {factor.functions} functions whose compilers were "
        f"measured, and by {bias}. {NOTE}"
    )
