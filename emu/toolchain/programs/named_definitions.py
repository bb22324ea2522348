"""Finds the one definition of each name that a case asks for, among those of its units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.base.errors import CaseError
from emu.base.yaml_document import did_you_mean
from emu.toolchain.objects import Definition
from emu.toolchain.sources import Sources


@dataclass(frozen=True, slots=True)
class DefinitionInUnit:
    """A definition, and the number of the unit that contains it."""

    unit: int
    definition: Definition


@dataclass(frozen=True, slots=True)
class NamedDefinitions:
    """What the units of a program define.

    Attributes:
        sources: the files of the units.
        definitions: the definitions of each unit.
    """

    sources: Sources
    definitions: Sequence[Sequence[Definition]]

    def find(self, name: str) -> DefinitionInUnit:
        """Find the one definition of a name.

        Raises:
            CaseError: there is none, there are several, or the linker cannot reach it.
        """
        tree = self.sources.tree
        what, kinds = self._kinds(name)
        named: Mapping[str, DefinitionInUnit] = {
            # An inline function may be defined in several units: they all hold the same one.
            d.symbol if d.binding == "weak" else f"{number} {d.symbol}": DefinitionInUnit(number, d)
            for number, defined in enumerate(self.definitions)
            for d in defined
            if d.name == name
        }
        fitting = [place for place in named.values() if place.definition.kind in kinds]
        if not fitting:
            raise self._missing_error(name, what, kinds, is_other=bool(named))
        if len(fitting) > 1:
            files = sorted({self._files(place.unit) for place in fitting})
            raise tree.name_error(
                name,
                f"{len(fitting)} {what}s are named {name}, in {' and '.join(files)}",
                "Rename all but one",
            )
        place = fitting[0]
        unit = self.sources.units[place.unit]
        if place.definition.binding == "local" and not unit.language.is_compiled:
            raise tree.name_error(
                name,
                f"{name} is a local label of {self._files(place.unit)}",
                f"Make it known to the linker: .globl {name}",
            )
        return place

    def _kinds(self, name: str) -> tuple[str, set[str]]:
        """What a name stands for, in words and as kinds of definitions."""
        tree = self.sources.tree
        if name == tree.routine:
            return "function", {"function", "other"}
        if name in tree.state:
            return "variable", {"object", "other"}
        return "function or variable", {"function", "object", "other"}

    def _missing_error(self, name: str, what: str, kinds: set[str], *, is_other: bool) -> CaseError:
        tree = self.sources.tree
        files = ", ".join(path.name for path in tree.sources)
        if is_other:
            return tree.name_error(name, f"{name} is not a {what} in {files}")
        names = sorted(
            {
                d.name
                for defined in self.definitions
                for d in defined
                if d.kind in kinds and d.name.isidentifier()
            }
        )
        names = [symbol for symbol in names if not symbol.startswith("_Z")]
        hint = did_you_mean(name, names)
        return tree.name_error(name, f"there is no {what} {name} in {files}{hint}")

    def _files(self, number: int) -> str:
        return ", ".join(path.name for path in self.sources.units[number].paths)
