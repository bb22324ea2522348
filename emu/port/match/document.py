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
from emu.port.model import FUNCTION, GLOBAL
from emu.report.document import Document, Part, Points, Section, Table, Tone

_TITLES = {FUNCTION: "Functions", GLOBAL: "Globals"}
_ORDER = (MARKED, NAMED, CERTAIN, UNCERTAIN, NONE)
_TONES = {UNCERTAIN: Tone.DOUBTFUL, NONE: Tone.DOUBTFUL}


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
        yield f"{title} of the sources: {', '.join(words) or 'none'}."


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
        doubtful = [one for one in own if one.certainty in (UNCERTAIN, NONE)]
        if doubtful:
            yield Section(f"{title} that are not certain", (_doubts(doubtful),))
        sure = [one for one in own if one not in doubtful]
        if sure:
            yield Section(title, (_table(sure),), is_folded=len(sure) > 200)


def _table(proposals: list[Proposal]) -> Part:
    rows = tuple((*_first(one), one.certainty, *_numbers(one)) for one in proposals)
    return Table(("name", "place", "source", "by", "for it", "for the next"), rows, words=4)


def _doubts(proposals: list[Proposal]) -> Part:
    rows = tuple((*_first(one), one.next_place, one.reason, *_numbers(one)) for one in proposals)
    columns = ("name", "place", "source", "or", "why", "for it", "for the next")
    return Table(columns, rows, words=5, tones=_TONES)


def _first(one: Proposal) -> tuple[str, str, str]:
    return one.name, one.place or "none", f"{one.file}:{one.line}"


def _numbers(one: Proposal) -> tuple[str, str]:
    return (
        f"{one.support:g}" if one.place else "",
        f"{one.next_support:g}" if one.next_place else "",
    )


def _closing(report: MatchReport) -> Iterator[str]:
    yield (
        "For a function stands how alike both are, from 0 to 1; for a global, how many uses in "
        "functions fit."
    )
    if report.files_changed:
        yield f"Marks were written into {', '.join(report.files_changed)}."
    else:
        yield "--write writes the certain ones into the sources, --write --all also the others."
    if any(one.kind == GLOBAL and one.certainty == NONE for one in report.proposals):
        yield "A function that uses a global without a place cannot be tried in the original."
