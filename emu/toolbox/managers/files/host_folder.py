"""Reads and writes the host folder that a volume shows, with both forks of its files.

The file NAME is the data fork of a Mac file. Its Finder information and resource fork are in hidden
files beside it, in any form of `companions`; what the program writes is stored in the form that the
file or its folder has already, or else in ``._NAME``. Symbolic links, devices and names that begin
with a period are invisible to the program, so it cannot reach anything outside the folder.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import InputError, UsageError
from emu.base.files import read_at_most, write_whole
from emu.program.mac_file.apple_double import APPLE_DOUBLE
from emu.program.mac_file.companions import (
    FINDER_FOLDER,
    NETATALK_FOLDER,
    RESOURCE_FOLDER,
    companions,
    read_companions,
)

LONGEST_NAME = 31
"""Characters in the name of a file or folder on an HFS volume."""

MOST_ENTRIES = 4096
"""The most files and folders in the folder, at all depths."""

DEEPEST = 24
"""How deep folders may be nested."""

NO_FINDER_INFO = bytes(32)
"""An FInfo and an FXInfo record in which nothing is set."""

_COMPANION = "._"
_HIDDEN_FOLDERS = (RESOURCE_FOLDER, FINDER_FOLDER, NETATALK_FOLDER)
_LARGEST_FILE = 64 << 20
_HEADER = struct.Struct(">4sL16xH")
_ENTRY = struct.Struct(">3L")
_FINDER_INFO, _RESOURCE_FORK = 9, 2


@dataclass(frozen=True, slots=True)
class HostEntry:
    """Something in the folder.

    Attributes:
        host_name: its name on the host.
        mac_name: its name on the Macintosh, MacRoman.
        size: about how many bytes both forks have; 0 for a folder.
        inside: the contents of a folder; None for a file.
    """

    host_name: str
    mac_name: bytes
    size: int
    inside: tuple[HostEntry, ...] | None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The contents of a file: both forks, and 32 bytes of Finder information."""

    data: bytes
    resources: bytes
    finder: bytes


def mac_name(host_name: str) -> bytes | None:
    """The Macintosh's name for a file of the host; None if a Macintosh cannot name it.

    A Macintosh separates folders by a colon and the host by a slash, so each is replaced by the
    other.
    """
    try:
        name = unicodedata.normalize("NFC", host_name).encode("mac_roman")
    except UnicodeError:  # the name has characters outside MacRoman, or is not Unicode
        return None
    name = name.replace(b":", b"/")
    return name if is_valid_name(name) else None


def host_name(name: bytes) -> str:
    """The host's name for a file of the Macintosh."""
    return name.replace(b"/", b":").decode("mac_roman")


def is_valid_name(name: bytes) -> bool:
    """Whether a file may have this name: HFS must allow it, and the host must not hide it."""
    return 0 < len(name) <= LONGEST_NAME and not name.startswith(b".") and not set(name) & {0, 0x3A}


