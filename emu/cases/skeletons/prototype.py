"""Reads the prototype of a C function, as ``macproof new`` is given it: "short Neg(short a)".

From it follows what a new case has to fill and to compare: numbers, structs, texts, handles, and
what pointers lead to with its count.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import InputError, UsageError
from emu.base.files import read_file
from emu.base.yaml_document import did_you_mean
from emu.cases.programs.mac_headers import header_file, header_of, records_only, type_in_headers
from emu.program import GuestType
from emu.program.declarations.c_declarations import CDeclarations
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.names import Prototype
from emu.program.declarations.tokens import DeclarationError, FindFile, SourceText
from emu.program.model.signatures import SHORT_NAMES, Parameter, Signature
from emu.program.model.types import EXTENDED_96, UNKNOWN

_SUPPORTED = (
    "macproof new makes functions of whole numbers (char to long long, signed or unsigned), float "
    "and double, whatever Inside Macintosh calls them, of structs of them, and of pointers to one "
    "of these, or to as many as the next whole number among the parameters says: "
    '"long Sum(const short *values, short count)"; of texts: char * without such a number, '
    "Str255 and its like, StringPtr, ConstStr255Param; of Ptr, Handle and pointers to functions. "
    "Structs are declared before the function, or in the file of --header. For anything else make "
    "a simpler one, and change its source and its case.yaml"
)
_PASCAL = re.compile(r"\b(Str(?P<most>255|63|31|27|15)|StringPtr|ConstStr255Param)\b")
_MEMORY = re.compile(r"\b(Ptr|Handle|void)\b")
_KEYWORDS = {
    *("auto", "break", "case", "continue", "default", "do", "else", "for", "goto", "if", "inline"),
    *("restrict", "return", "sizeof", "switch", "typedef", "while", "asm", "typeof", "main"),
}
_OF_YAML = {"null", "true", "false"}
MOST_ELEMENTS = 20
"""How many elements a buffer of a new case has at most."""
_LONGEST = 255  # bytes of a text
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MODEL = DataModel(long_double=EXTENDED_96)
_NAME = re.compile(r"[A-Za-z_]\w*")
_OF_A_HANDLE = 2
_MOST_POINTERS = 3


@dataclass(frozen=True, slots=True)
class NumberType:
    """A type of numbers in C, or of structs.

    Attributes:
        words: its name in C ("unsigned short").
        dtype: the name of the numpy dtype of the same numbers ("uint16"); "" of a struct.
    """

    words: str
    dtype: str

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
        nulls: the members of them that are pointers, and are null.
        pointers: how many pointers lead to the elements: 0, 1, or 2 of a Handle or ``char **``.
        is_constant: whether what it points to is only read.
        is_handle: whether it is a Handle.
        length: of a pointer to many elements, the name of the parameter with their number; else "".
        is_memory: whether it leads to memory whose size no parameter says, as a Ptr may.
        text: "c" of a text with a 0 behind it, "pascal" of one with its length before it; else "".
        most: the most bytes that a text has.
        function: of a pointer to a function, how that is declared.
        is_one: whether it is the number of elements of a list of handles, of which a case has one.
        is_global: whether it is a global, which stands for what a function without any works on.
    """

    name: str
    declaration: str
    type: NumberType
    parts: tuple[Part, ...] = ()
    nulls: tuple[str, ...] = ()
    pointers: int = 0
    is_constant: bool = False
    is_handle: bool = False
    length: str = ""
    is_memory: bool = False
    text: str = ""
    most: int = 0
    function: Signature | None = None
    is_one: bool = False
    is_global: bool = False

    def __str__(self) -> str:
        return self.declaration

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer."""
        return self.pointers > 0

    @property
    def has_many(self) -> bool:
        """Whether there are as many elements as a scene has objects."""
        return bool(self.length) or self.is_memory

    @property
    def is_whole(self) -> bool:
        """Whether the number of elements is always `MOST_ELEMENTS`, since nothing tells it."""
        return self.is_memory and not self.is_handle

    @property
    def number_in_c(self) -> str:
        """How many elements there are, in C, if no parameter says it."""
        handle = f"{'*' * (self.pointers - 2)}{self.name}"
        return str(MOST_ELEMENTS) if self.is_whole else f"GetHandleSize({handle})"

    @property
    def is_changed(self) -> bool:
        """Whether the function may change what it leads to."""
        # What three pointers lead to is not compared: a case has no name for it.
        may_change = self.is_pointer and not self.is_constant and self.pointers < _MOST_POINTERS
        return may_change or self.is_global


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
        state: a global that it works on; None if it has parameters and gives something back.
        before: what its source has to declare before it.
        is_pascal: whether it is declared ``pascal``.
        header: the file that declares it; None if there is none.
    """

    name: str
    parameters: tuple[CParameter, ...]
    result: CResult | None
    state: CParameter | None = None
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
        """What is filled and compared: the parameters, and the global."""
        return self.parameters if self.state is None else (*self.parameters, self.state)

    @property
    def types(self) -> tuple[NumberType, ...]:
        """All the types of numbers in it."""
        returned = () if self.result is None else self.result.parts
        return tuple(
            part.type for part in (*(p for one in self.values for p in one.parts), *returned)
        )

    @property
    def headers(self) -> list[str]:
        """The headers of the Macintosh that it needs."""
        results = [] if self.result is None else [self.result.type.words]
        written = " ".join((*(one.declaration for one in self.values), *results, self.before))
        found = {header_of(word) for word in set(re.findall(r"\w+", written))}
        found |= {"Types.h"} if self.is_pascal else set()
        found |= {"Memory.h"} if any(o.is_handle and o.is_memory for o in self.values) else set()
        # What has a routine's name is not included, or the routine would be declared otherwise.
        return sorted(records_only(one, self.name) for one in found - {""})

    @property
    def lengths(self) -> set[str]:
        """The names of the parameters that are numbers of elements."""
        return {one.length for one in self.parameters if one.length}


