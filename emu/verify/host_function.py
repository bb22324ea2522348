"""Loads a function of a shared library of this computer by cffi, and knows its types."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from emu.base.errors import UsageError

if TYPE_CHECKING:
    import cffi

_KEPT = 4
_MAC_TYPES = """
typedef unsigned char Boolean, Byte, UInt8, Str255[256], Str63[64], Str31[32], Str15[16];
typedef signed char SInt8, SignedByte;
typedef int16_t SInt16, OSErr;
typedef uint16_t UInt16;
typedef int32_t SInt32, Fixed, Fract, Size, OSStatus;
typedef uint32_t UInt32, OSType, ResType;
typedef char *Ptr, **Handle;
typedef unsigned char *StringPtr;
typedef struct { int16_t v, h; } Point;
typedef struct { int16_t top, left, bottom, right; } Rect;
typedef struct { uint16_t red, green, blue; } RGBColor;
"""


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function of a shared library.

    Attributes:
        library: the library's file.
        name: the function's name.
        prototype: how it is declared, in the types of this computer's C and of the Macintosh.
        types: declarations of further types in it.
        sizes: the size in bytes that each of some types must have, by its name.
    """

    library: str
    name: str
    prototype: str
    types: str = ""
    sizes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedFunction:
    """A function that has been loaded, with the library's own ``cffi.FFI``."""

    ffi: cffi.FFI
    call: Any
    words: str

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
def load_function(function: HostFunction) -> LoadedFunction:
    """Load a library, and find the function in it. The last few are kept.

    Raises:
        UsageError: there is no such library or function; or its prototype is wrong.
    """
    import cffi  # here, because few cases need it

    ffi = cffi.FFI()
    words = f"{function.name} of {function.library}"
    try:
        prototype = function.prototype.replace("pascal ", "").rstrip("; \n")
        ffi.cdef(f"{_MAC_TYPES}{function.types}{prototype};")
    except (cffi.CDefError, cffi.FFIError) as error:
        raise UsageError(f"{function.prototype}: {str(error).splitlines()[0]}") from error
    for kind, size in function.sizes:
        if ffi.sizeof(kind) != size:
            raise UsageError(f"{words}: one of its structs is laid out in another way than C's")
    try:
        return LoadedFunction(ffi, getattr(ffi.dlopen(function.library), function.name), words)
    except OSError as error:
        raise UsageError(f"{words}: {error}") from error
    except AttributeError as error:
        raise UsageError(
            f"{function.library} has no function {function.name}, or the prototype declares another"
        ) from error
