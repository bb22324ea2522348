"""Asks a function of a shared library what is right, for example that of a port to this computer.

The scene is laid into the library's own memory, not into guest images; functions are called twice
as by `oracle`, and the answer has the same form as a Python reference's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    Argument,
    Call,
    Members,
    Phrase,
    Pointer,
)
from emu.cases.keys.libraries import Library, LibraryFunction
from emu.cases.keys.parts import ObservedVariable, Scene, describe_scene
from emu.program.elf.host_declarations import OWN_STRUCT, HostDeclaration, HostRecord
from emu.program.model.signatures import Signature
from emu.program.model.types import UNKNOWN, GuestType
from emu.verify.answers.determined_values import values_left
from emu.verify.answers.host.host_call import PlaceResult, call_twice
from emu.verify.answers.host.host_effects import HostEffects
from emu.verify.answers.host.host_function import HostFunction, HostGlobal, HostLibrary
from emu.verify.answers.host.host_memory import PATIENCE
from emu.verify.answers.host.host_values import ElementPointers, HostCall, ObservedPlace, Pointee
from emu.verify.answers.host.library_globals import unseen_variables
from emu.verify.answers.library_values import host_argument, pointers_of
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
            _global_values(case, library, scene),
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
        value = values_left(case, who, name, left[name], is_pointer=left[name].is_pointer)
        # A library cannot resize a block, so it leaves as many elements as the scene gives.
        value = value[: _elements(case, scene, _place(case, observed)[0])] if value.ndim else value
        setattr(answer, name, value)
    return answer


def _elements(case: Case, scene: Scene, variable: str) -> int | None:
    """How many elements the scene gives for a handle's block; None for any other memory.

    Args:
        case: the case.
        scene: the scene.
        variable: the memory by its name, such as "**h".
    """
    handle = pointers_of(case).get(variable[1:]) if variable[:2] == "**" else None
    if handle is None or not (handle.is_handle or handle.count is None):
        return None
    block = handle.to
    if isinstance(block, Pointer) and isinstance(block.to, Phrase | Members):
        given = host_argument(case, scene, block.to, None)
        every = given.values() if isinstance(given, dict) else [given]
        arrays = [
            np.asarray(values.indices if isinstance(values, ElementPointers) else values)
            for values in every
            if not isinstance(values, Pointee)
        ]
        return max((len(values) for values in arrays if values.ndim), default=None)
    return None


def _place(case: Case, observed: ObservedVariable) -> tuple[str, str]:
    """The variable that is observed, and its member; "**gRec.data" is what a member leads to."""
    place = f"{observed.variable}.{observed.member}".rstrip(".")
    for name in pointers_of(case):
        if "." in name and f"{place}.".startswith(f"{name}."):
            return name, place[len(name) + 1 :]
    return observed.variable, observed.member


def _global_values(case: Case, library: Library, scene: Scene) -> dict[str, Any]:
    """What a scene gives the library's variables, by their names in the case."""
    values: dict[str, Any] = {}
    members: dict[str, Argument]
    for variable in library.globals:
        members = {
            **case.inputs.get(variable.name, {}),
            **case.pointers.get(variable.name, {}),
        }
        given = {name: host_argument(case, scene, one, None) for name, one in members.items()}
        if given:
            values[variable.name] = given.get("", given)
    return values


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
        prototype, types, records = _own_structs(function.prototype, function.declared, number)
        functions.append(HostFunction(function.symbol, prototype, types, records))
    by_name = {function.name: function for function in functions}
    before = [
        by_name.get(function, HostFunction(function, f"void {function}(void)"))
        for function in library.before
    ]
    variables = []
    for number, variable in enumerate(library.globals, len(functions)):
        declaration, types, records = _own_structs(variable.declaration, variable.declared, number)
        variables.append(HostGlobal(variable.name, variable.symbol, declaration, types, records))
    return HostLibrary(str(library.library), (*before, *functions), library.types, tuple(variables))


def _own_structs(
    words: str, declared: HostDeclaration | None, number: int
) -> tuple[str, str, tuple[HostRecord, ...]]:
    """A declaration, the types it needs and their layouts, with names that no other one has."""
    if declared is None:
        return words, "", ()
    own = f"{OWN_STRUCT}{number}_"
    records = tuple(
        replace(record, name=record.name.replace(OWN_STRUCT, own)) for record in declared.records
    )
    return words.replace(OWN_STRUCT, own), declared.types.replace(OWN_STRUCT, own), records


def _wanted(case: Case, library: Library, calls: Sequence[HostCall]) -> list[ObservedPlace]:
    """The places to read after the calls: every observed one, and the result of each call."""
    wanted, first = [], len(library.before)
    for observed in case.observed:
        if observed.variable != RESULT:
            variable, member = _place(case, observed)
            wanted.append(ObservedPlace(observed.attribute, variable, member, observed.phrase.into))
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
                name: host_argument(case, scene, call.arguments[name], step)
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
