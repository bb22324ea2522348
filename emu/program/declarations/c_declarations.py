"""Reads declarations in C, for a program without debugging information.

    pascal short Clip(Rect *bounds, const Str255 title, long flags)

    struct Entry { short key; unsigned char name[kLength]; struct Entry *next; };
    typedef struct { Rect bounds; long count; } Region;

They have the types of C, those of Inside Macintosh that no header needs to explain (Boolean, OSErr,
Fixed, Ptr, Handle, Str255, Point, Rect, ...), and the structs that the program's debugging
information names.

pycparser does not fit: it has to know the names of all types before it begins, which here a program
gives when it is asked; it accepts ``short long`` and sizes that nobody defines; of ``Recr r`` it
says "before: r", where "there is no type Recr; did you mean Rect?" helps; it refuses ``pascal``,
``&`` and comments.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from emu.program.declarations.constants import Constant
from emu.program.declarations.known_types import MAC_TYPES, DataModel, WrittenType
from emu.program.declarations.layout import RecordLayout
from emu.program.declarations.names import CNames, FindType, Prototype
from emu.program.declarations.reader import PASCAL
from emu.program.declarations.statements import Statements
from emu.program.declarations.tokens import (
    CToken,
    DeclarationError,
    FindFile,
    Preprocessor,
    SourceText,
)
from emu.program.model.signatures import Parameter
from emu.program.model.types import EXTENDED_80, EXTENDED_96, GuestType

_MODEL = DataModel()


class CDeclarations:
    """Declarations, of which each knows those that were read before.

    Args:
        find_type: gives the types of the program by their names, and None for all others. They
            come before the types of Inside Macintosh.
        model: what the compiler decides.
        find_file: gives the files that ``#include`` names.
        further: gives types that nothing else has.

    Example:
        >>> declared = CDeclarations()
        >>> declared.read_types("typedef struct Node { short key; struct Node *next; } *NodePtr;")
        >>> declared.prototype("short Key(NodePtr node)").signature.parameters[0].pointed[0].size
        8
    """

    def __init__(
        self,
        find_type: FindType = lambda name: None,
        model: DataModel = _MODEL,
        find_file: FindFile = lambda name: None,
        further: FindType = lambda name: None,
    ) -> None:
        usual = functools.partial(_mac_types, model.byte_order)
        self._names = CNames(model, find_type, RecordLayout(model.alignment), usual, further)
        self._preprocessor = Preprocessor(self._number, find_file)

    @property
    def types(self) -> dict[str, GuestType]:
        """The types that were declared, by their names."""
        return self._names.complete_types()

    @property
    def tags(self) -> frozenset[str]:
        """The structs that have no other name than the one behind the word ``struct``."""
        return frozenset(self._names.tags) - frozenset(self._names.types)

    @property
    def prototypes(self) -> dict[str, Prototype]:
        """The routines that headers declare, by their names."""
        return self._names.routines

    def read_types(self, text: str) -> None:
        """Read declarations of structs, unions and other types.

        Raises:
            DeclarationError: something else is declared, or a type is not known.
        """
        reader = self._reader(SourceText(text), is_lenient=True)
        while reader.next < len(reader.tokens):
            reader.declaration(only_types=True)

    def read_header(self, source: SourceText) -> list[DeclarationError]:
        """Read a header: types, routines, and variables, which are of no use here.

        Returns:
            Why declarations were left out that cannot be understood.

        Raises:
            DeclarationError: what cannot be understood has no end.
        """
        reader = self._reader(source, is_lenient=True)
        problems = []
        while reader.next < len(reader.tokens):
            start = reader.next
            try:
                reader.declaration()
            except DeclarationError as error:
                problems.append(error)
                reader.leave_out(start)
        return problems

    def prototype(self, text: str) -> Prototype:
        """Read a prototype; a semicolon may end it, and declarations of types may come before it.

        Raises:
            DeclarationError: it is not a prototype, or names a type that is not known.
        """
        reader = self._reader(SourceText(text), is_lenient=False)
        while reader.declares_type():
            reader.declaration(only_types=True)
        base = reader.result()
        name = reader.name("the routine's name")
        if reader.word() != "(":
            reader.require("(", f"behind {name}")
        prototype = reader.prototype(name, reader.behind_name(base))
        reader.take(";")
        if reader.next < len(reader.tokens):
            raise reader.error("the prototype ends here")
        return prototype

    def type(self, text: str) -> GuestType:
        """Read the type of a variable, such as ``Rect[4]``.

        Raises:
            DeclarationError: it is not a type, or not known.
        """
        reader = self._reader(SourceText(text), is_lenient=False)
        written = reader.behind_name(reader.result())
        kind = reader.value(written, 0)
        if reader.next < len(reader.tokens):
            raise reader.error("the type ends here")
        return kind

    def _reader(self, source: SourceText, *, is_lenient: bool) -> Statements:
        tokens = self._preprocessor.tokens(source)
        return Statements(tokens, source, self._names, is_lenient=is_lenient)

    def _number(self, tokens: list[CToken]) -> int:
        """The number that the tokens behind ``#if`` are."""
        return Constant(tokens, 0, self._names.numbers).read() if tokens else 0


