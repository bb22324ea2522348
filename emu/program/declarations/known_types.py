"""The types of C and of Inside Macintosh, which no header has to explain.

Sources: Inside Macintosh volume I, "Using Assembly Language", and Universal Interfaces, MacTypes.h.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from emu.program.model.types import EXTENDED_80, EXTENDED_96, UNKNOWN, Field, GuestType, struct_of


@dataclass(frozen=True, slots=True)
class WrittenType:
    """A type as it is written: None for void, and what it points to, step by step."""

    words: str
    kind: GuestType | None
    pointed: tuple[GuestType, ...] = ()

    def pointer(self, order: str) -> WrittenType:
        """The pointer to it."""
        target = "void" if self.kind is None else self.kind.name
        kind = GuestType(f"{target}*", "pointer", np.dtype(f"{order}u4"), target=target)
        words = f"{self.words}{'' if self.words.endswith('*') else ' '}*"
        return WrittenType(
            words, kind, (UNKNOWN if self.kind is None else self.kind, *self.pointed)
        )


def base_types(int_size: int, order: str) -> dict[tuple[str, ...], GuestType | None]:
    """The types of C by their words in alphabetical order, without ``int`` beside others."""

    def whole(name: str, code: str, *words: str) -> tuple[tuple[str, ...], GuestType]:
        return tuple(sorted(words)), GuestType(name, "integer", np.dtype(f"{order}{code}"))

    found: dict[tuple[str, ...], GuestType | None] = dict(
        [
            whole("char", "i1", "char"),
            whole("signed char", "i1", "signed", "char"),
            whole("unsigned char", "u1", "unsigned", "char"),
            whole("int", f"i{int_size}", "int"),
            whole("int", f"i{int_size}", "signed"),
            whole("unsigned int", f"u{int_size}", "unsigned"),
        ]
    )
    sizes = {("short",): ("short", 2), ("long",): ("long", 4), ("long", "long"): ("long long", 8)}
    for words, (name, size) in sizes.items():
        found |= [
            whole(f"{name} int", f"i{size}", *words),
            whole(f"{name} int", f"i{size}", "signed", *words),
            whole(f"{name} unsigned int", f"u{size}", "unsigned", *words),
        ]
    found["float",] = GuestType("float", "float", np.dtype(f"{order}f4"))
    found["double",] = GuestType("double", "float", np.dtype(f"{order}f8"))
    found["void",] = None
    return found


def mac_types(order: str) -> dict[str, WrittenType]:
    """The types of Inside Macintosh."""
    base = base_types(4, order)
    char, byte, short = base["char",], base["char", "unsigned"], base["short",]
    word, long, longs = base["short", "unsigned"], base["long",], base["long", "unsigned"]
    assert short is not None
    assert word is not None
    assert byte is not None
    plain = {
        "Boolean Byte UInt8 Style": byte,
        "SInt8 SignedByte": base["char", "signed"],
        "SInt16 OSErr INTEGER": short,
        "UInt16": word,
        "SInt32 Fixed Fract Size OSStatus TimeValue": long,
        "UInt32 OSType ResType": longs,
    }
    found = {n: WrittenType(n, kind) for names, kind in plain.items() for n in names.split()}
    found |= {n: WrittenType(n, replace(EXTENDED_80, name=n)) for n in ("extended", "extended80")}
    found["extended96"] = WrittenType("extended96", EXTENDED_96)
    found["Ptr"] = _named_pointer("Ptr", WrittenType("char", char), 1, order)
    found["Handle"] = _named_pointer("Handle", WrittenType("char", char), 2, order)
    found["StringPtr"] = _named_pointer("StringPtr", WrittenType("unsigned char", byte), 1, order)
    found["ConstStr255Param"] = found["StringPtr"]
    found["StringHandle"] = _named_pointer(
        "StringHandle", WrittenType("unsigned char", byte), 2, order
    )
    found["ProcPtr"] = _named_pointer("ProcPtr", WrittenType("function", None), 1, order)
    for size in (255, 63, 31, 27, 15):
        text = GuestType(f"Str{size}", "array", byte.dtype, (size + 1,), element=byte)
        found[f"Str{size}"] = WrittenType(f"Str{size}", text)
    for name, kind, members in (
        ("Point", short, "v h"),
        ("Rect", short, "top left bottom right"),
        ("RGBColor", word, "red green blue"),
    ):
        fields = tuple(Field(m, kind, kind.size * n) for n, m in enumerate(members.split()))
        found[name] = WrittenType(name, struct_of(name, fields, kind.size * len(fields)))
    return found


def _named_pointer(name: str, target: WrittenType, depth: int, order: str) -> WrittenType:
    for _ in range(depth):
        target = target.pointer(order)
    return WrittenType(name, target.kind, target.pointed)
