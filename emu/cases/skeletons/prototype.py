"""Reads the prototype of a C function, as ``macproof new`` is given it: "short Neg(short a)".

It understands what a new case can be made for: numbers, pointers to numbers with their count, and
texts as C or Pascal has them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from emu.base.errors import UsageError
from emu.program import GuestType
from emu.program.declarations.c_declarations import parse_prototype
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.tokens import DeclarationError
from emu.program.model.signatures import Parameter
from emu.program.model.types import EXTENDED_96

_SUPPORTED = (
    "macproof new makes functions of whole numbers (char to long long, signed or unsigned; Byte, "
    "SignedByte, OSErr, Fixed, Fract), Boolean, float and double, and of pointers to one of these, "
    "or to as many as the next whole number among the parameters says: "
    '"long Sum(const short *values, short count)"; and of texts: char * without such a number, '
    "Str255 and its like, StringPtr, ConstStr255Param. For anything else make a simpler one, and "
    "change its source and its case.yaml"
)
_FROM_TYPES_H = {"Boolean", "Byte", "SignedByte", "OSErr", "Fixed", "Fract"}
_PASCAL = re.compile(r"\b(Str(?P<most>255|63|31|27|15)|StringPtr|ConstStr255Param)\b")
_OF_C = re.compile(r"(signed|unsigned|char|short|int|long|float|double| )+")
_KEYWORDS = {
    *("auto", "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "inline"),
    *("restrict", "return", "sizeof", "switch", "typedef", "while", "asm", "typeof", "main"),
}
_OF_YAML = {"null", "true", "false"}
_LONGEST = 255  # bytes of a text
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class NumberType:
    """A type of numbers in C.

    Attributes:
        words: its name in C ("unsigned short").
        dtype: the name of the numpy dtype of the same numbers ("uint16").
    """

    words: str
    dtype: str

    @property
    def is_boolean(self) -> bool:
        """Whether it is the Macintosh's Boolean, which holds 0 or 1."""
        return self.words == "Boolean"

    @property
    def is_fraction(self) -> bool:
        """Whether it is float or double."""
        return self.dtype.startswith("float")

    @property
    def is_of_the_macintosh(self) -> bool:
        """Whether <Types.h> defines it."""
        return self.words in _FROM_TYPES_H or _PASCAL.fullmatch(self.words) is not None


@dataclass(frozen=True, slots=True)
class CParameter:
    """A parameter of a function.

    Attributes:
        name: its name.
        type: its type; of a pointer, the type of the elements that it points to.
        is_pointer: whether it is a pointer.
        is_constant: whether what it points to is only read.
        length: of a pointer to many elements, the name of the parameter with their number; else "".
        text: "c" of a text with a 0 behind it, "pascal" of one with its length before it; else "".
        most: the most bytes that a text has.
    """

    name: str
    type: NumberType
    is_pointer: bool = False
    is_constant: bool = False
    length: str = ""
    text: str = ""
    most: int = 0

    def __str__(self) -> str:
        """Its declaration in C."""
        constant = "const " if self.is_constant and not self.type.words.startswith("Const") else ""
        star = "*" if self.is_pointer and self.text != "pascal" else ""
        return f"{constant}{self.type.words} {star}{self.name}"


@dataclass(frozen=True, slots=True)
class CPrototype:
    """A function's name, parameters and result.

    Attributes:
        name: its name.
        parameters: its parameters, in order.
        result: the type of its result; None if it has none.
    """

    name: str
    parameters: tuple[CParameter, ...]
    result: NumberType | None

    def __str__(self) -> str:
        """The prototype in C, without a semicolon."""
        result = "void" if self.result is None else self.result.words
        return f"{result} {self.name}({', '.join(map(str, self.parameters))})"

    @property
    def types(self) -> tuple[NumberType, ...]:
        """All the types in it."""
        own = () if self.result is None else (self.result,)
        return (*(one.type for one in self.parameters), *own)

    @property
    def lengths(self) -> set[str]:
        """The names of the parameters that are numbers of elements."""
        return {one.length for one in self.parameters if one.length}