def read_prototype(text: str, header: Path | None = None) -> CPrototype:
    """Read a prototype.

    Parameters without a name are called a, b, c and so on by their places.

    Args:
        text: the prototype, which declarations of structs may precede; or the name of a function
            that the header declares.
        header: a file with declarations in C.

    Raises:
        UsageError: it is no prototype, or has a type that `macproof new` does not know.
        InputError: the header cannot be read.
    """
    declared = CDeclarations(lambda name: type_in_headers(name, _MODEL), _MODEL, _finder(header))
    found, before = _prototype(text.strip(), header, declared)
    signature = found.signature
    if signature.is_variadic or len(signature.parameters) > len(_LETTERS):
        raise _refused(text, f"a new case cannot have ... or over {len(_LETTERS)} parameters")
    parameters = [
        _parameter(text, one, one.name or _LETTERS[n], declared.tags)
        for n, one in enumerate(signature.parameters)
    ]
    names = [found.name, *(one.name for one in parameters)]
    for name in names:
        if name in _KEYWORDS or name in _OF_YAML:
            raise _refused(text, f"{name} is a reserved word, so it cannot be a name")
        if names.count(name) > 1:
            raise _refused(text, f"the name {name} is used twice")
    made = CPrototype(
        found.name,
        tuple(_with_length(one, n, parameters) for n, one in enumerate(parameters)),
        _result(text, signature, declared.tags),
        before=before,
        is_pascal=found.is_pascal,
        header=header,
    )
    return replace(made, state=_state(made, names))


def _finder(header: Path | None) -> FindFile:
    """Finds what headers include: beside a header, or among those of the kit."""

    def find(name: str) -> SourceText | None:
        beside = None if header is None else header.parent / name
        return _source(beside) if beside is not None and beside.is_file() else header_file(name)

    return find


def _source(path: Path) -> SourceText:
    try:
        return SourceText(read_file(path).decode("utf-8", "replace"), str(path))
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}") from error


