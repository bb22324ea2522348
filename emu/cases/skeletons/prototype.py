"""Reads the prototype of a C function, as ``macproof new`` is given it: "short Neg(short a)".

From it follows what a new case has to fill and to compare: numbers, structs, texts, handles, and
what pointers lead to with its count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from emu.base.errors import InputError, UsageError
from emu.base.files import read_at_most
from emu.base.yaml_document import did_you_mean
from emu.cases.programs.mac_headers import header_file, type_in_headers
from emu.cases.skeletons.function import CParameter, CPrototype, NumberType, Part, free_name
from emu.cases.skeletons.parameters import UnfilledError, parameters_of
from emu.program.declarations.c_declarations import CDeclarations
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.names import Prototype
from emu.program.declarations.tokens import DeclarationError, FindFile, SourceText
from emu.program.model.types import EXTENDED_96

_SUPPORTED = (
    "macproof new makes functions of whole numbers (char to long long, signed or unsigned), float "
    "and double, whatever Inside Macintosh calls them, of structs of them, and of pointers to one "
    "of these, or to as many as the next whole number among the parameters says: "
    '"long Sum(const short *values, short count)"; of texts: char * without such a number, '
    "Str255 and its like, StringPtr, ConstStr255Param; of Ptr, Handle and pointers to functions. "
    "Structs are declared before the function, or in the file of --header. For anything else make "
    "a simpler one, and change its source and its case.yaml"
)
_KEYWORDS = {
    *("auto", "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "inline"),
    *("restrict", "return", "sizeof", "switch", "typedef", "while", "asm", "typeof", "main"),
}
_OF_YAML = {"null", "true", "false"}
_LARGEST = 1 << 20  # bytes of a header
_MODEL = DataModel(long_double=EXTENDED_96)
_NAME = re.compile(r"[A-Za-z_]\w*")


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
    try:
        parameters, result = parameters_of(signature, declared.tags)
    except UnfilledError as error:
        raise _refused(text, str(error)) from None
    names = [declaration.name, *(parameter.name for parameter in parameters)]
    for name in names:
        if name in _KEYWORDS or name in _OF_YAML:
            raise _refused(text, f"{name} is a reserved word, so it cannot be a name")
        if names.count(name) > 1:
            raise _refused(text, f"the name {name} is used twice")
    prototype = CPrototype(
        declaration.name,
        parameters,
        result,
        before=before,
        is_pascal=declaration.is_pascal,
        header=header,
    )
    return replace(prototype, globals=_state(prototype, names))


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


def _state(prototype: CPrototype, names: Sequence[str]) -> tuple[CParameter, ...]:
    """A global for a function that takes nothing, or that gives nothing back."""
    has_input = any(parameter.parts for parameter in prototype.parameters)
    has_output = prototype.result is not None or any(p.is_changed for p in prototype.parameters)
    if has_input and has_output:
        return ()
    name, number = free_name("gState", names), NumberType("long", "int32")
    return (CParameter(name, f"long {name}", number, (Part("", number),), is_global=True),)


def _refused(text: str, problem: str) -> UsageError:
    return UsageError(f"--function {text.strip()!r}: {problem}. {_SUPPORTED}")
