"""How a case file writes what fills guest memory, and what is expected there afterwards.

A value is written as a short phrase: the name of an attribute of the scene or of the reference's
answer, and how it is read. For example, ``pascal title`` is the attribute ``title`` as a Pascal
string, ``next into gItems`` holds indices of elements of gItems, and ``x within 2 ulp`` is compared
as a float that may be two units in the last place off.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from emu.base.yaml_document import YamlDocument, YamlPath

RESULT = "return"
"""The name under ``observe`` of the routine's result."""

FUNCTION = "function"
"""Stands before an attribute that holds names of functions."""

_OF_ONE_ROUTINE = ("call", "arguments", "repeat")
FURTHER = "..."
"""The name under ``arguments`` of the list of those without a declared parameter."""

_PHRASE = re.compile(
    r"(?:(?P<text>pascal|c|function) )?(?P<attribute>[A-Za-z_]\w*|linked-list)"
    r"(?P<alone>(?<=\w) alone)?"
    r"(?: into (?P<into>\*{0,2}[A-Za-z_][\w:]*(?:(?:->|\.)[A-Za-z_]\w*)*))?"
    r"(?: within (?P<tolerance>\d+(?:\.\d+)?(?:e-?\d+)?)(?P<ulp> ulp)?)?"
    r"(?: up to (?P<nodes>\d+) nodes(?: without (?P<without>[\w., ]+))?)?"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """The name of an attribute, and how its values are read.

    Attributes:
        attribute: the attribute of the scene, or of the reference's answer.
        text: "pascal" for a text with its length before it, "c" for one with a 0 behind it,
            "function" for the name of the function that a pointer leads to, "" for numbers.
        into: the array whose elements' indices pointers are given as; "" for the only array that
            they can point into.
        tolerance: how far a float may be off.
        in_ulp: whether that is a number of units in the last place, in place of an absolute value.
        nodes: of a linked structure, which a pointer leads to, the most nodes; 0 for anything else.
        without: the members of its nodes that are left out.
        alone: whether the bytes behind a text are left uncompared; otherwise they must stay as they
            were.
    """

    attribute: str
    text: str = ""
    into: str = ""
    tolerance: float = 0.0
    in_ulp: bool = False
    nodes: int = 0
    without: tuple[str, ...] = ()
    alone: bool = False

    @property
    def is_function(self) -> bool:
        """Whether the attribute names functions, to which pointers lead."""
        return self.text == FUNCTION

    def __str__(self) -> str:
        return f"{self.text} {self.attribute}".lstrip()


@dataclass(frozen=True, slots=True)
class Members:
    """A struct that is given by its members; a member that is not named may hold anything.

    Attributes:
        values: its numbers and texts, by member.
        addresses: its pointers to functions and globals of the program, by member.
        pointers: its pointers to memory that the case provides, by member.
    """

    values: Mapping[str, Phrase]
    addresses: Mapping[str, AddressOf] = field(default_factory=dict)
    pointers: Mapping[str, Pointer] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of all members that are given."""
        return [*self.values, *self.addresses, *self.pointers]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to memory of its own.

    Attributes:
        to: what the memory holds before the call; None if it may hold anything.
        count: how many elements there is room for; None or 1 for a single one.
        is_handle: whether it leads to the master pointer of a block.
        is_aligned: whether the memory is at an even address also if it holds bytes.
    """

    to: Argument | None
    count: int | None
    is_handle: bool = False
    is_aligned: bool = False


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of a function or global of the program; of no name, it is the null pointer."""

    name: str


@dataclass(frozen=True, slots=True)
class PythonFunction:
    """A Python function for a pointer to a function.

    Attributes:
        dotted: its name.
        is_free: whether the routine may call it in another order, or more or less often, than the
            reference does.
    """

    dotted: str
    is_free: bool = False


Argument = Phrase | Members | Pointer | AddressOf | PythonFunction


@dataclass(frozen=True, slots=True)
class Call:
    """One call that a case makes.

    Attributes:
        routine: the routine.
        arguments: what it is called with, by the names of its parameters.
        further: the C types of those arguments that stand in place of ``...`` and come last.
    """

    routine: str
    arguments: Mapping[str, Argument]
    further: tuple[str, ...] = ()


def phrase_of(text: str) -> Phrase:
    """Read a phrase; the schema has checked its form."""
    match = _PHRASE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no phrase")
    return Phrase(
        attribute=match["attribute"],
        text=match["text"] or "",
        into=match["into"] or "",
        tolerance=float(match["tolerance"] or 0),
        in_ulp=match["ulp"] is not None,
        nodes=int(match["nodes"] or 0),
        without=tuple(re.split(", *", match["without"])) if match["without"] else (),
        alone=match["alone"] is not None,
    )


def phrase_at(document: YamlDocument, place: YamlPath, text: str) -> Phrase:
    """Read a phrase of a case file.

    Raises:
        CaseError: it is none.
    """
    try:
        return phrase_of(text)
    except ValueError as error:
        raise document.error(
            place, f"{text!r:.80} is no name of an attribute, and no phrase with one"
        ) from error


def phrases_in(argument: Argument | None) -> list[Phrase]:
    """The phrases that an argument is made of."""
    if isinstance(argument, Pointer):
        return phrases_in(argument.to)
    if isinstance(argument, Members):
        inside = [
            phrase for pointer in argument.pointers.values() for phrase in phrases_in(pointer)
        ]
        return [*argument.values.values(), *inside]
    return [argument] if isinstance(argument, Phrase) else []


def addresses_in(argument: Argument | None) -> list[str]:
    """The functions and globals whose addresses an argument is made of."""
    if isinstance(argument, Pointer):
        return addresses_in(argument.to)
    if isinstance(argument, Members):
        inside = [
            address for pointer in argument.pointers.values() for address in addresses_in(pointer)
        ]
        return [*(address.name for address in argument.addresses.values() if address.name), *inside]
    return [argument.name] if isinstance(argument, AddressOf) and argument.name else []


def python_functions_of(document: YamlDocument) -> dict[YamlPath, str]:
    """The dotted names of the Python functions that are arguments, by their places in the file."""
    given: list[tuple[YamlPath, Any]] = [(("arguments",), document.data.get("arguments", {}))]
    for n, call in enumerate(document.data.get("calls", ())):
        if isinstance(call, dict):
            given += [(("calls", n, name), arguments or {}) for name, arguments in call.items()]
    return {
        (*place, name, "python"): value["python"]
        for place, arguments in given
        for name, value in arguments.items()
        if isinstance(value, dict) and "python" in value
    }


def arguments_of(document: YamlDocument) -> dict[str, Argument]:
    """Read the arguments of the routine, by the names of its parameters.

    Raises:
        CaseError: one is given in two ways at once.
    """
    written = document.data.get("arguments", {})
    given = {
        name: _argument(document, ("arguments", name), value)
        for name, value in written.items()
        if name != FURTHER
    }
    for number, item in enumerate(written.get(FURTHER, ())):
        ((kind, value),) = item.items()
        given[name_of_further(number)] = _argument(
            document, ("arguments", FURTHER, number, kind), value
        )
    return given


def further_types_of(document: YamlDocument) -> tuple[str, ...]:
    """The C types of the arguments in place of ``...``, as they are written."""
    return tuple(
        kind for item in document.data.get("arguments", {}).get(FURTHER, ()) for kind in item
    )


def name_of_further(number: int) -> str:
    """The name of an argument in place of ``...``, by its number from 0."""
    return f"more{number + 1}"


def calls_of(document: YamlDocument) -> tuple[Call, ...]:
    """Read ``calls``: the calls that are made in a row, or out of which a script is made.

    Raises:
        CaseError: a key stands beside it that is for a single routine, or a script names routines
            and one of them is there twice.
    """
    written = document.data.get("calls", ())
    if not written:
        if "script" in document.data:
            raise document.error(
                ("script",), "script needs the key calls, which lists the routines that it may call"
            )
        return ()
    for key in _OF_ONE_ROUTINE:
        if key in document.data:
            raise document.error(
                (key,), f"the key {key} is for a case with one call; this one has calls"
            )
    calls: list[Call] = []
    for n, item in enumerate(written):
        name, given = (item, None) if isinstance(item, str) else next(iter(item.items()))
        place = ("calls", n, name)
        if "script" in document.data and name in [call.routine for call in calls]:
            raise document.error(
                ("calls", n), f"calls has {name} twice, so a script cannot say which it means"
            )
        arguments = {key: _argument(document, (*place, key), v) for key, v in (given or {}).items()}
        calls.append(Call(name, arguments))
    return tuple(calls)


def _argument(document: YamlDocument, place: YamlPath, written: Any) -> Argument:
    if written is None:
        return AddressOf("")
    if isinstance(written, str):
        return phrase_at(document, place, written)
    if "address_of" in written:
        if len(written) > 1:
            raise document.error(place, "address_of cannot have another key beside it")
        return AddressOf(written["address_of"])
    if "python" in written:
        for key in written.keys() - {"python", "calls"}:
            raise document.error(
                (*place, key), "python cannot have another key beside it but calls"
            )
        if written.get("calls", "compared") not in ("compared", "free"):
            raise document.error((*place, "calls"), "calls beside python is compared or free")
        return PythonFunction(written["python"], written.get("calls") == "free")
    if "handle_to" in written:
        return _handle(document, place, written)
    if "points_to" in written or isinstance(written.get("count"), int):
        if not isinstance(written.get("count", 1), int):
            raise document.error(
                (*place, "count"),
                "count beside points_to is a number of elements",
                "The member count of a struct stands with the others: points_to: {count: n}.",
            )
        for key in written.keys() - {"points_to", "count", "aligned"}:
            raise document.error(
                (*place, key), f"the key {key} is not known beside points_to, count and aligned"
            )
        if not isinstance(written.get("aligned", False), bool):
            raise document.error((*place, "aligned"), "aligned beside points_to is true or false")
        inside = (*place, "points_to")
        to = _argument(document, inside, written["points_to"]) if "points_to" in written else None
        return Pointer(to, written.get("count"), is_aligned=written.get("aligned", False))
    members = {key: _member(document, (*place, key), value) for key, value in written.items()}
    return Members(
        {key: member for key, member in members.items() if isinstance(member, Phrase)},
        {key: member for key, member in members.items() if isinstance(member, AddressOf)},
        {key: member for key, member in members.items() if isinstance(member, Pointer)},
    )


def _handle(document: YamlDocument, place: YamlPath, written: Any) -> Pointer:
    for key in written.keys() - {"handle_to", "count"}:
        raise document.error(
            (*place, key), f"the key {key} is not known beside handle_to and count"
        )
    if not isinstance(written.get("count", 1), int):
        raise document.error((*place, "count"), "count beside handle_to is a number of elements")
    given = written["handle_to"]
    to = None if given is None else _argument(document, (*place, "handle_to"), given)
    return Pointer(Pointer(to, written.get("count")), None, is_handle=True)


def is_pointer(written: Any) -> bool:
    """Whether a value in a case file has the key ``points_to`` or ``handle_to``."""
    return isinstance(written, dict) and bool(written.keys() & {"handle_to", "points_to"})


def pointer_of(document: YamlDocument, place: YamlPath, written: Any) -> Pointer:
    """Read a pointer to memory of its own, as `is_pointer` knows it.

    Raises:
        CaseError: it has keys that do not belong there.
    """
    given = _argument(document, place, written)
    assert isinstance(given, Pointer)
    return given


def _member(document: YamlDocument, place: YamlPath, written: Any) -> Phrase | AddressOf | Pointer:
    """What a member of a struct is given."""
    if is_pointer(written):
        return pointer_of(document, place, written)
    if isinstance(written, str):
        return phrase_at(document, place, written)
    if written is None or (isinstance(written, dict) and list(written) == ["address_of"]):
        return AddressOf("" if written is None else written["address_of"])
    raise document.error(
        place,
        f"the member {place[-1]} needs the name of an attribute; a pointer address_of, points_to, "
        "handle_to or null",
    )