def _prototype(text: str, header: Path | None, declared: CDeclarations) -> tuple[Prototype, str]:
    """The prototype, and what stands before it."""
    try:
        problems = [] if header is None else declared.read_header(_source(header))
        if header is not None and _NAME.fullmatch(text):
            if text not in declared.prototypes:
                hint = did_you_mean(text, declared.prototypes)
                own = (str(one) for one in problems if re.search(rf"\b{text}\b", str(one)))
                why = next(own, f"it declares no function {text}{hint}")
                raise InputError(header, why)
            return declared.prototypes[text], ""
        found = declared.prototype(text)
    except DeclarationError as error:
        raise _refused(text, str(error)) from None
    last = text.rstrip("; \n")
    lines = list(re.finditer(r"^\s*#.*\n|;", last, re.MULTILINE))
    return found, last[: lines[-1].end()].strip() if lines else ""


def _parameter(text: str, declared: Parameter, name: str, tags: frozenset[str]) -> CParameter:
    words = declared.declaration
    if declared.name:
        words = re.sub(rf"\b{declared.name}\b(?!.*\b{declared.name}\b)", "", words)
    declaration = declared.declaration if declared.name else _with_name(words, name)
    declaration = _with_struct(declaration, tags)
    words = words.replace("(*)", "*").partition("[")[0].strip()
    if declared.function is not None:
        if words.startswith("function "):
            inside = ", ".join(one.declaration for one in declared.function.parameters) or "void"
            declaration = f"{declared.function.result} (*{name})({inside})"
        if any(one.type.kind == "struct" for one in declared.function.parameters):
            raise _refused(text, f"{name} gets a struct, and no such call is written")
        return CParameter(name, declaration, NumberType("", ""), function=declared.function)
    pointed = declared.pointed
    pascal = _PASCAL.search(words)
    is_constant = words.startswith("const ") or "Const" in words
    if pascal is not None and len(pointed) == 1 and pointed[0].size == 1:
        most = int(pascal["most"] or _LONGEST)
        return CParameter(
            name,
            declaration,
            NumberType(pascal[0], "uint8"),
            (Part("", NumberType("unsigned char", "uint8")),),
            pointers=1,
            is_constant=is_constant,
            text="pascal",
            most=most,
        )
    kind = pointed[-1] if pointed else declared.type
    if len(pointed) > _MOST_POINTERS:
        raise _refused(text, f"{declared.declaration} leads to memory by too many pointers")
    if words == "ProcPtr":
        raise _refused(text, "a ProcPtr does not say how the function is called")
    element = words.removeprefix("const ").rstrip("* ")
    if words.count("*") != len(pointed):  # a pointer with a name of its own
        element = SHORT_NAMES.get(kind.scalar.name, kind.scalar.name)
    parts, nulls = _parts(text, element, kind, is_whole=not pointed)
    return CParameter(
        name,
        declaration,
        NumberType(element, parts[0].type.dtype if not parts[0].path else ""),
        parts,
        nulls,
        len(pointed),
        is_constant and bool(pointed),
        "Handle" in words and len(pointed) - words.count("*") == _OF_A_HANDLE,
        is_memory=_MEMORY.search(words) is not None or len(pointed) > 1,
    )


def _with_struct(words: str, tags: frozenset[str]) -> str:
    """A declaration with ``struct`` before names that are none without it."""
    return re.sub(r"\w+", lambda m: f"struct {m[0]}" if m[0] in tags else m[0], words, count=2)


def _with_name(words: str, name: str) -> str:
    if "(*)" in words:
        return words.replace("(*)", f"(*{name})")
    return f"{words}{'' if words.endswith('*') else ' '}{name}"


