"""Temporary folders that are removed when their process ends, even by ``kill -9``."""

from __future__ import annotations

import contextlib
import multiprocessing
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from multiprocessing.util import Finalize, get_temp_dir
from pathlib import Path

# Reads until its standard input is closed, which happens when the process that started it has
# ended, in whatever way. In a session of its own it survives a signal to all processes of a
# terminal.
_GUARD = 'read -r line; rm -rf -- "$@"'
_LAST = -1000

_folders: list[Path] = []
_making = threading.Lock()


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder, which is removed at the end of the ``with`` block."""
    with tempfile.TemporaryDirectory(dir=guarded_folder()) as name:
        yield Path(name)


def guarded_folder() -> Path:
    """The folder for all temporary folders of this process; it is removed when the process ends.

    A process that is killed cannot remove anything. So a shell is started that waits for the end
    of this process and then removes the folder, and with it the one in which `multiprocessing` has
    the socket of its fork server. Where there is no ``/bin/sh``, a process that is killed leaves
    both behind.
    """
    with _making:
        if not _folders:
            folder = Path(tempfile.mkdtemp(prefix="macproof-"))
            # After `multiprocessing` has removed its own.
            Finalize(None, shutil.rmtree, (folder, True), exitpriority=_LAST)
            # A worker uses its parent's folder of `multiprocessing`.
            is_worker = multiprocessing.parent_process() is not None
            _guard([str(folder)] if is_worker else [str(folder), get_temp_dir()])
            _folders.append(folder)
        return _folders[0]


def _guard(folders: list[str]) -> None:
    with contextlib.suppress(OSError):
        guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "macproof-guard", *folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        Finalize(None, _dismiss, (guard,), exitpriority=_LAST)


def _dismiss(guard: subprocess.Popen[bytes]) -> None:
    assert guard.stdin is not None
    guard.stdin.close()
    guard.wait()
