"""Reads what a port wants not to be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_NUMBER = r"(?:0x[0-9A-Fa-f]+|\d+)"
_IGNORED = re.compile(rf"(?P<place>\S.*?\s*[+-]\s*{_NUMBER})(?:\s*\+\s*(?P<size>{_NUMBER}))?")


def ignored_addresses(texts: Iterable[str], address_of: Callable[[str], int | None]) -> list[range]:
    """The addresses that are not compared.

    Args:
        texts: places with a number of bytes, as in `Project.ignore`: "A5-0x1a2+4".
        address_of: gives the address of a place; None while it is not in memory.

    Raises:
        ProgramError: there is no such place.
    """
    found = []
    for text in texts:
        match = _IGNORED.fullmatch(text)
        address = address_of(match["place"]) if match is not None else None
        if match is not None and address is not None:
            found.append(range(address, address + int(match["size"] or "1", 0)))
    return found
