"""Options that name output files, and documents written into these.

A file that cannot be written is refused before the work.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console

from emu.base.files import is_of_the_system, why_not_replaced
from emu.commands.interface.overwriting import NamedFile, places_of
from emu.report.document import Document
from emu.report.forms.terminal import print_document, say
from emu.report.forms.write import ReportFiles, write_documents

_FORMS = {
    "json": "JSON, for programs",
    "junit": "JUnit XML, for continuous integration",
    "markdown": "Markdown, for a pull request",
    "html": "one HTML file, with the plots and scenes, for a browser",
}


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """Declare --json, --junit, --markdown and --html."""
    for form, words in _FORMS.items():
        parser.add_argument(
            f"--{form}", type=output_file, metavar="FILE", help=f"write the report as {words}"
        )


def report_files(arguments: argparse.Namespace) -> ReportFiles:
    """The files given with these options."""
    return ReportFiles(**{form: getattr(arguments, form, None) for form in _FORMS})


def publish(
    document: Document,
    arguments: argparse.Namespace,
    console: Console,
    pictures: Mapping[str, Path] | None = None,
    *,
    names_files: bool = False,
) -> None:
    """Write a document into the files that the options ask for, and print it unless quiet.

    Args:
        document: the document.
        arguments: the command line.
        console: where it is printed.
        pictures: the files to draw its plots into, by the plots' names.
        names_files: whether each file that was written is named below it.
    """
    written = write_documents([document], report_files(arguments), pictures)
    if arguments.quiet:
        return
    print_document(document, console, verbose=arguments.verbose)
    for path in written if names_files else ():
        say(console, f"{path} written")


def report_places(arguments: argparse.Namespace) -> Iterator[NamedFile]:
    """The same files, as `emu.commands.interface.overwriting.refuse_overwriting` wants them."""
    return places_of(arguments, *_FORMS)


def output_file(text: str) -> Path:
    """Read the name of a file to write. It may exist, and may be a device such as ``/dev/stdout``.

    Raises:
        argparse.ArgumentTypeError: the file cannot be written, or its folder does not exist.
    """
    path = Path(text)
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a file")
    try:
        if is_of_the_system(path):
            _require_access(path)
            return path
        _require_folder(path.parent, path)
        why = why_not_replaced(path)
        if why:
            raise argparse.ArgumentTypeError(f"{path} cannot be written: {why}")
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be written: {error.strerror}") from error
    return path


def output_folder(text: str) -> Path:
    """Read the name of a folder to write files into; it need not exist.

    Raises:
        argparse.ArgumentTypeError: the folder can neither be written to nor made.
    """
    path = Path(text)
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a folder")
    try:
        there = path
        while not os.path.lexists(there) and there != there.parent:
            there = there.parent
        _require_folder(there, path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be written: {error.strerror}") from error
    return path


def _require_folder(folder: Path, path: Path) -> None:
    if not folder.is_dir():
        why = "is not a folder" if os.path.lexists(folder) else "does not exist; make it first"
        raise argparse.ArgumentTypeError(f"{path} cannot be written: {folder} {why}")
    _require_access(folder)


def _require_access(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise argparse.ArgumentTypeError(f"{path} cannot be written: permission denied")
