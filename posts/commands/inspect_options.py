"""What the posts add to ``macproof inspect``: the habits of compilers that programs show."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.interface.outputs import publish
from macproof import UsageError
from posts.habits.document import habits_document
from posts.habits.find import habits_of_files


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--habits",
        dest="run",
        action="store_const",
        const=run,
        help="of one or several programs, count what compilers did in different ways: frames, "
        "multiplications, globals, ...",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the habits that programs show; the exit code is 0 if one of them can be read."""
    for option in ("symbols", "routine", "cpu"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--habits and --{option} do not go together")
    report = habits_of_files(arguments.programs, arguments.command_line)
    document = habits_document(report)
    publish(document, arguments, console)
    return 0
