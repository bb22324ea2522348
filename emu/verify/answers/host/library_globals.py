"""The global variables of a shared library on this computer, to find those that calls change."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from emu.verify.answers.host.host_function import LoadedLibrary

_WRITABLE = (".data", ".bss")


@dataclass(frozen=True, slots=True)
class LibraryVariable:
    """A variable of a library: its name, and its bytes in this process's memory."""

    name: str
    memory: Any


@dataclass(frozen=True, slots=True)
class LibraryGlobals:
    """All variables of a loaded library, with their contents when it was loaded.

    Attributes:
        variables: the variables; empty if the library's file has no table of them.
        loaded: the bytes of each variable when the library was loaded.
    """

    variables: tuple[LibraryVariable, ...]
    loaded: tuple[bytes, ...]

    @classmethod
    def of(cls, path: Path, loaded: LoadedLibrary, function: str) -> LibraryGlobals:
        """The variables of a library whose calls have not begun.

        Args:
            path: its file. Only ELF files tell their variables.
            loaded: the library.
            function: the name of its last function, by which it is found in memory.
        """
        base, variables = None, []
        call = int(loaded.ffi.cast("uintptr_t", loaded.calls[-1]))
        for name, place, size in _symbols(path, function):
            if size < 0:
                base = call - place
            else:
                variables.append((name, place, size))
        if base is None:
            return cls((), ())
        mapped = tuple(
            LibraryVariable(name, loaded.ffi.buffer(loaded.ffi.cast("char *", base + place), size))
            for name, place, size in variables
        )
        return cls(mapped, tuple(variable.memory[:] for variable in mapped))

    def begin(self) -> None:
        """Set all variables back to their contents when the library was loaded."""
        for variable, held in zip(self.variables, self.loaded, strict=True):
            if variable.memory[:] != held:
                variable.memory[:] = held

    def contents(self) -> dict[str, bytes]:
        """The bytes of each variable as they are now, by its name."""
        return {variable.name: variable.memory[:] for variable in self.variables}


@functools.lru_cache(maxsize=4)
def unseen_variables(path: Path, function: str) -> str:
    """Which changes to variables of a library are not seen, as a clause; "" if all are.

    Args:
        path: its file.
        function: the name of its last function, by which it is found in memory.
    """
    if not any(size < 0 for _, _, size in _symbols(path, function)):
        return (
            f"changes that {path.name} makes to its own variables were not seen: only an ELF file "
            "says where they are"
        )
    with path.open("rb") as stream:
        if ELFFile(stream).get_section_by_name(".symtab") is None:
            return (
                f"changes that {path.name} makes to its own static variables were not seen: it has "
                "no symbol table"
            )
    return ""


def _symbols(path: Path, function: str) -> list[tuple[str, int, int]]:
    """The variables of a library, and a function, with the size -1.

    Returns:
        The name, the address in the file and the size in bytes of each.
    """
    symbols: dict[int, tuple[str, int, int]] = {}
    try:
        with path.open("rb") as stream:
            file = ELFFile(stream)
            writable = {
                index
                for index, section in enumerate(file.iter_sections())
                if section.name.startswith(_WRITABLE)
            }
            for section in (file.get_section_by_name(table) for table in (".symtab", ".dynsym")):
                for symbol in () if section is None else section.iter_symbols():
                    entry, place = symbol.entry, symbol.entry.st_value
                    kind = entry.st_info.type
                    if kind == "STT_OBJECT" and entry.st_shndx in writable and entry.st_size:
                        symbols[place] = (symbol.name, place, entry.st_size)
                    elif kind == "STT_FUNC" and place and symbol.name == function:
                        symbols[place] = (symbol.name, place, -1)
    except (ELFError, OSError):
        return []
    return list(symbols.values())
