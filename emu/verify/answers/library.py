"""Asks a function of a shared library what is right, for example that of a port to this computer.

The scene is laid into the library's own memory, not into guest images; functions are called twice
as by `oracle`, and the answer has the same form as a Python reference's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from emu.base.errors import GuestError, UsageError
from emu.base.processes.companion import Companion
from emu.base.processes.workers import ProcessDown
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.keys.arguments import (
    RESULT,
    AddressOf,
    Argument,
    Call,
    Members,
    Phrase,
    Pointer,
    PythonFunction,
)
from emu.cases.keys.parts import Scene, describe_scene
from emu.cases.keys.references import Library, LibraryFunction
from emu.program.elf.host_declarations import OWN_STRUCT
from emu.program.model.signatures import Signature
from emu.program.model.types import UNKNOWN, GuestType
from emu.verify.answers.determined_values import values_left
from emu.verify.answers.host.host_call import PlaceResult, call_twice
from emu.verify.answers.host.host_effects import HostEffects
from emu.verify.answers.host.host_function import HostFunction, HostLibrary
from emu.verify.answers.host.host_memory import (
    PATIENCE,
    ElementPointers,
    HostCall,
    ObservedPlace,
    Pointee,
)
from emu.verify.answers.host.library_globals import unseen_variables
from emu.verify.images.attributes import attribute_of, text_bytes
from emu.verify.images.scripts import script_of
from emu.verify.places.slots.effects import EFFECTS, Effect, Effects

_COMPANION = Companion()
_OF_THIS_COMPUTER = {
    **{name: np.dtype("i8") for name in ("intptr_t", "ssize_t", "ptrdiff_t")},
    **{name: np.dtype("u8") for name in ("uintptr_t", "size_t")},
}


def ask_library(case: Case, library: Library, scene: Scene) -> SimpleNamespace:
    """Call functions of a library on a scene.

    Returns:
        One attribute for each observed place, with the place's name. A masked value was not
        written. If the scene makes several calls, ``return`` is a list with the result of each.

    Raises:
        GuestError: a function crashes, or does not return.
        CaseError: the case does not fit the library; or a value depends on memory that the scene
            does not fill.
    """
    calls = _calls(case, library, scene)
    left, others = _left_by(case, library, scene, calls)
    answer = _observed(case, library, scene, left, len(calls))
    unseen = unseen_variables(library.library, library.functions[-1].symbol)
    always = (
        f"what {library.library.name} writes to memory that it allocates, to variables of threads, "
        "or to a variable that holds the value already was not seen"
    )
    effects = _effects(others, (unseen, always) if unseen else (always,))
    setattr(answer, EFFECTS, effects.without((*case.ignored_names, *library.ignored)))
    return answer


def _left_by(
    case: Case, library: Library, scene: Scene, calls: Sequence[HostCall]
) -> tuple[dict[str, PlaceResult], HostEffects]:
    """The values that the calls leave, by the names of the places, and their other effects."""
    before = [HostCall(number, {}) for number in range(len(library.before))]
    try:
        return _COMPANION.call(
            call_twice,
            _host_library(library),
            [*before, *calls],
            _wanted(case, library, calls),
            len(before),
            is_fresh=bool(case.calls or before),
        )
    except ProcessDown as error:
        late = f"did not return in {PATIENCE} s" if error.ending == "SIGALRM" else ""
        why = late or f"crashed ({error.ending})"
        raise GuestError(
            f"{library.words}, which says what is right, {why} ({describe_scene(scene)}). "
            f"So there is no verdict on {', '.join(case.called)}"
        ) from error
    except UsageError as error:
        _require_types(case, library)  # says more than cffi does
        raise case.error("reference:", str(error)) from error


def _observed(
    case: Case, library: Library, scene: Scene, left: Mapping[str, PlaceResult], calls: int
) -> SimpleNamespace:
    """The answer of `ask_library`, of what ``calls`` calls left in the observed places."""
    answer = SimpleNamespace()
    who = f"{library.words}, asked about {describe_scene(scene)},"
    for observed in case.observed:
        if case.calls and observed.variable == RESULT:
            names = (f"{RESULT} {number}.{observed.member}" for number in range(calls))
            results = [
                values_left(case, who, name, left[name], is_pointer=False) if name in left else None
                for name in names
            ]
            setattr(answer, observed.attribute, results)
            continue
        name = observed.attribute
        is_pointer = bool(observed.phrase.into)
        value = values_left(case, who, name, left[name], is_pointer=is_pointer)
        # A library cannot resize a block, so it leaves as many elements as the scene gives.
        value = value[: _elements(case, scene, observed.variable)] if value.ndim else value
        setattr(answer, name, value)
    return answer


def _elements(case: Case, scene: Scene, variable: str) -> int | None:
    """How many elements the scene gives for a handle's block; None for any other memory.

    Args:
        case: the case.
        scene: the scene.
        variable: the memory by its name, such as "**h".
    """
    for call in case.calls or [Call(case.call, case.arguments)]:
        handle = call.arguments.get(variable.removeprefix("**")) if variable[:2] == "**" else None
        if not isinstance(handle, Pointer) or not (handle.is_handle or handle.count is None):
            continue
        block = handle.to
        if isinstance(block, Pointer) and isinstance(block.to, Phrase | Members):
            given = _host_argument(case, scene, block.to, None)
            every = given.values() if isinstance(given, dict) else [given]
            arrays = [
                np.asarray(values.indices if isinstance(values, ElementPointers) else values)
                for values in every
            ]
            return max((len(values) for values in arrays if values.ndim), default=None)
    return None


def _effects(effects: HostEffects, unseen: tuple[str, ...]) -> Effects:
    """What the functions write beside what the case observes, and what they may write unseen."""
    values = [Effect(name, value) for name, value in effects.values.items()]
    for name, held in effects.variables.items():
        raw = np.ma.MaskedArray(np.frombuffer(held, np.uint8))
        values.append(Effect(name, raw, is_raw=True))
    return Effects(tuple(values), effects.others, unseen=unseen)


def _require_types(case: Case, library: Library) -> None:
    """Refuse declarations of structs that macproof does not understand."""
    from emu.program.declarations.c_declarations import parse_types

    try:
        parse_types(library.types, _type_of_this_computer)
    except UsageError as error:
        raise case.error("reference.types:", str(error)) from error


def _type_of_this_computer(name: str) -> GuestType | None:
    dtype = _OF_THIS_COMPUTER.get(name)
    return None if dtype is None else GuestType(name, "integer", dtype)


def _host_library(library: Library) -> HostLibrary:
    """The library as `call_twice` takes it, with names of structs that no two functions share."""
    functions = []
    for number, function in enumerate(library.functions):
        if function.declared is None:
            functions.append(HostFunction(function.symbol, function.prototype))
            continue
        own = f"{OWN_STRUCT}{number}_"
        functions.append(
            HostFunction(
                function.symbol,
                function.prototype.replace(OWN_STRUCT, own),
                function.declared.types.replace(OWN_STRUCT, own),
                tuple(
                    (kind.replace(OWN_STRUCT, own), size) for kind, size in function.declared.sizes
                ),
            )
        )
    by_name = {function.name: function for function in functions}
    before = [
        by_name.get(function, HostFunction(function, f"void {function}(void)"))
        for function in library.before
    ]
    return HostLibrary(str(library.library), (*before, *functions), library.types)


def _wanted(case: Case, library: Library, calls: Sequence[HostCall]) -> list[ObservedPlace]:
    """The places to read after the calls: every observed one, and the result of each call."""
    wanted, first = [], len(library.before)
    for observed in case.observed:
        if observed.variable != RESULT:
            wanted.append(
                ObservedPlace(
                    observed.attribute, observed.variable, observed.member, observed.phrase.into
                )
            )
        elif not case.calls:
            wanted.append(
                ObservedPlace(
                    observed.attribute, f"{RESULT} {first}", observed.member, observed.phrase.into
                )
            )
        else:
            wanted += [
                ObservedPlace(
                    f"{RESULT} {number}.{observed.member}",
                    f"{RESULT} {first + number}",
                    observed.member,
                    "",
                )
                for number, call in enumerate(calls)
                if not _returns_nothing(library.functions[call.function - first])
            ]
    return wanted


def _returns_nothing(function: LibraryFunction) -> bool:
    return re.match(r"\s*(extern\s+|pascal\s+)*void\s+\w", function.prototype) is not None


def _calls(case: Case, library: Library, scene: Scene) -> list[HostCall]:
    """The calls that are made on a scene."""
    parameters = {
        function.name: _parameters(case, library, function) for function in library.functions
    }
    calls = [Call(case.call, case.arguments)]
    steps: list[int | None] = [None]
    if case.script:
        order = script_of(case, scene).tolist()
        calls, steps = [case.calls[routine] for routine in order], list(range(len(order)))
    elif case.calls:
        calls, steps = list(case.calls), [None] * len(case.calls)
    names = [*library.before, *(function.name for function in library.functions)]
    return [
        HostCall(
            names.index(call.routine, len(library.before)),
            {
                name: _host_argument(case, scene, call.arguments[name], step)
                for name in parameters[call.routine]
            },
        )
        for call, step in zip(calls, steps, strict=True)
    ]


def _parameters(case: Case, library: Library, function: LibraryFunction) -> list[str]:
    """The names of a function's parameters, which the case's arguments must have too."""
    words = function.prototype
    if function.declared is not None:
        names = {name: name for name in function.declared.parameters}
    else:
        signature = _signature(case, library, function)
        names = {parameter.name: parameter.declaration for parameter in signature.parameters}
        words = signature.words(function.symbol)
    calls = [call for call in case.calls if call.routine == function.name]
    for call in calls or [Call(case.call, case.arguments)]:
        for name in call.arguments:
            if name not in names:
                raise case.error(
                    "reference:", f"{words} has no parameter {name}{did_you_mean(name, names)}"
                )
        for name, declaration in names.items():
            if name not in call.arguments:
                problem = f"{words} needs {declaration}, which the case does not give"
                raise case.error("reference:", problem)
    return list(names)


def _signature(case: Case, library: Library, function: LibraryFunction) -> Signature:
    """The function's prototype, as the case gives it."""
    from emu.program.declarations.c_declarations import parse_prototype  # few cases need it

    def find_type(name: str) -> GuestType | None:
        # cffi reads the types; here only the names of parameters are looked for.
        is_own = re.search(rf"\b{re.escape(name)}\b", library.types) is not None
        return UNKNOWN if is_own else _type_of_this_computer(name)

    try:
        signature = parse_prototype(function.prototype, find_type).signature
    except UsageError as error:
        raise case.error(
            "reference:",
            str(error),
            ""
            if library.types
            else 'Structs of its own are declared beside it, as in types: "struct Entry { int32_t '
            'key; };".',
        ) from error
    if signature.is_variadic:
        words = signature.words(function.symbol)
        raise case.error(
            "reference:", f"{words} takes any number of arguments, which a library cannot get"
        )
    return signature


