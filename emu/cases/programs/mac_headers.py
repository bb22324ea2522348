"""The types that the headers of the kit declare, such as records of the Toolbox."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from emu.program import GuestType
from emu.program.declarations.c_declarations import CDeclarations
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.tokens import SourceText
from emu.toolchain.sources import mac_sources

_OF_CPLUSPLUS = "iostream.h"
_FIRST = "Types.h"


def header_file(name: str) -> SourceText | None:
    """A header of the kit, by the name in an ``#include``; None if there is none."""
    path = _folder() / name
    return SourceText(path.read_text(encoding="utf-8"), name) if path.is_file() else None


def type_in_headers(name: str, model: DataModel) -> GuestType | None:
    """The type of a name that a header of the kit declares; None if none does.

    Records have even addresses on every processor, as the headers ask for.
    """
    return _types(model).get(name) if header_of(name) else None


@functools.cache
def header_of(name: str) -> str:
    """The header of the kit that declares a type, such as "OSUtils.h"; "" if none does."""
    if not name[:1].isupper():  # as all types of the Macintosh are
        return ""
    line = re.compile(rf"(\}}|typedef\b[^;{{}}]*)\W{re.escape(name)}(\[\d+\])?;")
    paths = [*_headers(), *sorted((_folder() / "records").glob("*.h"))]
    return next((p.name for p in paths if line.search(p.read_text(encoding="utf-8"))), "")


@functools.cache
def declares_variable(name: str) -> bool:
    """Whether a header of the kit declares a variable of that name, such as ``qd``."""
    line = re.compile(rf"^extern\b[^;()]*\b{re.escape(name)};", re.MULTILINE)
    return any(line.search(path.read_text(encoding="utf-8")) for path in _headers())


def records_only(header: str, routine: str) -> str:
    """A header, or the part of it without routines if it declares one of this name."""
    folder = _folder()
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob(header))
    is_there = any(re.search(rf"\b{re.escape(routine)}\(", text) for text in texts)
    has_records = (folder / "records" / header).is_file()
    return f"records/{header}" if is_there and has_records else header


@functools.cache
def _types(model: DataModel) -> Mapping[str, GuestType]:
    declarations = CDeclarations(model=model, find_file=header_file)
    for path in _headers():
        declarations.read_header(SourceText(path.read_text(encoding="utf-8"), path.name))
    return declarations.types


def _headers() -> list[Path]:
    paths = [path for path in _folder().glob("*.h") if path.name != _OF_CPLUSPLUS]
    return sorted(paths, key=lambda path: (path.name != _FIRST, path.name))


def _folder() -> Path:
    return mac_sources() / "compat"
