"""Reads what a port wants not to be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_NUMBER = r"(?:0x[0-9A-Fa-f]+|\d+)"
_IGNORED = re.compile(rf"(?P<place>\S.*?\s*[+-]\s*{_NUMBER})(?:\s*\+\s*(?P<size>{_NUMBER}))?")


def ignored_place(text: str) -> tuple[str, int]:
    """The place and the number of bytes in a text as in `Project.ignore`: "A5-0x1a2+4"."""
    match = _IGNORED.fullmatch(text)
    return (text, 1) if match is None else (match["place"], int(match["size"] or "1", 0))


def ignored_addresses(texts: Iterable[str], address_of: Callable[[str], int | None]) -> list[range]:
    """The addresses that are not compared.

    Args:
        texts: see `ignored_place`.
        address_of: gives the address of a place; None while it is not in memory.

    Raises:
        ProgramError: there is no such place.
    """
    places = (ignored_place(text) for text in texts)
    return [
        range(address, address + size)
        for place, size in places
        if (address := address_of(place)) is not None
    ]
