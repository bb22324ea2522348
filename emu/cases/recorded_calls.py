"""Records how the reference calls Python functions: the routine under test has to call them alike.

A case may pass a Python function to its routine, say ``compare``. A reference with a parameter of
that name, as in ``def expect(scene, compare)``, gets the same function. The arguments with which
the reference calls it become part of its answer.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.functions import resolve
from emu.cases.case import Case
from emu.cases.keys.arguments import PythonFunction
from emu.cases.recorded_text import RecordedText

CALLS_OF = "calls of "
"""Stands before the argument in the names of the places that hold its calls."""

ARGUMENT = "argument"
"""Stands before the number of an argument, from 1, in these names."""

IS_NULL = "_is_null"
"""Stands behind that of a pointer, for whether a call gives the null pointer."""

IS_ZERO = "_is_zero"
"""The same for a pointer of which only this is compared; an address of 0 is null, too."""

TEXT = "_text"
"""Stands behind that of a pointer to a C string, for the `RecordedText` that it leads to."""

ORDER = "order"
"""The number of a call among all calls of functions that are compared, from 0."""

MOST_CALLS = 2048
"""How many calls of a function are compared with their arguments; of all, the number is."""


def python_functions(case: Case) -> dict[str, PythonFunction]:
    """The Python functions that the routines of a case are given, by the names of parameters."""
    calls = [case.arguments, *(call.arguments for call in case.calls)]
    return {
        name: argument
        for arguments in calls
        for name, argument in arguments.items()
        if isinstance(argument, PythonFunction)
    }


def called_by(case: Case, dotted: str) -> dict[str, PythonFunction]:
    """The functions of a case that its reference, or its specification, takes as parameters."""
    own = python_functions(case)
    if not own:
        return {}
    taken = _parameters(resolve(dotted, case.path.parent))
    return {name: python_function for name, python_function in own.items() if name in taken}


@functools.lru_cache(maxsize=16)
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    try:
        return frozenset([*inspect.signature(function).parameters][1:])
    except (TypeError, ValueError):  # it is written in C
        return frozenset()


class RecordedCalls:
    """A Python function that records the arguments of each call.

    Args:
        function: the function.
        order: counts the calls of all functions, so that each call gets its number among them.
    """

    def __init__(self, function: Callable[..., Any], order: Iterator[int]) -> None:
        self._function = function
        self._order = order
        self.calls: list[tuple[Any, ...]] = []
        self._numbers: list[int] = []

    def __call__(self, *arguments: Any) -> Any:
        """Keep the arguments as they are now, and call the function."""
        self.calls.append(copy.deepcopy(arguments))
        self._numbers.append(next(self._order))
        return self._function(*arguments)

    def values(self, path: str) -> NDArray[Any]:
        """One value of each call, as a masked array; a value behind a null pointer is masked.

        Args:
            path: "argument1", or "argument2.key" for a member of the second; with `IS_NULL`,
                `IS_ZERO` or `TEXT` behind the argument what that stands for; or `ORDER`.

        Raises:
            AttributeError: a call has no such value.
            UsageError: it has a number where the routine gives a text.
        """
        if path == ORDER:
            return np.array(self._numbers[:MOST_CALLS], np.int64)
        name, *members = path.split(".")
        index, aspect = argument_in(name)
        values = []
        for call in self.calls[:MOST_CALLS]:
            if len(call) <= index:
                raise AttributeError(path)
            values.append(aspect_of(call[index], aspect, members))
        is_known = [value is not None for value in values]
        if all(is_known):
            return np.array(values) if values else np.zeros(0, np.int64)
        behind = np.zeros_like(next((value for value in values if value is not None), 0))
        whole = np.array([behind if value is None else value for value in values])
        is_there = np.reshape(is_known, (len(values), *[1] * behind.ndim))
        return np.ma.MaskedArray(whole, np.broadcast_to(~is_there, whole.shape))


def argument_in(name: str) -> tuple[int, str]:
    """The index, from 0, of the argument that a name stands for, and its aspect.

    For example, "argument2_is_null" is 1 and `IS_NULL`, and "argument2" is 1 and "".
    """
    number, joint, aspect = name.removeprefix(ARGUMENT).partition("_")
    return int(number) - 1, joint + aspect


def aspect_of(value: Any, aspect: str, members: Iterable[str]) -> Any:
    """The value that an argument of a call has at a path; None behind the null pointer.

    Args:
        value: the argument, None for the null pointer.
        aspect: `IS_NULL`, `IS_ZERO`, `TEXT`, or "" for what the argument is or leads to.
        members: the names of members, from the outermost.
    """
    if aspect == IS_NULL:
        return value is None
    if aspect == IS_ZERO:
        return value is None or (isinstance(value, (int, np.integer)) and value == 0)
    if value is not None and aspect == TEXT:
        value = RecordedText.of(value)
    for member in members:
        if value is None:
            return None
        is_item = isinstance(value, (Mapping, np.void, np.ndarray))
        value = value[member] if is_item else getattr(value, member)
    return value


class AnswerWithCalls:
    """A reference's answer together with the calls that the reference has made."""

    def __init__(self, answer: Any, calls: Mapping[str, RecordedCalls]) -> None:
        self._answer = answer
        self._made = calls

    def __getattr__(self, name: str) -> Any:
        """An attribute of the answer, or of the calls: "calls of compare.count"."""
        if not name.startswith(CALLS_OF):
            return getattr(self._answer, name)
        function, _, rest = name.removeprefix(CALLS_OF).partition(".")
        if function not in self._made:
            raise AttributeError(name)
        recorded = self._made[function]
        if rest == "count":
            return len(recorded.calls)
        try:
            return recorded.values(rest.removeprefix("calls."))
        except UsageError as error:
            raise UsageError(f"the reference calls {function} with {error}") from error


def recording(case: Case, dotted: str) -> Callable[[Any], Any]:
    """A reference or specification of scenes that records how it calls its other arguments.

    Raises:
        UsageError: one of these functions cannot be imported.
    """
    folder = case.path.parent
    function, taken = resolve(dotted, folder), called_by(case, dotted)
    if not taken:
        return function
    given = {name: resolve(one.dotted, folder) for name, one in taken.items()}

    def ask(scene: Any) -> AnswerWithCalls:
        order = itertools.count()
        recorders = {
            name: RecordedCalls(given[name], itertools.repeat(0) if one.is_free else order)
            for name, one in taken.items()
        }
        return AnswerWithCalls(function(scene, **recorders), recorders)

    return ask
