"""Functions and variables of a shared library of this computer, as a case file names them.

    reference: {library: libport.so, function: unpack_bits}

How they are declared is said by the case (``prototype``, ``globals``), by a header of the library,
or by the library's debugging information, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.errors import ProgramError
from emu.base.files import read_at_most
from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.cases.keys.arguments import RESULT
from emu.cases.keys.declarations import by_routine
from emu.cases.keys.toolbox_state import TOOLBOX
from emu.program.declarations.headers import HeaderDeclarations, declarations_for
from emu.program.declarations.tokens import DeclarationError, SourceText
from emu.program.elf.host_declarations import (
    HostDeclaration,
    declaration_in,
    variable_declaration_in,
)

_LARGEST_HEADER = 1 << 20
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A function of a shared library of this computer.

    Attributes:
        name: the name of the routine that it stands for, in the case.
        symbol: its own name.
        prototype: how it is declared.
        declared: how it is declared by the library's debugging information, if the case does not
            say.
    """

    name: str
    symbol: str
    prototype: str
    declared: HostDeclaration | None = None


@dataclass(frozen=True, slots=True)
class LibraryGlobal:
    """A variable of a shared library, which a case fills or observes.

    Attributes:
        name: its name in the case.
        symbol: its own name.
        declaration: its declaration in C, without a semicolon: "int16_t gTable[12]".
        declared: how it is declared by the library's debugging information, if nothing else says.
    """

    name: str
    symbol: str
    declaration: str
    declared: HostDeclaration | None = None


@dataclass(frozen=True, slots=True)
class Library:
    """Functions of a shared library of this computer whose results are right.

    Attributes:
        library: the library's file.
        functions: the functions.
        types: declarations in C of the structs that their prototypes have.
        before: functions without parameters that are called first, such as an initialisation.
        ignored: what they may write that is no part of the answer: variables of the library, or
            "*scratch" for what an argument points to.
        header: the name of the header that declares them, relative to the case; "" for none.
        globals: those of its variables that the case fills or observes.
    """

    library: Path
    functions: tuple[LibraryFunction, ...]
    types: str = ""
    before: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    header: str = ""
    globals: tuple[LibraryGlobal, ...] = ()

    @property
    def words(self) -> str:
        """The functions and the library, for messages."""
        return f"{', '.join(function.symbol for function in self.functions)} of {self.library.name}"


def library_of(
    document: YamlDocument, written: Mapping[str, Any], called: Sequence[str]
) -> Library:
    """Read a reference that is a library.

    Args:
        document: the case file.
        written: what it says under ``reference``.
        called: the names of the routines that the case calls.

    Raises:
        CaseError: there is no such file; or nothing says how a function or a variable is declared.
    """
    path = document.path.resolve().parent / written["library"]
    if not path.is_file():
        problem = f"there is no file {written['library']} beside it"
        raise document.error(("reference", "library"), problem)
    if "repeat" in document.data:
        raise document.error(
            ("repeat",), "a function of a library is called once, and the case has repeat"
        )
    symbols = by_routine(document, ("reference", "function"), called)
    prototypes = by_routine(document, ("prototype",), called)
    prototypes |= by_routine(document, ("reference", "prototype"), called)
    names = [symbols.get(name, name) for name in called]
    variables = _variables(document, written)
    in_header = _in_header(
        document,
        written,
        [n for n in names if n not in prototypes],
        [symbol for symbol, declaration in variables.values() if not declaration],
    )
    functions = []
    for name, symbol in zip(called, names, strict=True):
        prototype, declared = prototypes.get(name) or in_header.prototypes.get(symbol, ""), None
        if not prototype:
            declared = _declared_in(document, path, symbol)
            prototype = declared.prototype
        functions.append(LibraryFunction(name, symbol, prototype, declared))
    return Library(
        path,
        tuple(functions),
        "\n".join(filter(None, [in_header.types, written.get("types", "")])),
        tuple(written.get("before", document.data.get("before", ()))),
        tuple(written.get("ignore", ())),
        written.get("header", ""),
        tuple(
            _global_of(document, path, name, symbol, said or in_header.variables.get(symbol, ""))
            for name, (symbol, said) in variables.items()
        ),
    )


