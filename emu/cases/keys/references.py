"""What says which values are right: Python, a routine of another program, or of a shared library.

    reference: packbits_reference:unpack
    reference: {program: Original.bin, symbol: UnpackBits}
    reference: {library: libport.so, function: unpack_bits}

A Python function answers with attributes, and ``observe`` says which of them belongs to which
place. Another routine leaves its answer in the places themselves, so ``observe`` is then only a
list of places.
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
from emu.cases.keys.arguments import Phrase
from emu.cases.keys.declarations import Declarations, by_routine, declarations_of
from emu.cases.keys.parts import ObservedVariable
from emu.cases.keys.toolbox_state import PARTS_WORDS, TOOLBOX, members_of_place
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.program.declarations.headers import HeaderDeclarations, declarations_for
from emu.program.declarations.tokens import DeclarationError, SourceText
from emu.program.elf.host_declarations import HostDeclaration, declaration_in
from emu.toolchain.build_cache import digest_of

_LARGEST_HEADER = 1 << 20
_OBSERVED = re.compile(
    r"(?P<variable>\*{0,2}[A-Za-z_]\w*(?:(?:::|->)[A-Za-z_]\w*)*)(?:\.(?P<member>[A-Za-z_][\w.]*))?"
    r"(?: into (?P<into>\*{0,2}[A-Za-z_][\w:]*))?"
    r"(?: within (?P<tolerance>\d+(?:\.\d+)?(?:e-?\d+)?)(?P<ulp> ulp)?)?"
)


@dataclass(frozen=True, slots=True)
class OtherProgram:
    """Routines of another program whose results are right: the program that was ported.

    Attributes:
        program: its file.
        declared: what the case says of it: the routines, and whatever it does not tell itself.
        cpu: the processor that runs it; "" for the first of the case's that can.
        before: the routines of that program that are called first; None for those of the case.
        words: the routines that are called and the program, for messages.
        ignored: what it may write that is no part of its answer: globals, "*scratch" for what an
            argument points to, or places as "A5-0x10cc".
    """

    program: Path
    declared: Declarations
    words: str
    cpu: str = ""
    before: tuple[str, ...] | None = None
    ignored: tuple[str, ...] = ()


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
    """

    library: Path
    functions: tuple[LibraryFunction, ...]
    types: str = ""
    before: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    header: str = ""

    @property
    def words(self) -> str:
        """The functions and the library, for messages."""
        return f"{', '.join(function.symbol for function in self.functions)} of {self.library.name}"


Routine = OtherProgram | Library


def reference_words(document: YamlDocument, routine: Routine | None) -> str:
    """The name of the reference: a dotted name, the words for another routine, "" for none."""
    return str(document.data.get("reference", "")) if routine is None else routine.words


def routine_of(
    document: YamlDocument, called: Sequence[str], named: Sequence[str]
) -> Routine | None:
    """Read a reference that is a routine of a program or library; None if it is a Python function.

    Args:
        document: the case file.
        called: the names of the routines that the case calls.
        named: these, and those of the other functions whose addresses it gives.

    Raises:
        CaseError: there is no such file, processor or calling convention; or the reference says
            nothing of a routine.
    """
    written = document.data.get("reference", "")
    if isinstance(written, str):
        return None
    _require_keys(document, written)
    if "library" in written:
        return _library_of(document, written, called)
    path = document.path.resolve().parent / written["program"]
    if not host_file(path).is_file():
        problem = f"there is no file {written['program']} beside it"
        raise document.error(("reference", "program"), problem)
    cpu = str(written.get("cpu", ""))
    if cpu and cpu not in CPUS:
        problem = f"there is no CPU {cpu}{did_you_mean(cpu, CPUS)}"
        raise document.error(("reference", "cpu"), problem)
    symbols = by_routine(document, ("reference", "symbol"), named)
    return OtherProgram(
        program=path,
        declared=declarations_of(
            document,
            ("reference",),
            {name: symbols.get(name, name) for name in (*called, *symbols)},
        ),
        words=f"{', '.join(symbols.get(name, name) for name in called)} of {path.name}",
        cpu=cpu,
        before=tuple(written["before"]) if "before" in written else None,
        ignored=tuple(written.get("ignore", ())),
    )


def _require_keys(document: YamlDocument, written: Mapping[str, Any]) -> None:
    kind = "library" if "library" in written else "program"
    own = {"library": "function", "program": "symbol"}[kind]
    if kind not in written:
        raise document.error(("reference",), "reference: the key program (or library) is missing")
    if own not in written and "calls" not in document.data:
        raise document.error(("reference",), f"reference: the key {own} is missing")
    keys = {kind, own, "prototype", "types", "before", "ignore"}
    if kind == "library":
        keys |= {"header"}
    if kind == "program":
        keys |= {"cpu", "convention", "start", "globals"}
    for key in written:
        if key not in keys:
            raise document.error(
                ("reference", key), f"a reference with {kind} cannot have the key {key}"
            )


