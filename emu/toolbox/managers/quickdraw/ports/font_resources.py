"""The fonts in the resources of open files: 'FOND', 'NFNT' and 'FONT'.

Source: Inside Macintosh I, The Font Manager; Inside Macintosh: Text, chapter 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.quickdraw.fonts.glyphs import Strike
from emu.quickdraw.fonts.records import DamagedFontError, FontSize, parse_font_record, plain_sizes
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.map import ResourceEntry

_SIZE_BITS = 7
"""A 'FONT' has the ID 128 * family + size; the one of size 0 has the family's name."""


class FontResources(Manager):
    """Finds a program's own fonts; macproof's stand behind them."""

    _resources: ResourceManager

    def __post_init__(self) -> None:
        self._known: dict[tuple[int, ...], dict[int, Strike]] = {}

    def strikes(self, family: int) -> dict[int, Strike]:
        """The fonts of a family, by size; a damaged one is reported and left out."""
        key = (family, *(file.reference for file in self._resources.files))
        of_key = self._known.get(key)
        if of_key is None:
            of_key = self._known[key] = dict(self._read(family))
        return of_key

    def names(self) -> dict[str, int]:
        """The families by name."""
        numbers: dict[str, int] = {}
        for file in self._resources.files:
            for entry in file.of_type("FOND"):
                numbers.setdefault(entry.name, entry.id)
            for entry in file.of_type("FONT"):
                if not entry.id & ((1 << _SIZE_BITS) - 1):
                    numbers.setdefault(entry.name, entry.id >> _SIZE_BITS)
        numbers.pop("", None)
        return numbers

    def _read(self, family: int) -> Iterator[tuple[int, Strike]]:
        for size, entry in self._entries(family).items():
            try:
                yield size, parse_font_record(self._resources.contents(entry), size)
            except DamagedFontError as error:
                self.host.report("font", f"resource {entry} is no font that can be used: {error}")

    def _entries(self, family: int) -> dict[int, ResourceEntry]:
        entries: dict[int, ResourceEntry] = {}
        for file in self._resources.files:
            table = file.find("FOND", family)
            for plain in plain_sizes(self._resources.contents(table)) if table else ():
                entry = self._font(plain)
                if entry is not None:
                    entries.setdefault(plain.size, entry)
            for entry in file.of_type("FONT"):
                size = entry.id & ((1 << _SIZE_BITS) - 1)
                if size and entry.id >> _SIZE_BITS == family:
                    entries.setdefault(size, entry)
        return entries

    def _font(self, size: FontSize) -> ResourceEntry | None:
        for file in self._resources.files:
            entry = file.find("NFNT", size.number) or file.find("FONT", size.number)
            if entry is not None:
                return entry
        return None
