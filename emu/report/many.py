"""Several documents in one file: what they come to together, and which is read first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from emu.report.document import Document, Tone

_FIRST = (Tone.BAD, Tone.DOUBTFUL, None, Tone.GOOD)


def worst_first(documents: Sequence[Document]) -> list[Document]:
    """Documents in the order in which they need a reader; otherwise in the order they have."""

    def order(document: Document) -> int:
        return _FIRST.index(document.outcome.tone if document.outcome else None)

    return sorted(documents, key=order)


def tally(documents: Sequence[Document]) -> str:
    """How many there are and what they came to: "31 reports: 2 refuted, 29 verified"."""
    counts = Counter(
        document.outcome.word for document in worst_first(documents) if document.outcome
    )
    words = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{len(documents)} reports" + (f": {words}" if words else "")


def time_of(document: Document) -> str:
    """How long the work for a document took, or "" if nobody has to know."""
    return "" if document.seconds is None else f"{document.seconds:.1f} s"
