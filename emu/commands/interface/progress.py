"""Progress bars on the terminal's error stream; they disappear when the command is done."""

from __future__ import annotations

import argparse

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from emu.commands.interface.console import SafeConsole


def counted_progress(
    arguments: argparse.Namespace, unit: str = "", *, has_words: bool = False
) -> Progress:
    """Make a progress display: a bar for each task, the parts done and in all, and the time.

    Args:
        arguments: the parsed options; with ``--quiet`` nothing is shown.
        unit: the noun after the numbers, such as "calls".
        has_words: whether each task has words that are shown behind all of this: its field
            ``words``.
    """
    errors = SafeConsole(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        *([TextColumn(unit, markup=False)] if unit else []),
        TimeElapsedColumn(),
        *([TextColumn("{task.fields[words]}", markup=False)] if has_words else []),
        console=errors,
        transient=True,
        disable=arguments.quiet or not errors.is_terminal,
    )
