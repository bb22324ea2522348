"""``macproof replay``: verify the cases of a bundle that macproof port bundle has written."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.temporary import temporary_folder
from emu.commands.interface.numbers import add_jobs_option
from emu.commands.interface.outputs import (
    add_report_options,
    output_folder,
    publish,
    report_places,
)
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.commands.verify import EXIT_CODES
from emu.port.status.bundle import unpack_bundle
from emu.port.status.bundle_replay import replay_bundle, replay_document
from emu.report.forms.terminal import say


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("bundle", type=Path, metavar="FILE", help="the bundle")
    parser.add_argument(
        "--into",
        type=output_folder,
        metavar="DIR",
        help="keep its files in this folder, which must be empty or not there",
    )
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run the Python code of its cases; without it nothing is run",
    )
    add_jobs_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Unpack and verify; the exit code is that of the worst verdict."""
    refuse_overwriting(report_places(arguments), [NamedFile("the bundle", arguments.bundle)])
    with _folder(arguments) as folder:
        bundle = unpack_bundle(arguments.bundle, folder)
        if bundle.cases and not arguments.trust:
            raise UsageError(
                f"{arguments.bundle} has {len(bundle.cases)} cases, whose Python code would be "
                "run. Look at it (--into DIR keeps the files), and add --trust"
            )

        def tell(name: str) -> None:
            if not arguments.quiet:
                say(console, f"This runs the Python code of {name} in the bundle.")

        report = replay_bundle(arguments.bundle, bundle, folder, jobs=arguments.jobs, on_case=tell)
    publish(replay_document(report), arguments, console)
    return EXIT_CODES[report.verdict]


@contextlib.contextmanager
def _folder(arguments: argparse.Namespace) -> Iterator[Path]:
    if arguments.into is None:
        with temporary_folder() as folder:
            yield folder
        return
    if arguments.into.exists() and any(arguments.into.iterdir()):
        raise UsageError(f"--into {arguments.into}: the folder is not empty")
    arguments.into.mkdir(parents=True, exist_ok=True)
    yield arguments.into
