"""Hypothesis strategies from the types that a guest program declares.

For example, a test with the decorator ``@given(strategies.arguments(program, "Abs"))`` calls Abs
with numbers of its parameter's type. If the test fails, Hypothesis shrinks the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.program.model.model import Program
from emu.program.model.signatures import Parameter
from emu.program.model.types import GuestType
from emu.program.model.wide_floats import WideFloat, WideForm

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError("macproof.strategies needs Hypothesis: pip install hypothesis") from error

__all__ = ["arguments", "of_type"]


def of_type(
    program: Program, kind: GuestType | str, **members: st.SearchStrategy[Any]
) -> st.SearchStrategy[Any]:
    """Make a strategy for the values of a type.

    A whole number is an int within the limits of its type, a Boolean a bool, an enumeration one of
    its named values, a float any float of its width, infinities and NaN included; a long double is
    an `Extended` or a `DoubleDouble`. An array is a
    list. A struct is a dict with its members in their order, a union a dict with one member. A
    pointer is None, the null pointer, because only the test knows which addresses are valid.

    Args:
        program: the program that declares the type.
        kind: the type, or its name in the source ("ball"; "short" may stand for "short int").
        members: for a struct or an array of structs, strategies for members by their names, in
            place of those of their types.

    Raises:
        ProgramError: the program has no type of that name that macproof can represent.
        UsageError: the struct has no such member.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> objects = strategies.of_type(program, "obj", x=st.integers(5, 9))
        >>> hypothesis.find(objects, lambda found: found["y"] > 20)
        {'x': 5, 'y': 21, 'sector_link': None, 'obj_link': None}
    """
    found = program.type(kind) if isinstance(kind, str) else kind
    fields = [field.name for field in found.scalar.fields]
    for name in members:
        if name not in fields:
            raise UsageError(f"{found.name} has no member {name}{did_you_mean(name, fields)}")
    return _values(found, members)


def arguments(
    program: Program, function: str, **parameters: st.SearchStrategy[Any]
) -> st.SearchStrategy[tuple[Any, ...]]:
    """Make a strategy for the arguments of a function: tuples with a value for each parameter.

    Args:
        program: the program that defines the function.
        function: its name in the source.
        parameters: strategies for parameters by their names, in place of those of their types.

    Raises:
        ProgramError: there is no such function.
        UsageError: nothing is known of its parameters, or it has none of a name.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> hypothesis.find(strategies.arguments(program, "_Abs"), lambda found: found[0] > 100)
        (101,)
    """
    signature = program.signature(function)
    if signature is None:
        raise UsageError(f"{program.path}: nothing is known of the parameters of {function}")
    names = [parameter.name for parameter in signature.parameters]
    for name in parameters:
        if name not in names:
            raise UsageError(
                f"{signature.words(function)} has no parameter {name}{did_you_mean(name, names)}"
            )
    return st.tuples(
        *(
            parameters[one.name] if one.name in parameters else _argument(one)
            for one in signature.parameters
        )
    )


def _argument(parameter: Parameter) -> st.SearchStrategy[Any]:
    return st.none() if parameter.pointed else _values(parameter.type)


def _values(
    kind: GuestType, members: Mapping[str, st.SearchStrategy[Any]] | None = None
) -> st.SearchStrategy[Any]:
    match kind.kind:
        case "array" if kind.element is not None:
            return _arrays(_values(kind.element, members), kind.shape)
        case "struct":
            return _structs(kind, members or {})
        case "integer":
            return st.integers(*kind.limits)
        case "boolean":
            return st.booleans()
        case "enumeration":
            return st.sampled_from(kind.values) if kind.values else st.just(0)
        case "float" if kind.wide is not None:
            return _wide_floats(kind.wide)
        case "float":
            return st.floats(width=32 if kind.size == 4 else 64)
        case "pointer":
            return st.none()
    raise UsageError(f"there is no strategy for a {kind.name}: macproof cannot show its values")


def _wide_floats(form: WideForm) -> st.SearchStrategy[WideFloat]:
    """Numbers that a double has, which shrink best, and numbers of all bits."""
    made = form.number
    parts = st.tuples(st.integers(-(1 << 64), 1 << 64), st.integers(-16500, 16500))
    return st.one_of(
        st.floats().map(made),
        parts.map(lambda one: made(Fraction(one[0]) * Fraction(2) ** one[1])),
    )


def _arrays(elements: st.SearchStrategy[Any], shape: Sequence[int]) -> st.SearchStrategy[Any]:
    for length in reversed(shape):
        elements = st.lists(elements, min_size=length, max_size=length)
    return elements


def _structs(
    kind: GuestType, members: Mapping[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    parts = {
        field.name: members[field.name] if field.name in members else _values(field.type)
        for field in kind.fields
    }
    if kind.is_union:
        return st.one_of([st.fixed_dictionaries({name: parts[name]}) for name in parts])
    # In the order of the struct, so that tuple(value.values()) can be stored in an array's element.
    return st.tuples(*parts.values()).map(lambda values: dict(zip(parts, values, strict=True)))
