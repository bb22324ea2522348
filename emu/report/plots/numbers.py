"""How numbers look in a document."""

from __future__ import annotations

ABSENT = "-"
"""In the place of a number that is not there."""


def significant(number: float) -> str:
    """A number with three digits that count, and no more behind a point than they need."""
    size = abs(number)
    if size >= 1000:
        return f"{number:,.0f}"
    if size >= 99.95:
        return f"{number:.0f}"
    if size >= 9.995:
        return f"{number:.1f}"
    return f"{number:.2f}" if size >= 0.1 or number == 0 else f"{number:.2g}"


def percent(part: float) -> str:
    """A part of one as a percentage with one place."""
    return f"{100 * part:.1f}%"


def signed_percent(part: float) -> str:
    """A deviation as a percentage with its sign."""
    return f"{100 * part:+.1f}%"


def three_digits(number: float | None) -> str:
    """A number that may not be there, with three digits."""
    return ABSENT if number is None else significant(number)


def shown_percent(part: float | None) -> str:
    """A part of one that may not be there, as a percentage."""
    return ABSENT if part is None else percent(part)
