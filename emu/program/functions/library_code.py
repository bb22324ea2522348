"""Recognises functions that are not the program's own: glue, start-up code, the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from emu.program.functions.model import (
    GLUE,
    LIBRARY,
    OWN,
    START_UP,
    FunctionContents,
    FunctionExtent,
)

_LARGEST_GLUE = 80
_FIRST_OF_MAIN = "InitGraf"


def is_glue(extent: FunctionExtent, contents: FunctionContents) -> bool:
    """Whether a function does nothing but to call one routine of the Toolbox or of a library."""
    return (
        extent.end - extent.start <= _LARGEST_GLUE
        and sum(contents.toolbox.values()) + sum(contents.imports.values()) == 1
        and not contents.calls
        and not contents.pointer_calls
        and not contents.loops
        and not contents.texts
        and len(contents.constants) <= 1
        and not any(use.writes or use.reads for use in contents.globals)
    )


def kinds_of(
    seen: Sequence[tuple[FunctionExtent, FunctionContents]], glue: Iterable[int], entry: int | None
) -> Mapping[int, str]:
    """The kinds of functions by their addresses, as far as their shape tells.

    A compiler that leaves names in code leaves them in all that it compiles. So where most
    functions have names, those without are the library's.

    Args:
        seen: all functions and what they hold.
        glue: the addresses of glue.
        entry: the address where the program begins; None if that is not known.
    """
    kinds = dict.fromkeys((extent.start for extent, _ in seen), OWN)
    named = sum(bool(extent.name) for extent, _ in seen)
    if 2 * named > len(seen):
        kinds |= {extent.start: LIBRARY for extent, _ in seen if not extent.name}
    contents_of = {extent.start: contents for extent, contents in seen}
    kinds |= dict.fromkeys(_start_up(contents_of, entry), START_UP)
    return kinds | dict.fromkeys(glue, GLUE)


def _start_up(contents_of: Mapping[int, FunctionContents], entry: int | None) -> set[int]:
    """The function at the program's entry, and what only it calls before the main function.

    The main function is the one of those called there that most of the program hangs on. A
    program may begin with its main function, which then initialises QuickDraw.
    """
    if entry is None or entry not in contents_of:
        return set()
    first = contents_of[entry]
    calls = [address for address in first.calls if address in contents_of]
    if not calls or _FIRST_OF_MAIN in first.toolbox:
        return set()
    below = {address: _reached(contents_of, [address]) for address in calls}
    main = max(calls, key=lambda address: len(below[address]))
    before = _reached(contents_of, [address for address in calls if address != main])
    return {entry} | (before - below[main])


def _reached(contents_of: Mapping[int, FunctionContents], starts: Iterable[int]) -> set[int]:
    reached: set[int] = set()
    waiting = list(starts)
    while waiting:
        address = waiting.pop()
        if address in contents_of and address not in reached:
            reached.add(address)
            waiting += contents_of[address].calls
            waiting += contents_of[address].function_pointers
    return reached
