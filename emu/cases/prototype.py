"""Reads the prototype of a C function, as ``macproof new`` is given it: "short Neg(short a)".

It understands what a new case can be made for: numbers, and pointers to numbers with their count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from emu.base.errors import UsageError

_SUPPORTED = (
    "macproof new makes functions of whole numbers (char to long long, signed or unsigned; Byte, "
    "SignedByte, OSErr, Fixed, Fract), Boolean, float and double, and of pointers to them with the "
    'number of elements as a later parameter: "long Sum(const short *values, short count)". For '
    "anything else make a simpler one, and change its source and its case.yaml"
)
_SPELLINGS = {
    "int8": "char, signed char, SignedByte",
    "uint8": "unsigned char, Boolean, Byte",
    "int16": "short, signed short, short int, signed short int, OSErr",
    "uint16": "unsigned short, unsigned short int",
    "int32": "int, signed, signed int, long, signed long, long int, signed long int, Fixed, Fract",
    "uint32": "unsigned, unsigned int, unsigned long, unsigned long int",
    "int64": "long long, signed long long, long long int, signed long long int",
    "uint64": "unsigned long long, unsigned long long int",
    "float32": "float",
    "float64": "double",
}
_DTYPES = {  # C takes the words of a type in any order
    tuple(sorted(words.split())): dtype
    for dtype, spellings in _SPELLINGS.items()
    for words in spellings.split(", ")
}
_FROM_TYPES_H = {"Boolean", "Byte", "SignedByte", "OSErr", "Fixed", "Fract"}
_TYPE_WORDS = {word for words in _DTYPES for word in words}
_KEYWORDS = _TYPE_WORDS | {
    *("auto", "break", "case", "const", "continue", "default", "do", "else", "enum", "extern"),
    *("for", "goto", "if", "inline", "register", "restrict", "return", "sizeof", "static"),
    *("struct", "switch", "typedef", "union", "void", "volatile", "while", "asm", "typeof"),
    *("pascal", "main"),
}
_PROTOTYPE = re.compile(r"\s*([\w\s*]*[\s*])(\w+)\s*\(([^()]*)\)\s*;?\s*", re.ASCII)
_PARAMETER = re.compile(r"([\w\s]+?)(\*?)\s*(\b\w+)?\s*(\[\s*\d*\s*\])?\s*", re.ASCII)
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
        return self.words in _FROM_TYPES_H


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function.

    Attributes:
        name: its name.
        type: its type; of a pointer, the type of the elements that it points to.
        is_pointer: whether it is a pointer.
        is_constant: whether what it points to is only read.
        length: of a pointer, the name of the parameter with the number of elements; else "".
    """

    name: str
    type: NumberType
    is_pointer: bool = False
    is_constant: bool = False
    length: str = ""

    def __str__(self) -> str:
        """Its declaration in C."""
        constant = "const " if self.is_constant else ""
        return f"{constant}{self.type.words} {'*' if self.is_pointer else ''}{self.name}"


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function's name, parameters and result.

    Attributes:
        name: its name.
        parameters: its parameters, in order.
        result: the type of its result; None if it has none.
    """

    name: str
    parameters: tuple[Parameter, ...]
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
        return {one.length for one in self.parameters if one.is_pointer}


def read_prototype(text: str) -> Prototype:
    """Read a prototype.

    Parameters without a name are called a, b, c and so on by their places.

    Raises:
        UsageError: it is no prototype; it has a type that `macproof new` does not know; or nothing
            goes into or comes out of the function, so that there would be nothing to verify.
    """
    match = _PROTOTYPE.fullmatch(text)
    if match is None:
        raise _refused(text, "it is not the prototype of one function")
    result, name, inside = match[1].strip(), match[2], match[3].strip()
    if name in _KEYWORDS:
        raise _refused(text, f"{name} cannot be the name of a function")
    written = [] if inside in ("", "void") else inside.split(",")
    if len(written) > len(_LETTERS):
        raise _refused(text, f"it has more than {len(_LETTERS)} parameters")
    parameters = [_parameter(text, part, _LETTERS[n]) for n, part in enumerate(written)]
    names = [one.name for one in parameters]
    for one in names:
        if names.count(one) > 1 or one == name:
            raise _refused(text, f"two things in it are called {one}")
    made = Prototype(
        name,
        tuple(_with_length(text, one, parameters[n:]) for n, one in enumerate(parameters)),
        None if result == "void" else _type(text, result),
    )
    _require_work(text, made)
    return made


def _parameter(text: str, written: str, letter: str) -> Parameter:
    match = _PARAMETER.fullmatch(written)
    if match is None:
        raise _refused(text, f"the parameter {written.strip() or 'without a type'} is not known")
    words, star, name, array = match.groups()
    if not star and name in _TYPE_WORDS:  # "unsigned long", without a name
        words, name = f"{words} {name}", None
    name = name or letter
    if name in _KEYWORDS or name in ("null", "true", "false"):  # which YAML reads as no names
        raise _refused(text, f"{name} cannot be the name of a parameter")
    kept = [word for word in words.split() if word != "const"]
    is_pointer = bool(star or array)
    is_constant = is_pointer and len(kept) < len(words.split())
    type_ = _type(text, " ".join(kept))
    if is_pointer and type_.words == "char":  # case files have plain characters as bytes
        type_ = NumberType("char", "uint8")
    return Parameter(name, type_, is_pointer, is_constant)


def _type(text: str, written: str) -> NumberType:
    words = written.split()
    dtype = _DTYPES.get(tuple(sorted(words)))
    if dtype is None:
        raise _refused(text, f"the type {written or '(none)'} is not known")
    return NumberType(" ".join(words), dtype)


def _with_length(text: str, one: Parameter, following: list[Parameter]) -> Parameter:
    if not one.is_pointer:
        return one
    for other in following:
        if not (other.is_pointer or other.type.is_fraction or other.type.is_boolean):
            return Parameter(one.name, one.type, True, one.is_constant, other.name)
    raise _refused(text, f"no whole number after {one} says how many elements it points to")


def _require_work(text: str, prototype: Prototype) -> None:
    if not prototype.parameters:
        raise _refused(text, "it has no parameters, so all calls would be the same")
    changes = any(one.is_pointer and not one.is_constant for one in prototype.parameters)
    if prototype.result is None and not changes:
        raise _refused(text, "it returns nothing and changes nothing, so nothing can be verified")


def _refused(text: str, problem: str) -> UsageError:
    return UsageError(f"--function {text.strip()!r}: {problem}. {_SUPPORTED}")
