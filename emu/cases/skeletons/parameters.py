"""Turns declared parameters, results and variables into what a new case fills and compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from emu.cases.skeletons.function import (
    MOST_POINTERS,
    CParameter,
    CResult,
    NumberType,
    Part,
)
from emu.program import GuestType
from emu.program.model.signatures import SHORT_NAMES, Parameter, Signature
from emu.program.model.types import UNKNOWN

_PASCAL = re.compile(r"\b(Str(?P<most>255|63|31|27|15)|StringPtr|ConstStr255Param)\b")
_MEMORY = re.compile(r"\b(Ptr|Handle|void)\b")
_LONGEST = 255  # bytes of a text
_OF_A_HANDLE = 2
_NUMBERS = {"integer", "boolean", "float", "enumeration"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class UnfilledError(ValueError):
    """No scene can be made with values of a type; the text is a clause that says why."""


def parameters_of(
    signature: Signature, tags: frozenset[str]
) -> tuple[tuple[CParameter, ...], CResult | None]:
    """The parameters and the result of a function.

    Parameters without a name are called a, b, c and so on by their places.

    Args:
        signature: how it is declared.
        tags: the names of structs that C knows only behind ``struct``.

    Raises:
        UnfilledError: no scene can be made with values of a type.
    """
    if signature.is_variadic or len(signature.parameters) > len(_LETTERS):
        raise UnfilledError(f"a new case cannot have ... or over {len(_LETTERS)} parameters")
    parameters = [
        parameter_of(parameter, parameter.name or _LETTERS[n], tags)
        for n, parameter in enumerate(signature.parameters)
    ]
    return with_lengths(parameters), result_of(signature, tags)


def with_lengths(parameters: Sequence[CParameter]) -> tuple[CParameter, ...]:
    """Parameters in order; pointers to many elements know which of them says how many."""
    return tuple(_with_length(one, n, parameters) for n, one in enumerate(parameters))


def global_of(declared: Parameter) -> CParameter:
    """A global. As of a parameter, except that an array is one value.

    Raises:
        UnfilledError: no scene can be made with values of its type.
    """
    (one,) = with_lengths([parameter_of(declared, declared.name, frozenset(), is_deep=True)])
    return replace(one, is_global=True)


def parameter_of(
    declared: Parameter, name: str, tags: frozenset[str], *, is_deep: bool = False
) -> CParameter:
    """A parameter, or a global that is declared like one.

    Args:
        declared: how it is declared.
        name: its name.
        tags: the names of structs that C knows only behind ``struct``.
        is_deep: whether arrays of structs, unions and bit-fields are filled, too, for which no
            function is written.

    Raises:
        UnfilledError: no scene can be made with values of its type.
    """
    words = declared.declaration
    if declared.name:
        words = re.sub(rf"\b{declared.name}\b(?!.*\b{declared.name}\b)", "", words)
    declaration = declared.declaration if declared.name else _with_name(words, name)
    declaration = _with_struct(declaration, tags)
    words = words.replace("(*)", "*").partition("[")[0].strip()
    if declared.function is not None:
        return _function_pointer(declared.function, name, declaration, words)
    pointed = declared.pointed
    pascal = _PASCAL.search(words)
    is_constant = words.startswith("const ") or "Const" in words
    is_bytes = len(pointed) <= 1 and (pointed or [declared.type])[0].scalar.size == 1
    if pascal is not None and is_bytes:
        most = int(pascal["most"] or _LONGEST)
        return CParameter(
            name,
            declaration,
            NumberType(pascal[0], "uint8"),
            (Part("", NumberType("unsigned char", "uint8")),),
            pointers=len(pointed),
            is_constant=is_constant,
            text="pascal",
            most=most,
        )
    kind = pointed[-1] if pointed else declared.type
    if len(pointed) > MOST_POINTERS:
        raise UnfilledError(f"{declared.declaration} leads to memory by too many pointers")
    if words == "ProcPtr":
        raise UnfilledError("a ProcPtr does not say how the function is called")
    element = words.removeprefix("const ").rstrip("* ")
    if words.count("*") != len(pointed):  # a pointer with a name of its own
        element = SHORT_NAMES.get(kind.scalar.name, kind.scalar.name)
    parts, nulls = _parts(element, kind, is_whole=not pointed and not is_deep, is_deep=is_deep)
    return CParameter(
        name=name,
        declaration=declaration,
        type=NumberType(element, "") if parts[0].path else replace(parts[0].type, words=element),
        parts=parts,
        nulls=nulls,
        pointers=len(pointed),
        is_constant=is_constant and bool(pointed),
        is_handle="Handle" in words and len(pointed) - words.count("*") == _OF_A_HANDLE,
        is_memory=_MEMORY.search(words) is not None or len(pointed) > 1,
    )


def _function_pointer(function: Signature, name: str, declaration: str, words: str) -> CParameter:
    """A parameter that is a pointer to a function.

    Raises:
        UnfilledError: the function gets a struct.
    """
    if words.startswith("function "):
        inside = ", ".join(p.declaration for p in function.parameters) or "void"
        declaration = f"{function.result} (*{name})({inside})"
    if any(parameter.type.kind == "struct" for parameter in function.parameters):
        raise UnfilledError(f"{name} gets a struct, and no such call is written")
    return CParameter(name, declaration, NumberType("", ""), function=function)


def _with_struct(words: str, tags: frozenset[str]) -> str:
    """A declaration with ``struct`` before names that are none without it."""
    return re.sub(r"\w+", lambda m: f"struct {m[0]}" if m[0] in tags else m[0], words, count=2)


def _with_name(words: str, name: str) -> str:
    if "(*)" in words:
        return words.replace("(*)", f"(*{name})")
    return f"{words}{'' if words.endswith('*') else ' '}{name}"


def _parts(
    words: str, kind: GuestType, *, is_whole: bool, is_deep: bool
) -> tuple[tuple[Part, ...], tuple[tuple[str, str], ...]]:
    """The numbers in a value, and the paths of its pointers with the types that they lead to.

    Args:
        words: the type as it is written.
        kind: the type.
        is_whole: whether all of it has to be filled.
        is_deep: whether arrays of structs, unions and bit-fields are filled, too.
    """
    if kind is UNKNOWN:
        return (Part("", NumberType("void", "uint8")),), ()
    parts: list[Part] = []
    nulls: list[tuple[str, str]] = []
    for path, leaf, shape in _leaves("", kind, (), is_deep):
        scalar = leaf.scalar
        if scalar.kind == "pointer" and path:
            nulls += [] if shape else [(path, scalar.target)]
        elif _is_numeric(scalar, is_deep):
            number = _number_type(words if not path else "", scalar)
            # Case files have plain characters behind pointers as bytes, members as numbers.
            if number.words == "char" and not (is_whole or path or shape):
                number = replace(number, dtype="uint8")
            parts.append(Part(path, number, shape))
        elif is_whole or not path:
            raise UnfilledError(_why(words, path, scalar))
    if not parts:
        raise UnfilledError(f"no scene can be made with values of the type {words}")
    return tuple(parts), tuple(nulls)


def _is_numeric(kind: GuestType, is_deep: bool) -> bool:
    """Whether a scene has values of a type as numbers."""
    return kind.kind in _NUMBERS and kind.wide is None and (is_deep or kind.bits is None)


def _number_type(words: str, kind: GuestType) -> NumberType:
    """The type of numbers of a type of the guest; ``words`` is its name in C, "" if not known."""
    words = words or SHORT_NAMES.get(kind.name, kind.name)
    if kind.bits is not None:
        return NumberType(words, "int64", range(kind.bits.least, kind.bits.most + 1))
    return NumberType(words, kind.dtype.newbyteorder("=").name, kind.values)


def _why(words: str, path: str, kind: GuestType) -> str:
    """Why no scene can be made with values of a type, as a clause."""
    where = f"{words} has the member {path}, and " if path else ""
    union = ", a union" if kind.is_union else ""
    return (
        f"{where}no scene can be made with values of the type {kind.name if path else words}{union}"
    )


def _leaves(
    path: str, kind: GuestType, shape: tuple[int, ...], is_deep: bool
) -> Iterator[tuple[str, GuestType, tuple[int, ...]]]:
    """The members of a struct that are none themselves, by their paths; else the value itself.

    The lengths of arrays come with each. Of a union it is the first of its largest members.
    """
    shape, inner = (*shape, *kind.shape), kind.scalar if is_deep else kind
    if inner.kind != "struct" or (inner.is_union and not is_deep):
        yield path, kind, shape
        return
    fields = inner.fields
    if inner.is_union:
        fields = (max(fields, key=lambda field: field.type.size),)
    for field in fields:
        yield from _leaves(f"{path}.{field.name}".lstrip("."), field.type, shape, is_deep)


def result_of(signature: Signature, tags: frozenset[str]) -> CResult | None:
    """What a function returns; None if it returns nothing.

    Raises:
        UnfilledError: nothing can be compared with values of its type.
    """
    kind, words = signature.result_type, signature.result.removeprefix("const ")
    if kind is None:
        return None
    parts, nulls = _parts(words, kind, is_whole=True, is_deep=False)
    if nulls:
        raise UnfilledError(f"it returns the pointer {nulls[0][0]}, which leads nowhere")
    words = _with_struct(words, tags)
    return CResult(NumberType(words, parts[0].type.dtype if not parts[0].path else ""), parts)


def _with_length(parameter: CParameter, place: int, others: Sequence[CParameter]) -> CParameter:
    """The parameter; a pointer is one to as many elements as the next whole number says, if any.

    A struct is a single one unless the number stands right behind it. If nothing says how many
    characters there are, they are a text.
    """
    if not parameter.is_pointer and place:
        lists = [other for other in others[:place] if other.pointers == MOST_POINTERS]
        first = bool(lists) and not any(map(_is_number, others[others.index(lists[0]) : place]))
        return replace(parameter, is_one=first and _is_number(parameter))
    if not parameter.is_pointer or parameter.text or parameter.pointers == MOST_POINTERS:
        return parameter
    following = others[place + 1 :]
    near = following if parameter.type.dtype else following[:1]
    length = next((other.name for other in near if _is_number(other)), "")
    if not length and parameter.type.words == "char" and not parameter.is_memory:
        return replace(parameter, text="c", most=_LONGEST)
    is_memory = parameter.is_memory and not length and bool(parameter.type.dtype)
    return replace(parameter, length=length, is_memory=is_memory)


def _is_number(parameter: CParameter) -> bool:
    """Whether it is a whole number, so that it may be one of elements."""
    kind = parameter.type
    is_plain = not parameter.is_pointer and parameter.function is None and bool(kind.dtype)
    return is_plain and not (kind.is_fraction or kind.is_boolean or kind.choices)
