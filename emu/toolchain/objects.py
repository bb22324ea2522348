"""Reads what an object file defines, and which files it was compiled from."""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from emu.program import source_name
from emu.program.xcoff.xcoff import is_xcoff
from emu.toolchain.xcoff_objects import CONSTRUCTOR, shown_names, symbols_of

# How the mangled name of a member of C++ classes and namespaces begins.
_NESTED = re.compile(r"_ZN[VK]*(?=\d)")
_UNNAMED = "_GLOBAL__N_1"
_KINDS = {1: "object", 2: "function"}
_OF_THE_FILE = {3, 4}  # symbols for a section and for the source
_BINDINGS = {0: "local", 1: "global", 2: "weak"}
_SYMBOL_TABLE = 2
_DEPENDENCY = re.compile(r"(?:\\[ #]|\$\$|\\(?!\n)|[^\s\\])+")


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or variable that an object defines.

    Attributes:
        name: its name in the source.
        symbol: its name in the object.
        binding: "global", "weak" or "local".
        kind: "function", "object" (a variable), or "other": an assembler label without a type.
    """

    name: str
    symbol: str
    binding: str
    kind: str


def definitions_of(path: Path) -> list[Definition]:
    """The functions and variables that an object file defines, in its order."""
    return [
        Definition(
            _plain(symbol.name),
            symbol.name,
            _BINDINGS.get(symbol.binding, "other"),
            _KINDS.get(symbol.kind, "other"),
        )
        for symbol in _symbols(path.read_bytes())
        if symbol.section and symbol.kind not in _OF_THE_FILE
    ]


def undefined_in(path: Path) -> set[str]:
    """The names, as they are in the object, that an object file needs from others."""
    return {symbol.name for symbol in _symbols(path.read_bytes()) if not symbol.section}


def sections_of(path: Path) -> list[str]:
    """The names of the sections of an object file, in its order."""
    return list(_Object(path.read_bytes()).names())


def has_constructors(path: Path) -> bool:
    """Whether an object file has code that a program runs before ``main``."""
    content = path.read_bytes()
    if is_xcoff(content):
        return any(name.startswith(CONSTRUCTOR) for name in shown_names(content))
    return any(name.startswith(".init_array") for name in _Object(content).names())


class _Section(NamedTuple):
    """A section header, in the order of its ten words."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    """A symbol with a name; ``section`` is 0 if another object defines it."""

    name: str
    binding: int
    kind: int
    section: int


def _symbols(content: bytes) -> Iterator[_Symbol]:
    """The symbols of an object file that have a name."""
    if is_xcoff(content):
        return itertools.starmap(_Symbol, symbols_of(content))
    return _Object(content).symbols()


class _Object:
    """A 32-bit ELF object as a compiler has just made it, so that nothing in it is doubted."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._order = "<" if content[5] == 1 else ">"

    @cached_property
    def _sections(self) -> list[_Section]:
        (place,) = struct.unpack_from(f"{self._order}I", self._content, 32)
        (count,) = struct.unpack_from(f"{self._order}H", self._content, 48)
        table = self._content[place : place + 40 * count]
        return [_Section(*words) for words in struct.iter_unpack(f"{self._order}10I", table)]

    def names(self) -> Iterator[str]:
        """The names of the sections."""
        (index,) = struct.unpack_from(f"{self._order}H", self._content, 50)
        for section in self._sections:
            yield self._text(self._sections[index], section.name)

    def symbols(self) -> Iterator[_Symbol]:
        """The symbols that have a name, in the order of the symbol table."""
        for section in self._sections:
            if section.kind != _SYMBOL_TABLE:
                continue
            table = self._content[section.offset : section.offset + section.size]
            texts = self._sections[section.link]
            rows = struct.iter_unpack(f"{self._order}IIIBBH", table)
            for name, _value, _size, about, _visibility, index in rows:
                if name:
                    yield _Symbol(self._text(texts, name), about >> 4, about & 15, index)

    def _text(self, texts: _Section, place: int) -> str:
        start = texts.offset + place
        end = self._content.index(b"\0", start)
        return self._content[start:end].decode("utf-8", "replace")


def _plain(symbol: str) -> str:
    """The name in the source: "Shape::Area" for a method; unnamed namespaces are left out."""
    nested = _NESTED.match(symbol)
    if nested is None:
        return source_name(symbol)
    names, rest = [], symbol[nested.end() :]
    while length := re.match(r"L?(\d+)", rest):
        end = length.end() + int(length[1])
        names.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join(name for name in names if name != _UNNAMED)


def dependencies_of(*paths: Path) -> set[str]:
    """The dependencies that rule files for ``make`` list; a rule file that is missing lists none.

    GCC and its assembler write such rules with ``-MD`` and ``--MD``.
    """
    names: set[str] = set()
    for path in paths:
        if path.exists():
            text = path.read_bytes().decode("utf-8", "surrogateescape").replace("\\\n", " ")
            for line in text.splitlines():
                _, _, listed = line.partition(": ")
                for name in _DEPENDENCY.findall(listed):
                    names.add(re.sub(r"\\([ #])", r"\1", name).replace("$$", "$"))
    return names
