"""Reads a function's parameters and its result from its debugging entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from emu.program.model.types import UNKNOWN, GuestType

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

_DEEPEST_TYPE = 64
_DEEPEST_FUNCTION = 2
_MARKS = {
    "DW_TAG_pointer_type": "*",
    "DW_TAG_reference_type": "&",
    "DW_TAG_rvalue_reference_type": "&&",
}
_QUALIFIERS = {"DW_TAG_const_type": "const", "DW_TAG_volatile_type": "volatile"}
_STRUCTS = {"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"}
SHORT_NAMES = {
    "short int": "short",
    "short unsigned int": "unsigned short",
    "long int": "long",
    "long unsigned int": "unsigned long",
    "long long int": "long long",
    "long long unsigned int": "unsigned long long",
}
"""The names for types that people write, by GCC's longer ones."""
FULL_NAMES = {short: full for full, short in SHORT_NAMES.items()}
"""GCC's names for types, by the shorter ones that people write."""
_C = {0x01, 0x02, 0x0C, 0x1D, 0x2C}
"""The numbers of C among DWARF's languages: C89, C, C99, C11, C17."""
_POINTER = GuestType("void*", "pointer", np.dtype(">u4"), target="void")
_TRANSPARENT = {"DW_TAG_typedef", "DW_TAG_restrict_type", *_QUALIFIERS}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function.

    Attributes:
        name: its name; "" if it has none.
        declaration: as it is written in a declaration: "Ball *b".
        type: its type; `UNKNOWN` for one that NumPy cannot represent.
        pointed: if it is a pointer, the type that it points to; if that is a pointer too, then the
            type that this one points to, and so on. `UNKNOWN` for ``void``.
        function: if it is a pointer to a function, how that is declared; else None.
    """

    name: str
    declaration: str
    type: GuestType
    pointed: tuple[GuestType, ...] = ()
    function: Signature | None = None


def parameter_type(kind: GuestType, pointed: Sequence[GuestType]) -> GuestType:
    """The type to pass for a parameter: an address for a pointer to a function or to void."""
    return _POINTER if kind is UNKNOWN and pointed else kind


@dataclass(frozen=True, slots=True)
class Signature:
    """How a function is declared.

    Attributes:
        address: where it is. None if the entry has no address: GCC writes such entries for
            functions that it copied into others, even if it kept the function itself.
        result: the type it returns; "void" for none.
        parameters: as they are declared. The object of a method comes first, as ``this``.
        result_type: the type it returns; None if it returns nothing.
        is_method: whether it is called on an object of a class.
        is_variadic: whether it is declared with ``...``.
        returns_struct: whether its result is a struct, for which the caller provides memory.
        is_unspecified: whether parameters and result are unknown, as of a routine in assembly.
        is_pascal: whether a prototype declares it ``pascal``.
        is_prototyped: whether its parameters have types where it is declared. If not, as in C of
            before 1989, a caller passes a char or a short as an int.
    """

    address: int | None
    result: str
    parameters: tuple[Parameter, ...]
    result_type: GuestType | None = None
    is_method: bool = False
    is_variadic: bool = False
    returns_struct: bool = False
    is_unspecified: bool = False
    is_pascal: bool = False
    is_prototyped: bool = True

    def words(self, name: str) -> str:
        """The function's name and its parameters, as in C."""
        shown = [parameter.declaration for parameter in self.parameters[self.is_method :]]
        return f"{name}({', '.join((*shown, *(['...'] * self.is_variadic)))})"

    def declaration(self, name: str) -> str:
        """The function with its result and its parameters, as in C."""
        space = "" if self.result.endswith(("*", "&")) else " "
        return f"{self.result}{space}{self.words(name)}"

    def needs(self, name: str) -> str:
        """Why it cannot be called without arguments, as a clause; "" if it can."""
        words = self.words(name)
        if self.is_method:
            return f"{words} is a method and needs an object"
        if self.is_variadic:
            return f"{words} takes any number of parameters"
        if self.parameters:
            count = len(self.parameters)
            return f"{words} takes {count} parameter{'s' if count > 1 else ''}"
        if self.returns_struct:
            return f"{self.result} {words} returns a struct, for which its caller gives room"
        return ""


