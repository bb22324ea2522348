"""Writes Mac files into a folder of the host that an emulator or a file server shares.

There are three layouts, one for each kind of reader:

* Basilisk II and SheepShaver (``extfs``): the data fork under the file's name, the resource fork
  as ``.rsrc/NAME``, FInfo and FXInfo (16 bytes each) as ``.finf/NAME``; a slash in a Mac name is a
  colon in the host's. Names are MacRoman bytes, except on macOS, where they are UTF-8. Source:
  extfs.cpp and Unix/extfs_unix.cpp of cebix/macemu.
* Netatalk: ``.AppleDouble/NAME``. Netatalk 2 keeps its files so, and 3 and 4 do with
  ``appledouble = v2``; else they turn such a file into their own form when it is first seen
  (``convert appledouble``, on by default). From a ``._NAME`` they would take the resource fork
  alone, without type and creator. A slash is ``:2f``, a leading period ``:2e``. Source:
  libatalk/adouble/ad_open.c and ad_conv.c of Netatalk/netatalk.
* Samba with vfs_fruit, and macOS on file systems without forks: ``._NAME`` beside the file. Samba
  turns it into its own form (``fruit:convert_adouble``, on by default). Finder information is at
  offset 50 and the resource fork at 82, where both write them. A slash is a colon. Source:
  vfs_fruit(8) and Samba's source (ADEDOFF_FINDERI_DOT_UND, ADEDOFF_RFORK_DOT_UND).

The header files are AppleDouble version 2 (RFC 1740, appendix B).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from emu.base.errors import InputError, UsageError
from emu.base.files import write_whole
from emu.disk.contents import DATE, DiskFile, IconPosition, check_distinct, finder_info, places
from emu.program.mac_file.apple_double import APPLE_DOUBLE

EMULATOR, NETATALK, SAMBA = "emulator", "netatalk", "samba"
LAYOUTS = (EMULATOR, NETATALK, SAMBA)

_FXINFO = bytes(16)
_VERSION = 0x20000
_RESOURCE_FORK, _REAL_NAME, _FILE_DATES, _FINDER_INFO = 2, 3, 8, 9
_ENTRY_SIZE, _HEADER_SIZE = 12, 26
_SECONDS_1904_TO_2000 = 3_029_529_600
_UNKNOWN_DATE = -0x80000000


def check_folder(
    folder: Path, files: Sequence[DiskFile], layout: str, *, replace: bool = False
) -> None:
    """Refuse what `write_folder` would refuse, and write nothing.

    Raises:
        InputError: the folder is a file, cannot be read, or holds files of the same names with
            other contents, and ``replace`` is not set.
        UsageError: two names are the same.
    """
    check_distinct(files)
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(folder, "is a file, not a folder")
        for part, contents in folder_files(files, layout):
            target = folder / part
            if os.path.lexists(target) and not replace and not _holds(target, contents):
                raise InputError(
                    target,
                    "is there already, with other contents",
                    remedy="Nothing has been written. To replace it, add --force.",
                )
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from error


def write_folder(
    folder: Path, files: Sequence[DiskFile], layout: str, *, replace: bool = False
) -> None:
    """Write Mac files into a folder of the host.

    A new folder appears complete or not at all. In a folder that exists, nothing is written until
    every file has been checked: it must be new, unchanged, or allowed to be replaced.

    Args:
        folder: the folder.
        files: the files.
        layout: one of `LAYOUTS`.
        replace: whether files with the same names and other contents are replaced.

    Raises:
        InputError: as for `check_folder`, or a file cannot be written.
        UsageError: two names are the same.
    """
    check_folder(folder, files, layout, replace=replace)
    parts = dict(folder_files(files, layout))
    try:
        if not folder.exists():
            _write_new(folder, parts)
            return
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from error
    for part, contents in parts.items():
        write_whole(folder / part, contents, below=folder)


def folder_files(files: Sequence[DiskFile], layout: str) -> Iterator[tuple[Path, bytes]]:
    """Path and contents of every host file that a layout needs; data forks come last.

    Raises:
        UsageError: there is no such layout.
    """
    writers: dict[str, Callable[[DiskFile, IconPosition], list[tuple[Path, bytes]]]] = {
        EMULATOR: _for_emulator,
        NETATALK: _for_netatalk,
        SAMBA: _for_samba,
    }
    if layout not in writers:
        raise UsageError(f"there is no layout {layout!r}: there are {', '.join(LAYOUTS)}")
    for file, place in zip(files, places(len(files)), strict=True):
        yield from writers[layout](file, place)


def _for_emulator(file: DiskFile, place: IconPosition) -> list[tuple[Path, bytes]]:
    name = file.name.replace("/", ":")
    if sys.platform != "darwin":
        name = os.fsdecode(name.encode("mac_roman"))
    parts = [(Path(".finf") / name, finder_info(file, place) + _FXINFO)]
    if file.resource_fork:
        parts.append((Path(".rsrc") / name, file.resource_fork))
    return [*parts, (Path(name), file.data)]


def _for_netatalk(file: DiskFile, place: IconPosition) -> list[tuple[Path, bytes]]:
    name = file.name.replace("/", ":2f")
    since_2000 = DATE - _SECONDS_1904_TO_2000
    entries = {
        _REAL_NAME: file.raw_name,
        _FILE_DATES: struct.pack(">4l", since_2000, since_2000, _UNKNOWN_DATE, since_2000),
        _FINDER_INFO: finder_info(file, place) + _FXINFO,
        _RESOURCE_FORK: file.resource_fork,
    }
    return [(Path(".AppleDouble") / name, _apple_double(entries)), (Path(name), file.data)]


def _for_samba(file: DiskFile, place: IconPosition) -> list[tuple[Path, bytes]]:
    name = file.name.replace("/", ":")
    entries = {
        _FINDER_INFO: finder_info(file, place) + _FXINFO,
        _RESOURCE_FORK: file.resource_fork,
    }
    return [(Path(f"._{name}"), _apple_double(entries)), (Path(name), file.data)]


def _apple_double(entries: dict[int, bytes]) -> bytes:
    """Make an AppleDouble file; readers take its last entry, the resource fork, to the end."""
    table, body = b"", b""
    start = _HEADER_SIZE + _ENTRY_SIZE * len(entries)
    for number, contents in entries.items():
        table += struct.pack(">3L", number, start + len(body), len(contents))
        body += contents
    return APPLE_DOUBLE + struct.pack(">L16xH", _VERSION, len(entries)) + table + body


def _unwritable(folder: Path, error: OSError | ValueError) -> InputError:
    reason = error.strerror if isinstance(error, OSError) else error
    return InputError(folder, f"cannot be written: {reason}")


def _holds(path: Path, contents: bytes) -> bool:
    return (
        not path.is_symlink()
        and path.is_file()
        and path.stat().st_size == len(contents)
        and path.read_bytes() == contents
    )


def _write_new(folder: Path, parts: dict[Path, bytes]) -> None:
    folder = folder.resolve()  # if the path is a link to a missing folder, that folder is made
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        whole = (
            staging / "whole"
        )  # the folder gets the permissions that new folders of this process have
        whole.mkdir()
        for part, contents in parts.items():
            write_whole(whole / part, contents, below=whole)
        os.rename(whole, folder)
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(staging)
