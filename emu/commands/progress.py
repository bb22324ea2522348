"""Progress bars on the terminal's error stream; they disappear when the command is done."""

from __future__ import annotations

import argparse

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from emu.commands.console import SafeConsole


def counted_progress(
    arguments: argparse.Namespace, unit: str = "", *, has_time_left: bool = False
) -> Progress:
    """Make a progress display: a bar for each task, the parts done and in all, and the time.

    Args:
        arguments: the parsed options; with ``--quiet`` nothing is shown.
        unit: the noun after the numbers, such as "calls".
        has_time_left: whether an estimate of the time left is shown, too.
    """
    errors = SafeConsole(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        *([TextColumn(unit, markup=False)] if unit else []),
        TimeElapsedColumn(),
        *([TimeRemainingColumn()] if has_time_left else []),
        console=errors,
        transient=True,
        disable=arguments.quiet or not errors.is_terminal,
    )
