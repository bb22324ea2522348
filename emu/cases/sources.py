"""The sources of a case: as its file names them, and with somebody else's in their place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from emu.base.errors import UsageError
from emu.base.yaml_document import YamlDocument, did_you_mean
from emu.toolchain.sources import require_unit

Replacements: TypeAlias = Mapping[str, Path]
"""Files that take the place of sources of a case, by the names of these."""


def replaced(
    case: str,
    folder: Path,
    units: tuple[tuple[str, ...], ...],
    source: Path | Replacements | None,
) -> tuple[tuple[tuple[Path, ...], ...], tuple[Path, ...]]:
    """The translation units of a case, and which files in them are somebody else's.

    Args:
        case: the case's name, for messages.
        folder: where its own files lie.
        units: their names, by units.
        source: a file in place of all of them, or files in place of some.

    Raises:
        UsageError: there is no such file, or the case has no source of such a name.
    """
    given = source if isinstance(source, Mapping) else {}
    known = [name for unit in units for name in unit]
    for name in given:
        if name not in known:
            raise UsageError(f"{case} has no source {name}{did_you_mean(name, known)}")
    foreign = (source,) if isinstance(source, Path) else tuple(given.values())
    for path in foreign:
        if not path.is_file():
            problem = "it is not a file" if path.exists() else "there is no such file"
            raise UsageError(f"{path}: {problem}")
    if isinstance(source, Path):
        return (foreign,), foreign
    return tuple(tuple(given.get(n, folder / n) for n in unit) for unit in units), foreign


def units_of(document: YamlDocument) -> tuple[tuple[str, ...], ...]:
    """The sources by translation units; a name by itself is a unit of its own."""
    units = []
    for index, written in enumerate(document.data["sources"]):
        names = [written] if isinstance(written, str) else written
        for name in names:
            if not (document.path.parent / name).is_file():
                raise document.error(("sources", index), f"there is no file {name} beside it")
        units.append(tuple(names))
        try:
            require_unit([Path(name) for name in names])
        except UsageError as error:
            raise document.error(("sources", index), str(error)) from error
    return tuple(units)


def lines_of(document: YamlDocument) -> dict[str, int]:
    """The lines in which a case names the routine and the variables, by their names."""
    data = document.data
    lines = {name: document.line((key, name)) for key in ("observe", "input") for name in data[key]}
    return {**lines, data["call"]: document.line(("call",))}
