"""The types of C and of Inside Macintosh, which no header has to explain.

Sources: Inside Macintosh volume I, "Using Assembly Language", and Universal Interfaces, MacTypes.h.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from emu.program.model.signatures import Signature
from emu.program.model.types import UNKNOWN, GuestType, array_of

BASE_WORDS = ("signed", "unsigned", "char", "short", "int", "long", "float", "double", "void")
"""The words of which the types of C are made."""


MAC_TYPES = """
typedef unsigned char Boolean, Byte, UInt8, Style;
typedef unsigned char Str255[256], Str63[64], Str31[32], Str27[28], Str15[16];
typedef signed char SInt8, SignedByte;
typedef int16_t SInt16, OSErr, INTEGER;
typedef uint16_t UInt16;
typedef int32_t SInt32, Fixed, Fract, Size, OSStatus, TimeValue;
typedef uint32_t UInt32, OSType, ResType;
typedef int64_t SInt64;
typedef uint64_t UInt64;
typedef char *Ptr, **Handle;
typedef unsigned char *StringPtr, *ConstStr255Param, **StringHandle;
typedef void *ProcPtr;
typedef struct Point { int16_t v, h; } Point;
typedef struct Rect { int16_t top, left, bottom, right; } Rect;
typedef struct RGBColor { uint16_t red, green, blue; } RGBColor;
"""
"""The types of Inside Macintosh, which every reader of C here is given first."""


@dataclass(frozen=True, slots=True)
class DataModel:
    """What a compiler decides about the types of C.

    Attributes:
        int_size: the bytes of an ``int``: 2 for a compiler with short ones.
        byte_order: ">" or "<", as NumPy writes it.
        long_double: what a ``long double`` is; None if that is not known.
        alignment: the largest alignment of a member of a struct, in bytes: 2 on the 68K.
    """

    int_size: int = 4
    byte_order: str = ">"
    long_double: GuestType | None = None
    alignment: int = 8


@dataclass(frozen=True, slots=True)
class WrittenType:
    """A type as it is written.

    Attributes:
        words: as it is written in C: "const Rect *".
        kind: None for void and for a function; of a struct whose members are not known yet, a
            struct without fields.
        pointed: of a pointer, what it points to, and what that points to, step by step.
        function: of a function, or of a pointer to one, how it is declared.
        is_pascal: of the result of a function, whether ``pascal`` stands beside it.
        element: of an array without a name of its own, what it is made of.
    """

    words: str
    kind: GuestType | None
    pointed: tuple[GuestType, ...] = ()
    function: Signature | None = None
    is_pascal: bool = False
    element: WrittenType | None = None

    @property
    def is_function(self) -> bool:
        """Whether it is a function, and no pointer to one."""
        return self.kind is None and self.function is not None

    def pointer(self, order: str, mark: str = "*") -> WrittenType:
        """The pointer to it, or with the mark "&" the reference to it."""
        target = "void" if self.kind is None else self.kind.name
        kind = GuestType(f"{target}{mark}", "pointer", np.dtype(f"{order}u4"), target=target)
        words = f"{self.words}{'' if self.words.endswith(('*', '&')) else ' '}{mark}"
        if self.kind is not None and self.kind.kind == "array" and self.words.endswith("]"):
            element, _, lengths = self.words.partition("[")
            words = f"{element} ({mark})[{lengths}"
        pointed = (UNKNOWN if self.kind is None else self.kind, *self.pointed)
        return WrittenType(words, kind, pointed, self.function if self.kind is None else None)

    def array(self, length: int) -> WrittenType:
        """The array of some of it."""
        assert self.kind is not None
        words, bracket, lengths = self.words.partition("[")
        kind = array_of(self.kind, (length,))
        kind = replace(kind, name=f"{kind.scalar.name}{''.join(f'[{n}]' for n in kind.shape)}")
        words = f"{words}[{length}]{bracket}{lengths}"
        return WrittenType(words, kind, self.pointed, element=self)

    def parameter(self, order: str) -> WrittenType:
        """What is passed for a parameter of this type: of an array or a function, its address."""
        if self.is_function:
            return self.pointer(order)
        if self.element is not None:
            return self.element.pointer(order)
        if self.kind is None or self.kind.kind != "array":
            return self
        inside = self.kind.shape[1:]  # a type with a name, such as Str255
        element = array_of(self.kind.scalar, inside) if inside else self.kind.scalar
        return replace(WrittenType("", element).pointer(order), words=self.words)

    def declaration(self, name: str) -> str:
        """A variable or parameter of it in C; of a function, it shows the word only."""
        if not name:
            return self.words
        for mark in ("(*)", "(&)"):
            if mark in self.words:
                return self.words.replace(mark, f"{mark[:-1]}{name})", 1)
        words, bracket, lengths = self.words.partition("[")
        return f"{words}{'' if words.endswith(('*', '&')) else ' '}{name}{bracket}{lengths}"


def key_of(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a type of C in alphabetical order, without ``int`` beside others."""
    return tuple(sorted(word for word in words if word != "int" or len(words) == 1))


@functools.cache
def base_types(model: DataModel) -> dict[tuple[str, ...], GuestType | None]:
    """The types of C by `key_of` their words; None for void."""
    order = model.byte_order
    bases: dict[tuple[str, ...], GuestType | None] = {
        ("void",): None,
        ("char",): GuestType("char", "integer", np.dtype("i1")),
        ("char", "signed"): GuestType("signed char", "integer", np.dtype("i1")),
        ("char", "unsigned"): GuestType("unsigned char", "integer", np.dtype("u1")),
        ("float",): GuestType("float", "float", np.dtype(f"{order}f4")),
        ("double",): GuestType("double", "float", np.dtype(f"{order}f8")),
        **{(word,): GuestType("bool", "boolean", np.dtype("u1")) for word in ("bool", "_Bool")},
    }
    sizes: dict[tuple[str, ...], int]
    sizes = {(): model.int_size, ("short",): 2, ("long",): 4, ("long", "long"): 8}
    for words, size in sizes.items():
        whole = GuestType(" ".join((*words, "int")), "integer", np.dtype(f"{order}i{size}"))
        positive = " ".join((*words, "unsigned int"))
        bases[words or ("int",)] = bases[*words, "signed"] = whole
        bases[*words, "unsigned"] = GuestType(positive, "integer", np.dtype(f"{order}u{size}"))
    for word, bits in (("short", 16), ("long", 32)):
        bases[f"int{bits}_t",] = bases[word,]
        bases[f"uint{bits}_t",] = bases[word, "unsigned"]
    bases |= {("int8_t",): bases["char", "signed"], ("uint8_t",): bases["char", "unsigned"]}
    bases |= {("int64_t",): bases["long", "long"], ("uint64_t",): bases["long", "long", "unsigned"]}
    if model.long_double is not None:
        bases["double", "long"] = replace(model.long_double, name="long double")
    return bases
