"""Answers ``monitor`` commands of a debugger: what the Toolbox knows of the program."""

from __future__ import annotations

from emu.toolbox.macintosh import Macintosh


def answer(mac: Macintosh, words: str) -> str:
    """The answer to a command, lines of text; of an unknown one, which there are."""
    return f"there is no monitor command {words!r}\n"
