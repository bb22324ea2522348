"""Turns what a case gives a function of a library into arguments and values of this computer.

`HostMemory` lays them; here is what is read of a scene, and what a library cannot be given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.keys.arguments import (
    AddressOf,
    Argument,
    Call,
    Members,
    Phrase,
    Pointer,
    PythonFunction,
)
from emu.cases.keys.parts import Scene
from emu.verify.answers.host.host_values import NULL_POINTER, ElementPointers, Pointee
from emu.verify.images.attributes import attribute_of, text_bytes
from emu.verify.scenes.columns import ColumnItem


def pointers_of(case: Case) -> dict[str, Pointer]:
    """The pointers to memory of its own that a case gives, by the names of what they lead to."""
    named: dict[str, Pointer] = {}

    def inside(name: str, argument: Argument | None) -> None:
        if isinstance(argument, Pointer):
            named.setdefault(f"*{name}", argument)
            inside(f"*{name}", argument.to)
        elif isinstance(argument, Members):
            within = f"{name.lstrip('*')}{'->' if name.startswith('*') else '.'}"
            for member, pointer in argument.pointers.items():
                inside(f"{within}{member}", pointer)

    for call in case.calls or [Call(case.call, case.arguments)]:
        for name, argument in call.arguments.items():
            inside(name, argument)
    for name, members in case.pointers.items():
        for member, pointer in members.items():
            inside(f"{name}.{member}".rstrip("."), pointer)
    return named


def host_argument(case: Case, scene: Scene, argument: Argument | None, step: int | None) -> Any:
    """An argument as `call_twice` takes it.

    Args:
        case: the case.
        scene: the scene.
        argument: the argument; None for memory that begins as anything.
        step: the number of the call in a script, in which plain arguments have a value for each
            call; None for any other.

    Raises:
        CaseError: the scene lacks an attribute; or it is what a library cannot be given.
    """
    if isinstance(argument, Phrase) and argument.nodes:
        raise _cannot(case, "get trees and lists")
    if isinstance(argument, Phrase):
        return _of_step(case, argument, _read(case, scene, argument), step)
    if isinstance(argument, Members):
        others: dict[str, Argument] = {**argument.addresses, **argument.pointers}
        return {
            name: _of_step(case, phrase, _read(case, scene, phrase), step)
            for name, phrase in argument.values.items()
        } | {name: host_argument(case, scene, other, None) for name, other in others.items()}
    if isinstance(argument, Pointer):
        inside = argument.to
        values = None if inside is None else host_argument(case, scene, inside, None)
        return Pointee(values, None if argument.count == 1 else argument.count)
    if isinstance(argument, PythonFunction):
        raise _cannot(case, f"call Python, as {argument.dotted}")
    if isinstance(argument, AddressOf):
        return _address(case, argument.name) if argument.name else NULL_POINTER
    return None


def _address(case: Case, name: str) -> ElementPointers:
    """The address of a variable, which the library's own one of that name has."""
    if name not in case.variables:
        raise _cannot(case, f"get the address of {name}, which the case neither fills nor observes")
    return ElementPointers(np.array(0), name)


def _cannot(case: Case, what: str) -> CaseError:
    return case.error(
        "reference:",
        f"a function of a library cannot {what}",
        "A reference in Python can call the library by ctypes: docs/old-and-new.md has an example.",
    )


def _of_step(case: Case, phrase: Phrase, value: Any, step: int | None) -> Any:
    """The value for one call of a script, of the values for all of them."""
    if step is None:
        return value
    values = value.indices if isinstance(value, ElementPointers) else value
    if not np.ndim(values) or len(values) <= step:
        problem = f"a scene of {case.make} has no value of {phrase.attribute} for call {step + 1}"
        raise case.error("script:", problem)
    return (
        ElementPointers(values[step], value.array)
        if isinstance(value, ElementPointers)
        else values[step]
    )


def _read(case: Case, scene: Scene, phrase: Phrase) -> Any:
    """An attribute of a scene: a number, an array of numbers, or indices for pointers."""
    who = f"a scene of {case.make} has"
    attribute = attribute_of(ColumnItem(scene), phrase.attribute, who, case.path)
    if phrase.is_function:
        raise _cannot(case, f"get {phrase}")
    if phrase.text or isinstance(attribute, (str, bytes, bytearray)):
        return text_bytes(attribute, phrase, who, case.path)
    array = np.asarray(attribute)
    if phrase.into:
        return ElementPointers(array, phrase.into)
    return array.item() if array.ndim == 0 else array
