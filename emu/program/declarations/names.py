"""What names mean in declarations: types of a source, of a program and of Inside Macintosh."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from emu.program.declarations.known_types import (
    BASE_WORDS,
    DataModel,
    WrittenType,
    base_types,
    key_of,
)
from emu.program.declarations.layout import RecordLayout
from emu.program.model.signatures import Signature
from emu.program.model.types import UNKNOWN, GuestType

FindType = Callable[[str], GuestType | None]
"""Gives a type by its name; None if there is none."""


@dataclass(frozen=True, slots=True)
class Prototype:
    """A routine's declaration.

    Attributes:
        name: the routine's name in it.
        signature: its parameters and its result.
    """

    name: str
    signature: Signature

    @property
    def is_pascal(self) -> bool:
        """Whether it is declared ``pascal``."""
        return self.signature.is_pascal


@dataclass(frozen=True, slots=True)
class CNames:
    """What names mean that were declared before.

    Attributes:
        model: what the compiler decides.
        find_type: gives further types by their names. They come before those of Inside Macintosh.
        layout: lays out structs.
        usual: gives the types of Inside Macintosh, which are read when the first is asked for.
        further: gives types that nothing else has.
        types: what ``typedef`` names.
        tags: structs and unions by the names behind ``struct``.
        numbers: enumerators.
        routines: the routines that are declared.
    """

    model: DataModel
    find_type: FindType
    layout: RecordLayout
    usual: Callable[[], Mapping[str, WrittenType]] = dict
    further: FindType = lambda name: None
    types: dict[str, WrittenType] = field(default_factory=dict)
    tags: dict[str, WrittenType] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    routines: dict[str, Prototype] = field(default_factory=dict)

    def named_type(self, name: str) -> WrittenType | None:
        """The type of a name; None if it has none."""
        own = self.types.get(name) or self.tags.get(name)
        if own is not None:
            return own
        kind = self.find_type(name)
        if kind is not None:
            return WrittenType(name, kind, tuple(self._pointed(kind)))
        if name in self.usual():
            return self.usual()[name]
        kind = base_types(self.model).get((name,)) or self.further(name)
        return None if kind is None else WrittenType(name, kind, tuple(self._pointed(kind)))

    def all_names(self) -> list[str]:
        """CNames that a wrong one may have meant."""
        return [*self.types, *self.tags, *self.usual(), *BASE_WORDS]

    def resolved(self, pointed: tuple[GuestType, ...]) -> tuple[GuestType, ...]:
        """What a pointer points to, with structs that were declared after it."""
        return tuple(self._complete(kind) for kind in pointed)

    def _complete(self, kind: GuestType) -> GuestType:
        if kind.kind != "struct" or kind.fields:
            return kind
        written = self.tags.get(kind.name) or self.named_type(kind.name)
        whole = None if written is None else written.kind
        return UNKNOWN if whole is None or is_incomplete(whole) else whole

    def _pointed(self, kind: GuestType | None) -> Iterator[GuestType]:
        """What a pointer that has a name of its own points to, and what that points to."""
        while kind is not None and kind.kind == "pointer":
            target = kind.target
            if target.endswith("*"):
                kind = replace(kind, name=target, target=target[:-1])
            else:
                named = self.types.get(target) or self.tags.get(target) or self.usual().get(target)
                base = named.kind if named else base_types(self.model).get(key_of(target.split()))
                kind = self.find_type(target) or base or self.further(target)
            yield UNKNOWN if kind is None else kind

    def complete_types(self) -> dict[str, GuestType]:
        """The types that have been declared, with their members, by their names."""
        kinds = {name: written.kind for name, written in {**self.tags, **self.types}.items()}
        return {n: kind for n, kind in kinds.items() if kind and not is_incomplete(kind)}


def is_incomplete(kind: GuestType) -> bool:
    """Whether it is a struct of which only the name is known."""
    return kind.kind == "struct" and not kind.fields
