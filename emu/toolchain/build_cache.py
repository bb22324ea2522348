"""A cache of what compilers made, and of checks that were passed.

An entry is a small file with the digests of the files that were read and of the file that was made.
The made file lies beside the entry, named after its digest. Such an entry is not trusted: it is
used only if every file it names is unchanged and the made file has the right digest.

A check that was passed leaves an empty file, named after the digest of all that was checked. It is
trusted, as Python trusts the bytecode that it keeps: who may write the folder can skip a check. So
folders and files are used only if they are the user's and nobody else can write to them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from emu.base.errors import InputError
from emu.base.files import read_file, why_refused, write_whole

_SCHEMA = "macproof.kept/1"
_MODE = 0o644
_REMEDY = "Take it from others (chmod go-w), or name another folder in MACPROOF_CACHE"


@dataclass(frozen=True, slots=True)
class CompilerOutput:
    """Something a compiler made.

    Attributes:
        path: the file; its name contains the SHA-256 of its contents.
        sha256: this digest.
        read: SHA-256 of each file that was read and is not part of the key, by path.
    """

    path: Path
    sha256: str
    read: Mapping[str, str]


def cache_folder() -> Path:
    """The folder of the cache: ``$MACPROOF_CACHE``, or one in the user's cache folder."""
    chosen = os.environ.get("MACPROOF_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("macproof")


def key_of(*parts: str) -> str:
    """The key of what is made from these inputs."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def find(key: str, suffix: str) -> CompilerOutput | None:
    """Find what was made for a key; None if it is missing, damaged or no longer valid.

    Raises:
        InputError: the folder is not the user's, or others can write to it.
    """
    folder = _own_folder("programs")
    try:
        entry = json.loads(read_file(_own(folder / f"{key}.json")))
        if (entry["schema"], entry["key"]) != (_SCHEMA, key):
            return None
        sha256, read = str(entry["sha256"]), dict(entry["read"])
        path = folder / f"{sha256}{suffix}"
        if digest_of(_own(path)) != sha256:
            return None
        if any(digest_of(Path(name)) != digest for name, digest in read.items()):
            return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        return None  # it is missing or damaged, so it is made again
    return CompilerOutput(path, sha256, read)


def keep(key: str, suffix: str, content: bytes, read: Mapping[str, str]) -> CompilerOutput:
    """Store what was made for a key.

    Raises:
        InputError: it cannot be written, the folder is not the user's, or others can write to it.
    """
    folder = _own_folder("programs")
    sha256 = hashlib.sha256(content).hexdigest()
    path = folder / f"{sha256}{suffix}"
    with contextlib.suppress(OSError):
        if digest_of(path) == sha256:  # kept for another key; somebody may be reading it
            content = b""
    if content:
        write_whole(path, content, mode=_MODE)
    entry = {"schema": _SCHEMA, "key": key, "sha256": sha256, "read": dict(read)}
    write_whole(folder / f"{key}.json", json.dumps(entry).encode(), mode=_MODE)
    return CompilerOutput(path, sha256, read)


def is_known(key: str) -> bool:
    """Whether `remember` was called with this key, in this process or an earlier one."""
    try:
        path = cache_folder() / "known" / key
        return path.is_file() and bool(_own(_own_folder("known") / key))
    except (OSError, InputError):  # a folder that may not be searched, or is somebody else's
        return False


def remember(key: str) -> None:
    """Remember that something holds; see `key_of`. Where nothing can be written, nothing is."""
    with contextlib.suppress(InputError):
        write_whole(_own_folder("known") / key, b"", mode=_MODE)


def _own_folder(name: str) -> Path:
    """A folder of the cache, which is made if it is not there.

    Raises:
        InputError: it cannot be made, is not the user's, or others can write to it.
    """
    folder = cache_folder()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        for path in (folder, folder / name):
            path.mkdir(mode=0o700, exist_ok=True)
            _own(path)
    except OSError as error:
        raise InputError(
            folder,
            f"cannot be written: {why_refused(error)}",
            remedy="Name another folder in MACPROOF_CACHE",
        ) from error
    return folder / name


def _own(path: Path) -> Path:
    """Require that nobody else can have written a file or folder; its path again.

    Raises:
        InputError: somebody else can.
        OSError: it is not there.
    """
    status = path.lstat() if path.is_file() else path.stat()
    if status.st_uid != os.geteuid():
        raise InputError(path, "it is not used: it belongs to somebody else", remedy=_REMEDY)
    if stat.S_ISLNK(status.st_mode) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InputError(path, "it is not used: others can write to it", remedy=_REMEDY)
    return path


def digest_of(path: Path) -> str:
    """SHA-256 of a file.

    Raises:
        OSError: it cannot be read.
    """
    return hashlib.sha256(read_file(path)).hexdigest()
