"""Adds up what the programs of a report have executed, and finds where their sources are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from emu.cases.programs.selection import Selection
from emu.cases.programs.source_texts import SourceTexts, source_texts
from emu.cases.programs.sources import source_tree
from emu.checks.coverage import CoveredFile, coverage_of, executed_bytes
from emu.engines.registry import engine_of
from emu.machine.code_coverage.executed_edges import Edge
from emu.toolchain.sources import mac_sources
from emu.verify.runs.unreached_code import (
    BYTES,
    LINES,
    ExecutedShare,
    UnreachedCode,
    UnreachedLines,
)
from emu.verify.runs.verdicts import Result


def covered_files(sources: Sequence[str], result: Result) -> tuple[CoveredFile, ...] | None:
    """The lines and branches that a program has executed, by source file; None if not recorded.

    Files of macproof's own C library are left out.
    """
    if result.edges is None or not engine_of(result.subject.engine).abilities.counts:
        return None
    own = {Path(name).name for name in sources}
    library = {path.name for path in (mac_sources() / "runtime").rglob("*.*")}
    return coverage_of(result.subject.read(), result.edges, library - own)


def unreached_lines(sources: Sequence[str], results: Sequence[Result]) -> UnreachedCode | None:
    """The lines with code that no call has reached, of the blocks that the engine translated.

    One build of each processor is looked at, its first: all programs run on the same scenes, and a
    compiler does not change which lines of the source a scene reaches.

    Args:
        sources: the names of the case's source files.
        results: the results of its programs.

    Returns:
        None if no engine tells what was executed.
    """
    first = {
        result.subject.cpu: result for result in reversed(results) if result.reached is not None
    }
    looked_at = [result for result in results if result in first.values()]
    if not looked_at:
        return None
    covered: list[tuple[str, Sequence[CoveredFile]]] = []
    without: list[tuple[str, Sequence[CoveredFile]]] = []
    shares = []
    for result in looked_at:
        edges = {(0, 0, *block): 1 for block in result.reached or ()}
        files = covered_files(sources, replace(result, edges=edges)) or ()
        name = f"{result.subject.cpu} {result.subject.build}"
        (covered if files else without).append((name, files))
        shares.append(_share(name, result, edges, files))
    return UnreachedCode(
        tuple(name for name, _ in covered),
        tuple(name for name, _ in without),
        tuple(
            UnreachedLines(file, tuple(lines))
            for file, lines in never_executed(files for _, files in covered).items()
        ),
        tuple(share for share in shares if share.total),
    )


def _share(
    name: str, result: Result, edges: Mapping[Edge, int], files: Sequence[CoveredFile]
) -> ExecutedShare:
    lines = [line for file in files for line in file.lines]
    if lines:
        return ExecutedShare(name, sum(line.count > 0 for line in lines), len(lines), LINES)
    return ExecutedShare(name, *executed_bytes(result.subject.read(), edges), BYTES)


def never_executed(covered: Iterable[Sequence[CoveredFile]]) -> dict[str, list[int]]:
    """The lines with code that none of several programs has executed, by file."""
    counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for files in covered:
        for file in files:
            for line in file.lines:
                so_far = counts[file.file].get(line.line, 0)
                counts[file.file][line.line] = so_far + line.count
    left = {
        file: sorted(number for number, count in lines.items() if not count)
        for file, lines in sorted(counts.items())
    }
    return {file: numbers for file, numbers in left.items() if numbers}


def one_way_only(files: Iterable[CoveredFile]) -> dict[str, list[int]]:
    """The lines with a conditional jump that was reached and went only one way, by file."""
    lines = {
        file.file: sorted({branch.line for branch in file.branches if branch.ways == 1})
        for file in files
    }
    return {file: numbers for file, numbers in lines.items() if numbers}


def places_words(places: Mapping[str, Sequence[int]]) -> str:
    """Lines of files in words: "four_shifts.cpp:41, 57-59; grid.h:7"."""
    return "; ".join(f"{file}:{', '.join(_ranges(numbers))}" for file, numbers in places.items())


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    first = last = None
    for number in [*numbers, None]:
        if last is not None and number == last + 1:
            last = number
            continue
        if first is not None:
            yield str(first) if first == last else f"{first}-{last}"
        first = last = number


def texts_of(selection: Selection, covered: Iterable[Sequence[CoveredFile]]) -> SourceTexts:
    """The text of the files of which programs have code; none if no sources were compiled.

    Raises:
        CompileError: a file cannot be read.
    """
    case = selection.case
    last: dict[str, int] = {}
    for files in covered:
        for file in files:
            last[file.file] = max(last.get(file.file, 0), file.lines[-1].line)
    if not case.units or selection.given:
        why = "the program was given, and nobody knows from which sources it was made"
        return SourceTexts({}, dict.fromkeys(last, why))
    return source_texts(source_tree(case, selection.source), last)


def path_of_source(selection: Selection, file: str) -> Path:
    """Where a source file is; its name alone if that is not known."""
    case = selection.case
    if not case.units or selection.given:
        return Path(file)
    tree = source_tree(case, selection.source)
    paths = [path for path in tree.sources if path.name == file]
    paths += [folder / file for folder in (*tree.folders, *tree.include)]
    return next((path.resolve() for path in paths if path.is_file()), Path(file))
