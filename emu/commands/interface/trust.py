"""Whose Python code a command is about to run, when it was not asked for it by name.

A report is data, and may come from anybody. It names the file of its case, though, and what makes
scenes and answers of a case is Python code, which can do whatever the user can.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.report.forms.terminal import say
from emu.toolchain.sources import mac_sources


def add_trust_option(parser: argparse.ArgumentParser) -> None:
    """Declare --trust."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run the Python code of the case that the report names, also if it is not below the "
        "folder that the command is called in",
    )


def require_trust(cases: Iterable[Path], arguments: argparse.Namespace, console: Console) -> None:
    """Say whose Python code is run, unless it is macproof's own.

    Args:
        cases: the files of the cases that a report names.
        arguments: the command line.
        console: where it is said.

    Raises:
        UsageError: one of them is not below the folder that the command is called in, and the user
            has not said that it may be.
    """
    for path in dict.fromkeys(cases):
        place = path.resolve()
        if place.is_relative_to(mac_sources().parent):
            continue
        if not arguments.trust and not place.is_relative_to(Path.cwd().resolve()):
            raise UsageError(
                f"the report names the case {path}, whose Python code would be run. It is not "
                "below this folder, so the report may lead to somebody else's: look at it, and "
                "add --trust"
            )
        if not arguments.quiet:
            say(console, f"This runs the Python code of {path}.")
