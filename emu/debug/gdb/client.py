"""GDB itself: where it is on this computer, and the words that connect it."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from emu.base.errors import ToolMissingError

_NAMES = ("gdb-multiarch", "gdb")
"""Debian's GDB for all processors; elsewhere ``gdb`` may be one."""


def gdb_words(
    port: int,
    sources: Sequence[Path] = (),
    command: str = _NAMES[0],
    commands: Path | None = None,
) -> list[str]:
    """The command that starts GDB and connects it, a word each.

    Args:
        port: where macproof listens.
        sources: folders in which GDB looks for source files.
        command: the name of GDB.
        commands: a file with commands that GDB executes before it ends; None for a user who types.
    """
    words = [command] if commands is None else [command, "-batch"]
    for folder in sources:
        words += ["-ex", f"directory {folder}"]
    words += ["-ex", f"target remote localhost:{port}"]
    return words if commands is None else [*words, "-x", str(commands)]


def line_to_paste(port: int, sources: Sequence[Path] = ()) -> str:
    """The same as a line for a shell."""
    return shlex.join(gdb_words(port, sources))


def find_gdb() -> str:
    """The GDB of this computer.

    Raises:
        ToolMissingError: there is none.
    """
    for name in _NAMES:
        found = shutil.which(name)
        if found is not None:
            return found
    raise ToolMissingError(
        "GDB is not installed: there is neither gdb-multiarch nor gdb. Debian has it as "
        "gdb-multiarch."
    )
