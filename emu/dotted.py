"""Python functions that files name by their dotted names: "package.module:function".

They are somebody else's code, which may do anything, so whatever they raise becomes a refusal in
words.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from emu.errors import MacproofError, UsageError

_SPEAK_FOR_THEMSELVES = (ValueError, ImportError, AttributeError)


def resolve(dotted: str) -> Callable[..., Any]:
    """The function of a dotted name.

    Raises:
        UsageError: it cannot be imported, or is none.
    """
    module, _, name = dotted.partition(":")
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:  # a module of somebody else's may do anything
        raise UsageError(f"{dotted} cannot be imported: {words_of(error)}") from error
    if not callable(found):
        raise UsageError(f"{dotted} is not a function")
    return found


def call(dotted: str, *arguments: Any, **named: Any) -> Any:
    """What the function of a dotted name gives.

    Raises:
        UsageError: there is none, or it refuses or fails.
        MacproofError: what it raises itself.
    """
    function = resolve(dotted)
    try:
        return function(*arguments, **named)
    except MacproofError:
        raise
    except (Exception, SystemExit) as error:  # it is somebody else's code
        what = "refuses" if isinstance(error, _SPEAK_FOR_THEMSELVES) else "fails"
        raise UsageError(f"{dotted} {what}: {words_of(error)}") from error


def words_of(error: BaseException) -> str:
    """What an exception says; a plain refusal speaks for itself, others by their names too."""
    if isinstance(error, _SPEAK_FOR_THEMSELVES):
        return str(error)
    return f"{type(error).__name__}: {error}"
