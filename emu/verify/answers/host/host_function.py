"""Loads functions and variables of a shared library of this computer by cffi; knows their types."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from emu.base.errors import UsageError
from emu.program.elf.host_declarations import HostRecord
from emu.verify.answers.host.host_members import first_bit

if TYPE_CHECKING:
    import cffi

_KEPT = 4


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function of a shared library.

    Attributes:
        name: the function's name.
        prototype: how it is declared, in the types of this computer's C and of the Macintosh.
        types: declarations of further types in it.
        records: how the library has some of these types laid out.
    """

    name: str
    prototype: str
    types: str = ""
    records: tuple[HostRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class HostGlobal:
    """A variable of a shared library.

    Attributes:
        name: its name in the case.
        symbol: its own name.
        declaration: how it is declared, without a semicolon; it may declare others, too.
        types: declarations of further types in it.
        records: how the library has some of these types laid out.
    """

    name: str
    symbol: str
    declaration: str
    types: str = ""
    records: tuple[HostRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class HostLibrary:
    """A shared library.

    Attributes:
        path: its file.
        functions: those of its functions that are called.
        types: declarations of types that several of them have.
        globals: those of its variables that are filled or read.
    """

    path: str
    functions: tuple[HostFunction, ...]
    types: str = ""
    globals: tuple[HostGlobal, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedLibrary:
    """Functions that have been loaded, with an ``cffi.FFI`` of their own, and their names.

    Attributes:
        ffi: knows the types.
        calls: the functions.
        names: their names, for messages.
        kinds: the types of the variables that are filled or read, by their names in the case.
    """

    ffi: cffi.FFI
    calls: tuple[Any, ...]
    names: tuple[str, ...]
    kinds: Mapping[str, Any]

    @property
    def words(self) -> str:
        """The functions and the library, for messages."""
        return self.names[0] if len(self.names) == 1 else f"{', '.join(self.names)}"

    def dtype_of(self, kind: Any) -> np.dtype[Any]:
        """The dtype of values of a type of this computer.

        Raises:
            UsageError: values of the type cannot be passed.
        """
        if kind.kind in ("primitive", "enum"):
            if kind.cname in ("float", "double"):
                return np.dtype("f8" if kind.cname == "double" else "f4")
            size = self.ffi.sizeof(kind)
            if kind.cname == "long double" or "_Complex" in kind.cname:
                raise UsageError(f"{self.words}: a {kind.cname} cannot be passed")
            is_signed = kind.cname == "char" or int(self.ffi.cast(kind, -1)) < 0
            return np.dtype(f"{'i' if is_signed else 'u'}{size}")
        if kind.kind == "pointer":
            return np.dtype(f"u{self.ffi.sizeof(kind)}")
        if kind.kind == "array":
            if kind.length is None:
                raise UsageError(f"{self.words}: nothing says how long the {kind.cname} is")
            return np.dtype((self.dtype_of(kind.item), (kind.length,)))
        if kind.kind in ("struct", "union") and kind.fields:
            return np.dtype(
                {
                    "names": [name for name, _ in kind.fields],
                    "formats": [self.dtype_of(field.type) for _, field in kind.fields],
                    "offsets": [field.offset for _, field in kind.fields],
                    "itemsize": self.ffi.sizeof(kind),
                }
            )
        raise UsageError(f"{self.words}: a {kind.cname} cannot be passed")


@functools.lru_cache(maxsize=_KEPT)
def load_library(library: HostLibrary) -> LoadedLibrary:
    """Load a library, and find functions in it. The last few are kept.

    Raises:
        UsageError: there is no such library or function; or its prototype is wrong.
    """
    import cffi  # here, because few cases need it

    from emu.program.declarations.known_types import MAC_TYPES

    ffi = cffi.FFI()
    ffi.cdef(MAC_TYPES)
    if library.types:
        _declare(ffi, library.types, "types")
    for function in library.functions:
        _declare(ffi, f"{function.types}{function.prototype.rstrip()};", function.prototype)
        _require_layout(ffi, function, library)
    names = tuple(f"{function.name} of {library.path}" for function in library.functions)
    try:
        loaded = ffi.dlopen(library.path)
    except OSError as error:
        raise UsageError(f"{names[0]}: {error}") from error
    return LoadedLibrary(
        ffi,
        tuple(_loaded_function(loaded, library, function) for function in library.functions),
        names,
        {variable.name: _kind_of(ffi, variable, library) for variable in library.globals},
    )


def _require_layout(
    ffi: cffi.FFI, declared: HostFunction | HostGlobal, library: HostLibrary
) -> None:
    for record in declared.records:
        size = ffi.sizeof(record.name)
        problem = "" if size == record.size else f"has {record.size} bytes, and {size}"
        fields = dict(ffi.typeof(record.name).fields or ())
        for member, place in record.members if not problem else ():
            here = first_bit(fields[member], ffi.sizeof(fields[member].type))
            if here != place:
                problem = f"has {member} at bit {place}, and at bit {here}"
                break
        if problem:
            raise UsageError(
                f"{declared.name} of {library.path}: {record.source_name} {problem} as C lays "
                "out its members; packed structs cannot be passed. Add a function that takes or "
                "returns their numbers, or call the library by ctypes"
            )


def _kind_of(ffi: cffi.FFI, variable: HostGlobal, library: HostLibrary) -> Any:
    """The type of a variable; a struct with such a member tells it, wherever the variable is."""
    tag = f"struct of_global_{variable.name}"
    text = f"{variable.types} {tag} {{ {variable.declaration}; }};"
    _declare(ffi, text, variable.declaration)
    _require_layout(ffi, variable, library)
    fields = dict(ffi.typeof(tag).fields or ())
    if variable.symbol not in fields:
        raise UsageError(f"{variable.declaration} declares no {variable.symbol}")
    return fields[variable.symbol].type


def _declare(ffi: cffi.FFI, text: str, words: str) -> None:
    import cffi

    from emu.program.declarations.c_declarations import spelling

    try:
        ffi.cdef(spelling(text))
    except (UsageError, cffi.CDefError, cffi.FFIError) as error:
        raise UsageError(f"{words}: {str(error).splitlines()[0]}") from error


def _loaded_function(loaded: Any, library: HostLibrary, function: HostFunction) -> Any:
    try:
        return getattr(loaded, function.name)
    except AttributeError as error:
        raise UsageError(
            f"{library.path} has no function {function.name}, or the prototype declares another"
        ) from error
    except NotImplementedError as error:  # a union or bit-fields by value
        why = str(error).partition("; ")[0]
        raise UsageError(
            f"{function.name} of {library.path}: {why}. Add a function that takes or returns a "
            "pointer to it, or call the library by ctypes"
        ) from error
