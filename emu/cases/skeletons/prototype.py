"""Reads the prototype of a C function, as ``macproof new`` is given it: "short Neg(short a)".

From it follows what a new case has to fill and to compare: numbers, structs, texts, handles, and
what pointers lead to with its count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from emu.base.errors import InputError, UsageError
from emu.base.files import read_at_most
from emu.base.yaml_document import did_you_mean
from emu.cases.programs.mac_headers import header_file, type_in_headers
from emu.cases.skeletons.function import (
    MOST_POINTERS,
    CParameter,
    CPrototype,
    CResult,
    NumberType,
    Part,
    free_name,
)
from emu.program import GuestType
from emu.program.declarations.c_declarations import CDeclarations
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.names import Prototype
from emu.program.declarations.tokens import DeclarationError, FindFile, SourceText
from emu.program.model.signatures import SHORT_NAMES, Parameter, Signature
from emu.program.model.types import EXTENDED_96, UNKNOWN

_SUPPORTED = (
    "macproof new makes functions of whole numbers (char to long long, signed or unsigned), float "
    "and double, whatever Inside Macintosh calls them, of structs of them, and of pointers to one "
    "of these, or to as many as the next whole number among the parameters says: "
    '"long Sum(const short *values, short count)"; of texts: char * without such a number, '
    "Str255 and its like, StringPtr, ConstStr255Param; of Ptr, Handle and pointers to functions. "
    "Structs are declared before the function, or in the file of --header. For anything else make "
    "a simpler one, and change its source and its case.yaml"
)
_PASCAL = re.compile(r"\b(Str(?P<most>255|63|31|27|15)|StringPtr|ConstStr255Param)\b")
_MEMORY = re.compile(r"\b(Ptr|Handle|void)\b")
_KEYWORDS = {
    *("auto", "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "inline"),
    *("restrict", "return", "sizeof", "switch", "typedef", "while", "asm", "typeof", "main"),
}
_OF_YAML = {"null", "true", "false"}
_LONGEST = 255  # bytes of a text
_LARGEST = 1 << 20  # bytes of a header
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MODEL = DataModel(long_double=EXTENDED_96)
_NAME = re.compile(r"[A-Za-z_]\w*")
_OF_A_HANDLE = 2


def read_prototype(text: str, header: Path | None = None) -> CPrototype:
    """Read a prototype.

    Parameters without a name are called a, b, c and so on by their places.

    Args:
        text: the prototype, which declarations of structs may precede; or the name of a function
            that the header declares.
        header: a file with declarations in C.

    Raises:
        UsageError: it is no prototype, or has a type that `macproof new` does not know.
        InputError: the header cannot be read.
    """
    declared = CDeclarations(
        model=_MODEL,
        find_file=_finder(header),
        further=lambda name: type_in_headers(name, _MODEL),
    )
    declaration, before = _prototype(text.strip(), header, declared)
    signature = declaration.signature
    if signature.is_variadic or len(signature.parameters) > len(_LETTERS):
        raise _refused(text, f"a new case cannot have ... or over {len(_LETTERS)} parameters")
    parameters = [
        _parameter(text, parameter, parameter.name or _LETTERS[n], declared.tags)
        for n, parameter in enumerate(signature.parameters)
    ]
    names = [declaration.name, *(parameter.name for parameter in parameters)]
    for name in names:
        if name in _KEYWORDS or name in _OF_YAML:
            raise _refused(text, f"{name} is a reserved word, so it cannot be a name")
        if names.count(name) > 1:
            raise _refused(text, f"the name {name} is used twice")
    prototype = CPrototype(
        declaration.name,
        tuple(_with_length(parameter, n, parameters) for n, parameter in enumerate(parameters)),
        _result(text, signature, declared.tags),
        before=before,
        is_pascal=declaration.is_pascal,
        header=header,
    )
    return replace(prototype, state=_state(prototype, names))


def _finder(header: Path | None) -> FindFile:
    """Finds what headers include: beside a header, or among those of the kit."""

    def find(name: str) -> SourceText | None:
        beside = None if header is None else header.parent / name
        return (
            _source(beside, name) if beside is not None and beside.is_file() else header_file(name)
        )

    return find


def _source(path: Path, name: str = "") -> SourceText:
    text = read_at_most(path, _LARGEST, "a header").decode("utf-8", "replace")
    return SourceText("\n".join(text.splitlines()), name)


def _prototype(text: str, header: Path | None, declared: CDeclarations) -> tuple[Prototype, str]:
    """The prototype, and what stands before it."""
    if header is not None:
        problems = _read_header(header, declared)
        if _NAME.fullmatch(text) and text not in declared.prototypes:
            hint = did_you_mean(text, declared.prototypes)
            own = (problem for problem in problems if re.search(rf"\b{text}\b", problem))
            raise InputError(header, next(own, f"it declares no function {text}{hint}"))
        if _NAME.fullmatch(text):
            return declared.prototypes[text], ""
    try:
        prototype = declared.prototype(text)
    except DeclarationError as error:
        raise _refused(text, str(error)) from None
    last = text.rstrip("; \n")
    lines = list(re.finditer(r"^\s*#.*\n|;", last, re.MULTILINE))
    return prototype, last[: lines[-1].end()].strip() if lines else ""


def _read_header(header: Path, declared: CDeclarations) -> list[str]:
    """Read a header; why declarations in it were left out."""
    try:
        return [str(parameter) for parameter in declared.read_header(_source(header))]
    except DeclarationError as error:
        raise InputError(header, str(error)) from None


def _parameter(text: str, declared: Parameter, name: str, tags: frozenset[str]) -> CParameter:
    words = declared.declaration
    if declared.name:
        words = re.sub(rf"\b{declared.name}\b(?!.*\b{declared.name}\b)", "", words)
    declaration = declared.declaration if declared.name else _with_name(words, name)
    declaration = _with_struct(declaration, tags)
    words = words.replace("(*)", "*").partition("[")[0].strip()
    if declared.function is not None:
        if words.startswith("function "):
            inside = ", ".join(p.declaration for p in declared.function.parameters) or "void"
            declaration = f"{declared.function.result} (*{name})({inside})"
        if any(parameter.type.kind == "struct" for parameter in declared.function.parameters):
            raise _refused(text, f"{name} gets a struct, and no such call is written")
        return CParameter(name, declaration, NumberType("", ""), function=declared.function)
    pointed = declared.pointed
    pascal = _PASCAL.search(words)
    is_constant = words.startswith("const ") or "Const" in words
    if pascal is not None and len(pointed) == 1 and pointed[0].size == 1:
        most = int(pascal["most"] or _LONGEST)
        return CParameter(
            name,
            declaration,
            NumberType(pascal[0], "uint8"),
            (Part("", NumberType("unsigned char", "uint8")),),
            pointers=1,
            is_constant=is_constant,
            text="pascal",
            most=most,
        )
    kind = pointed[-1] if pointed else declared.type
    if len(pointed) > MOST_POINTERS:
        raise _refused(text, f"{declared.declaration} leads to memory by too many pointers")
    if words == "ProcPtr":
        raise _refused(text, "a ProcPtr does not say how the function is called")
    element = words.removeprefix("const ").rstrip("* ")
    if words.count("*") != len(pointed):  # a pointer with a name of its own
        element = SHORT_NAMES.get(kind.scalar.name, kind.scalar.name)
    parts, nulls = _parts(text, element, kind, is_whole=not pointed)
    return CParameter(
        name=name,
        declaration=declaration,
        type=NumberType(element, parts[0].type.dtype if not parts[0].path else ""),
        parts=parts,
        nulls=nulls,
        pointers=len(pointed),
        is_constant=is_constant and bool(pointed),
        is_handle="Handle" in words and len(pointed) - words.count("*") == _OF_A_HANDLE,
        is_memory=_MEMORY.search(words) is not None or len(pointed) > 1,
    )


def _with_struct(words: str, tags: frozenset[str]) -> str:
    """A declaration with ``struct`` before names that are none without it."""
    return re.sub(r"\w+", lambda m: f"struct {m[0]}" if m[0] in tags else m[0], words, count=2)


def _with_name(words: str, name: str) -> str:
    if "(*)" in words:
        return words.replace("(*)", f"(*{name})")
    return f"{words}{'' if words.endswith('*') else ' '}{name}"


def _parts(
    text: str, words: str, kind: GuestType, *, is_whole: bool
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The numbers in a value, and the paths of its pointers.

    Args:
        text: the prototype, for messages.
        words: the type as it is written.
        kind: the type.
        is_whole: whether all of it has to be filled.
    """
    if kind is UNKNOWN:
        return (Part("", NumberType("void", "uint8")),), ()
    parts: list[Part] = []
    nulls: list[str] = []
    for path, leaf in _leaves("", kind):
        scalar = leaf.scalar
        if scalar.kind == "pointer" and path:
            nulls.append(path)
        elif scalar.kind in ("integer", "boolean", "float") and scalar.wide is None:
            name = words if not path else SHORT_NAMES.get(scalar.name, scalar.name)
            dtype = scalar.dtype.newbyteorder("=").name
            # Case files have plain characters behind pointers as bytes, members as numbers.
            if name == "char" and not (is_whole or path or leaf.shape):
                dtype = "uint8"
            parts.append(Part(path, NumberType(name, dtype), leaf.shape))
        elif is_whole or not path:
            raise _refused(text, f"no scene can be made with values of the type {words}")
    if not parts:
        raise _refused(text, f"no scene can be made with values of the type {words}")
    return tuple(parts), tuple(nulls)


