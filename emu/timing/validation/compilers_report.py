"""The report of compilers that were measured on pairs of binary and source, and its document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.cycles.validation.compiler_pairs import (
    CompilerFactor,
    CompilerPair,
    CompilerPairs,
    factor_of,
)
from emu.report.document import Document, Points, Section, Table
from emu.report.plots.numbers import ABSENT

SCHEMA = "macproof.measured-compilers/1"
NOTE = (
    "The binary of a program of 1993 to 1995 and the build period of its own source ran on the "
    "same recorded calls, and left the same. Both were priced by one cycle model. A ratio is the "
    "old code's cycles over those of period: above 1, the compiler of the time made slower code."
)


@dataclass(frozen=True, slots=True)
class PairSummary:
    """What one pair says.

    Attributes:
        pair: its figures.
        calls: how many calls were counted.
        ratio: the geometric mean of its functions' ratios.
        spread: by what factor functions lie around it.
        slope: old cycles for each cycle of `period`, apart from those of each call.
        per_call: old cycles for each call beyond that.
    """

    pair: CompilerPair
    calls: int
    ratio: float
    spread: float
    slope: float
    per_call: float


@dataclass(frozen=True, slots=True)
class CompilersReport:
    """Compilers of the time, measured.

    Attributes:
        note: how the figures came about.
        rule: how programs and functions were chosen.
        measured: the day.
        version: the version of macproof.
        factors: for each processor, what its pairs say together.
        pairs: the pairs.
        missing: what the rule asks for and is not there.
        command: the command line, one string for each word.
    """

    note: str
    rule: str
    measured: str
    version: str
    factors: Sequence[CompilerFactor]
    pairs: Sequence[PairSummary]
    missing: Sequence[str]
    command: Sequence[str]


def compilers_report(known: CompilerPairs, command: Sequence[str] = ()) -> CompilersReport:
    """Make the report."""
    cpus = dict.fromkeys(pair.cpu for pair in known.pairs)
    factors = (factor_of(known.pairs, cpu) for cpu in cpus)
    return CompilersReport(
        NOTE,
        known.rule,
        known.measured,
        known.version,
        tuple(factor for factor in factors if factor is not None),
        tuple(map(_summary, known.pairs)),
        known.missing,
        tuple(command),
    )


def _summary(pair: CompilerPair) -> PairSummary:
    calls = sum(one.calls for one in pair.functions)
    return PairSummary(pair, calls, pair.ratio, pair.spread, *pair.per_call)


def compilers_document(report: CompilersReport) -> Document:
    """The report as a document."""
    functions = sum(len(one.pair.functions) for one in report.pairs)
    return Document(
        title=f"Compilers of the time: pairs measured {len(report.pairs)}, functions {functions}",
        lead=(report.note,),
        sections=tuple(_sections(report)),
        closing=(f"Measured on {report.measured} with macproof {report.version}.",),
        data=report,
        schema=SCHEMA,
    )


def _sections(report: CompilersReport) -> Iterator[Section]:
    columns = ("pair", "CPU", "functions", "calls", "ratio", "spread", "slope", "each call")
    rows = tuple(
        (
            f"{one.pair.program}, {one.pair.compiler}",
            one.pair.cpu,
            str(len(one.pair.functions)),
            f"{one.calls:,}",
            f"{one.ratio:.2f}",
            f"x/÷ {one.spread:.2f}",
            f"{one.slope:.2f}",
            f"{one.per_call:+.1f}",
        )
        for one in report.pairs
    )
    text = (
        "Slope and each call are of the line that fits the functions best: old = slope x period + "
        "cycles for each call."
    )
    yield Section("Old cycles over those of period", (Table(columns, rows, 2), text))
    factors = tuple(
        (
            one.cpu,
            str(one.programs),
            str(one.functions),
            f"{one.mean:.2f}",
            _factor(one.between),
            _factor(one.within),
            _factor(one.interval),
        )
        for one in report.factors
    )
    heads = ("CPU", "pairs", "functions", "mean", "between pairs", "within", "one routine")
    yield Section("By processor", (Table(heads, factors),))
    yield Section("How they were chosen", (report.rule,))
    if report.missing:
        yield Section("What is missing", (Points(tuple(report.missing)),))
    for one in report.pairs:
        yield _functions(one.pair)


def _factor(factor: float | None) -> str:
    return ABSENT if factor is None else f"x/÷ {factor:.2f}"


def _functions(pair: CompilerPair) -> Section:
    rows = tuple(
        (one.name, f"{one.calls:,}", f"{one.old:,.1f}", f"{one.new:,.1f}", f"{one.ratio:.2f}")
        for one in pair.functions
    )
    table = Table(("function", "calls", "old", "period", "ratio"), rows)
    title = f"{pair.program}, {pair.compiler}: cycles of a call on a {pair.cpu}"
    return Section(title, (f"From {pair.source}.", table), is_detail=True)
