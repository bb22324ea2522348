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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.cases.arguments import Phrase
from emu.cases.parts import Observed
from emu.machine.abi import CONVENTIONS_OF_CASES
from emu.machine.cpu import CPUS
from emu.program import host_file

_PLACE = re.compile(
    r"(?P<variable>\*{0,2}[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)(?:\.(?P<member>[A-Za-z_][\w.]*))?"
    r"(?: into (?P<into>\*{0,2}[A-Za-z_][\w:]*))?"
    r"(?: within (?P<tolerance>\d+(?:\.\d+)?(?:e-?\d+)?)(?P<ulp> ulp)?)?"
)


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
        before: the routines of that program that are called first.
    """

    program: Path
    symbol: str
    cpu: str = ""
    prototype: str = ""
    convention: str = ""
    before: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The routine and the program, for messages."""
        return f"{self.symbol} of {self.program.name}"


def reference_words(document: YamlDocument) -> str:
    """The name of the reference: a dotted name, or the words for another routine."""
    written = document.data["reference"]
    if isinstance(written, str):
        return written
    return f"{written['symbol']} of {Path(written['program']).name}"


def other_program_of(document: YamlDocument) -> OtherProgram | None:
    """Read a reference that is a routine of another program; None for one in Python.

    Raises:
        CaseError: there is no such file, processor or calling convention.
    """
    written = document.data["reference"]
    if isinstance(written, str):
        return None
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
        before=tuple(written.get("before", ())),
    )


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


def digests_of(reference: OtherProgram | None) -> dict[str, str]:
    """SHA-256 of the reference's program, by its file's name; nothing for one in Python."""
    if reference is None:
        return {}
    content = host_file(reference.program).read_bytes()
    return {reference.program.name: hashlib.sha256(content).hexdigest()}


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
    match = _PLACE.fullmatch(text)
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