class HostFolder:
    """Reads and writes one folder of the host, and nothing else.

    Args:
        folder: the folder; it may be a symbolic link to one.

    Attributes:
        seen: how many files and folders `entries` has found.

    Raises:
        UsageError: it is not a folder.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self.root = folder.resolve(strict=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"{folder}: there is no such folder") from error
        if not self.root.is_dir():
            raise UsageError(f"{folder}: it is not a folder")
        self.seen = 0

    def entries(self) -> tuple[HostEntry, ...]:
        """Find everything in the folder that a Macintosh can see.

        Files that vanish meanwhile are left out, and so are the contents of folders that cannot be
        read.

        Raises:
            UsageError: there are too many files for a run, or the folder itself cannot be read.
        """
        self.seen = 0
        return tuple(self._scan(self.root, 0))

    def _scan(self, folder: Path, depth: int) -> Iterator[HostEntry]:
        if depth > DEEPEST:
            raise UsageError(f"{self.root}: folders are nested more than {DEEPEST} deep in it")
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            if folder != self.root:
                return
            raise UsageError(f"{folder}: cannot be read: {error.strerror}") from error
        for entry in entries:
            name = mac_name(entry.name)
            if name is None:
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            is_folder = stat.S_ISDIR(status.st_mode)
            if not is_folder and not stat.S_ISREG(status.st_mode):
                continue
            self.seen += 1
            if self.seen > MOST_ENTRIES:
                raise UsageError(
                    f"{self.root}: there are more than {MOST_ENTRIES} files in it; "
                    "give a folder with only the files that the program needs"
                )
            if is_folder:
                yield HostEntry(
                    entry.name, name, 0, tuple(self._scan(folder / entry.name, depth + 1))
                )
            else:
                beside = map(_size, filter(_is_plain, _companions(folder / entry.name)))
                size = status.st_size + sum(beside)
                yield HostEntry(entry.name, name, size, None)

    def _path(self, parts: tuple[str, ...]) -> Path:
        """The path of a file on the host, checked: no link on the way may lead elsewhere.

        Raises:
            InputError: the path leads out of the folder.
        """
        path = self.root.joinpath(*parts)
        if any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
            raise InputError(path, "it is not inside the folder")
        if path.parent.resolve() != path.parent or not path.parent.is_relative_to(self.root):
            raise InputError(path, "a link leads out of the folder")
        return path

    def exists(self, parts: tuple[str, ...]) -> bool:
        """Whether anything has this name, including files that a Macintosh cannot see."""
        path = self._path(parts)
        return os.path.lexists(path) or _takes_name(_companion(path))

    def read(self, parts: tuple[str, ...]) -> StoredFile:
        """Read a file.

        Raises:
            InputError: it cannot be read, is too large, or its companion is damaged.
        """
        path = self._path(parts)
        data = self._contents(path)
        forks = read_companions(data, path, _is_companion)
        if forks is None:
            return StoredFile(data, b"", NO_FINDER_INFO)
        finder = struct.pack(
            ">4s4sH",
            forks.type.encode("mac_roman"),
            forks.creator.encode("mac_roman"),
            forks.flags,
        )
        return StoredFile(data, forks.resource_fork, finder.ljust(32, b"\0"))

    @staticmethod
    def _contents(path: Path) -> bytes:
        _require_plain(path)
        return read_at_most(path, _LARGEST_FILE, "a file of the volume")

    def write(self, parts: tuple[str, ...], file: StoredFile) -> None:
        """Write a file, and its companions if there is anything to store in them.

        Raises:
            InputError: it cannot be written; the old file is then unchanged.
        """
        path = self._path(parts)
        stored = _stored_beside(path, file)
        for part in (path, *stored):
            if os.path.lexists(part):
                _require_plain(part)
        write_whole(path, file.data, below=self.root)
        has_more = file.resources or file.finder != NO_FINDER_INFO
        for part, contents in stored.items():
            if has_more or part.exists():
                write_whole(part, contents, below=self.root)

    def make_folder(self, parts: tuple[str, ...]) -> None:
        """Make a folder.

        Raises:
            InputError: it cannot be made.
        """
        path = self._path(parts)
        try:
            path.mkdir()
        except OSError as error:
            raise InputError(path, f"cannot be made: {error.strerror}") from error

    def remove(self, parts: tuple[str, ...], *, folder: bool) -> None:
        """Remove a file with its companion, or an empty folder.

        Raises:
            InputError: it cannot be removed.
        """
        path = self._path(parts)
        try:
            if folder:
                for name in _HIDDEN_FOLDERS:
                    with contextlib.suppress(OSError):  # it is not there, or not empty
                        (path / name).rmdir()
                path.rmdir()
            else:
                path.unlink()
            for companion in filter(_is_plain, _companions(path)):
                companion.unlink()
        except OSError as error:
            raise InputError(path, f"cannot be removed: {error.strerror}") from error

    def move(self, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        """Give a file or folder another name or place; nothing may be there yet.

        Raises:
            InputError: it cannot be done.
        """
        source, target = self._path(before), self._path(after)
        try:
            # On a host that ignores case both names mean the same file.
            same = source.exists() and target.exists() and source.samefile(target)
            if not same and (os.path.lexists(target) or _takes_name(_companion(target))):
                raise InputError(target, "it is already there")
            source.rename(target)
            # A file with the new companion's name belongs to a file that no longer exists.
            for old, new in zip(_companions(source), _companions(target), strict=True):
                if _is_plain(old):
                    if new.parent.is_symlink():
                        raise InputError(new, "a link leads out of the folder")
                    new.parent.mkdir(exist_ok=True)
                    old.replace(new)
                elif not same and _is_plain(new):
                    new.unlink()
        except OSError as error:
            raise InputError(source, f"cannot be moved: {error.strerror}") from error


_APPLE_DOUBLE = bytes.fromhex("00051607")


def _takes_name(companion: Path) -> bool:
    """Whether something that is no companion file has the name of one.

    A real companion whose file was moved away by hand may be overwritten.
    """
    if not os.path.lexists(companion):
        return False
    if companion.is_symlink() or not companion.is_file():
        return True
    try:
        with companion.open("rb") as file:
            return file.read(4) != _APPLE_DOUBLE
    except OSError:
        return True


def _companion(path: Path) -> Path:
    return path.with_name(_COMPANION + path.name)


def _companions(path: Path) -> tuple[Path, ...]:
    """The hidden files that belong to a file; a program can see, and own, a file %NAME."""
    return tuple(companion for companion in companions(path) if not companion.name.startswith("%"))


def _is_companion(path: Path) -> bool:
    return not path.name.startswith("%") and _is_plain(path)


def _stored_beside(path: Path, file: StoredFile) -> dict[Path, bytes]:
    """What to store beside a file, in the form that it or its folder has already."""
    folder = path.parent
    header, netatalk = _companion(path), folder / NETATALK_FOLDER / path.name
    fork, finder = folder / RESOURCE_FOLDER / path.name, folder / FINDER_FOLDER / path.name
    in_basilisk = {fork: file.resources, finder: file.finder}
    if _is_plain(fork) or _is_plain(finder):
        return in_basilisk
    if not _is_plain(header) and not _is_plain(netatalk):
        if any(map(_is_folder, (fork.parent, finder.parent))):
            return in_basilisk
        if _is_folder(netatalk.parent):
            header = netatalk
    elif not _is_plain(header):
        header = netatalk
    return {header: _apple_double(file)}


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _is_plain(path: Path) -> bool:
    """Whether a file is there, and no link leads to it or to the hidden folder that it is in."""
    try:
        return stat.S_ISREG(path.lstat().st_mode) and not path.parent.is_symlink()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _require_plain(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(mode):
        raise InputError(path, "it is not a plain file")


def _apple_double(file: StoredFile) -> bytes:
    """An AppleDouble header file (RFC 1740, appendix B)."""
    start = _HEADER.size + 2 * _ENTRY.size
    return b"".join(
        [
            _HEADER.pack(APPLE_DOUBLE, 0x20000, 2),
            _ENTRY.pack(_FINDER_INFO, start, 32),
            _ENTRY.pack(_RESOURCE_FORK, start + 32, len(file.resources)),
            file.finder,
            file.resources,
        ]
    )
