"""``macproof completion``: print a script by which a shell completes commands and options.

The script is made whole by shtab, so that a Tab starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import shtab
from rich.console import Console

_SHELLS = ("bash", "zsh", "fish")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=_SHELLS, help="the shell that reads the script")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the script; values that are not words of macproof's own are completed as files."""
    for action in _actions(arguments.parser):
        if action.choices is None and action.nargs != 0:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(arguments.parser, arguments.shell), end="")
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The options and arguments of a parser and of the commands below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action
