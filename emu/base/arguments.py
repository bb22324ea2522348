"""Checks arguments of public functions: a wrong one is a UsageError that says what it has to be.

Python would accept many of them silently: a string as a sequence of names, a path as no path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import index
from pathlib import Path
from typing import TypeVar

from emu.base.errors import UsageError

T = TypeVar("T")


def require(given: object, kind: type[T], name: str, wanted: str) -> T:
    """An argument of some kind.

    Args:
        given: the argument.
        kind: the class that it has to be of.
        name: the argument's name.
        wanted: what it has to be, and how to get it: "what programs_of returns".

    Raises:
        UsageError: it is of another kind.
    """
    if not isinstance(given, kind):
        raise _wrong(given, name, wanted)
    return given


def path_of(given: object, name: str, wanted: str = "a path: a str or a Path") -> Path:
    """A path, which may be given as a string.

    Raises:
        UsageError: it is neither a string nor a path.
    """
    if not isinstance(given, (str, Path)):
        raise _wrong(given, name, wanted)
    return Path(given)


def whole_number(given: object, name: str, least: int | None = 0) -> int:
    """A whole number from ``least`` up, or any if that is None.

    One of NumPy's is one, too. A Boolean is none.

    Raises:
        UsageError: it is no such number.
    """
    wanted = "a whole number" if least is None else f"a whole number from {least} up"
    try:
        number = index(given)  # type: ignore[arg-type]
    except TypeError:
        raise _wrong(given, name, wanted) from None
    if isinstance(given, bool) or (least is not None and number < least):
        raise _wrong(given, name, wanted)
    return number


def whole_numbers(given: object, name: str) -> tuple[int, ...]:
    """One or several whole numbers from 0 up.

    Raises:
        UsageError: it is no sequence of them, or an empty one.
    """
    wanted = f"a list of whole numbers, such as {name}=[5, 200]"
    numbers = tuple(
        whole_number(value, f"each of {name}") for value in _several(given, name, wanted)
    )
    if not numbers:
        raise _wrong(given, name, wanted)
    return numbers


def strings(given: object, name: str) -> tuple[str, ...]:
    """Strings, such as names. One string is refused, because its letters would be taken for them.

    Raises:
        UsageError: it is no sequence of strings.
    """
    example = f", such as {name}=[{given!r:.40}]" if isinstance(given, str) else ""
    wanted = f"a list of strings{example}"
    return tuple(
        require(value, str, f"each of {name}", "a string")
        for value in _several(given, name, wanted)
    )


def one_of(given: object, name: str, choices: Collection[str]) -> str:
    """One of a few words.

    Raises:
        UsageError: it is none of them.
    """
    if not isinstance(given, str) or given not in choices:
        raise _wrong(given, name, f"one of {', '.join(choices)}")
    return given


def _several(given: object, name: str, wanted: str) -> Sequence[object]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise _wrong(given, name, wanted)
    return list(given)


def _wrong(given: object, name: str, wanted: str) -> UsageError:
    return UsageError(f"{name} is {given!r:.80}, and has to be {wanted}")
