"""The headers that a user names: those before every source, and those in place of the Toolbox's."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from emu.base.errors import UsageError
from emu.toolchain.mac_c.headers import StagedFolder

Prefix: TypeAlias = Path | str
"""A prefix header: a file, or the name of a header that is searched for, such as "MacHeaders"."""

PREFIX = "prefix.h"
"""The staged name of the header that includes the prefix headers."""


@dataclass(frozen=True, slots=True)
class HeaderFolder:
    """A folder of headers that takes the place of macproof's own.

    Attributes:
        path: the folder.
        written: its path as the user has written it, for receipts.
    """

    path: Path
    written: str


def prefix_of(written: str, folder: Path) -> Prefix:
    """The prefix header that a user names.

    Args:
        written: a path, or the name of a header.
        folder: what a path is relative to.

    Raises:
        ValueError: it cannot be; the message says why, as a sentence.
    """
    path = folder / Path(written).expanduser()
    if path.is_dir():
        raise ValueError(f"the prefix header {written} is a folder; name a file in it")
    if path.is_file():
        if not os.access(path, os.R_OK):
            raise ValueError(f"the prefix header {written} cannot be read; see its permissions")
        return path.resolve()
    if "/" in written or not written.strip():
        raise ValueError(f"there is no prefix header {written or repr(written)}")
    return written


def header_folder_of(written: str, folder: Path) -> HeaderFolder:
    """The folder of headers that a user names. Arguments and errors are as for `prefix_of`."""
    path = folder / Path(written).expanduser()
    if not path.is_dir():
        what = "is not a folder" if path.exists() else "does not exist"
        raise ValueError(f"the folder of headers {written or repr(written)} {what}")
    if not any(path.glob("*.[hH]")):
        raise ValueError(f"the folder of headers {written} has no file *.h in it")
    return HeaderFolder(path.resolve(), written)


def named_headers(
    prefix: Sequence[Path | str], headers: Path | str | None, mark: str = ""
) -> tuple[tuple[Prefix, ...], HeaderFolder | None]:
    """The headers that a caller names, by paths relative to the working folder.

    Args:
        prefix: as for `prefix_of`.
        headers: as for `header_folder_of`; None for macproof's own.
        mark: what stands before the names "prefix" and "headers" in messages: "--" for options.

    Raises:
        UsageError: there is no such file or folder.
    """
    name = "prefix"
    try:
        prefixes = tuple(prefix_of(str(one), Path.cwd()) for one in prefix)
        name = "headers"
        return prefixes, None if headers is None else header_folder_of(str(headers), Path.cwd())
    except ValueError as error:
        raise UsageError(f"{mark}{name}: {error}") from error


def stage_prefixes(
    prefixes: Sequence[Prefix],
    root: Path,
    staged: dict[str, bytes],
    read: Callable[[Path, str], bytes],
) -> tuple[StagedFolder, ...]:
    """Stage the prefix headers that are files, and `PREFIX`, which includes all of them.

    Args:
        prefixes: the prefix headers.
        root: the folder whose staged name is "program".
        staged: what is staged already, by staged names.
        read: reads a file; it is given the path and the staged name.

    Returns:
        The folders of the files that lie elsewhere.
    """
    lines, places = "", []
    for number, prefix in enumerate(prefixes):
        if isinstance(prefix, str):
            lines += f"#include <{prefix}>\n"
            continue
        name = f"prefix{number}/{prefix.name}"
        if prefix.is_relative_to(root):
            name = f"program/{prefix.relative_to(root).as_posix()}"
        else:
            places.append(StagedFolder(f"prefix{number}", prefix.parent))
        staged[name] = read(prefix, name)
        lines += f'#include "{name}"\n'
    if lines:
        staged[PREFIX] = lines.encode()
    return tuple(places)
