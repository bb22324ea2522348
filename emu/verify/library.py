"""A function of a shared library that says what is right: a port for a modern computer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from emu.base.companion import Companion
from emu.base.errors import GuestError, UsageError
from emu.base.workers import ProcessDown
from emu.base.yaml_document import did_you_mean
from emu.cases.arguments import AddressOf, Argument, Members, Phrase, Pointer, PythonFunction
from emu.cases.case import Case
from emu.cases.parts import Scene, describe_scene
from emu.cases.references import LibraryFunction
from emu.program.prototypes import PrototypeError, parse_prototype
from emu.program.signatures import Signature
from emu.program.types import GuestType
from emu.verify.attributes import attribute_of, text_bytes
from emu.verify.host_call import PATIENCE, Given, Into, Wanted, call_twice
from emu.verify.host_function import HostFunction
from emu.verify.values_left import values_left

_COMPANION = Companion()
_OF_THIS_COMPUTER = {
    **{
        f"{sign}int{8 * size}_t": np.dtype(f"{sign or 'i'}{size}")
        for sign in ("", "u")
        for size in (1, 2, 4, 8)
    },
    **{name: np.dtype("i8") for name in ("intptr_t", "ssize_t", "ptrdiff_t")},
    **{name: np.dtype("u8") for name in ("uintptr_t", "size_t")},
    **{name: np.dtype("u1") for name in ("bool", "_Bool")},
}


def ask_library(case: Case, function: LibraryFunction, scene: Scene) -> SimpleNamespace:
    """Call a function of a library on a scene.

    Returns:
        One attribute for each observed place, with the place's name. A masked value was not
        written.

    Raises:
        GuestError: the function crashes, or does not return.
        CaseError: the case does not fit the function; or what it leaves depends on memory that the
            scene does not fill.
    """
    given = {
        name: _given(case, scene, case.arguments[name]) for name in _parameters(case, function)
    }
    wanted = tuple(
        Wanted(one.attribute, one.variable, one.member, one.phrase.into) for one in case.observed
    )
    declared = function.declared
    host = HostFunction(
        str(function.library),
        function.function,
        function.prototype,
        "" if declared is None else declared.types,
        () if declared is None else declared.sizes,
    )
    try:
        left = _COMPANION.call(call_twice, host, given, wanted)
    except ProcessDown as error:
        late = f"did not return in {PATIENCE} s" if error.ending == "SIGALRM" else ""
        why = late or f"crashed ({error.ending})"
        raise GuestError(
            f"{function.words}, which says what is right, {why} ({describe_scene(scene)}). "
            f"So there is no verdict on {case.call}"
        ) from error
    except UsageError as error:
        raise case.error("reference:", str(error)) from error
    answer = SimpleNamespace()
    who = f"{function.words}, asked about {describe_scene(scene)},"
    for name, one in left.items():
        is_pointer = any(o.attribute == name and o.phrase.into for o in case.observed)
        setattr(answer, name, values_left(case, who, name, one, is_pointer=is_pointer))
    return answer


def _parameters(case: Case, function: LibraryFunction) -> list[str]:
    """The names of the function's parameters, which the case's arguments must have too."""
    words = function.prototype
    if function.declared is not None:
        names = {name: name for name in function.declared.parameters}
    else:
        signature = _signature(case, function)
        names = {one.name: one.declaration for one in signature.parameters}
        words = signature.words(function.function)
    for name in case.arguments:
        if name not in names:
            raise case.error(
                "reference:", f"{words} has no parameter {name}{did_you_mean(name, names)}"
            )
    for name, declaration in names.items():
        if name not in case.arguments:
            problem = f"{words} needs {declaration}, which the case does not give"
            raise case.error("reference:", problem)
    return list(names)


def _signature(case: Case, function: LibraryFunction) -> Signature:
    """The function's prototype, as the case gives it."""

    def known(name: str) -> GuestType | None:
        dtype = _OF_THIS_COMPUTER.get(name)
        return None if dtype is None else GuestType(name, "integer", dtype)

    try:
        signature = parse_prototype(function.prototype, known).signature
    except PrototypeError as error:
        raise case.error("reference:", str(error)) from error
    if signature.is_variadic:
        words = signature.words(function.function)
        raise case.error("reference:", f"{words} takes any number of arguments, which is not known")
    return signature


def _given(case: Case, scene: Scene, argument: Argument | None) -> Any:
    """An argument as `call_twice` takes it."""
    if isinstance(argument, Phrase) and argument.nodes:
        raise case.error("reference:", "a function of a library cannot get trees and lists")
    if isinstance(argument, Phrase):
        return _read(case, scene, argument)
    if isinstance(argument, Members):
        return {name: _read(case, scene, phrase) for name, phrase in argument.values.items()}
    if isinstance(argument, Pointer):
        inside = argument.to
        values = None if inside is None else _given(case, scene, inside)
        return Given(values, None if argument.count == 1 else argument.count)
    if isinstance(argument, PythonFunction):
        raise case.error(
            "reference:", f"a function of a library cannot call Python, as {argument.dotted}"
        )
    if isinstance(argument, AddressOf) and argument.name:
        raise case.error(
            "reference:", f"a function of a library cannot get the address of {argument.name}"
        )
    return None


def _read(case: Case, scene: Scene, phrase: Phrase) -> Any:
    """An attribute of a scene: a number, an array of numbers, or indices for pointers."""
    who = f"a scene of {case.make} has"
    found = attribute_of(scene, phrase.attribute, who, case.path)
    if phrase.text or isinstance(found, (str, bytes, bytearray)):
        return text_bytes(found, phrase, who, case.path)
    array = np.asarray(found)
    if phrase.into:
        return Into(array, phrase.into)
    return array.item() if array.ndim == 0 else array