def _host_argument(case: Case, scene: Scene, argument: Argument | None, step: int | None) -> Any:
    """An argument as `call_twice` takes it.

    Args:
        case: the case.
        scene: the scene.
        argument: the argument; None for memory that begins as anything.
        step: the number of the call in a script, in which plain arguments have a value for each
            call; None for any other.
    """
    if isinstance(argument, Phrase) and argument.nodes:
        raise case.error("reference:", "a function of a library cannot get trees and lists")
    if isinstance(argument, Phrase):
        return _of_step(case, argument, _read(case, scene, argument), step)
    if isinstance(argument, Members):
        if argument.addresses:
            name = next(iter(argument.addresses))
            raise case.error(
                "reference:", f"a function of a library cannot get the address in the member {name}"
            )
        if argument.pointers:
            name = next(iter(argument.pointers))
            raise case.error(
                "reference:", f"a function of a library cannot get the pointer in the member {name}"
            )
        return {
            name: _of_step(case, phrase, _read(case, scene, phrase), step)
            for name, phrase in argument.values.items()
        }
    if isinstance(argument, Pointer):
        inside = argument.to
        values = None if inside is None else _host_argument(case, scene, inside, None)
        return Pointee(values, None if argument.count == 1 else argument.count)
    if isinstance(argument, PythonFunction):
        raise case.error(
            "reference:", f"a function of a library cannot call Python, as {argument.dotted}"
        )
    if isinstance(argument, AddressOf) and argument.name:
        raise case.error(
            "reference:", f"a function of a library cannot get the address of {argument.name}"
        )
    return None


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
    attribute = attribute_of(scene, phrase.attribute, who, case.path)
    if phrase.is_function:
        raise case.error("reference:", f"a function of a library cannot get {phrase}")
    if phrase.text or isinstance(attribute, (str, bytes, bytearray)):
        return text_bytes(attribute, phrase, who, case.path)
    array = np.asarray(attribute)
    if phrase.into:
        return ElementPointers(array, phrase.into)
    return array.item() if array.ndim == 0 else array
