"""Files read within a limit, and written whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from emu.base.errors import InputError


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
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as problem:
        raise error(path, f"cannot be read: {problem.strerror}") from problem
    except ValueError as problem:
        raise error(path, f"cannot be read: {problem}") from problem
    if len(data) > limit:
        raise error(path, f"it has more than {limit:,} bytes, which is too large for {what}")
    return data


def sha256_of(path: Path, limit: int) -> str:
    """The digest of a file's contents in hexadecimal, or "" if it is no file or too large.

    Args:
        path: what may be a file.
        limit: how many bytes it may have.
    """
    try:
        if not path.is_file() or path.stat().st_size > limit:
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, also when two processes do so at once.

    Raises:
        InputError: it cannot be written there.
    """
    partial = ""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written, not replaced
            path.write_bytes(content)
            return
        if path.is_symlink():  # the file it leads to is replaced, and the link stays
            path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            partial = file.name
            file.write(content)
        os.chmod(partial, 0o666 & ~_umask())
        os.replace(partial, path)
    except (OSError, ValueError) as error:
        if partial:
            with contextlib.suppress(OSError):
                os.unlink(partial)
        reason = error.strerror if isinstance(error, OSError) else error
        if isinstance(error, FileExistsError):  # from mkdir: the folder's name is that of a file
            reason = f"{error.filename} is not a folder"
        raise InputError(path, f"cannot be written: {reason}") from error


def _umask() -> int:
    """The permissions that new files of this process do not get.

    The operating system tells them only to a caller who sets others.
    """
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
