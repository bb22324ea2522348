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

from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.cases.keys.arguments import Phrase
from emu.cases.keys.declarations import Declarations, by_routine, declarations_of
from emu.cases.keys.libraries import Library, library_of
from emu.cases.keys.parts import ObservedVariable
from emu.cases.keys.toolbox_state import PARTS_WORDS, TOOLBOX, members_of_place
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.toolchain.build_cache import digest_of

_PLACE = re.compile(r"[+-]\s*(0x[0-9A-Fa-f]+|[0-9]+)$")
_OBSERVED = re.compile(
    r"(?P<variable>\*{0,2}[A-Za-z_]\w*(?:(?:::|->)[A-Za-z_]\w*)*)(?:\.(?P<member>[A-Za-z_][\w.]*))?"
    r"(?: into (?P<into>\*{0,2}[A-Za-z_][\w:]*(?:(?:->|\.)[A-Za-z_]\w*)*))?"
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
        return library_of(document, written, called)
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
    keys = {kind, own, "prototype", "types", "before", "ignore", "globals"}
    if kind == "library":
        keys |= {"header"}
    if kind == "program":
        keys |= {"cpu", "convention", "start"}
    for key in written:
        if key not in keys:
            raise document.error(
                ("reference", key), f"a reference with {kind} cannot have the key {key}"
            )
    for name, said in written.get("globals", {}).items() if kind == "program" else ():
        if not _PLACE.search(said.get("at", "")):
            raise document.error(
                ("reference", "globals", name),
                f"nothing says where {name} is in the program, as in at: A5-0x1a2",
            )


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
