"""What a new case fills and compares of a function that a compiler has described."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from emu.base.errors import UsageError
from emu.cases.skeletons.array_lengths import ArrayLengths
from emu.cases.skeletons.function import CParameter, CPrototype, CResult, NumberType
from emu.cases.skeletons.function_bodies import FunctionBody
from emu.cases.skeletons.parameters import (
    UnfilledError,
    global_of,
    parameter_of,
    result_of,
    with_lengths,
)
from emu.cases.skeletons.pointed_members import with_members
from emu.program.elf.interface import FunctionInterface, UsedGlobal
from emu.program.model.signatures import Parameter

_COUNT = re.compile(r"(?i)count|number|how_?many|(^|[a-z_])num([A-Z_s]|$)")


def prototype_of(
    interface: FunctionInterface,
    used: Sequence[UsedGlobal],
    bodies: Mapping[str, FunctionBody],
    *,
    is_placed: bool = False,
) -> tuple[CPrototype, tuple[str, ...]]:
    """What a case of a function fills and compares.

    Args:
        interface: what the function needs.
        used: the globals that the case may fill.
        bodies: the text of the function and of those that it calls, by their names.
        is_placed: whether the old program has a place for each of them.

    Returns:
        The prototype, and a sentence for each thing that is left to the author of the case.

    Raises:
        UsageError: no scene can be made for it.
    """
    result, remarks = _result(interface)
    signature = interface.signature
    body = bodies.get(interface.name)
    if result is not None and body is not None and body.may_return_nothing:
        remarks.append(
            f"{interface.name} has a return without a value: take return out of observe, or give "
            "it scenes that always return one"
        )
    if signature.is_variadic:
        remarks.append('the arguments in place of ... go into a list: "...": [{short: a}]')
    lengths = ArrayLengths(interface, bodies)
    given = with_lengths(
        [
            _parameter(interface, parameter, parameter.name or f"parameter_{n}")
            for n, parameter in enumerate(signature.parameters)
        ]
    )
    filled, others = _globals(used, bodies if is_placed else {})
    counted = lengths.parameters(given)
    parameters = [with_members(one, interface, bodies) for one in counted]
    filled = [with_members(one, interface, bodies) for one in filled]
    fixed = CPrototype(interface.name, tuple(parameters), result).lengths
    values = list(lengths.limited([*parameters, *filled], fixed))
    prototype = CPrototype(
        interface.name,
        tuple(values[: len(parameters)]),
        result,
        globals=tuple(_with_counts(values[len(parameters) :])),
    )
    if result is None and not any(value.is_changed for value in prototype.values):
        raise UsageError(
            f"{interface.name} returns nothing, has no pointer to write to and works on no global, "
            "so nothing can be compared. If it draws or calls the Toolbox, write a case that "
            "observes toolbox (docs/cases.md)"
        )
    return prototype, (*remarks, *others)


def _result(interface: FunctionInterface) -> tuple[CResult | None, list[str]]:
    """What it returns, if that can be compared; else a sentence why not."""
    try:
        return result_of(interface.signature, interface.tags), []
    except UnfilledError as error:
        why = f"what {interface.name} returns is not compared: {error}"
        return None, [f"{why}. A pointer into an argument is observed as return: index into *a"]


def _parameter(interface: FunctionInterface, declared: Parameter, name: str) -> CParameter:
    """A parameter; a pointer to what no scene can have is null.

    Raises:
        UsageError: it is no pointer, and no scene can have it.
    """
    try:
        return parameter_of(declared, name, interface.tags, is_deep=True)
    except UnfilledError as error:
        if not declared.pointed and declared.type.kind != "pointer":
            raise UsageError(
                f"{interface.name} takes {declared.declaration}: {error}. Write a function "
                "beside it that takes its members, and name that one"
            ) from error
        kind = NumberType("", "")
        return CParameter(
            name, declared.declaration, kind, is_null=True, pointers=1, remark=f"{error}"
        )


def _globals(
    used: Sequence[UsedGlobal], bodies: Mapping[str, FunctionBody]
) -> tuple[list[CParameter], list[str]]:
    """The globals that are filled, and a sentence for each other one.

    Those to which a body assigns are states, even if they are initialised.
    """
    filled: list[CParameter] = []
    others: list[str] = []
    for one in used:
        is_state = any(body.assigns(one.declared.name) for body in bodies.values())
        problem = _why_left(one, is_state=is_state)
        try:
            filled += [] if problem else [replace(global_of(one.declared), name=one.name)]
        except UnfilledError as error:
            problem = f"{error}"
        if problem and not one.is_constant:
            others.append(f"{one.name} begins as the program has it: {problem}")
    return filled, others


def _why_left(one: UsedGlobal, *, is_state: bool) -> str:
    """Why a global is not filled; "" if it is."""
    if one.is_constant:
        return "it is constant"
    if one.is_static and not is_state:
        return "it is a static variable of a function; name it under ignore if it may change"
    if one.is_initialised and not (is_state and not one.declared.pointed):
        return "the source gives it a value; name it under input and observe if it is a state"
    if one.declared.function is not None:
        return "it leads to a function; fill it with function and the name of one"
    return ""


def _with_counts(globals_: Sequence[CParameter]) -> Iterator[CParameter]:
    """The globals; one whose name says a number of elements never exceeds the shortest array."""
    lengths = [part.shape[0] for one in globals_ for part in one.parts if part.shape]
    for one in globals_:
        first = one.parts[0] if len(one.parts) == 1 else None
        is_number = first is not None and not (first.shape or first.path or first.type.is_fraction)
        if (
            first is None
            or first.type.choices
            or not is_number
            or not lengths
            or not _COUNT.search(one.name)
        ):
            yield one
            continue
        kind = replace(first.type, choices=range(min(lengths) + 1))
        remark = f"0 to {min(lengths)}, since its name is one of a number of elements"
        yield replace(one, parts=(replace(first, type=kind),), remark=remark)
