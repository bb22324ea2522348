"""What a report tells of executed lines and branches: a table, sentences, and annotated sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from emu.base.printable import one_line
from emu.cases.programs.source_texts import SourceTexts
from emu.checks.coverage import CoveredBranch, CoveredFile
from emu.report.document import Listing, ListingLine, Points, Section, Table
from emu.verify.report.report import ProgramResult, VerifyReport
from emu.verify.runs.coverage import never_executed, one_way_only, places_words
from emu.verify.runs.unreached_code import UnreachedCode

_RANGES_TOLD = 200  # characters

Covered = Sequence[tuple[ProgramResult, Sequence[CoveredFile]]]
"""Results, each with what its program has executed of each file."""


def covered_of(report: VerifyReport) -> Covered:
    """The results of a report with coverage."""
    return [(result, result.coverage) for result in report.results if result.coverage is not None]


def coverage_caveat(unreached: UnreachedCode | None) -> str:
    """The lines that no scene has led to, as a clause; "" if there are none, or nobody knows."""
    words = _unreached_words(unreached)
    return f"not executed on any scene: {words}" if words else ""


def unreached_sentences(unreached: UnreachedCode | None) -> Iterator[str]:
    """Which lines no scene has led to, and of which programs that is not known."""
    if unreached is None:
        yield "Which lines were never executed is not known: the engine does not tell."
        return
    if unreached.programs:
        words = _unreached_words(unreached)
        where = f"in {', '.join(unreached.programs)}"
        yield (
            f"Not executed on any scene, {where}: {words}."
            if words
            else f"Every line with code was executed, {where}."
        )
    if unreached.without_lines:
        names = ", ".join(unreached.without_lines)
        yield f"Which lines of {names} were never executed is not known: no line information."
    if unreached.shares:
        shares = (
            f"{s.executed:,} of {s.total:,} {s.unit} of {s.program}" for s in unreached.shares
        )
        yield f"Executed: {', '.join(shares)}."


def _unreached_words(unreached: UnreachedCode | None) -> str:
    if unreached is None:
        return ""
    return _cut(places_words({file.file: file.lines for file in unreached.files}))


def coverage_section(report: VerifyReport) -> Iterator[Section]:
    """How many lines and ways of branches each program has executed, and which it has not."""
    covered = covered_of(report)
    if not covered:
        return
    parts = Table(("CPU", "build", "lines", "ways of branches"), tuple(_rows(covered)), words=2)
    yield Section("Coverage", (parts, Points(tuple(_sentences(covered)))))


def _rows(covered: Covered) -> Iterator[tuple[str, ...]]:
    for result, files in covered:
        lines = [line for file in files for line in file.lines]
        branches = [branch for file in files for branch in file.branches]
        executed = f"{sum(line.count > 0 for line in lines):,} of {len(lines):,}"
        ways = f"{sum(branch.ways for branch in branches):,} of {2 * len(branches):,}"
        yield result.cpu, result.build, executed, ways


def _sentences(covered: Covered) -> Iterator[str]:
    without = [result.name for result, files in covered if not files]
    if without:
        yield f"{', '.join(without)}: the program has no line information."
    by_words: dict[str, list[str]] = {}
    for result, files in covered:
        for clause, places in (
            ("lines not executed", never_executed([files])),
            ("conditions that always came out the same", one_way_only(files)),
        ):
            if places:
                by_words.setdefault(f"{clause}: {places_words(places)}", []).append(result.name)
    for words, names in by_words.items():
        yield f"{', '.join(names)}: {words}."
    if not by_words and len(without) < len(covered):
        yield "Every line was executed, and every condition came out both ways."


def _cut(words: str) -> str:
    return (
        words if len(words) <= _RANGES_TOLD else f"{words[:_RANGES_TOLD].rpartition(',')[0]}, ..."
    )


def annotated_sources(report: VerifyReport, texts: SourceTexts) -> Iterator[Section]:
    """Each source file with what every program has executed of its lines.

    Args:
        report: the report.
        texts: the text of its sources.
    """
    covered = covered_of(report)
    names = dict.fromkeys(file.file for _, files in covered for file in files)
    for index, name in enumerate(names):
        if name in texts.lines:
            listing = _listing(index, name, texts.lines[name], covered)
            yield Section(f"Coverage of {one_line(name)}", (listing, _READING), is_detail=True)
        else:
            yield Section(f"Coverage of {one_line(name)}", (f"Not shown: {texts.missing[name]}.",))


_READING = (
    "The columns beside the source: executed is how often the most frequent instruction of the "
    "line was executed. It is 0 if the line has code that was not executed, and empty if the line "
    "has no code. Ways is how many of the two ways of the line's conditional jumps were gone."
)


def _listing(index: int, name: str, lines: Sequence[str], covered: Covered) -> Listing:
    figures_of = [_Figures(file for file in files if file.file == name) for _, files in covered]
    return Listing(
        name=f"coverage-{index}",
        groups=tuple(result.name for result, _ in covered),
        columns=("executed", "ways"),
        heading="source",
        lines=tuple(
            ListingLine(text, tuple(figures.of(number) for figures in figures_of))
            for number, text in enumerate(lines, 1)
        ),
        quiet="no code in the program",
    )


class _Figures:
    """The figures of one program beside the lines of a file."""

    def __init__(self, files: Iterable[CoveredFile]) -> None:
        self._counts: dict[int, int] = {}
        self._branches: Mapping[int, list[CoveredBranch]] = {}
        for file in files:
            self._counts = {line.line: line.count for line in file.lines}
            self._branches = {line: [] for line in self._counts}
            for branch in file.branches:
                self._branches[branch.line].append(branch)

    def of(self, line: int) -> tuple[str, ...]:
        """How often a line was executed, and the ways of its branches."""
        count = self._counts.get(line)
        if count is None:
            return ()
        branches = self._branches[line]
        ways = f"{sum(branch.ways for branch in branches)}/{2 * len(branches)}" if branches else ""
        return f"{count:,}", ways
