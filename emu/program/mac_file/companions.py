"""Finds a Mac file's resource fork and Finder information where systems without forks keep them.

The data fork is the file NAME. Its resource fork and Finder information are in one of these::

    .rsrc/NAME and .finf/NAME   Basilisk II and SheepShaver (extfs)
    ._NAME                      AppleDouble: macOS on such file systems, archives made there, Samba
    %NAME                       AppleDouble: older programs
    .AppleDouble/NAME           AppleDouble: netatalk
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.files import read_at_most
from emu.program.mac_file.apple_double import APPLE_DOUBLE, parse_apple_single
from emu.program.mac_file.forks import LARGEST_FORK, FinderInfo, Forks, parse_finder_info

RESOURCE_FOLDER, FINDER_FOLDER, NETATALK_FOLDER = ".rsrc", ".finf", ".AppleDouble"
HEADER_PREFIXES = ("%", "._")

_LARGEST_HEADER = LARGEST_FORK + (1 << 20)


def companions(path: Path) -> Iterator[Path]:
    """Every place where a part of a data file may be, whether it exists or not."""
    for folder in (RESOURCE_FOLDER, FINDER_FOLDER, NETATALK_FOLDER):
        yield path.parent / folder / path.name
    for prefix in HEADER_PREFIXES:
        yield path.with_name(prefix + path.name)


def read_companions(
    data: bytes, path: Path, usable: Callable[[Path], bool] = Path.is_file
) -> Forks | None:
    """The forks of a data file with what lies beside it.

    Args:
        data: the data fork.
        path: its file.
        usable: whether a companion exists and may be read.

    Returns:
        None if nothing lies beside it. A file of Basilisk II may have either of its companions.

    Raises:
        ProgramError: a companion is damaged or too large.
    """
    resources = path.parent / RESOURCE_FOLDER / path.name
    information = path.parent / FINDER_FOLDER / path.name
    if usable(resources) or usable(information):
        return _of_basilisk(data, path, resources, information, usable)
    headers = [path.with_name(prefix + path.name) for prefix in HEADER_PREFIXES]
    for header in (*headers, path.parent / NETATALK_FOLDER / path.name):
        if usable(header):
            contents = read_at_most(header, _LARGEST_HEADER, "AppleDouble", ProgramError)
            if contents.startswith(APPLE_DOUBLE):
                forks = parse_apple_single(contents, header, path.name)
                return dataclasses.replace(forks, data=data)
    return None


def _of_basilisk(
    data: bytes, path: Path, resources: Path, information: Path, usable: Callable[[Path], bool]
) -> Forks:
    finder, fork = FinderInfo(), b""
    if usable(information):
        record = read_at_most(information, 1 << 16, "Finder information", ProgramError)
        finder = parse_finder_info(record, information, "offset 0")
    if usable(resources):
        fork = read_at_most(resources, LARGEST_FORK, "a resource fork", ProgramError)
    return Forks(
        name=path.name,
        type=finder.type,
        creator=finder.creator,
        flags=finder.flags,
        data=data,
        resource_fork=fork,
        container="Basilisk II folder",
    )
