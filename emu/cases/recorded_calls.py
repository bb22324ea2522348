"""Calls of Python functions that the reference makes, as the routine under test is to make them.

A reference that takes the argument of a case by its name, as in ``def expect(scene, compare)``,
gets the function that the routine gets. What it calls it with is part of its answer.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import resolve
from emu.cases.arguments import PythonFunction
from emu.cases.case import Case

CALLS_OF = "calls of "
"""Stands before the argument in the names of the places that hold its calls."""

ARGUMENT = "argument"
"""Stands before the number of an argument, from 1, in these names."""

MOST_CALLS = 2048
"""How many calls of a function are compared with their arguments; of all, the number is."""


def python_functions(case: Case) -> dict[str, PythonFunction]:
    """The Python functions that the routines of a case are given, by the names of parameters."""
    calls = [case.arguments, *(one.arguments for one in case.calls)]
    return {
        name: one
        for arguments in calls
        for name, one in arguments.items()
        if isinstance(one, PythonFunction)
    }


def called_by(case: Case, dotted: str) -> dict[str, PythonFunction]:
    """Those of its functions that a Python function of a case takes."""
    own = python_functions(case)
    if not own:
        return {}
    taken = _parameters(resolve(dotted, case.path.parent))
    return {name: one for name, one in own.items() if name in taken}


@functools.lru_cache(maxsize=16)
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    try:
        return frozenset([*inspect.signature(function).parameters][1:])
    except (TypeError, ValueError):  # it is written in C
        return frozenset()


class RecordedCalls:
    """A Python function that keeps what it is called with."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any) -> Any:
        """Keep the arguments as they are now, and call the function."""
        self.calls.append(copy.deepcopy(arguments))
        return self._function(*arguments)

    def values(self, path: str) -> NDArray[Any]:
        """One value of each call: "argument1", or "argument2.key" for a member of the second.

        Raises:
            AttributeError: a call has no such value.
        """
        name, *members = path.split(".")
        number = int(name.removeprefix(ARGUMENT))
        found = []
        for one in self.calls[:MOST_CALLS]:
            if len(one) < number:
                raise AttributeError(path)
            value = one[number - 1]
            for member in members:
                is_item = isinstance(value, (Mapping, np.void, np.ndarray))
                value = value[member] if is_item else getattr(value, member)
            found.append(value)
        return np.array(found) if found else np.zeros(0, np.int64)


class AnswerWithCalls:
    """A reference's answer, which also has the calls that the reference has made."""

    def __init__(self, answer: Any, made: Mapping[str, RecordedCalls]) -> None:
        self._answer = answer
        self._made = made

    def __getattr__(self, name: str) -> Any:
        """An attribute of the answer, or of the calls: "calls of compare.count"."""
        if not name.startswith(CALLS_OF):
            return getattr(self._answer, name)
        function, _, rest = name.removeprefix(CALLS_OF).partition(".")
        if function not in self._made:
            raise AttributeError(name)
        made = self._made[function]
        return len(made.calls) if rest == "count" else made.values(rest.removeprefix("calls."))


def ask_recording(case: Case, dotted: str, scene: Any) -> Any:
    """Call a Python function of a case on a scene, with the functions that it takes."""
    function, taken = resolve(dotted, case.path.parent), called_by(case, dotted)
    if not taken:
        return function(scene)
    made = {
        name: RecordedCalls(resolve(one.dotted, case.path.parent)) for name, one in taken.items()
    }
    return AnswerWithCalls(function(scene, **made), made)
