"""What says which values are right: Python, a routine of another program, or of a shared library.

    reference: packbits_reference:unpack
    reference: {program: Original.bin, symbol: UnpackBits}
    reference: {library: libport.so, function: unpack_bits}

A Python function answers with attributes, and ``observe`` says which of them belongs to which
place. Another routine leaves its answer in the places themselves, so ``observe`` is then only a
list of places.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from emu.base.errors import ProgramError
from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.cases.arguments import Phrase
from emu.cases.parts import Observed
from emu.machine.abi import CONVENTIONS_OF_CASES
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.program.host_declarations import HostDeclaration, declaration_in

_OBSERVED = re.compile(
    r"(?P<variable>\*{0,2}[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)(?:\.(?P<member>[A-Za-z_][\w.]*))?"
    r"(?: into (?P<into>\*{0,2}[A-Za-z_][\w:]*))?"
    r"(?: within (?P<tolerance>\d+(?:\.\d+)?(?:e-?\d+)?)(?P<ulp> ulp)?)?"
)


@dataclass(frozen=True, slots=True)
class PlacedGlobal:
    """A global of a program that does not tell its own.

    Attributes:
        at: its place: "A5-0x1a2", or a distance in a section of a PEF container, "section 1+0x40".
        type: its type in C, as in "short[12]".
    """

    at: str
    type: str


@dataclass(frozen=True, slots=True)
class OtherProgram:
    """A routine of another program whose results are right: the program that was ported.

    Attributes:
        program: its file.
        symbol: the routine: a name, or a place such as "CODE 3+0x1a2".
        cpu: the processor that runs it; "" for the first of the case's that can.
        prototype: how the routine is declared; "" if the program says so, or if it is declared as
            the routine under test is.
        convention: the name of its calling convention; "" for the program's usual one.
        before: the routines of that program that are called first; None for those of the case.
        start: the Toolbox routine, or the routine of the program, up to which its start-up code is
            run before anything else; "" if it is not run.
        globals: the globals that the program does not tell, by their names in the case.
    """

    program: Path
    symbol: str
    cpu: str = ""
    prototype: str = ""
    convention: str = ""
    before: tuple[str, ...] | None = None
    start: str = ""
    globals: Mapping[str, PlacedGlobal] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The routine and the program, for messages."""
        return f"{self.symbol} of {self.program.name}"


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A function of a shared library of this computer whose results are right.

    Attributes:
        library: the library's file.
        function: the function's name.
        prototype: how it is declared.
        declared: how it is declared by the library's debugging information, if the case does not
            say.
    """

    library: Path
    function: str
    prototype: str
    declared: HostDeclaration | None = None

    @property
    def words(self) -> str:
        """The function and the library, for messages."""
        return f"{self.function} of {self.library.name}"


Routine = OtherProgram | LibraryFunction


def reference_words(document: YamlDocument) -> str:
    """The name of the reference: a dotted name, or the words for another routine."""
    written = document.data["reference"]
    if isinstance(written, str):
        return written
    keys = ("function", "library") if "library" in written else ("symbol", "program")
    return f"{written[keys[0]]} of {Path(written[keys[1]]).name}"


def routine_of(document: YamlDocument) -> Routine | None:
    """Read a reference that is a routine; None for one in Python.

    Raises:
        CaseError: there is no such file, processor or calling convention.
    """
    written = document.data["reference"]
    if isinstance(written, str):
        return None
    _require_keys(document, written)
    if "library" in written:
        return _library_of(document, written)
    path = document.path.resolve().parent / written["program"]
    if not host_file(path).is_file():
        problem = f"there is no file {written['program']} beside it"
        raise document.error(("reference", "program"), problem)
    cpu = str(written.get("cpu", ""))
    if cpu and cpu not in CPUS:
        problem = f"there is no CPU {cpu}{did_you_mean(cpu, CPUS)}"
        raise document.error(("reference", "cpu"), problem)
    return OtherProgram(
        program=path,
        symbol=written["symbol"],
        cpu=cpu,
        prototype=written.get("prototype", ""),
        convention=convention_of(document, written, ("reference", "convention")),
        before=tuple(written["before"]) if "before" in written else None,
        start=written.get("start", ""),
        globals={name: PlacedGlobal(**one) for name, one in written.get("globals", {}).items()},
    )


def _require_keys(document: YamlDocument, written: Mapping[str, Any]) -> None:
    kind, needed, known = (
        ("library", {"function"}, {"library", "function", "prototype"})
        if "library" in written
        else ("program", {"program", "symbol"}, {one.name for one in fields(OtherProgram)})
    )
    for key in sorted(needed - written.keys()):
        raise document.error(("reference",), f"reference: the key {key} is missing")
    for key in written:
        if key not in known:
            raise document.error(("reference", key), f"the key {key} is not known beside {kind}")


def _library_of(document: YamlDocument, written: Mapping[str, Any]) -> LibraryFunction:
    path = document.path.resolve().parent / written["library"]
    if not path.is_file():
        problem = f"there is no file {written['library']} beside it"
        raise document.error(("reference", "library"), problem)
    prototype = written.get("prototype", document.data.get("prototype", ""))
    declared = None if prototype else _declared_in(document, path, written["function"])
    for key in ("input", "repeat"):
        if key in document.data:
            raise document.error(
                (key,), f"a function of a library gets arguments alone, and the case has {key}"
            )
    if declared is not None:
        prototype = declared.prototype
    return LibraryFunction(path, written["function"], prototype, declared)


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


def convention_of(document: YamlDocument, written: Any, place: tuple[str, ...]) -> str:
    """Read the name of a calling convention.

    Raises:
        CaseError: there is none of that name.
    """
    name: str = written.get("convention", "")
    if name and name not in CONVENTIONS_OF_CASES:
        hint = did_you_mean(name, CONVENTIONS_OF_CASES)
        known = "" if hint else f"; there are {', '.join(CONVENTIONS_OF_CASES)}"
        raise document.error(place, f"there is no calling convention {name}{hint}{known}")
    return name


def digests_of(reference: Routine | None) -> dict[str, str]:
    """SHA-256 of the reference's program, by its file's name; nothing for one in Python."""
    if reference is None:
        return {}
    path = reference.library if isinstance(reference, LibraryFunction) else reference.program
    return {path.name: hashlib.sha256(host_file(path).read_bytes()).hexdigest()}


def places_of(document: YamlDocument) -> list[Observed]:
    """Read ``observe`` as a list of places.

    Raises:
        CaseError: it is a list and the reference is in Python, or the other way round.
    """
    written = document.data["observe"]
    if isinstance(document.data["reference"], str):
        raise document.error(
            ("observe",),
            "observe is a list of names, which does not say which attributes of the answer of "
            f"{document.data['reference']} they must equal",
            remedy="Write a mapping, as in observe: {gCount: count}.",
        )
    return [_observed(place) for place in written]


def require_places(document: YamlDocument) -> None:
    """Refuse names of attributes under ``observe`` where a routine answers, which has none.

    Raises:
        CaseError: there are some.
    """
    written = document.data["observe"]
    if not isinstance(document.data["reference"], str):
        names = ", ".join(written)
        raise document.error(
            ("observe",),
            "observe names attributes of an answer, but the reference is a routine, which "
            "leaves its answer in the places themselves",
            remedy=f"Write a list of places, as in observe: [{names}].",
        )


def _observed(text: str) -> Observed:
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
    return Observed(match["variable"], match["member"] or "", phrase)
