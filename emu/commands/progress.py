"""How far a command is: a line on the error stream of a terminal, gone when it is done."""

from __future__ import annotations

import argparse

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from emu.commands.console import SafeConsole


def counted_progress(arguments: argparse.Namespace, unit: str = "") -> Progress:
    """A bar for each task, with how many of its parts are done and for how long it has been going.

    Args:
        arguments: nothing is shown with ``--quiet``.
        unit: what is counted, said after the numbers.
    """
    errors = SafeConsole(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        *([TextColumn(unit, markup=False)] if unit else []),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=arguments.quiet or not errors.is_terminal,
    )
