"""Reads whole declarations: of types, of routines, of variables."""

from __future__ import annotations

from dataclasses import replace

from emu.program.declarations.known_types import WrittenType
from emu.program.declarations.names import Prototype, is_incomplete
from emu.program.declarations.reader import ATTRIBUTES, RECORDS, Reader
from emu.program.declarations.tokens import PRAGMA
from emu.program.model.types import ANONYMOUS_STRUCT


class Statements(Reader):
    """Reads declarations one after the other; what they declare is added to the names."""

    def declaration(self, *, only_types: bool = False) -> None:
        """Read one declaration, or one word between declarations.

        Args:
            only_types: whether routines and variables are refused.

        Raises:
            DeclarationError: it cannot be understood.
        """
        if self.word() == PRAGMA:
            self._names.layout.obey(self.token())
            self.next += 1
        elif self.word() == "extern" and self.word(1) == '"C"':
            self.next += 2
            self.take("{")
        elif not self.take(";", *([] if only_types else ["}"])):
            self._declaration(only_types=only_types)

    def declares_type(self) -> bool:
        """Whether the next word begins the declaration of a type."""
        following = self.word(1), self.word(2)
        is_record = self.word() in (*RECORDS, "enum") and (
            "{" in following or following[1] == ";" or following[0] in ATTRIBUTES
        )
        return is_record or self.word() == "typedef"

    def prototype(self, name: str, written: WrittenType) -> Prototype:
        """The prototype of a routine of this name and type."""
        assert written.function is not None
        return Prototype(name, written.function)

    def _declaration(self, *, only_types: bool) -> None:
        start = self.next
        if only_types and not self.declares_type():
            first = self.token()
            line = first.source.text[first.at :].splitlines()[0]
            raise self.error(
                f"{line!r:.80} is no declaration of a struct, a union or a typedef, as struct "
                "Entry { short key; long value; }; is"
            )
        is_typedef = self.take("typedef")
        base = self.specifiers()
        is_end = self.word() == ";"
        if not is_typedef and (base.words == ANONYMOUS_STRUCT if is_end else only_types):
            self.to(";")
            words = f"{self.between(start)!r:.80}"
            raise self.error(f"{words} declares no type with a name", start)
        if self.take(";"):
            return
        while True:
            name, at, written = self.declarator(base)
            if not name:
                raise self.error("a name is missing")
            if is_typedef:
                written = self._name_type(name, written, at)
                base = written if base.words == ANONYMOUS_STRUCT else base
            elif written.is_function:
                self._names.routines[name] = self.prototype(name, written)
                if self.end_of_function():
                    return
            else:
                self.initial_value()
            if self.take(";"):
                return
            self.require(",", f"or ; behind {name}")

    def _name_type(self, name: str, written: WrittenType, at: int) -> WrittenType:
        """Give a type the name behind ``typedef``."""
        kind = written.kind
        if kind is not None and kind.name == ANONYMOUS_STRUCT:
            kind = self._names.layout.renamed(kind, replace(kind, name=name))
        earlier = self._names.types.get(name)
        if earlier is not None and earlier.kind != kind:
            raise self.error(f"{name} is declared twice", at)
        words = written.words if written.is_function else name
        named = replace(written, kind=kind, words=words, element=None)
        if kind is None or not is_incomplete(kind) or kind.name != name:
            self._names.types[name] = named  # else as in typedef struct Node Node
        return named