def read_prototype(text: str) -> CPrototype:
    """Read a prototype.

    Parameters without a name are called a, b, c and so on by their places.

    Raises:
        UsageError: it is no prototype; it has a type that `macproof new` does not know; or nothing
            goes into or comes out of the function, so that there would be nothing to verify.
    """
    try:
        found = parse_prototype(text.strip(), model=DataModel(long_double=EXTENDED_96))
    except DeclarationError as error:
        raise _refused(text, str(error)) from None
    signature = found.signature
    if found.is_pascal or signature.is_variadic or len(signature.parameters) > len(_LETTERS):
        raise _refused(
            text, f"a new case cannot have pascal, ..., or over {len(_LETTERS)} parameters"
        )
    written = text.partition("(")[2].split(",")  # an alias of another type is known by this alone
    parameters = [
        _parameter(text, one, _LETTERS[n], written[n]) for n, one in enumerate(signature.parameters)
    ]
    names = [found.name, *(one.name for one in parameters)]
    for name in names:
        if name in _KEYWORDS or name in _OF_YAML:
            raise _refused(text, f"{name} is a reserved word, so it cannot be a name")
        if names.count(name) > 1:
            raise _refused(text, f"the name {name} is used twice")
    made = CPrototype(
        found.name,
        tuple(_with_length(one, parameters[n:]) for n, one in enumerate(parameters)),
        _result(text, signature.result, signature.result_type),
    )
    _require_work(text, made)
    return made


def _parameter(text: str, declared: Parameter, letter: str, written: str) -> CParameter:
    name = declared.name or letter
    pascal = _PASCAL.search(written)
    if pascal is not None and len(declared.pointed) == 1:
        is_constant = re.search(r"\bconst\b|Const", written) is not None
        most = int(pascal["most"] or _LONGEST)
        its = NumberType(pascal[0], "uint8")
        return CParameter(name, its, True, is_constant, text="pascal", most=most)
    words = declared.declaration.removesuffix(declared.name).rstrip()
    is_pointer = bool(declared.pointed)
    kind = declared.pointed[0] if is_pointer else declared.type
    if len(declared.pointed) > 1:
        raise _refused(text, f"{declared.declaration} is a pointer to a pointer")
    is_constant = words.startswith("const ")
    number = _number(text, words.removeprefix("const ").rstrip("* "), kind)
    if is_pointer and number.words == "char":  # case files have plain characters as bytes
        number = replace(number, dtype="uint8")
    return CParameter(name, number, is_pointer, is_pointer and is_constant)


def _result(text: str, words: str, kind: GuestType | None) -> NumberType | None:
    return None if kind is None else _number(text, words, kind)


def _number(text: str, words: str, kind: GuestType) -> NumberType:
    is_known = words in _FROM_TYPES_H or _OF_C.fullmatch(words)
    if kind.kind not in ("integer", "float") or kind.wide is not None or not is_known:
        raise _refused(text, f"no scene can be made with values of the type {words}")
    return NumberType(words, kind.dtype.newbyteorder("=").name)


def _with_length(one: CParameter, following: Sequence[CParameter]) -> CParameter:
    """The parameter; a pointer is one to as many elements as the next whole number says, if any.

    If none says it, characters are a text.
    """
    if not one.is_pointer or one.text:
        return one
    lengths = (
        other.name
        for other in following
        if not (other.is_pointer or other.type.is_fraction or other.type.is_boolean)
    )
    length = next(lengths, "")
    if not length and one.type.words == "char":
        return replace(one, text="c", most=_LONGEST)
    return replace(one, length=length)


def _require_work(text: str, prototype: CPrototype) -> None:
    if not prototype.parameters:
        raise _refused(text, "it has no parameters, so all calls would be the same")
    changes = any(one.is_pointer and not one.is_constant for one in prototype.parameters)
    if prototype.result is None and not changes:
        raise _refused(text, "it returns nothing and changes nothing, so nothing can be verified")


def _refused(text: str, problem: str) -> UsageError:
    return UsageError(f"--function {text.strip()!r}: {problem}. {_SUPPORTED}")
