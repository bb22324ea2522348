"""The places that are proposed, as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from emu.port.match.answer import (
    CERTAIN,
    MARKED,
    NAMED,
    NONE,
    SCHEMA,
    UNCERTAIN,
    MatchReport,
    Proposal,
)
from emu.port.model import FUNCTION, GLOBAL, LIBRARY
from emu.report.document import Document, Part, Points, Section, Table

_TITLES = {FUNCTION: "Functions", GLOBAL: "Globals", LIBRARY: "Routines of the Toolbox"}
_ORDER = (MARKED, NAMED, CERTAIN, UNCERTAIN, NONE)


def match_document(report: MatchReport) -> Document:
    """Make the document of what was proposed."""
    return Document(
        title=f"Places in {report.original}",
        name=report.original,
        sections=tuple(_sections(report)),
        lead=tuple(_lead(report)),
        closing=tuple(_closing(report)),
        seconds=report.seconds,
        data=report,
        schema=SCHEMA,
    )


def _lead(report: MatchReport) -> Iterator[str]:
    yield f"{report.functions_of_original:,} functions were found in the original."
    for kind, title in _TITLES.items():
        counts = Counter(one.certainty for one in report.proposals if one.kind == kind)
        words = [f"{counts[word]:,} {_words(word)}" for word in _ORDER if counts[word]]
        if kind != LIBRARY:
            yield f"{title} of the sources: {', '.join(words) or 'none'}."
        elif words:
            yield f"{title} for which the original has code of its own: {', '.join(words)}."


def _words(certainty: str) -> str:
    return {MARKED: "with a mark", NAMED: "by name", NONE: "without a place"}.get(
        certainty, certainty
    )


def _sections(report: MatchReport) -> Iterator[Section]:
    problems = {
        "Marks that the rest speaks against": report.contradictions,
        "Sources that were not compiled, and are left out": report.not_compiled,
        "Marks that were not written": report.not_written,
    }
    for title, sentences in problems.items():
        if sentences:
            yield Section(title, (Points(sentences),))
    for kind, title in _TITLES.items():
        own = [one for one in report.proposals if one.kind == kind]
        doubtful = [one for one in own if one.certainty == UNCERTAIN]
        if doubtful:
            yield Section(f"{title} that are not certain", (_doubts(doubtful),))
        without = [one for one in own if one.certainty == NONE]
        if without:
            yield Section(f"{title} without a place", (_absent(without),))
        sure = [one for one in own if one.certainty in (MARKED, NAMED, CERTAIN)]
        if sure:
            yield Section(title, (_table(sure),), is_folded=len(sure) > 200)


def _table(proposals: list[Proposal]) -> Part:
    rows = tuple(
        (one.name, one.place, _source(one), one.certainty, *_numbers(one)) for one in proposals
    )
    return Table(("name", "place", "source", "by", "for it", "next"), rows, words=4)


def _doubts(proposals: list[Proposal]) -> Part:
    rows = tuple(
        (one.name, one.place, one.next_place, f"{_source(one)}: {one.reason}", *_numbers(one))
        for one in proposals
    )
    return Table(("name", "place", "or", "source: why", "for it", "next"), rows, words=4)


def _absent(proposals: list[Proposal]) -> Part:
    """Those without a place, by what is the reason."""
    names: dict[str, list[str]] = {}
    for one in proposals:
        names.setdefault(one.reason, []).append(f"{one.name} ({_source(one)})")
    return Points(tuple(f"{reason}: {', '.join(each)}" for reason, each in names.items()))


def _source(one: Proposal) -> str:
    return f"{one.file}:{one.line}"


def _numbers(one: Proposal) -> tuple[str, str]:
    return (
        f"{one.support:g}" if one.place else "",
        f"{one.next_support:g}" if one.next_place else "",
    )


def _closing(report: MatchReport) -> Iterator[str]:
    yield (
        "For a function stands how alike both are, from 0 to 1; for a global, how many uses in "
        "functions fit; for a routine of the Toolbox, how many functions call it."
    )
    if report.files_changed:
        yield f"Marks were written into {', '.join(report.files_changed)}."
    else:
        yield "--write writes the certain ones into the sources, --write --all also the others."
    if any(one.kind == GLOBAL and one.certainty == NONE for one in report.proposals):
        yield "A function that uses a global without a place cannot be tried in the original."
