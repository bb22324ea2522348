"""Progress bars on the terminal's error stream; they disappear when the command is done."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Callable, Iterator

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from emu.commands.interface.console import SafeConsole

_SECONDS_BETWEEN_LINES = 30


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


@contextlib.contextmanager
def progress_in_words(arguments: argparse.Namespace) -> Iterator[Callable[[str], None]]:
    """Show how far something is that cannot be counted.

    A terminal shows the last words and the time. Where the error stream goes elsewhere, it gets a
    line each half minute, so that nobody waits for minutes without a word.

    Args:
        arguments: the parsed options; with ``--quiet`` nothing is shown.

    Yields:
        What is called with the words.
    """
    errors = SafeConsole(stderr=True)
    if arguments.quiet:
        yield lambda words: None
        return
    if not errors.is_terminal:
        yield _Lines(errors).show
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("")
        yield lambda words: progress.update(task, description=words)


class _Lines:
    """Writes a line from time to time."""

    def __init__(self, errors: SafeConsole) -> None:
        self._errors, self._last = errors, time.monotonic()

    def show(self, words: str) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            self._errors.print(words, markup=False, highlight=False)
