"""Joins sentences that say the same of several programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def merge_by_text(named_texts: Iterable[tuple[str, str]], kind: str = "programs") -> list[str]:
    """Join the names that have the same text, as in "68040 O1, 601 O1: it jumped".

    With more than three names only the first is shown: "68040 O1 and 4 other programs: it jumped".

    Args:
        named_texts: pairs of a name and a text.
        kind: the plural noun for what the names denote, such as "programs".
    """
    names: dict[str, list[str]] = {}
    for name, text in named_texts:
        names.setdefault(text, []).append(name)
    return [f"{_joined(with_text, kind)}: {text}" for text, with_text in names.items()]


def _joined(names: Sequence[str], kind: str) -> str:
    if len(names) <= 3:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1} other {kind}"