def _variables(document: YamlDocument, written: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """The globals that the case fills or observes: the library's name and declaration of each.

    The declaration is "" where the case gives none.
    """
    said = written.get("globals", {})
    places = [*document.data.get("input", {}), *document.data["observe"]]
    names = dict.fromkeys(re.split(r"[. ]", place)[0] for place in places if place[:1] != "*")
    variables = {}
    for name in names.keys() - {RESULT, TOOLBOX}:
        if "::" in name:
            problem = f"a library does not tell its static variables in functions, as {name}"
            raise document.error(("reference",), problem, "Leave it out, or observe a global.")
        keys = said.get(name, {})
        symbol = keys.get("at", name)
        if not _NAME.fullmatch(symbol):
            raise document.error(
                ("reference", "globals", name),
                f"{symbol} is no name of a variable, by which a library tells where {name} is",
            )
        base, bracket, lengths = keys.get("type", "").partition("[")
        variables[name] = (symbol, f"{base} {symbol}{bracket}{lengths}" if base else "")
    for name in said:
        if name not in variables:
            raise document.error(
                ("reference", "globals", name),
                f"the case neither fills nor observes {name}{did_you_mean(name, variables)}",
            )
    return dict(sorted(variables.items()))


def _global_of(
    document: YamlDocument, path: Path, name: str, symbol: str, declaration: str
) -> LibraryGlobal:
    """A variable of a library; its debugging information is asked if nothing declares it."""
    if declaration:
        return LibraryGlobal(name, symbol, declaration)
    try:
        declared = variable_declaration_in(path, symbol)
    except ProgramError as error:
        raise document.error(("reference",), f"{path.name}: {error.problem}") from error
    if declared is None:
        raise document.error(
            ("reference",),
            f"nothing is known of the type of {symbol} in {path.name}",
            remedy=f'Say it, as in globals: {{{name}: {{type: "int16_t[12]"}}}}, or with at: other '
            "if the library names it otherwise; name a header that declares it; or compile the "
            "library with -g, if it is an ELF file.",
        )
    return LibraryGlobal(name, symbol, declared.prototype, declared)


def _in_header(
    document: YamlDocument,
    written: Mapping[str, Any],
    functions: Sequence[str],
    variables: Sequence[str],
) -> HeaderDeclarations:
    """What the header that a reference names declares; nothing if it names none.

    Raises:
        CaseError: there is no such file, it is not C, or it does not declare a function.
    """
    if "header" not in written:
        return HeaderDeclarations("", {}, {})
    path, place = document.path.resolve().parent / written["header"], ("reference", "header")
    if not path.is_file():
        raise document.error(place, f"there is no file {written['header']} beside it")

    def find(name: str) -> SourceText | None:
        beside = path.parent / name
        return _header_text(beside, name) if beside.is_file() else None

    try:
        found = declarations_for(_header_text(path, path.name), functions, find, variables)
    except DeclarationError as error:
        raise document.error(place, str(error)) from error
    for name in functions:
        if name not in found.prototypes:
            raise document.error(place, f"{path.name} declares no function {name}")
    return found


def _header_text(path: Path, name: str) -> SourceText:
    text = read_at_most(path, _LARGEST_HEADER, "a header", ProgramError).decode("utf-8", "replace")
    return SourceText("\n".join(text.splitlines()), name)


def _declared_in(document: YamlDocument, path: Path, function: str) -> HostDeclaration:
    """How a function of a library is declared, by the library's debugging information."""
    try:
        declared = declaration_in(path, function)
    except ProgramError as error:
        problem = f"{path.name}: {error.problem}"
        raise document.error(("reference",), problem) from error
    if declared is None:
        raise document.error(
            ("reference",),
            f"nothing is known of the parameters of {function}",
            remedy=f'Say how it is declared, as in prototype: "int16_t {function}(int16_t a)"; or '
            "compile the library with -g, if it is an ELF file.",
        )
    return declared
