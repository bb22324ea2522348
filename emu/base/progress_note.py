"""Which Python code of somebody else's this process is running.

Such code may end the process: it calls ``os._exit``, or a library that it uses crashes. The parent
process can then tell that from a crash of guest code, if it was told beforehand what was begun.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

_state: list[str] = [""]
_listeners: list[Callable[[str], None]] = []


def listen(listener: Callable[[str], None]) -> None:
    """Have a function called whenever such code begins or ends.

    Args:
        listener: called with the words of `under_way`; "" when no such code runs any more.
    """
    _listeners[:] = [listener]


@contextlib.contextmanager
def under_way(what: str) -> Iterator[Callable[[str], None]]:
    """Tells that such code runs in the block.

    Args:
        what: what it is to fail at, if it ends the process: "reference:run fails on 3 objects".

    Yields:
        What tells that from now on something else is to fail, for a block that does many things.
    """
    _state.append(what)
    _tell()
    try:
        yield _go_on
    finally:
        _state.pop()
        _tell()


def _go_on(what: str) -> None:
    _state[-1] = what
    _tell()


def _tell() -> None:
    for listener in _listeners:
        listener(_state[-1])
