"""What ``macproof timing`` prints of the models' own evidence, in place of a prediction."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.commands.interface.outputs import output_file, publish, report_places
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.cycles.validation.compiler_pairs import compiler_pairs
from emu.cycles.validation.published_times import published_programs, published_times, times_text
from emu.timing.validation.compilers_report import compilers_document, compilers_report
from emu.timing.validation.program_times import find_programs, measure_all
from emu.timing.validation.published_report import published_document, published_report

COMMITTED = Path("-")
"""What ``--published`` is if no folder is given: the figures that come with macproof."""


class _InPlaceOfPrediction(argparse.Action):
    """An option after which the command does something else."""

    def __init__(self, *, run: Any, **named: Any) -> None:
        super().__init__(**named)
        self._run = run

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Path | str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values)
        namespace.run = self._run


def add_validation_options(parser: argparse.ArgumentParser) -> None:
    """Declare ``--published`` and ``--figures``."""
    parser.add_argument(
        "--published",
        action=_InPlaceOfPrediction,
        run=run_published,
        nargs="?",
        const=COMMITTED,
        type=Path,
        metavar="DIR",
        help="print instead times that were published for exact binaries, beside those that the "
        "models predict; with a folder of the discs that have these binaries, run them again",
    )
    parser.add_argument(
        "--measured-compilers",
        action=_InPlaceOfPrediction,
        run=run_compilers,
        nargs=0,
        default=[],
        help="print instead what compilers of the time made of their programs' sources, beside "
        "the build period of the same sources",
    )
    parser.add_argument(
        "--figures",
        action=_InPlaceOfPrediction,
        run=run_published,
        type=output_file,
        metavar="FILE",
        help="write the times of --published DIR as the file that comes with macproof",
    )


def run_compilers(arguments: argparse.Namespace, console: Console) -> int:
    """Print what compilers of the time made of sources, from the figures that come along."""
    _refuse_subjects(arguments, "--measured-compilers")
    report = compilers_report(compiler_pairs(), arguments.command_line)
    publish(compilers_document(report), arguments, console)
    return 0


def _refuse_subjects(arguments: argparse.Namespace, option: str) -> None:
    """Refuse what says which program a prediction is about.

    Raises:
        UsageError: something of that is given.
    """
    if arguments.case or arguments.cpu or arguments.build or arguments.mhz is not None:
        raise UsageError(
            f"{option} names its programs itself: leave out the case, --cpu, --build and --mhz"
        )


def run_published(arguments: argparse.Namespace, console: Console) -> int:
    """Print published and predicted times; 1 if a prediction is not the one that comes along."""
    if arguments.figures is not None and arguments.published in (None, COMMITTED):
        raise UsageError("--figures writes what --published DIR has measured: give a folder")
    _refuse_subjects(arguments, "--published")
    programs, known = published_programs(), published_times()
    times, read = known, []
    if arguments.published != COMMITTED:
        found = find_programs(arguments.published, programs)
        read = [
            NamedFile("a published file", path) for one in found for path in (one.binary, one.table)
        ]
        places = [*report_places(arguments), NamedFile("--figures", arguments.figures)]
        refuse_overwriting([place for place in places if place.path is not None], read)
        times = measure_all(found)
    report = published_report(times, programs, known, arguments.command_line)
    if arguments.figures is not None:
        write_whole(arguments.figures, times_text(times).encode())
    publish(published_document(report), arguments, console)
    return 1 if report.changed else 0
