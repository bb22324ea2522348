"""A function of C as a new case sees it: what has to be filled, and what to be compared."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.cases.programs.mac_headers import header_of, records_only
from emu.program.model.signatures import Signature

MOST_ELEMENTS = 20
"""How many elements a buffer of a new case has at most."""
MOST_POINTERS = 3
"""How many pointers may lead to what a parameter is about: those to a list of handles."""


@dataclass(frozen=True, slots=True)
class NumberType:
    """A type of numbers in C, or of structs.

    Attributes:
        words: its name in C ("unsigned short").
        dtype: the name of the numpy dtype of the same numbers ("uint16"); "" of a struct.
        choices: the only numbers that it may hold, as of an enumeration; empty for all.
    """

    words: str
    dtype: str
    choices: Sequence[int] = ()

    @property
    def is_boolean(self) -> bool:
        """Whether it is the Macintosh's Boolean or C++'s bool, which holds 0 or 1."""
        return self.words in ("Boolean", "bool")

    @property
    def is_fraction(self) -> bool:
        """Whether it is float or double."""
        return self.dtype.startswith("float")

    @property
    def is_of_the_macintosh(self) -> bool:
        """Whether a header of the Macintosh declares it."""
        return header_of(self.words) != ""


@dataclass(frozen=True, slots=True)
class Part:
    """A number, or an array of numbers, in what a parameter holds or leads to.

    Attributes:
        path: the members that lead to it in a struct: "bounds.top"; "" for the whole.
        type: the type of its numbers.
        shape: of an array, its lengths; else empty.
    """

    path: str
    type: NumberType
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CParameter:
    """A parameter of a function.

    Attributes:
        name: its name.
        declaration: as it is declared in C.
        type: its type; of a pointer, the type of the elements that it leads to.
        parts: the numbers in it, or in each of these elements.
        nulls: the members of them that are pointers, each with the name of the type that it leads
            to. They are null unless they are among ``members``.
        members: of a struct, what pointers in it lead to, as parameters of their own.
        path: of such a member, its name in the struct; else "".
        place: how a case names what it leads to, if that is not ``*name``; else "".
        pointers: how many pointers lead to the elements: 0, 1, or 2 of a Handle or ``char **``.
        is_constant: whether what it points to is only read.
        is_handle: whether it is a Handle.
        length: of a pointer to many elements, the name of the parameter with their number; else "".
        is_memory: whether it leads to memory whose size no parameter says, as a Ptr may.
        count: how many elements there always are, if the source declares or implies that; else 0.
        text: "c" of a text with a 0 behind it, "pascal" of one with its length before it; else "".
        most: the most bytes that a text has.
        function: of a pointer to a function, how that is declared.
        is_one: whether it is the number of elements of a list of handles, of which a case has one.
        is_global: whether it is a global.
        is_null: whether it is given the null pointer, since no scene can be made with its values.
        remark: what stands behind it in the case file; "" for nothing.
    """

    name: str
    declaration: str
    type: NumberType
    parts: tuple[Part, ...] = ()
    nulls: tuple[tuple[str, str], ...] = ()
    members: tuple[CParameter, ...] = ()
    path: str = ""
    place: str = ""
    pointers: int = 0
    is_constant: bool = False
    is_handle: bool = False
    length: str = ""
    is_memory: bool = False
    count: int = 0
    text: str = ""
    most: int = 0
    function: Signature | None = None
    is_one: bool = False
    is_global: bool = False
    is_null: bool = False
    remark: str = ""

    def __str__(self) -> str:
        return self.declaration

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer."""
        return self.pointers > 0

    @property
    def has_many(self) -> bool:
        """Whether there are as many elements as a scene has objects."""
        return bool(self.length or self.count) or self.is_memory

    @property
    def is_whole(self) -> bool:
        """Whether the number of elements is the same in all scenes, since no parameter tells it."""
        return bool(self.count) or (self.is_memory and not self.is_handle)

    @property
    def most_elements(self) -> int:
        """How many elements there are at most."""
        return self.count or MOST_ELEMENTS

    @property
    def number_in_c(self) -> str:
        """How many elements there are, in C, if no parameter says it."""
        handle = f"{'*' * (self.pointers - 2)}{self.name}"
        return str(self.most_elements) if self.is_whole else f"GetHandleSize({handle})"

    @property
    def observed(self) -> str:
        """How a case names what is observed of it."""
        return self.place or f"{'*' * self.pointers}{self.name}"

    @property
    def is_changed(self) -> bool:
        """Whether the function may change what it leads to."""
        # What three pointers lead to is not compared: a case has no name for it.
        if not self.is_pointer:
            return self.is_global
        return not (self.is_constant or self.is_null) and self.pointers < MOST_POINTERS


@dataclass(frozen=True, slots=True)
class CResult:
    """What a function returns.

    Attributes:
        type: its type.
        parts: the numbers in it.
    """

    type: NumberType
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class CPrototype:
    """A function's name, parameters and result.

    Attributes:
        name: its name.
        parameters: its parameters, in order.
        result: its result; None if it has none.
        globals: the globals that it works on.
        before: what its source has to declare before it.
        is_pascal: whether it is declared ``pascal``.
        header: the file that declares it; None if there is none.
    """

    name: str
    parameters: tuple[CParameter, ...]
    result: CResult | None
    globals: tuple[CParameter, ...] = ()
    before: str = ""
    is_pascal: bool = False
    header: Path | None = None

    def __str__(self) -> str:
        """The prototype in C, without a semicolon."""
        result = "void" if self.result is None else self.result.type.words
        words = f"{result} {self.name}({', '.join(map(str, self.parameters)) or 'void'})"
        return f"pascal {words}" if self.is_pascal else words

    @property
    def values(self) -> tuple[CParameter, ...]:
        """What is filled and compared: the parameters, the globals, and what members lead to."""
        return tuple(
            value for one in (*self.parameters, *self.globals) for value in (one, *one.members)
        )

    @property
    def types(self) -> tuple[NumberType, ...]:
        """All the types of numbers in it."""
        returned = () if self.result is None else self.result.parts
        return tuple(
            part.type for part in (*(p for value in self.values for p in value.parts), *returned)
        )

    @property
    def headers(self) -> list[str]:
        """The headers of the Macintosh that it needs."""
        results = [] if self.result is None else [self.result.type.words]
        declared = (parameter.declaration for parameter in self.values)
        written = " ".join((*declared, *results, self.before))
        headers = {header_of(word) for word in set(re.findall(r"\w+", written))}
        headers |= {"Types.h"} if self.is_pascal else set()
        headers |= {"Memory.h"} if any(o.is_handle and o.is_memory for o in self.values) else set()
        # What has a routine's name is not included, or the routine would be declared otherwise.
        return sorted(records_only(header, self.name) for header in headers - {""})

    @property
    def lengths(self) -> set[str]:
        """The names of the parameters that are numbers of elements."""
        return {parameter.length for parameter in self.parameters if parameter.length}


def free_name(word: str, taken: Collection[str]) -> str:
    """A name like a word that is no keyword of Python and not taken: "from_" for "from"."""
    while word in taken or keyword.iskeyword(word):
        word += "_"
    return word
