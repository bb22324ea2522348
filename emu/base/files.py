"""Files read within a limit, and written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from io import BufferedReader
from pathlib import Path

from emu.base.errors import InputError

_OF_THE_SYSTEM = (Path("/dev"), Path("/dev/fd"))
_PIECE = 1 << 20


def read_at_most(path: Path, limit: int, what: str, error: type[InputError] = InputError) -> bytes:
    """The contents of a file that somebody else made.

    The bytes are counted while they are read, because a device such as ``/dev/zero`` has no size
    and never ends.

    Args:
        path: the file.
        limit: how many bytes it may have.
        what: what it should be, for the message ("a report").
        error: the exception to raise.

    Raises:
        InputError: it cannot be read, or has more bytes.
    """
    try:
        with open_file(path) as file:
            data = _at_most(file, limit + 1)
    except OSError as problem:
        raise error(path, f"cannot be read: {problem.strerror}") from problem
    except ValueError as problem:
        raise error(path, f"cannot be read: {problem}") from problem
    if len(data) > limit:
        raise error(path, f"it has more than {limit:,} bytes, which is too large for {what}")
    return data


def open_file(path: Path) -> BufferedReader:
    """Open a file that somebody else made; a pipe in its place would have macproof wait for ever.

    Raises:
        OSError: it cannot be opened, or is a pipe and none of the shell's, as ``<(command)`` makes.
        ValueError: no file can have this name.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    is_pipe = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    if is_pipe and path.parent not in _OF_THE_SYSTEM:
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a pipe; write what comes out of it into a file")
    os.set_blocking(descriptor, True)
    return open(descriptor, "rb")


def read_file(path: Path) -> bytes:
    """All of a file, like ``path.read_bytes()``; see `open_file`."""
    with open_file(path) as file:
        return file.read()


def _at_most(file: BufferedReader, size: int) -> bytes:
    """So many bytes of a file, or all; `file.read` would reserve memory for as many at once."""
    pieces = []
    while size > 0 and (piece := file.read(min(size, _PIECE))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def sha256_of(path: Path, limit: int) -> str:
    """The digest of a file's contents in hexadecimal, or "" if it is no file or too large.

    Args:
        path: what may be a file.
        limit: how many bytes it may have.
    """
    try:
        if not path.is_file() or path.stat().st_size > limit:
            return ""
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def write_whole(
    path: Path, content: bytes, *, below: Path | None = None, mode: int = 0o666
) -> None:
    """Write a file whole or not at all, also when two processes do so at once.

    It never goes through a link: somebody else may have prepared the folder, and his links would
    lead anywhere. Only the folder itself may be one, which the user has named.

    Args:
        path: the file. In ``/dev`` it may be a device or a pipe, such as ``/dev/stdout``, which is
            written to. Elsewhere it is a regular file, or nothing yet.
        content: its bytes.
        below: the folder that the user has named; by default the one that the file is in. Folders
            between it and the file are made, and may not be links.
        mode: the permissions of the file, less those that the user never gives.

    Raises:
        InputError: it cannot be written there.
    """
    try:
        if below is None and is_of_the_system(path):
            path.write_bytes(content)
            return
        top = below or path.parent
        top.mkdir(parents=True, exist_ok=True)
        between = path.parent.relative_to(top).parts
        folder = _open_folder(top, between)
        try:
            _replace(folder, path.name, content, mode & ~_umask())
        finally:
            os.close(folder)
    except (OSError, ValueError) as error:
        reason = why_refused(error) if isinstance(error, OSError) else error
        raise InputError(path, f"cannot be written: {reason}") from error


def why_refused(error: OSError) -> str:
    """Why a file or a folder could not be made, in words."""
    if isinstance(error, FileExistsError):  # from mkdir: the folder's name is that of a file
        return f"{error.filename} is not a folder"
    return error.strerror or str(error)


def is_of_the_system(path: Path) -> bool:
    """Whether a path is a device, or an open file of this process such as ``/dev/stdout``."""
    return path.parent in _OF_THE_SYSTEM and not path.is_file()


def why_not_replaced(path: Path | str, folder: int | None = None) -> str:
    """Why a file may not be replaced: it is a link, a folder or a device; "" if it may.

    Args:
        path: the file, which need not exist.
        folder: the descriptor of the folder that a relative path begins at.
    """
    try:
        mode = os.stat(path, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return ""
    if stat.S_ISLNK(mode):
        return "it is a link, and links are not followed; name the file that it leads to"
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return "" if stat.S_ISREG(mode) else "it is a device or a pipe, and no regular file"


_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def _open_folder(top: Path, parts: tuple[str, ...]) -> int:
    """The descriptor of a folder below another; what is not there is made."""
    here = os.open(top, _FOLDER)
    for part in parts:
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=here)
            below = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise ValueError(f"{part} in its path is a link, or no folder") from error
            raise
        finally:
            os.close(here)
        here = below
    return here


def _replace(folder: int, name: str, content: bytes, mode: int) -> None:
    why = why_not_replaced(name, folder)
    if why:
        raise ValueError(why)
    partial = f".{secrets.token_hex(8)}.partial"
    own = os.open(
        partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder
    )
    try:
        with os.fdopen(own, "wb") as file:
            file.write(content)
            os.fchmod(own, mode)
        os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(partial, dir_fd=folder)
        raise


def _umask() -> int:
    """The permissions that new files of this process do not get.

    The operating system tells them only to a caller who sets others.
    """
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