def spelling(text: str) -> str:
    """Declarations for another reader of C: without comments, ``#define`` and ``pascal``.

    Structs and unions without a name, as members, get that of a case: ``member_2`` is the third.

    Raises:
        DeclarationError: they are not C, or too large.
    """
    tokens = Preprocessor(lambda tokens: Constant(tokens, 0, {}).read()).tokens(SourceText(text))
    words = (f"\n#pragma {' '.join(t.words)}\n" if t.words else t.text for t in tokens)
    return " ".join(_with_member_names(word for word in words if word not in PASCAL))


def _with_member_names(words: Iterable[str]) -> Iterator[str]:
    """Words of C, with names for members that are structs and unions without one."""
    levels: list[tuple[bool, int]] = []  # braces: whether of an unnamed struct; members before
    is_unnamed, parentheses, before, members = False, 0, "", 0
    for word in words:
        if word == "{":
            levels.append((before in ("struct", "union"), members))
            members = 0
        elif word == "}" and levels:
            is_unnamed, members = levels.pop()
        elif word in ("(", ")"):
            parentheses += 1 if word == "(" else -1
        elif word in (",", ";") and not parentheses:
            if word == ";" and before == "}" and is_unnamed and levels:
                yield f"member_{members}"
            members += before != "}" or is_unnamed
        yield word
        before = word


@functools.cache
def _mac_types(order: str) -> Mapping[str, WrittenType]:
    """The types of Inside Macintosh, by their names."""
    names = CNames(DataModel(byte_order=order), lambda name: None, RecordLayout(2))
    tokens = Preprocessor(lambda tokens: 0).tokens(SourceText(MAC_TYPES))
    reader = Statements(tokens, SourceText(MAC_TYPES), names, is_lenient=False)
    while reader.next < len(tokens):
        reader.declaration()
    sane = {"extended": EXTENDED_80, "extended80": EXTENDED_80, "extended96": EXTENDED_96}
    wide = {name: WrittenType(name, replace(kind, name=name)) for name, kind in sane.items()}
    return {**names.types, **wide}


def parse_prototype(
    text: str, find_type: FindType = lambda name: None, model: DataModel = _MODEL
) -> Prototype:
    """Read a prototype; see `CDeclarations.prototype`.

    Example:
        >>> found = parse_prototype("short Neg(short a, Rect *r)")
        >>> found.name, found.signature.parameters[1].declaration
        ('Neg', 'Rect *r')
    """
    return CDeclarations(find_type, model).prototype(text)


def parse_type(
    text: str, find_type: FindType = lambda name: None, model: DataModel = _MODEL
) -> GuestType:
    """Read the type of a variable; see `CDeclarations.type`.

    Example:
        >>> parse_type("Rect[4]").size
        32
    """
    return CDeclarations(find_type, model).type(text)


def parse_types(
    text: str, find_type: FindType = lambda name: None, model: DataModel = _MODEL
) -> dict[str, GuestType]:
    """Read declarations of types; see `CDeclarations.read_types`.

    Example:
        >>> model = DataModel(alignment=2)
        >>> found = parse_types("struct Entry { char tag; long key; };", model=model)
        >>> found["Entry"].size, found["Entry"].field("key").offset
        (6, 2)
    """
    declared = CDeclarations(find_type, model)
    declared.read_types(text)
    return declared.types


def parse_parameter(written: str, name: str, find_type: FindType, model: DataModel) -> Parameter:
    """A parameter of a type as it is written in C, such as ``unsigned short`` or ``char *``.

    Args:
        written: the type.
        name: the parameter's name.
        find_type: as of `CDeclarations`.
        model: what the compiler decides.

    Raises:
        DeclarationError: it is no type, or one that is not known.
    """
    try:
        (parameter,) = parse_prototype(
            f"void f({written} {name})", find_type, model
        ).signature.parameters
    except (DeclarationError, ValueError) as error:
        why = str(error).partition(": ")[2].rpartition(" (")[0] or "that is no type of C"
        raise DeclarationError(f"{written!r:.80}: {why}") from error
    return parameter