def _parts(
    text: str, words: str, kind: GuestType, *, is_whole: bool
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The numbers in a value, and the paths of its pointers.

    Args:
        text: the prototype, for messages.
        words: the type as it is written.
        kind: the type.
        is_whole: whether all of it has to be filled.
    """
    if kind is UNKNOWN:
        return (Part("", NumberType("void", "uint8")),), ()
    found: list[Part] = []
    nulls: list[str] = []
    for path, one in _leaves("", kind):
        scalar = one.scalar
        if scalar.kind == "pointer" and path:
            nulls.append(path)
        elif scalar.kind in ("integer", "boolean", "float") and scalar.wide is None:
            name = words if not path else SHORT_NAMES.get(scalar.name, scalar.name)
            dtype = scalar.dtype.newbyteorder("=").name
            # Case files have plain characters behind pointers as bytes.
            is_byte = name == "char" and not (is_whole and not path)
            found.append(Part(path, NumberType(name, "uint8" if is_byte else dtype), one.shape))
        elif is_whole or not path:
            raise _refused(text, f"no scene can be made with values of the type {words}")
    if not found:
        raise _refused(text, f"no scene can be made with values of the type {words}")
    return tuple(found), tuple(nulls)


def _leaves(path: str, kind: GuestType) -> Iterator[tuple[str, GuestType]]:
    """The members of a struct that are none themselves, by their paths; else the value itself."""
    if kind.kind != "struct" or kind.is_union:
        yield path, kind
        return
    for field in kind.fields:
        yield from _leaves(f"{path}.{field.name}".lstrip("."), field.type)


def _result(text: str, signature: Signature, tags: frozenset[str]) -> CResult | None:
    kind, words = signature.result_type, signature.result.removeprefix("const ")
    if kind is None:
        return None
    parts, nulls = _parts(text, words, kind, is_whole=True)
    if nulls:
        raise _refused(text, f"it returns the pointer {nulls[0]}, which leads nowhere")
    words = _with_struct(words, tags)
    return CResult(NumberType(words, parts[0].type.dtype if not parts[0].path else ""), parts)


def _with_length(one: CParameter, place: int, others: Sequence[CParameter]) -> CParameter:
    """The parameter; a pointer is one to as many elements as the next whole number says, if any.

    A struct is a single one unless the number stands right behind it. If nothing says how many
    characters there are, they are a text.
    """
    if not one.is_pointer and place:
        lists = [other for other in others[:place] if other.pointers == _MOST_POINTERS]
        first = bool(lists) and not any(map(_is_number, others[others.index(lists[0]) : place]))
        return replace(one, is_one=first and _is_number(one))
    if not one.is_pointer or one.text or one.pointers == _MOST_POINTERS:
        return one
    following = others[place + 1 :]
    near = following if one.type.dtype else following[:1]
    length = next((other.name for other in near if _is_number(other)), "")
    if not length and one.type.words == "char" and not one.is_memory:
        return replace(one, text="c", most=_LONGEST)
    is_memory = one.is_memory and not length and bool(one.type.dtype)
    return replace(one, length=length, is_memory=is_memory)


def _is_number(one: CParameter) -> bool:
    """Whether it is a whole number, so that it may be one of elements."""
    is_plain = not one.is_pointer and one.function is None and bool(one.type.dtype)
    return is_plain and not (one.type.is_fraction or one.type.is_boolean)


def _state(made: CPrototype, names: Sequence[str]) -> CParameter | None:
    """A global for a function that takes nothing, or that gives nothing back."""
    has_input = any(one.parts for one in made.parameters)
    has_output = made.result is not None or any(one.is_changed for one in made.parameters)
    if has_input and has_output:
        return None
    name, number = free_name("gState", names), NumberType("long", "int32")
    return CParameter(name, f"long {name}", number, (Part("", number),), is_global=True)


def free_name(word: str, taken: Collection[str]) -> str:
    """A name like a word that is no keyword of Python and not taken: "from_" for "from"."""
    while word in taken or keyword.iskeyword(word):
        word += "_"
    return word


def _refused(text: str, problem: str) -> UsageError:
    return UsageError(f"--function {text.strip()!r}: {problem}. {_SUPPORTED}")
