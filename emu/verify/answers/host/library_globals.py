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
    """A variable of a library.

    Attributes:
        name: its name.
        memory: its bytes in this process's memory.
        is_named: whether the case names it, so that it is filled or read by its type.
    """

    name: str
    memory: Any
    is_named: bool


@dataclass(frozen=True, slots=True)
class LibraryGlobals:
    """All variables of a loaded library, with their contents when it was loaded.

    Attributes:
        variables: the variables; empty if the library's file has no table of them.
        loaded: the bytes of each variable when the library was loaded.
        named: the memory of those that the case names, by their names in it.
    """

    variables: tuple[LibraryVariable, ...]
    loaded: tuple[bytes, ...]
    named: Mapping[str, Any]

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
        symbols = _symbols(path, function)
        call = int(loaded.ffi.cast("uintptr_t", loaded.calls[-1]))
        base = next((call - place for _, place, size in symbols if size < 0), None)
        held = {
            base + place: (name, size)
            for name, place, size in symbols
            if size >= 0 and base is not None
        }
        own = {
            variable.name: (_place_of(variable, library, loaded, held), variable.symbol)
            for variable in library.globals
        }
        sizes = {name: int(loaded.ffi.sizeof(loaded.kinds[name])) for name in own}
        held |= {place: (symbol, sizes[name]) for name, (place, symbol) in own.items()}
        memory = {
            place: loaded.ffi.buffer(loaded.ffi.cast("char *", place), size)
            for place, (_, size) in held.items()
        }
        places = {place for place, _ in own.values()}
        variables = tuple(
            LibraryVariable(name, memory[place], place in places)
            for place, (name, _) in held.items()
        )
        return cls(
            variables,
            tuple(variable.memory[:] for variable in variables),
            {name: memory[place] for name, (place, _) in own.items()},
        )

    def begin(self) -> None:
        """Set all variables back to their contents when the library was loaded."""
        for variable, held in zip(self.variables, self.loaded, strict=True):
            if variable.memory[:] != held:
                variable.memory[:] = held

    def contents(self) -> dict[str, bytes]:
        """The bytes of each variable that the case does not name as they are now, by its name."""
        return {one.name: one.memory[:] for one in self.variables if not one.is_named}


def _place_of(
    variable: HostGlobal,
    library: HostLibrary,
    loaded: LoadedLibrary,
    held: Mapping[int, tuple[str, int]],
) -> int:
    """The address of a variable; one that is not exported is in the file's table.

    Args:
        variable: the variable.
        library: the library.
        loaded: the same, loaded.
        held: the name and the size of each variable that the file tells, by its address.
    """
    who, place = f"{variable.symbol} of {library.path}", _exported(variable.symbol, library)
    if place is None:
        alike = [at for at, (name, _) in held.items() if name == variable.symbol]
        if len(alike) > 1:
            raise UsageError(f"{who} is the name of {len(alike)} static variables: export one")
        if not alike:
            raise UsageError(f"{library.path} has no variable {variable.symbol}")
        place = alike[0]
    size = loaded.ffi.sizeof(loaded.kinds[variable.name])
    _, room = held.get(place, ("", size))
    if room != size:
        raise UsageError(
            f"{who} has {room} bytes, and declared as {variable.declaration} it has {size}"
        )
    return place


def _exported(symbol: str, library: HostLibrary) -> int | None:
    """The address of a variable that a library exports; None if it does not."""
    import cffi

    ffi = cffi.FFI()  # of its own, since nothing but the address is asked for
    ffi.cdef(f"extern char {symbol}[];")
    try:
        exported = ffi.addressof(ffi.dlopen(library.path), symbol)
    except AttributeError:
        return None
    return int(ffi.cast("uintptr_t", exported))


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
