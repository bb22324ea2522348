"""Reads the numbers of a cycle model: cells with names, each with the source of its numbers.

A data file has two parts. ``sources`` gives every document, measurement or assumption a key;
``cells`` gives every cell the key of its source and its numbers by name::

    title: Motorola 68040
    sources:
      manual: {kind: manual, title: "M68040 User's Manual, section 10.6"}
    cells:
      moveq: {source: manual, calculate: 1, lead: 0, base: 1}

The rules of a processor are in Python, its numbers in these files. They are read strictly: an
unknown source, an unused source, a repeated key and a cell without numbers are errors; the message
has the line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from emu.base.errors import MacproofError
from emu.base.yaml_document import YamlDocument, YamlPath, did_you_mean
from emu.cycles.base.model import KINDS, Source

_FOLDER = Path(__file__).parents[1] / "data"
_WHAT = "a timing table"
_NUMBER = re.compile(r"[0-9]+\.[0-9]+")


@dataclass(frozen=True, slots=True)
class Cell:
    """A row of numbers of one source.

    Attributes:
        name: unique in its table.
        numbers: its numbers by name, in clocks unless the table's comments say otherwise.
        source: the source of the numbers.
    """

    name: str
    numbers: Mapping[str, float]
    source: Source

    def __getitem__(self, number: str) -> float:
        try:
            return self.numbers[number]
        except KeyError:
            raise MacproofError(
                f"timing cell {self.name} has no number {number}"
                f"{did_you_mean(number, self.numbers)}"
            ) from None


@dataclass(frozen=True, slots=True)
class CellTable(Mapping[str, Cell]):
    """The cells of a data file by their names.

    Attributes:
        path: the file.
        title: what it is about.
        sources: by their keys.
        cells: by their names.
    """

    path: Path
    title: str
    sources: Mapping[str, Source]
    cells: Mapping[str, Cell]

    def __getitem__(self, name: str) -> Cell:
        """A cell.

        Raises:
            MacproofError: there is none of that name.
        """
        try:
            return self.cells[name]
        except KeyError:
            close = did_you_mean(name, self.cells) if len(self.cells) < 9 else ""
            raise MacproofError(f"{self.path.name} has no cell {name}{close}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.cells

    def __iter__(self) -> Iterator[str]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)


@functools.cache
def table(name: str) -> CellTable:
    """A table that comes with macproof, read once ("mc68040")."""
    return load(_FOLDER / f"{name}.yaml")


def load(path: Path) -> CellTable:
    """Read a data file.

    Raises:
        CaseError: it cannot be read, or something in it is wrong, with the line.
    """
    document = YamlDocument(path, _WHAT)
    parts = _mapping(document, (), {"title", "sources", "cells"})
    if not isinstance(parts["title"], str):
        raise document.error(("title",), "the title is not text")
    sources = {key: _source(document, key) for key in _mapping(document, ("sources",))}
    cells = {name: _cell(document, name, sources) for name in _mapping(document, ("cells",))}
    used = {id(cell.source) for cell in cells.values()}
    for key, source in sources.items():
        if id(source) not in used:
            raise document.error(
                ("sources", key), f"no cell names the source {key}", "Remove it, or use it."
            )
    return CellTable(path, parts["title"], MappingProxyType(sources), MappingProxyType(cells))


def weakest(sources: Iterable[Source]) -> Source:
    """The least reliable source; of equally reliable ones the first.

    Raises:
        ValueError: ``sources`` is empty.
    """
    return max(sources, key=lambda source: KINDS.index(source.kind))


def _source(document: YamlDocument, key: str) -> Source:
    place: YamlPath = ("sources", key)
    parts = _mapping(document, place, {"kind", "title"})
    if parts["kind"] not in KINDS:
        raise document.error(
            (*place, "kind"),
            f"the kind of the source {key} is {parts['kind']}, not one of {', '.join(KINDS)}",
        )
    if not isinstance(parts["title"], str) or not parts["title"].strip():
        raise document.error((*place, "title"), f"the source {key} has no title")
    return Source(parts["kind"], parts["title"])


def _cell(document: YamlDocument, name: str, sources: Mapping[str, Source]) -> Cell:
    place: YamlPath = ("cells", name)
    parts = dict(_mapping(document, place))
    key = parts.pop("source", None)
    if key is None:
        raise document.error(place, f"the cell {name} names no source")
    if not isinstance(key, str) or key not in sources:
        raise document.error(
            (*place, "source"),
            f"the cell {name} names the source {key}, which is not known"
            f"{did_you_mean(str(key), sources)}",
        )
    if not parts:
        raise document.error(place, f"the cell {name} has no numbers")
    numbers = {
        word: _number(document, (*place, word), f"{word} of the cell {name}", value)
        for word, value in parts.items()
    }
    return Cell(name, MappingProxyType(numbers), sources[key])


def _number(document: YamlDocument, place: YamlPath, what: str, value: object) -> float:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value):  # `YamlDocument` reads 1.5 as text
        return float(value)
    raise document.error(place, f"{what} is {value!r}, not a number from 0")


def _mapping(
    document: YamlDocument, place: YamlPath, keys: set[str] | None = None
) -> Mapping[str, object]:
    value = document.data
    for key in place:
        value = value[key]
    name = ".".join(map(str, place)) or "the file"
    if not isinstance(value, dict) or not value:
        raise document.error(place, f"{name} is not a mapping with something in it")
    if keys is not None:
        for key in value:
            if key not in keys:
                raise document.error((*place, key), f"{name}: the key {key} is not known")
        for key in sorted(keys - set(value)):
            raise document.error(place, f"{name}: {key} is missing")
    return value
