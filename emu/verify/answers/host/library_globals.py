"""The global variables of a shared library on this computer, to find those that calls change."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from emu.base.errors import UsageError
from emu.verify.answers.host.host_function import HostGlobal, HostLibrary, LoadedLibrary

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
    def of(cls, library: HostLibrary, loaded: LoadedLibrary) -> LibraryGlobals:
        """The variables of a library whose calls have not begun.

        Args:
            library: the library. Only ELF files tell all their variables; of others these are the
                ones that it names itself.
            loaded: the same, loaded.

        Raises:
            UsageError: it has no such variable, or one of another size.
        """
        path, function = Path(library.path), library.functions[-1].name
        base, variables = None, []
        call = int(loaded.ffi.cast("uintptr_t", loaded.calls[-1]))
        for name, place, size in _symbols(path, function):
            if size < 0:
                base = call - place
            else:
                variables.append((name, place, size))
        places = {name: (base + place, size) for name, place, size in variables} if base else {}
        for variable in library.globals:
            places[variable.symbol] = _place_of(variable, library, loaded, places)
        mapped = tuple(
            LibraryVariable(name, loaded.ffi.buffer(loaded.ffi.cast("char *", place), size))
            for name, (place, size) in places.items()
        )
        return cls(mapped, tuple(variable.memory[:] for variable in mapped))

    def memory_of(self, symbol: str) -> Any:
        """The bytes of a variable that the library names."""
        return next(variable.memory for variable in self.variables if variable.name == symbol)

    def begin(self) -> None:
        """Set all variables back to their contents when the library was loaded."""
        for variable, held in zip(self.variables, self.loaded, strict=True):
            if variable.memory[:] != held:
                variable.memory[:] = held

    def contents(self) -> dict[str, bytes]:
        """The bytes of each variable as they are now, by its name."""
        return {variable.name: variable.memory[:] for variable in self.variables}


def _place_of(
    variable: HostGlobal,
    library: HostLibrary,
    loaded: LoadedLibrary,
    places: Mapping[str, tuple[int, int]],
) -> tuple[int, int]:
    """The address and the size of a variable; one that is not exported is in the file's table."""
    import cffi

    size = int(loaded.ffi.sizeof(loaded.kinds[variable.name]))
    who = f"{variable.symbol} of {library.path}"
    if variable.symbol in places:
        place, held = places[variable.symbol]
        if held != size:
            raise UsageError(
                f"{who} has {held} bytes, and declared as {variable.declaration} it has {size}"
            )
        return place, size
    ffi = cffi.FFI()  # of its own, since nothing but the address is asked for
    ffi.cdef(f"extern char {variable.symbol}[];")
    try:
        exported = ffi.addressof(ffi.dlopen(library.path), variable.symbol)
    except AttributeError as error:
        raise UsageError(f"{library.path} has no variable {variable.symbol}") from error
    return int(ffi.cast("uintptr_t", exported)), size


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
