"""Reads the prototype of a routine from a line of C, for a program without debugging information.

    pascal short Clip(Rect *bounds, const Str255 title, long flags)

It has the types of C, those of Inside Macintosh that no header needs to explain (Boolean, OSErr,
Fixed, Ptr, Handle, Str255, Point, Rect, ...), and the structs that the program's debugging
information names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from emu.base.errors import UsageError
from emu.base.yaml_document import nearest
from emu.program.declarations.known_types import WrittenType, base_types, mac_types
from emu.program.model.signatures import SHORT_NAMES, Parameter, Signature
from emu.program.model.types import UNKNOWN, GuestType, array_of

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|(\d+)|(\.\.\.)|([*()\[\],;]))", re.ASCII)
_IGNORED = {"const", "volatile", "register", "extern", "static", "struct", "union", "enum"}
_WHERE_TYPES_ARE_FROM = (
    "; it has to be one of C, one of Inside Macintosh (such as OSErr, Fixed, Ptr or Rect), or a "
    "struct of the program"
)
_BASE_WORDS = ("signed", "unsigned", "char", "short", "int", "long", "float", "double", "void")


class PrototypeError(UsageError):
    """A prototype cannot be read; the message says at which column, counted from 1."""


@dataclass(frozen=True, slots=True)
class Prototype:
    """A routine's declaration.

    Attributes:
        name: the routine's name in it.
        signature: its parameters and its result.
        is_pascal: whether it is declared ``pascal``.
    """

    name: str
    signature: Signature
    is_pascal: bool


def parse_prototype(
    text: str,
    find_type: Callable[[str], GuestType | None] = lambda name: None,
    *,
    int_size: int = 4,
    byte_order: str = ">",
    long_double: GuestType | None = None,
) -> Prototype:
    """Read a prototype.

    Args:
        text: the prototype; a semicolon may end it.
        find_type: gives the types of the program by their names, and None for all others. They
            come before the types of Inside Macintosh.
        int_size: the bytes of an ``int``: 2 for a compiler with short ones.
        byte_order: ">" or "<", as NumPy writes it.
        long_double: what a ``long double`` is; None if that is not known.

    Raises:
        PrototypeError: it is not a prototype, or names a type that is not known.

    Example:
        >>> found = parse_prototype("short Neg(short a, Rect *r)")
        >>> found.name, found.signature.parameters[1].declaration
        ('Neg', 'Rect *r')
    """
    return _Reader(text, find_type, int_size, byte_order, long_double).read()


def parse_type(
    text: str,
    find_type: Callable[[str], GuestType | None] = lambda name: None,
    *,
    int_size: int = 4,
    byte_order: str = ">",
    long_double: GuestType | None = None,
) -> GuestType:
    """Read the type of a variable; the arguments are those of `parse_prototype`.

    Raises:
        PrototypeError: it is not a type, or not known.

    Example:
        >>> parse_type("Rect[4]").size
        32
    """
    return _Reader(text, find_type, int_size, byte_order, long_double).read_type()


def parse_parameter(
    written: str,
    name: str,
    find_type: Callable[[str], GuestType | None],
    int_size: int,
    long_double: GuestType | None = None,
) -> Parameter:
    """A parameter of a type as it is written in C, such as ``unsigned short`` or ``char *``.

    Args:
        written: the type.
        name: the parameter's name.
        find_type: as of `parse_prototype`.
        int_size: as of `parse_prototype`.
        long_double: as of `parse_prototype`.

    Raises:
        PrototypeError: it is no type, or one that is not known.
    """
    try:
        found = parse_prototype(
            f"void f({written} {name})", find_type, int_size=int_size, long_double=long_double
        )
        (parameter,) = found.signature.parameters
    except (PrototypeError, ValueError) as error:
        why = str(error).partition(": ")[2].rpartition(" (")[0] or "that is no type of C"
        raise PrototypeError(f"{written!r:.80}: {why}") from error
    return parameter


class _Reader:
    """Reads the words of one prototype, from left to right."""

    def __init__(
        self,
        text: str,
        find_type: Callable[[str], GuestType | None],
        int_size: int,
        order: str,
        long_double: GuestType | None,
    ) -> None:
        self._text = text
        self._find_type = find_type
        self._order = order
        self._bases = base_types(int_size, order)
        if long_double is not None:
            self._bases["double", "long"] = replace(long_double, name="long double")
        self._known = mac_types(order)
        self._tokens = list(self._split())
        self._next = 0

    def _split(self) -> list[tuple[int, str]]:
        tokens, at = [], 0
        text = self._text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise PrototypeError(
                    f"column {at + 1}: {text[at]} has no place in a declaration ({self._text})"
                )
            token = next(group for group in match.groups() if group is not None)
            tokens.append((match.end() - len(token), token))
            at = match.end()
        return tokens

    def read(self) -> Prototype:
        is_pascal = self._take("pascal")
        result = self._type()
        is_pascal |= self._take("pascal")
        name = self._name("the routine's name")
        self._require("(", f"behind {name}")
        signature = self._signature(result)
        self._take(";")
        if self._next < len(self._tokens):
            raise self._error("the prototype ends here")
        return Prototype(name, signature, is_pascal)

    def _signature(self, result: WrittenType) -> Signature:
        """The signature of a function with this result, from behind its opening bracket on."""
        parameters, is_variadic = self._parameters()
        return Signature(
            address=None,
            result=result.words,
            parameters=tuple(parameters),
            result_type=result.kind,
            is_variadic=is_variadic,
            returns_struct=result.kind is not None and result.kind.kind == "struct",
        )

    def read_type(self) -> GuestType:
        kind = self._type().kind
        if kind is None:
            self._next = 0
            raise self._error("a variable cannot be void")
        shape: list[int] = []
        while self._take("["):
            length = self._word()
            if not length.isdecimal() or not int(length):
                raise self._error("the number of elements is missing")
            self._next += 1
            shape.append(int(length))
            self._require("]", f"behind {length}")
        if self._next < len(self._tokens):
            raise self._error("the type ends here")
        return array_of(kind, tuple(shape)) if shape else kind

    def _parameters(self) -> tuple[list[Parameter], bool]:
        """The parameters up to the closing bracket, and whether more of any kind may follow."""
        parameters: list[Parameter] = []
        if self._take(")"):
            return parameters, False
        if self._word() == "void" and self._word(1) == ")":
            self._next += 2
            return parameters, False
        while True:
            if self._take("..."):
                self._require(")", "behind ...")
                return parameters, True
            parameters.append(self._parameter(parameters))
            if self._take(")"):
                return parameters, False
            self._require(",", "or ) behind a parameter")

    def _parameter(self, before: list[Parameter]) -> Parameter:
        start = self._next
        found = self._type()
        if self._take("("):  # a pointer to a function: short (*compare)(Ptr, Ptr)
            return self._function_pointer(found)
        if found.kind is None:
            self._next = start
            raise self._error("a parameter cannot be void")
        name = ""
        if self._is_name():
            if self._word() in {parameter.name for parameter in before}:
                raise self._error(f"there are two parameters {self._word()}")
            name = self._name("a name")
        while self._take("["):
            if self._word().isdecimal():
                self._next += 1
            self._require("]", "behind [")
            found = found.pointer(self._order)
        words = found.words
        if found.kind is not None and found.kind.kind == "array":  # an array is passed by address
            found = WrittenType(found.words, found.kind.scalar).pointer(self._order)
        declaration = f"{words}{'' if words.endswith('*') else ' '}{name}" if name else words
        assert found.kind is not None
        return Parameter(name, declaration, found.kind, found.pointed)

    def _function_pointer(self, result: WrittenType) -> Parameter:
        self._require("*", "for a pointer to a function")
        name = self._name("a name")
        self._require(")", f"behind {name}")
        self._require("(", "for the parameters of the function")
        function = self._signature(result)
        found = WrittenType("function", None).pointer(self._order)
        assert found.kind is not None
        return Parameter(name, f"function *{name}", found.kind, found.pointed, function)

    def _type(self) -> WrittenType:
        before = self._next
        while self._word() in _IGNORED:
            self._next += 1
        words: list[str] = []
        while self._word() in (*_BASE_WORDS, *_IGNORED):
            if self._word() in _BASE_WORDS:
                words.append(self._word())
            self._next += 1
        found = self._base(words) if words else self._named()
        while self._word() in _IGNORED:
            self._next += 1
        if "const" in (word for _, word in self._tokens[before : self._next]):
            found = replace(found, words=f"const {found.words}")
        while self._word() in ("*", *_IGNORED):
            if self._take("*"):
                found = found.pointer(self._order)
            else:
                self._next += 1
        return found

    def _base(self, words: list[str]) -> WrittenType:
        spelled = " ".join(words)
        key = tuple(sorted(word for word in words if word != "int" or len(words) == 1))
        if key not in self._bases:
            self._next -= 1
            if key == ("double", "long"):
                raise self._error(
                    "how large a long double is depends on the compiler; extended80 (10 bytes) or "
                    "extended96 (12 bytes) says it"
                )
            raise self._error(f"{spelled} is no type of C")
        kind = self._bases[key]
        return WrittenType("void" if kind is None else SHORT_NAMES.get(kind.name, kind.name), kind)

    def _named(self) -> WrittenType:
        if not self._is_name():
            raise self._error("a type is missing")
        name = self._word()
        kind = self._find_type(name)
        known = self._known.get(name)
        if kind is not None:
            known = WrittenType(name, kind, tuple(self._pointed(kind)))
        if known is None:
            hint = nearest(name, [*self._known, *_BASE_WORDS]) or _WHERE_TYPES_ARE_FROM
            raise self._error(f"there is no type {name}{hint}")
        self._next += 1
        return known

    def _pointed(self, kind: GuestType | None) -> Iterator[GuestType]:
        """What a pointer that has a name of its own points to, and what that points to."""
        while kind is not None and kind.kind == "pointer":
            target = kind.target
            if target.endswith("*"):
                kind = replace(kind, name=target, target=target[:-1])
            else:
                known = self._known.get(target)
                base = self._bases.get(tuple(sorted(w for w in target.split() if w != "int")))
                kind = self._find_type(target) or (known.kind if known else base)
            yield UNKNOWN if kind is None else kind

    # -- words -------------------------------------------------------------------------------

    def _word(self, further: int = 0) -> str:
        place = self._next + further
        return self._tokens[place][1] if place < len(self._tokens) else ""

    def _is_name(self) -> bool:
        word = self._word()
        return bool(word) and (word[0].isalpha() or word[0] == "_")

    def _take(self, word: str) -> bool:
        found = self._word() == word
        self._next += found
        return found

    def _require(self, word: str, why: str) -> None:
        if not self._take(word):
            raise self._error(f"{word} is missing {why}")

    def _name(self, what: str) -> str:
        if not self._is_name():
            raise self._error(f"{what} is missing")
        self._next += 1
        return self._tokens[self._next - 1][1]

    def _error(self, problem: str) -> PrototypeError:
        at = len(self._text)
        if self._next < len(self._tokens):
            at = self._tokens[self._next][0]
        return PrototypeError(f"column {at + 1}: {problem} ({self._text})")
