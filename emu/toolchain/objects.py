"""Reads what an object file defines, and which files it was compiled from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from emu.program import source_name

# How the mangled name of a member of C++ classes and namespaces begins.
_NESTED = re.compile(r"_ZN[VK]*(?=\d)")
_UNNAMED = "_GLOBAL__N_1"
_KINDS = {"STT_FUNC": "function", "STT_OBJECT": "object"}
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
    found = []
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return []
        for symbol in table.iter_symbols():
            kind = symbol["st_info"]["type"]
            if not symbol.name or symbol["st_shndx"] == "SHN_UNDEF":
                continue
            if kind in ("STT_FILE", "STT_SECTION"):
                continue
            binding = symbol["st_info"]["bind"].removeprefix("STB_").lower()
            found.append(
                Definition(_plain(symbol.name), symbol.name, binding, _KINDS.get(kind, "other"))
            )
    return found


def undefined_in(path: Path) -> set[str]:
    """The names, as they are in the object, that an object file needs from others."""
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return set()
        symbols = table.iter_symbols()
        return {one.name for one in symbols if one.name and one["st_shndx"] == "SHN_UNDEF"}


def has_constructors(path: Path) -> bool:
    """Whether an object file has code that a program runs before ``main``."""
    with path.open("rb") as file:
        return any(one.name.startswith(".init_array") for one in ELFFile(file).iter_sections())


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
