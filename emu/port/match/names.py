"""The sources of a port as one program: which definition each name of each file means."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from emu.port.source_functions import SourceObject
from emu.program.elf.declarations import FUNCTION, SourceDeclaration
from emu.program.functions.model import ProgramFunction
from emu.program.functions.program_memory import ProgramMemory
from emu.program.model.model import source_name

Key = tuple[Path, str]
"""A definition: its source file, and its name in it; of a static of a function "Foo::count"."""


@dataclass(frozen=True)
class PortFile:
    """A source file in each form; see `emu.port.source_functions.FORMS`.

    Attributes:
        path: the file.
        objects: the file as each form compiles it.
    """

    path: Path
    objects: tuple[SourceObject, ...]

    @property
    def definitions(self) -> tuple[SourceDeclaration, ...]:
        """The functions and variables that it defines, in the order of their first declarations."""
        return self.objects[0].definitions

    def definition(self, form: int, address: int) -> SourceDeclaration | None:
        """What one of its objects defines at an address."""
        return self._by_address[form].get(address)

    def content(self, form: int, definition: SourceDeclaration) -> bytes:
        """The first value of a variable in one of its objects; empty if it has none."""
        return self._memories[form].read(definition.address, definition.size)

    @cached_property
    def _memories(self) -> list[ProgramMemory]:
        return [ProgramMemory(one.functions.program) for one in self.objects]

    @cached_property
    def _by_address(self) -> list[dict[int, SourceDeclaration]]:
        return [{one.address: one for one in o.definitions} for o in self.objects]


class PortNames:
    """Resolves names among the files of a port.

    Args:
        files: the files.
    """

    def __init__(self, files: Sequence[PortFile]) -> None:
        self._external: dict[str, Key] = {}
        for file in files:
            for one in file.definitions:
                if one.is_external:
                    self._external.setdefault(one.name, (file.path, one.name))

    @property
    def external(self) -> Collection[str]:
        """The names that files define for one another."""
        return self._external.keys()

    def outside(self, name: str) -> Key | None:
        """The definition that a name of another file means; the first one if there are more."""
        return self._external.get(source_name(name))

    def key(self, file: PortFile, definition: SourceDeclaration) -> Key:
        """The key of a definition. Variables that several files define are one, as in old C."""
        if definition.is_external and definition.kind != FUNCTION:
            return self._external[definition.name]
        return file.path, definition.name

    def callees(self, file: PortFile, form: int, function: ProgramFunction) -> Iterator[Key]:
        """The functions of the port that a function calls."""
        for address in function.callees:
            definition = file.definition(form, address)
            if definition is not None:
                yield file.path, definition.name
        for name in function.imports:
            key = self.outside(name)
            if key is not None:
                yield key

    def variable(self, file: PortFile, form: int, address: int) -> tuple[Key, int] | None:
        """The variable of the port at an address of an object, and the distance from its start."""
        for one in file.objects[form].definitions:
            if one.kind != FUNCTION and one.address <= address < one.address + max(one.size, 1):
                return self.key(file, one), address - one.address
        for symbol in file.objects[form].functions.program.symbols:
            if symbol.kind == "other" and symbol.address <= address < symbol.address + symbol.size:
                key = self.outside(symbol.name)
                return None if key is None else (key, address - symbol.address)
        return None
