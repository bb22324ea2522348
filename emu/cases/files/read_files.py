"""Notes which files the Python of cases reads while it is imported and while it runs.

What a reference says may rest on a file: a table in JSON, or a module that is imported by a name
that it computes. The text of its modules does not show that, but Python does: it calls an audit
hook for each file that is opened. The hook notes the file's digest under each module that is
executing at that moment. So the file counts for all cases that use one of these modules, whichever
of them ran first.

Not seen is what other programs read for a reference, what it asks the system for (the time, the
names in a folder), and what a module has read before macproof was asked for a case.
"""

from __future__ import annotations

import contextlib
import os
import site
import stat
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType

from emu.toolchain.build_cache import digest_of

ABSENT = "absent"
"""Stands for the digest of a file that a reference has looked for, and that is not there."""

_KIT = Path(__file__).resolve().parents[2]
_INSTALLED = tuple(
    {
        *(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *(sys.prefix, sys.base_prefix, site.getusersitepackages(), str(_KIT)),
        *("/proc", "/sys", "/dev"),
    }
)
_WATCHED = frozenset({"open", "sqlite3.connect", "ctypes.dlopen"})
_SMALL = 1 << 16  # bytes of a file whose digest is taken anew each time

_Stamp = tuple[int, int, int]


class _Notes:
    """What has been noted in this process."""

    def __init__(self) -> None:
        self.is_installed = False
        self.depth = 0
        self.by_reader: dict[str, dict[Path, str]] = {}
        self.digests: dict[Path, tuple[_Stamp, str]] = {}
        self.written: set[Path] = set()

    def note(self, event: str, arguments: tuple[object, ...]) -> None:
        """Note the file of an event. It must not raise anything: that would stop who opens it."""
        self.depth, depth = 0, self.depth  # what this opens itself is not noted
        try:
            self._note(event, arguments)
        except (OSError, ValueError, TypeError):
            pass  # it is no file, and Python says so to whoever opens it
        finally:
            self.depth = depth

    def _note(self, event: str, arguments: tuple[object, ...]) -> None:
        given = arguments[0]
        if not isinstance(given, (str, bytes, os.PathLike)):
            return
        path = Path(os.path.realpath(os.fsdecode(given)))
        if event == "open" and _writes(*arguments[1:3]):
            self.written.add(path)
        if path in self.written or str(path).startswith(_INSTALLED):
            return
        if path.suffix == ".pyc":
            path = Path(source_from_cache(path))
        if path.exists() and not path.is_file():
            return
        digest = self.digest(path)
        for reader in set(_readers(sys._getframe(3))):
            self.by_reader.setdefault(reader, {})[path] = digest

    def digest(self, path: Path) -> str:
        """The digest of a file; a large one is not read again while it looks the same."""
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                return ABSENT
            if status.st_size < _SMALL:
                return digest_of(path)
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self.digests.get(path, ((0, 0, 0), ""))[0] != stamp:
                self.digests[path] = stamp, digest_of(path)
            return self.digests[path][1]
        except OSError:
            return ABSENT


_notes = _Notes()


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    """The audit hook: Python calls it for every `id`, so most events must pass by at once.

    A method that looked at its object first took 0.8 us in place of 0.4, and a copy of a scene
    asks for a dozen identities.
    """
    if event in _WATCHED and _notes.depth:
        _notes.note(event, arguments)


def _writes(mode: object = None, flags: object = 0) -> bool:
    """Whether a file is opened to be written to: the arguments of the event "open"."""
    if isinstance(mode, str):
        return bool(set(mode) & set("wax+"))
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


def _readers(frame: FrameType | None) -> Iterator[str]:
    """The files of the modules that are executing."""
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back


@contextlib.contextmanager
def noting_files() -> Iterator[None]:
    """Notes which files are read while Python of a case runs.

    The hook stays for the life of the process, as Python cannot remove one. Outside of the ``with``
    block it returns at once.
    """
    if not _notes.is_installed:
        sys.addaudithook(_hook)
        _notes.is_installed = True
    _notes.depth += 1
    try:
        yield
    finally:
        _notes.depth -= 1


def files_read_by(modules: Iterable[Path]) -> Mapping[Path, str]:
    """The files that some modules have read; if one of these is a module, also what that has read.

    Args:
        modules: the files of the modules.

    Returns:
        The SHA-256 of each when it was read last, or `ABSENT`; without the modules themselves.
    """
    readers = set(modules)
    digests: dict[Path, str] = {}
    waiting = [*readers]
    while waiting:
        for path, digest in _notes.by_reader.get(str(waiting.pop()), {}).items():
            if path not in digests and path not in readers:
                digests[path] = digest
                waiting.append(path)
    return digests


def have_changed(files: Mapping[Path, str]) -> list[Path]:
    """Which of some files have another digest now than when they were read."""
    return [path for path, digest in files.items() if _notes.digest(path) != digest]


def forget_files_of(modules: Iterable[Path]) -> None:
    """Forget what some modules have read, because they are imported anew."""
    for module in modules:
        _notes.by_reader.pop(str(module), None)