def _library_of(
    document: YamlDocument, written: Mapping[str, Any], called: Sequence[str]
) -> Library:
    path = document.path.resolve().parent / written["library"]
    if not path.is_file():
        problem = f"there is no file {written['library']} beside it"
        raise document.error(("reference", "library"), problem)
    for key in ("input", "repeat"):
        if key in document.data:
            raise document.error(
                (key,), f"a function of a library gets arguments alone, and the case has {key}"
            )
    symbols = by_routine(document, ("reference", "function"), called)
    prototypes = by_routine(document, ("prototype",), called)
    prototypes |= by_routine(document, ("reference", "prototype"), called)
    names = [symbols.get(name, name) for name in called]
    in_header = _in_header(document, written, [n for n in names if n not in prototypes])
    functions = []
    for name, symbol in zip(called, names, strict=True):
        prototype, declared = prototypes.get(name) or in_header.prototypes.get(symbol, ""), None
        if not prototype:
            declared = _declared_in(document, path, symbol)
            prototype = declared.prototype
        functions.append(LibraryFunction(name, symbol, prototype, declared))
    before = written.get("before", document.data.get("before", ()))
    ignored = tuple(written.get("ignore", ()))
    types = "\n".join(filter(None, [in_header.types, written.get("types", "")]))
    header = written.get("header", "")
    return Library(path, tuple(functions), types, tuple(before), ignored, header)


def _in_header(
    document: YamlDocument, written: Mapping[str, Any], functions: Sequence[str]
) -> HeaderDeclarations:
    """What the header that a reference names declares of functions; nothing if it names none.

    Raises:
        CaseError: there is no such file, it is not C, or it does not declare a function.
    """
    if "header" not in written:
        return HeaderDeclarations("", {})
    path, place = document.path.resolve().parent / written["header"], ("reference", "header")
    if not path.is_file():
        raise document.error(place, f"there is no file {written['header']} beside it")

    def find(name: str) -> SourceText | None:
        beside = path.parent / name
        return _header_text(beside, name) if beside.is_file() else None

    try:
        found = declarations_for(_header_text(path, path.name), functions, find)
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


def digests_of(reference: Routine | None, folder: Path) -> dict[str, str]:
    """SHA-256 of the files of a reference in the folder of its case; nothing for one in Python.

    The keys are the name of its program or library, and the name of its header.
    """
    if reference is None:
        return {}
    if isinstance(reference, OtherProgram):
        return {reference.program.name: digest_of(host_file(reference.program))}
    own = {reference.library.name: digest_of(reference.library)}
    header = reference.header
    return {**own, header: digest_of(folder / header)} if header else own


def places_of(document: YamlDocument) -> list[ObservedVariable]:
    """Read ``observe`` as a list of places.

    Raises:
        CaseError: it is a list and the reference is in Python, or the other way round.
    """
    written, reference = document.data["observe"], document.data.get("reference", {})
    if isinstance(reference, str):
        raise document.error(
            ("observe",),
            "observe is a list of names, which does not say which attributes of the answer of "
            f"{document.data['reference']} they must equal",
            remedy="Write a mapping, as in observe: {gCount: count}.",
        )
    places = []
    for n, place in enumerate(written):
        if place.split(".")[0] != TOOLBOX:
            places.append(_observed(place))
            continue
        members = members_of_place(place)
        if not members:
            raise document.error(("observe", n), f"there is no {place}; {PARTS_WORDS}")
        if "library" not in reference:  # which leaves all of it as it was
            places += [
                ObservedVariable(TOOLBOX, path, Phrase(f"{TOOLBOX}.{path}")) for path in members
            ]
    return places


def places_in(document: YamlDocument) -> list[str]:
    """What ``observe`` names, as a list of places: where a routine leaves its answer.

    Raises:
        CaseError: it has a tree or a list of nodes, or names of functions, which a reference in
            Python alone can tell.
    """
    written = document.data["observe"]
    if isinstance(written, list):
        return list(written)
    places = []
    for variable, what in written.items():
        for member, phrase in (what if isinstance(what, Mapping) else {"": what}).items():
            if variable == TOOLBOX:
                places.append(f"{TOOLBOX}.{member.partition('.')[0]}")
                continue
            place = f"{variable}.{member}" if member else variable
            behind = re.search(r"( into \S+)?( within .*)?$", str(phrase))
            if " up to " in phrase or phrase.startswith("function "):
                problem = f"{place} is {phrase!r}, which another program cannot tell"
                remedy = "Leave it out under observe, or give a reference in Python."
                raise document.error(("observe", variable), problem, remedy)
            places.append(f"{place}{behind[0] if behind else ''}")
    return list(dict.fromkeys(places))


def require_places(document: YamlDocument) -> None:
    """Raise an error if ``observe`` names attributes of an answer, but the reference is a routine.

    A routine leaves its answer in guest memory, so there is no object with attributes.

    Raises:
        CaseError: there are some.
    """
    written = document.data["observe"]
    if not isinstance(document.data.get("reference", ""), str):
        names = ", ".join(written)
        raise document.error(
            ("observe",),
            "observe names attributes of an answer, but the reference is a routine, which "
            "leaves its answer in the places themselves",
            remedy=f"Write a list of places, as in observe: [{names}].",
        )


def _observed(text: str) -> ObservedVariable:
    match = _OBSERVED.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no place")  # the schema has checked its form
    name = f"{match['variable']}.{match['member']}" if match["member"] else match["variable"]
    phrase = Phrase(
        name,
        into=match["into"] or "",
        tolerance=float(match["tolerance"] or 0),
        in_ulp=match["ulp"] is not None,
    )
    return ObservedVariable(match["variable"], match["member"] or "", phrase)
