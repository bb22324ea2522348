"""Reads what an object file defines, and which files it was compiled from."""

from __future__ import annotations

import functools
import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

from emu.program import source_name
from emu.program.xcoff.xcoff import is_xcoff
from emu.toolchain.xcoff_objects import CONSTRUCTOR, shown_names, symbols_of

# How the mangled name of a member of C++ classes and namespaces begins.
_NESTED = re.compile(r"_ZN[VK]*(?=\d)")
_UNNAMED = "_GLOBAL__N_1"
_KINDS = {"STT_OBJECT": "object", "STT_FUNC": "function"}
_OF_THE_FILE = {"STT_SECTION", "STT_FILE"}
_BINDINGS = {"STB_LOCAL": "local", "STB_GLOBAL": "global", "STB_WEAK": "weak"}
# Every program has the objects of the runtime; what they define is asked for, and what they lack.
_OBJECTS_KEPT = 128
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
        Definition(_plain(symbol.name), symbol.name, symbol.binding, symbol.kind)
        for symbol in _symbols(path.read_bytes())
        if symbol.section
    ]


def undefined_in(path: Path) -> set[str]:
    """The names, as they are in the object, that an object file needs from others."""
    return {symbol.name for symbol in _symbols(path.read_bytes()) if not symbol.section}


def sections_of(path: Path) -> list[str]:
    """The names of the sections of an object file, in its order."""
    return [section.name for section in _elf(path.read_bytes()).iter_sections()]


def has_constructors(path: Path) -> bool:
    """Whether an object file has code that a program runs before ``main``."""
    content = path.read_bytes()
    if is_xcoff(content):
        return any(name.startswith(CONSTRUCTOR) for name in shown_names(content))
    return any(one.name.startswith(".init_array") for one in _elf(content).iter_sections())


class _Symbol(NamedTuple):
    """A symbol with a name; ``section`` is 0 if another object defines it."""

    name: str
    binding: str
    kind: str
    section: int


@functools.lru_cache(_OBJECTS_KEPT)
def _symbols(content: bytes) -> tuple[_Symbol, ...]:
    """The functions, variables and labels of an object file, in the order of its symbols."""
    return tuple(_parse_symbols(content))


def _parse_symbols(content: bytes) -> Iterator[_Symbol]:
    if is_xcoff(content):
        yield from itertools.starmap(_Symbol, symbols_of(content))
        return
    elf = _elf(content)
    for table in elf.iter_sections("SHT_SYMTAB"):
        for entry in table.iter_symbols():
            about, section = entry["st_info"], entry["st_shndx"]
            if entry.name and about["type"] not in _OF_THE_FILE:
                yield _Symbol(
                    entry.name,
                    _BINDINGS.get(about["bind"], "other"),
                    _KINDS.get(about["type"], "other"),
                    0 if section == "SHN_UNDEF" else 1,
                )


def _elf(content: bytes) -> ELFFile:
    return ELFFile(io.BytesIO(content))


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
