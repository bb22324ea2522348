"""Reads declarations of structs in C, for a program without debugging information.

    struct Entry { short key; unsigned char name[32]; struct Entry *next; };
    typedef struct { Rect bounds; long count; } Region;

Members lie as compilers for the Macintosh put them: on the 68K at even addresses, on the PowerPC at
multiples of their size. ``#pragma options align=mac68k`` asks for even addresses on the PowerPC
too, ``#pragma options align=reset`` ends that.
Source: Inside Macintosh: PowerPC System Software, chapter 1, "Data Alignment".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from emu.program.declarations.prototypes import PrototypeError, parse_type
from emu.program.model.types import Field, GuestType, array_of, struct_of

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PRAGMA = re.compile(r"\s*#\s*pragma\s+options\s+align\s*=\s*(mac68k|power|native|reset)\b")
_RECORD = re.compile(
    r"\s*(?P<typedef>typedef\s+)?(?P<kind>struct|union)\s*(?P<tag>\w+)?\s*"
    r"\{(?P<members>[^{}]*)\}\s*(?P<name>\w+)?\s*;"
)
_NAMED = re.compile(
    r"\s*typedef\s+(?P<type>[^;{}()\[\]]+?)\s*\b(?P<name>\w+)\s*(?P<shape>(\[[^;]*)?);"
)
_FORWARD = re.compile(r"\s*(typedef\s+)?(struct|union)\s+(?P<tag>\w+)(\s+(?P=tag))?\s*;")
_MEMBER = re.compile(r"(?P<base>[^*,:]*?)(?P<first>(?:\*|\b\w+\s*(?:\[|,|$)).*)", re.DOTALL)
_DECLARATOR = re.compile(
    r"(?P<stars>[*\s]*)(?P<name>[A-Za-z_]\w*)\s*(?P<shape>(?:\[\s*\d+\s*\]\s*)*)"
)
_MOST_BYTES = 1 << 20

FindType = Callable[[str], GuestType | None]


def parse_types(
    text: str,
    find_type: FindType = lambda name: None,
    *,
    int_size: int = 4,
    byte_order: str = ">",
    alignment: int = 8,
) -> dict[str, GuestType]:
    """Read declarations of structs, unions and other types.

    Args:
        text: the declarations.
        find_type: gives further types by their names, and None for all others.
        int_size: the bytes of an ``int``.
        byte_order: ">" or "<", as NumPy writes it.
        alignment: the largest alignment of a member, in bytes: 2 on the 68K.

    Returns:
        The types by their names.

    Raises:
        PrototypeError: something else is declared, or a type is not known.

    Example:
        >>> found = parse_types("struct Entry { char tag; long key; };", alignment=2)
        >>> found["Entry"].size, found["Entry"].field("key").offset
        (6, 2)
    """
    return _Reader(find_type, int_size, byte_order, alignment).read(text)


class _Reader:
    """Reads declarations from the first to the last."""

    def __init__(self, find_type: FindType, int_size: int, order: str, alignment: int) -> None:
        self._find_type = find_type
        self._int_size = int_size
        self._order = order
        self._alignment = self._usual = alignment
        self._found: dict[str, GuestType] = {}
        self._aligned: dict[str, int] = {}

    def read(self, text: str) -> dict[str, GuestType]:
        text, at = _COMMENT.sub(" ", text), 0
        while text[at:].strip():
            if match := _PRAGMA.match(text, at):
                self._alignment = 2 if match[1] == "mac68k" else self._usual
            elif match := _RECORD.match(text, at):
                self._record(match)
            elif match := _FORWARD.match(text, at):
                pass  # a pointer may lead to what is declared later
            elif match := _NAMED.match(text, at):
                base, stars = match["type"].rstrip("* "), match["type"].count("*")
                kind = self._pointer(base, stars) if stars else self._type(base)
                self._add(match["name"], self._shaped(kind, match["shape"], match[0]))
            else:
                first = text[at:].strip().splitlines()[0]
                raise PrototypeError(
                    f"{first!r:.80} is no declaration of a struct, a union or a typedef, as "
                    "struct Entry { short key; long value; }; is"
                )
            at = match.end()
        return self._found

    def _add(self, name: str, kind: GuestType) -> None:
        if self._found.get(name, kind) != kind:
            raise PrototypeError(f"{name} is declared twice")
        self._found[name] = kind

    def _record(self, match: re.Match[str]) -> None:
        """A struct or union, known by its tag and by the name that typedef gives it."""
        names = [match["tag"], match["name"] if match["typedef"] else None]
        known = [name for name in names if name]
        if not known or (match["name"] and not match["typedef"]):
            raise PrototypeError(f"{_one_line(match[0])!r:.80} declares no type with a name")
        fields: list[Field] = []
        end, largest = 0, 1
        for name, kind in self._members(match["members"], known[0]):
            if name in [field.name for field in fields]:
                raise PrototypeError(f"{known[0]} has two members {name}")
            aligned = self._alignment_of(kind)
            largest = max(largest, aligned)
            start = 0 if match["kind"] == "union" else -(-end // aligned) * aligned
            fields.append(Field(name, kind, start))
            end = max(end, start + kind.size)
        if not fields or end > _MOST_BYTES:
            problem = "no members" if not fields else f"{end:,} bytes"
            raise PrototypeError(f"{known[0]} has {problem}")
        kind = struct_of(known[0], tuple(fields), -(-end // largest) * largest)
        for name in known:
            self._add(name, kind)
        self._aligned[known[0]] = largest

    def _members(self, text: str, of: str) -> Iterator[tuple[str, GuestType]]:
        for line in filter(str.strip, text.split(";")):
            match = _MEMBER.fullmatch(line.strip())
            if match is None or not match["base"].strip():
                what = "a bit-field" if ":" in line else "no member that macproof understands"
                raise PrototypeError(f"{line.strip()!r:.80} in {of} is {what}")
            for written in match["first"].split(","):
                fullmatch = _DECLARATOR.fullmatch(written.strip())
                if fullmatch is None:
                    raise PrototypeError(
                        f"{line.strip()!r:.80} in {of} is no member that macproof understands"
                    )
                stars = fullmatch["stars"].count("*")
                kind = (
                    self._pointer(match["base"], stars)
                    if stars
                    else self._type(match["base"].strip())
                )
                yield fullmatch["name"], self._shaped(kind, fullmatch["shape"], line)

    def _pointer(self, base: str, stars: int) -> GuestType:
        """A pointer, perhaps to a struct whose declaration has not ended."""
        words = [word for word in base.split() if word not in ("const", "volatile", "struct")]
        target = " ".join(words) + "*" * (stars - 1)
        return GuestType(f"{target}*", "pointer", np.dtype(f"{self._order}u4"), target=target)

    def _type(self, words: str) -> GuestType:
        def known(name: str) -> GuestType | None:
            return self._found.get(name) or self._find_type(name)

        return parse_type(words, known, int_size=self._int_size, byte_order=self._order)

    def _shaped(self, kind: GuestType, shape: str, line: str) -> GuestType:
        lengths = tuple(int(digits) for digits in re.findall(r"\[\s*(\d+)\s*\]", shape))
        if re.sub(r"\[\s*\d+\s*\]", "", shape).strip() or 0 in lengths:
            raise PrototypeError(
                f"{_one_line(line)!r:.80}: {shape.strip()} is no number of elements"
            )
        return array_of(kind, lengths) if lengths else kind

    def _alignment_of(self, kind: GuestType) -> int:
        scalar = kind.scalar
        if scalar.kind == "struct":
            own = self._aligned.get(scalar.name)
            members = (self._alignment_of(field.type) for field in scalar.fields)
            return min(self._alignment, max(members, default=1) if own is None else own)
        return min(self._alignment, max(1, scalar.dtype.itemsize))


def _one_line(text: str) -> str:
    return " ".join(text.split())
