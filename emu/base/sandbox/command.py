"""Commands that give up rights before they begin."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_ROOT = str(Path(__file__).resolve().parents[3])
_ENTRY = (
    f"import sys; sys.path.insert(0, {_ROOT!r}); from emu.base.sandbox.entry import main; main()"
)


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """How much of the computer a process may use; 0 is as much as it likes.

    Attributes:
        memory: bytes of memory.
        file: bytes of a file that it writes.
        seconds: of processor time.
    """

    memory: int = 0
    file: int = 0
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Folders:
    """What of the files of a computer a process gets to see, where the system can hide the others.

    Attributes:
        seen: what it may read and execute.
        own: what it may also write.
    """

    seen: tuple[str, ...]
    own: tuple[str, ...]


_ALL = Folders((), ())


def sandboxed(
    command: Sequence[str],
    limits: ProcessLimits,
    *,
    folders: Folders = _ALL,
    socket: int | None = None,
) -> list[str]:
    """A command that runs another within limits, without network, and leaves no core file.

    Args:
        command: the program and its arguments.
        limits: how much it may use.
        folders: what it sees; all by default.
        socket: a socket that it inherits, by which a `Door` gets hold of it: then it can do nothing
            but compute as soon as the door is shut.
    """
    resources = {
        "RLIMIT_DATA": limits.memory,
        "RLIMIT_FSIZE": limits.file,
        "RLIMIT_CPU": limits.seconds,
    }
    bounds = [("RLIMIT_CORE", 0), *((name, value) for name, value in resources.items() if value)]
    asked = (bounds, socket, list(folders.seen), list(folders.own), list(command))
    # -I and -S: neither the user's environment nor installed packages are looked at.
    return [sys.executable, "-I", "-S", "-c", _ENTRY, marshal.dumps(asked).hex()]
