"""Calls functions of a shared library on this computer, by cffi, and reads the values they leave.

This runs in a process of its own, since a function may crash it. The calls are made twice. Memory
that the scene does not fill holds random bytes the first time, and their complement the second
time: a value that is the same after both was written by the functions.
"""

from __future__ import annotations

import functools
import os
import pickle
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import InternalError, UsageError
from emu.base.masks import same_bytes
from emu.verify.answers.host.host_effects import HostEffects, HostWatch, HostWrites, joined
from emu.verify.answers.host.host_function import HostLibrary, load_library
from emu.verify.answers.host.host_memory import HostMemory
from emu.verify.answers.host.host_values import HostCall, ObservedPlace
from emu.verify.answers.host.library_globals import LibraryGlobals

T = TypeVar("T")

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """What functions leave in a place.

    Attributes:
        value: the values after the first time, with pointers as indices: -1 for null, -2 for one to
            no element of the array it is said to point into.
        unwritten: where the functions wrote nothing.
        unclear: where the value depends on memory that the calls do not fill.
        is_pointer: whether the values are pointers.
    """

    value: NDArray[Any]
    unwritten: NDArray[np.bool_]
    unclear: NDArray[np.bool_]
    is_pointer: bool = False


@dataclass(frozen=True, slots=True)
class _Seen:
    """A place: what it held before the calls and after them, and this with pointers as indices."""

    before: NDArray[Any] | None
    after: NDArray[Any]
    value: NDArray[Any]
    is_pointer: bool


def call_twice(
    library: HostLibrary,
    calls: Sequence[HostCall],
    wanted: Sequence[ObservedPlace],
    before: int = 0,
    given: Mapping[str, Any] = _NOTHING,
    *,
    is_fresh: bool = False,
) -> tuple[dict[str, PlaceResult], HostEffects]:
    """Make calls in a row twice, with the same arguments.

    Args:
        library: the library.
        calls: the calls.
        wanted: the places to read afterwards.
        before: how many of the first calls only prepare for the others.
        given: what the library's variables hold before the others, by their names in the case, as
            an argument is given.
        is_fresh: whether each time runs in a new process, so that the first time leaves nothing to
            the second.

    Returns:
        The values left in each wanted place, by its name; and what else the calls have written.

    Raises:
        UsageError: there is no such library, function or variable; an argument does not fit its
            parameter; or there is no such place.
    """
    load_library(library)  # before any process is forked
    both = []
    for inverted in (False, True):
        if is_fresh:
            both.append(_in_fork(_call_once, library, calls, wanted, before, given, inverted))
        else:
            both.append(_call_once(library, calls, wanted, before, given, inverted))
    left = {place.name: _compare_place([seen[place.name] for seen, _ in both]) for place in wanted}
    return left, joined([others for _, others in both])


def _call_once(
    library: HostLibrary,
    calls: Sequence[HostCall],
    wanted: Sequence[ObservedPlace],
    skipped: int,
    given: Mapping[str, Any],
    inverted: bool,
) -> tuple[dict[str, _Seen], HostWrites]:
    """Make the calls once."""
    loaded = load_library(library)
    variables = _variables(library)
    variables.begin()
    memory = HostMemory(loaded, calls, inverted, variables.named)
    memory.run(range(skipped))
    memory.fill_globals(given)
    before = {
        observed_place.name: memory.raw(observed_place)
        for observed_place in wanted
        if memory.has(observed_place)
    }
    watch = HostWatch(
        memory,
        variables,
        {(observed_place.variable, observed_place.member) for observed_place in wanted},
    )
    memory.run(range(skipped, len(calls)))
    places = {
        observed_place.name: _Seen(
            before.get(observed_place.name),
            memory.raw(observed_place),
            memory.value(observed_place),
            bool(memory.array_for(observed_place)),
        )
        for observed_place in wanted
    }
    writes = watch.writes()
    variables.begin()
    return places, writes


@functools.lru_cache(maxsize=4)
def _variables(library: HostLibrary) -> LibraryGlobals:
    return LibraryGlobals.of(library, load_library(library))


def _in_fork(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a copy of this process; a signal that ends the copy ends this one, too."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            answer: tuple[bool, Any] = (False, function(*arguments))
        except UsageError as error:
            answer = (True, error)
        except Exception as error:  # our own mistake
            answer = (True, InternalError.of(error))
        with os.fdopen(writing, "wb") as file:
            pickle.dump(answer, file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        message = file.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    is_error, value = pickle.loads(message)
    if is_error:
        raise value
    result: T = value
    return result


def _compare_place(seen: Sequence[_Seen]) -> PlaceResult:
    """Compare what is in a place both times with each other, and with what was there before."""
    first, second = seen
    same = same_bytes(first.value, second.value)
    unwritten = np.zeros_like(same)
    if first.before is not None and second.before is not None:
        kept = same_bytes(first.before, first.after) & same_bytes(second.before, second.after)
        unwritten = kept & (~same | first.is_pointer)
    return PlaceResult(first.value, unwritten, ~same & ~unwritten, first.is_pointer)