class SignatureReader:
    """Reads signatures from debugging entries.

    Args:
        children: gives the entries directly below an entry.
        name: gives the name of an entry, or of the entry it is an instance of.
        origin: gives the entry that an entry is an instance of, or None. For example, a copy of an
            inline function is an instance of the function.
        type_of: gives the type that a type's entry describes.
    """

    def __init__(
        self,
        children: Callable[[DIE], Iterator[DIE]],
        name: Callable[[DIE], str],
        origin: Callable[[DIE], DIE | None],
        type_of: Callable[[DIE], GuestType],
    ) -> None:
        self._children = children
        self._name = name
        self._origin = origin
        self._type_of = type_of

    def of(self, function: DIE, depth: int = 0) -> Signature:
        """The signature of a function's entry, or of a type of functions.

        ``depth`` says how many pointers to functions lead to it.
        """
        formal = self._formal(function, 0)
        given = [die for die in formal if die.tag == "DW_TAG_formal_parameter"]
        returned = self._type(function)
        place = function.attributes.get("DW_AT_low_pc")
        return Signature(
            address=None if place is None else place.value,
            result=self._words(returned, 0),
            parameters=tuple(self.parameter(die, depth) for die in given),
            result_type=None if returned is None else self._type_of(returned),
            is_method=bool(given) and self._is_artificial(given[0]),
            is_variadic=any(die.tag == "DW_TAG_unspecified_parameters" for die in formal),
            returns_struct=self._is_struct(returned),
            is_unspecified=returned is not None and returned.tag == "DW_TAG_unspecified_type",
            is_prototyped=self._is_prototyped(function),
        )

    def _is_prototyped(self, function: DIE) -> bool:
        language = function.cu.get_top_DIE().attributes.get("DW_AT_language")
        if language is None or language.value not in _C:
            return True
        entry: DIE | None = function
        while entry is not None and "DW_AT_prototyped" not in entry.attributes:
            entry = self._origin(entry)
        return entry is not None

    def _formal(self, function: DIE, depth: int) -> list[DIE]:
        """The entries of a function's parameters, if need be from what it is an instance of."""
        tags = ("DW_TAG_formal_parameter", "DW_TAG_unspecified_parameters")
        parameters = [die for die in self._children(function) if die.tag in tags]
        origin = self._origin(function)
        if parameters or origin is None or depth > _DEEPEST_TYPE:
            return parameters
        return self._formal(origin, depth + 1)

    def _is_artificial(self, die: DIE) -> bool:
        origin = self._origin(die)
        return "DW_AT_artificial" in die.attributes or (
            origin is not None and "DW_AT_artificial" in origin.attributes
        )

    def _declaration(self, die: DIE) -> str:
        words, name = self._words(self._type(die), 0), self._name(die)
        kind = self._type(die)
        array = self._pointed_array(kind)
        if array is not None:
            element = SHORT_NAMES.get(array.scalar.name, array.scalar.name)
            return f"{element} (*{name}){''.join(f'[{length}]' for length in array.shape)}"
        if kind is not None and kind.tag == "DW_TAG_array_type":
            words = self._words(self._type(kind), 0)
            shape = self._type_of(kind).shape
            return f"{words} {name}{''.join(f'[{length}]' for length in shape)}"
        return f"{words}{'' if words.endswith(('*', '&')) else ' '}{name}" if name else words

    def _pointed_array(self, die: DIE | None) -> GuestType | None:
        """The array type that a type points to, if it has no name of its own."""
        target = None if die is None or die.tag != "DW_TAG_pointer_type" else self._type(die)
        if target is None or target.tag != "DW_TAG_array_type":
            return None
        kind = self._type_of(target)
        return None if kind is UNKNOWN else kind

    def parameter(self, die: DIE, depth: int = 0) -> Parameter:
        """How a parameter is declared, or a variable in the same way."""
        kind = self._type(die)
        return Parameter(
            self._name(die),
            self._declaration(die),
            UNKNOWN if kind is None else self._type_of(kind),
            tuple(self._pointed(kind)),
            self._function(kind, depth),
        )

    def _function(self, die: DIE | None, depth: int) -> Signature | None:
        """How the function is declared that a type points to; None if it points to none."""
        while die is not None and die.tag in _TRANSPARENT:
            die = self._type(die)
        if die is None or die.tag not in _MARKS or depth == _DEEPEST_FUNCTION:
            return None
        target = self._type(die)
        while target is not None and target.tag in _TRANSPARENT:
            target = self._type(target)
        if target is None or target.tag != "DW_TAG_subroutine_type":
            return None
        return self.of(target, depth + 1)

    def _pointed(self, die: DIE | None) -> Iterator[GuestType]:
        """What a pointer points to, and what that points to."""
        for _ in range(_DEEPEST_TYPE):
            if die is None or die.tag not in (*_TRANSPARENT, *_MARKS):
                return
            pointer, die = die, self._type(die)
            if pointer.tag in _MARKS:
                yield UNKNOWN if die is None else self._type_of(die)

    def _type(self, die: DIE) -> DIE | None:
        entry: DIE | None = die
        for _ in range(_DEEPEST_TYPE):
            if entry is None or "DW_AT_type" in entry.attributes:
                break
            entry = self._origin(entry)
        if entry is None or "DW_AT_type" not in entry.attributes:
            return None
        return entry.get_DIE_from_attribute("DW_AT_type")

    def _words(self, die: DIE | None, depth: int) -> str:
        if die is None or depth > _DEEPEST_TYPE:
            return "void"
        if die.tag in _MARKS:
            target = self._words(self._type(die), depth + 1)
            return f"{target}{'' if target.endswith(('*', '&')) else ' '}{_MARKS[die.tag]}"
        if die.tag in _QUALIFIERS:
            target = self._words(self._type(die), depth + 1)
            qualifier = _QUALIFIERS[die.tag]
            return f"{target}{qualifier}" if target.endswith("*") else f"{qualifier} {target}"
        if die.tag == "DW_TAG_restrict_type":
            return self._words(self._type(die), depth + 1)
        if die.tag == "DW_TAG_subroutine_type":
            return "function"
        name = self._name(die)
        return SHORT_NAMES.get(name, name) or die.tag.removeprefix("DW_TAG_").partition("_")[0]

    def _is_struct(self, die: DIE | None) -> bool:
        for _ in range(_DEEPEST_TYPE):
            if die is None or die.tag not in _TRANSPARENT:
                break
            die = self._type(die)
        return die is not None and die.tag in _STRUCTS
