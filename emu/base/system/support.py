"""Which operating systems macproof runs on, and what runs on Linux only."""

from __future__ import annotations

import platform
import sys

from emu.base.errors import ToolMissingError, UsageError


def require_posix() -> None:
    """Refuse Windows at once, before a module is missed that it does not have.

    Raises:
        UsageError: this is Windows.
    """
    if sys.platform == "win32":
        raise UsageError(
            "macproof does not run on Windows itself. Use WSL, the Windows Subsystem for Linux: "
            "wsl --install, then install macproof in the Linux that it brings"
        )


def require_linux(what: str) -> None:
    """Refuse what no other system has.

    Args:
        what: what is asked for, as the subject of a sentence ("the engine qemu-user").

    Raises:
        ToolMissingError: this is no Linux.
    """
    if sys.platform != "linux":
        name = {"darwin": "macOS"}.get(sys.platform) or platform.system() or sys.platform
        raise ToolMissingError(f"{what} runs on Linux only, and this is {name}")
