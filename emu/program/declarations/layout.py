"""Where members of a struct lie.

On the 68K compilers put them at even addresses, on the PowerPC at multiples of their size.
``#pragma options align=mac68k`` asks for even addresses on the PowerPC too, and
``#pragma options align=reset`` ends that; ``#pragma pack(2)`` and ``pack()`` do the same.
Source: Inside Macintosh: PowerPC System Software, chapter 1, "Data Alignment".
"""

from __future__ import annotations

from collections.abc import Sequence

from emu.program.declarations.tokens import CToken
from emu.program.model.types import Field, GuestType, struct_of

_MOST_BYTES = 1 << 20
# Those that change layouts in a way that is not known here; all other pragmas change none.
_REFUSED = {"align", "enumsalwaysint", "fourbyteints", "options", "option", "pack", "unsigned_char"}


class RecordLayout:
    """Lays out structs, as pragmas ask for.

    Args:
        alignment: the largest alignment of a member, in bytes.
    """

    def __init__(self, alignment: int) -> None:
        self._alignment = self._usual = alignment
        self._before: list[int] = []  # what ``push`` has put away
        # By identity, with the type, so that no other gets it: a name may stand for several.
        self._known: dict[int, tuple[GuestType, int]] = {}

    def obey(self, token: CToken) -> None:
        """Obey a pragma about alignment.

        Raises:
            DeclarationError: it may change layouts, and nobody knows how.
        """
        words = [word for word in token.words if word not in ("(", ")", ",")]
        if words[:3] == ["options", "align", "="] and len(words) == 4:
            if words[3] in ("mac68k", "power", "native", "reset"):
                self._alignment = 2 if words[3] == "mac68k" else self._usual
                return
        elif words[:1] == ["pack"]:
            if words[1:2] == ["push"]:
                self._before.append(self._alignment)
            if words[1:] == ["pop"] and self._before:
                self._alignment = self._before.pop()
                return
            sizes = [word for word in words[1:] if word != "push"]
            if not sizes or (len(sizes) == 1 and sizes[0] in ("1", "2", "4", "8", "16")):
                if sizes:
                    self._alignment = min(self._usual, int(sizes[0]))
                elif words == ["pack"]:
                    self._alignment = self._usual
                return
        if words[:1] and words[0] in _REFUSED:
            raise token.error(
                f"#pragma {' '.join(token.words)} may change where members lie; macproof knows "
                "options align=mac68k, power, native and reset, and pack"
            )

    def record(
        self, name: str, members: Sequence[tuple[str, GuestType]], token: CToken, *, is_union: bool
    ) -> GuestType:
        """A struct or union.

        Args:
            name: its name.
            members: their names and types; one without a name is a struct or union whose members
                count as those of this one.
            token: where it begins, for messages.
            is_union: whether all members begin at its beginning.

        Raises:
            DeclarationError: it has no members, two of one name, or too many bytes.
        """
        fields: list[Field] = []
        names: set[str] = set()
        end, largest = 0, 1
        for member, kind in members:
            aligned = self._alignment_of(kind)
            largest = max(largest, aligned)
            start = 0 if is_union else -(-end // aligned) * aligned
            label = member or f"member_{len(fields)}"
            if label in names:
                raise token.error(f"{name} has two members {label}")
            names.add(label)
            fields.append(Field(label, kind, start))
            end = max(end, start + kind.size)
        if not fields or end > _MOST_BYTES:
            raise token.error(f"{name} has {'no members' if not fields else f'{end:,} bytes'}")
        kind = struct_of(name, tuple(fields), -(-end // largest) * largest)
        self.remember(kind, largest)
        return kind

    def remember(self, kind: GuestType, alignment: int | None = None) -> None:
        """Note how a struct is aligned; None if it is as the members ask."""
        aligned = self._alignment_of(kind) if alignment is None else alignment
        self._known[id(kind)] = kind, aligned

    def renamed(self, kind: GuestType, new: GuestType) -> GuestType:
        """The same struct under another name."""
        self.remember(new, self._known[id(kind)][1] if id(kind) in self._known else None)
        return new

    def _alignment_of(self, kind: GuestType) -> int:
        scalar = kind.scalar
        if id(scalar) in self._known:
            return min(self._alignment, self._known[id(scalar)][1])
        if scalar.kind == "struct":
            members = (self._alignment_of(field.type) for field in scalar.fields)
            return min(self._alignment, max(members, default=1))
        return min(self._alignment, max(1, scalar.dtype.itemsize))
