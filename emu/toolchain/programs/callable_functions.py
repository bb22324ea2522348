"""Finds the functions that stay in a program although nothing in it calls them.

Functions with external linkage stay, so that Python can call them. Only those are left out that
need something which no file defines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from emu.toolchain.objects import definitions_of

MAIN = "macproof_main_of_the_program"
"""What a program's own ``main`` is called: macproof calls routines without running it."""


def callable_in(objects: Iterable[Path]) -> list[str]:
    """The symbols of all functions in object files that other files could call."""
    definitions = (definition for path in objects for definition in definitions_of(path))
    symbols = (
        definition.symbol
        for definition in definitions
        if definition.kind == "function" and definition.binding != "local"
    )
    return [symbol for symbol in dict.fromkeys(symbols) if MAIN not in symbol]


def linkable(links: Callable[[Sequence[str]], bool], symbols: Sequence[str]) -> list[str]:
    """Those of some functions with which a program can be linked.

    Args:
        links: whether it can be linked with these functions.
        symbols: the functions; they are tried together, then in halves, and so on.
    """
    if not symbols or links(symbols):
        return list(symbols)
    middle = len(symbols) // 2
    if not middle:
        return []
    parts = (symbols[:middle], symbols[middle:])
    return [source for part in parts for source in linkable(links, part)]
