"""What a case file says of a program that does not say it itself.

An old application has no debugging information: where its routines and globals lie, how they are
declared, and how far its start-up code has to run, is said by the case file. This completes the
program under test as well as that of a reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.errors import CaseError
from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.machine.abi import CONVENTIONS_OF_CASES
from emu.program.declarations.places import is_place

_KEYS = ("prototype", "convention", "types", "start")


@dataclass(frozen=True, slots=True)
class PlacedGlobal:
    """A global of a program that does not tell its own.

    Attributes:
        name: its name in the case.
        at: its place: "A5-0x1a2", or a distance in a section of a PEF container, "section 1+0x40".
        type: its type in C, as in "short[12]".
    """

    name: str
    at: str
    type: str


@dataclass(frozen=True, slots=True)
class DeclaredRoutine:
    """A routine that a case calls.

    Attributes:
        name: its name in the case.
        symbol: its name in the program, or its place there, such as "CODE 3+0x1a2".
        prototype: how it is declared, as a line of C; "" if the case does not say.
    """

    name: str
    symbol: str
    prototype: str = ""


@dataclass(frozen=True, slots=True)
class Declarations:
    """What a case file says of a program.

    Attributes:
        case: the case file.
        routines: the routines that the case calls.
        convention: the name of their calling convention; "" for the program's usual one.
        types: declarations in C of the structs that prototypes and globals have.
        start: the Toolbox routine, or the routine of the program, up to which its start-up code is
            run before anything else; "" if it is not run.
        globals: the globals that the program does not tell.
        lines: the lines of the case file in which it says so, by ``prototype``, ``globals.gCount``
            and so on.
    """

    case: Path
    routines: tuple[DeclaredRoutine, ...] = ()
    convention: str = ""
    types: str = ""
    start: str = ""
    globals: tuple[PlacedGlobal, ...] = ()
    lines: tuple[tuple[str, int], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the case file says nothing that the program does not say itself."""
        said = self.convention or self.types or self.start or self.globals
        return not said and all(
            routine.name == routine.symbol
            and not routine.prototype
            and not is_place(routine.symbol)
            for routine in self.routines
        )

    def error(self, key: str, problem: str, remedy: str = "") -> CaseError:
        """An error about a key of the case file."""
        line = dict(self.lines).get(key)
        return CaseError(
            self.case, problem, where="" if line is None else f"line {line}", remedy=remedy
        )


NOTHING_DECLARED = Declarations(Path())


def declarations_of(
    document: YamlDocument, at: tuple[str, ...], places: Mapping[str, str]
) -> Declarations:
    """Read what a case file says of a program.

    Args:
        document: the case file.
        at: where it says so: () for the program under test, ("reference",) for the reference's. A
            reference that gives no prototype or types has those of the program under test.
        places: the routines that the case names, by their names in the case, with their names or
            places in the program.

    Raises:
        CaseError: there is no such calling convention; or prototypes are given for other routines.
    """
    written: Mapping[str, Any] = document.data
    prototypes = by_routine(document, ("prototype",), list(places))
    for key in at:
        written = written[key]
        prototypes |= by_routine(document, (*at, "prototype"), list(places))
    globals_ = tuple(
        PlacedGlobal(name, **keys) for name, keys in written.get("globals", {}).items()
    )
    lines = {key: document.line((*at, key)) for key in _KEYS if key in written}
    lines |= {
        f"globals.{variable.name}": document.line((*at, "globals", variable.name))
        for variable in globals_
    }
    if isinstance(written.get("prototype"), dict):
        lines |= {
            f"prototype.{name}": document.line((*at, "prototype", name))
            for name in written["prototype"]
        }
    return Declarations(
        document.path.resolve(),
        tuple(DeclaredRoutine(n, place, prototypes.get(n, "")) for n, place in places.items()),
        _convention_of(document, written, (*at, "convention")),
        written.get("types", document.data.get("types", "")),
        written.get("start", ""),
        globals_,
        tuple(lines.items()),
    )


def by_routine(
    document: YamlDocument, place: tuple[str, ...], routines: Sequence[str]
) -> dict[str, str]:
    """What a key of a case file says of each routine; those of which it says nothing are left out.

    Args:
        document: the case file.
        place: the key. Its value is a text for the only routine that the case calls, or a mapping
            with a text for each routine.
        routines: the names of the routines, that which is called first.

    Raises:
        CaseError: it is a text and several routines are called; or the case names no such routine.
    """
    written: Any = document.data
    for key in place:
        written = written.get(key, {})
    if isinstance(written, str):
        if "calls" in document.data:
            raise document.error(
                place,
                f"{place[-1]} is of a single routine, and the case has calls",
                f"Write one for each, as in {place[-1]}: {{{routines[0]}: ...}}.",
            )
        return {routines[0]: written}
    for name in written:
        if name not in routines:
            hint = did_you_mean(name, routines)
            raise document.error((*place, name), f"the case does not call {name}{hint}")
    return dict(written)


def _convention_of(
    document: YamlDocument, written: Mapping[str, Any], place: tuple[str, ...]
) -> str:
    """Read the name of a calling convention."""
    name: str = written.get("convention", "")
    if name and name not in CONVENTIONS_OF_CASES:
        hint = did_you_mean(name, CONVENTIONS_OF_CASES)
        choices = "" if hint else f"; there are {', '.join(CONVENTIONS_OF_CASES)}"
        raise document.error(place, f"there is no calling convention {name}{hint}{choices}")
    return name