def _leaves(path: str, kind: GuestType) -> Iterator[tuple[str, GuestType]]:
    """The members of a struct that are none themselves, by their paths; else the value itself."""
    if kind.kind != "struct" or kind.is_union:
        yield path, kind
        return
    for field in kind.fields:
        yield from _leaves(f"{path}.{field.name}".lstrip("."), field.type)


def _result(text: str, signature: Signature, tags: frozenset[str]) -> CResult | None:
    kind, words = signature.result_type, signature.result.removeprefix("const ")
    if kind is None:
        return None
    parts, nulls = _parts(text, words, kind, is_whole=True)
    if nulls:
        raise _refused(text, f"it returns the pointer {nulls[0]}, which leads nowhere")
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
    return is_plain and not (kind.is_fraction or kind.is_boolean)


def _state(prototype: CPrototype, names: Sequence[str]) -> CParameter | None:
    """A global for a function that takes nothing, or that gives nothing back."""
    has_input = any(parameter.parts for parameter in prototype.parameters)
    has_output = prototype.result is not None or any(p.is_changed for p in prototype.parameters)
    if has_input and has_output:
        return None
    name, number = free_name("gState", names), NumberType("long", "int32")
    return CParameter(name, f"long {name}", number, (Part("", number),), is_global=True)


def _refused(text: str, problem: str) -> UsageError:
    return UsageError(f"--function {text.strip()!r}: {problem}. {_SUPPORTED}")
