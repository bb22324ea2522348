"""Commands, and options of commands, that other installed packages bring.

A package names them as entry points. In the group ``macproof.commands`` the name is the command,
and the object a `Command`. In ``macproof.options`` the name is a command of macproof that takes
options, and the object a module with a function ``add(parser)``, as that of a command has one.
In ``macproof.schemas`` the object has places of JSON Schemas by name, as `emu.commands.schema` has.

To look which there are takes as long as to start. So only a command line that needs them does.
"""

from __future__ import annotations

import argparse
import importlib.metadata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import TypeVar

from rich.console import Console

from emu.base.errors import InternalError, MacproofError, ToolMissingError
from emu.commands.interface.command import Command

COMMANDS, OPTIONS, SCHEMAS = "macproof.commands", "macproof.options", "macproof.schemas"
_OWN = "macproof"
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class PackageCommand:
    """A command of an installed package. What it names is imported when it is asked for.

    Attributes:
        name: the command.
        entries: the entry points of this name: one, unless packages contradict each other.
    """

    name: str
    entries: Sequence[EntryPoint]

    @property
    def help(self) -> str:
        """What it does, in a line, or why it cannot be used."""
        try:
            return self._command().help + ("" if _is_own(self.entries[0]) else f" ({self.owner})")
        except ToolMissingError as error:
            return str(error)

    def add(self, parser: argparse.ArgumentParser, load: Callable[[str], ModuleType]) -> None:
        """Declare its options.

        Args:
            parser: its parser; ``run`` among its defaults becomes the function that runs it.
            load: imports a module.

        Raises:
            ToolMissingError: its package cannot be imported, or is no package of commands.
        """
        command = self._command()
        (entry,) = self.entries
        module = _of_package(entry, lambda: load(command.module))
        _declare(entry, module, parser, "run")
        parser.set_defaults(run=lambda arguments, console: self._run(module, arguments, console))

    def _run(self, module: ModuleType, arguments: argparse.Namespace, console: Console) -> object:
        """Run it, and tell its mistakes from those of macproof."""
        try:
            return module.run(arguments, console)
        except (MacproofError, OSError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise InternalError.of(error, self.owner) from error

    def _command(self) -> Command:
        if len(self.entries) > 1:
            owners = " and ".join(map(_owner, self.entries))
            raise ToolMissingError(f"{owners} both have a command {self.name}; uninstall one")
        (entry,) = self.entries
        command = _of_package(entry, entry.load)
        if not isinstance(command, Command):
            raise _unusable(entry, f"{entry.value} is no macproof.Command")
        return command

    @property
    def owner(self) -> str:
        """The package that it is of, with its version."""
        return _owner(self.entries[0])


def package_commands() -> dict[str, PackageCommand]:
    """The commands of installed packages, by their names."""
    entries: dict[str, list[EntryPoint]] = {}
    for entry in _entries(COMMANDS):
        entries.setdefault(entry.name, []).append(entry)
    return {name: PackageCommand(name, tuple(of_name)) for name, of_name in entries.items()}


def add_options(command: str, parser: argparse.ArgumentParser) -> None:
    """Declare the options that installed packages add to a command of macproof.

    Raises:
        ToolMissingError: a package cannot be imported, or its options cannot be declared. Without
            them the command might do something else than it usually does.
    """
    for entry in _entries(OPTIONS):
        if entry.name == command:
            _declare(entry, _of_package(entry, entry.load), parser)


def package_schemas() -> dict[str, tuple[str, str]]:
    """The places of the JSON Schemas of installed packages, and what they are of, by name.

    Raises:
        ToolMissingError: a package cannot be imported.
    """
    schemas: dict[str, tuple[str, str]] = {}
    for entry in _entries(SCHEMAS):
        schemas |= _of_package(entry, lambda entry=entry: dict(entry.load()))  # type: ignore[misc]
    return schemas


def _entries(group: str) -> list[EntryPoint]:
    """The entry points of a group, each once, those of macproof first."""
    entries = {
        (entry_point.name, entry_point.value, _owner(entry_point)): entry_point
        for entry_point in importlib.metadata.entry_points(group=group)
    }
    return sorted(
        entries.values(), key=lambda entry: (not _is_own(entry), entry.name, _owner(entry))
    )


def _is_own(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == _OWN


def _owner(entry: EntryPoint) -> str:
    """Whose an entry point is: a package and its version."""
    if _is_own(entry):
        return "macproof itself"
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "a package"


def _declare(
    entry: EntryPoint, module: object, parser: argparse.ArgumentParser, *others: str
) -> None:
    """Let a module declare its options, if it has a function for that, and the others."""
    for name in ("add", *others):
        if not callable(getattr(module, name, None)):
            raise _unusable(entry, f"{getattr(module, '__name__', entry.value)} has no {name}()")
    _of_package(entry, lambda: module.add(parser))  # type: ignore[attr-defined]


def _of_package(entry: EntryPoint, function: Callable[[], _Value]) -> _Value:
    """What a function gives that executes code of a package.

    Raises:
        ToolMissingError: it fails, in whatever way: it may even leave Python.
    """
    try:
        return function()
    except (MacproofError, KeyboardInterrupt):
        raise
    except BaseException as error:
        internal = InternalError.of(error, _owner(entry))
        unusable = _unusable(entry, str(internal))
        unusable.trace = internal.trace
        raise unusable from error


def _unusable(entry: EntryPoint, why: str) -> ToolMissingError:
    what = {
        COMMANDS: "the command",
        OPTIONS: "an option of the command",
        SCHEMAS: "the list of schemas",
    }
    return ToolMissingError(
        f"{what[entry.group]} {entry.name} is of {_owner(entry)} and cannot be used: {why}. Update "
        "or uninstall that package"
    )
