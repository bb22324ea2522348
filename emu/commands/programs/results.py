"""``macproof results``: check what PortCheck wrote on a real or emulated Macintosh."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from emu.base.errors import InputError, UsageError
from emu.base.files import write_whole
from emu.commands.interface.console import SafeConsole
from emu.commands.interface.outputs import (
    add_report_options,
    output_file,
    publish,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import NamedFile, places_of, refuse_overwriting
from emu.program.mac_file.mac_file import host_files
from emu.report.forms.terminal import say
from emu.report.forms.write import ReportFiles
from emu.results.check import VERIFIED, CheckedResults, check_results
from emu.results.document import results_document
from emu.results.results_file import read_results_file
from emu.results.scenes_file import (
    SCENES_NAME,
    ScenesFile,
    default_scenes,
    make_scenes_file,
    parse_scenes_file,
    read_scenes_file,
)
from emu.results.speeds import plot_name, routines
from emu.timing.portcheck import predicted_cycles


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="a results file from a Macintosh, plain, MacBinary, or disk.dsk:NAME",
    )
    parser.add_argument(
        "--scenes",
        type=Path,
        metavar="FILE",
        help="the scenes that were beside PortCheck, plain, MacBinary, or disk.dsk:NAME "
        "(default: the kit's own)",
    )
    parser.add_argument(
        "--write-scenes",
        type=output_file,
        metavar="FILE",
        help="write the kit's scenes for PortCheck",
    )
    parser.add_argument(
        "--collect",
        type=Path,
        metavar="DIR",
        help="check every file of a folder and of the folders in it, hold its times against the "
        "cycle models, and name the machines that stand out",
    )
    add_report_options(parser)
    parser.add_argument(
        "--png", type=output_file, metavar="FILE", help="draw the speeds, with the figures of 1994"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Check every results file; 1 if one is refuted, else 2 if one cannot be checked."""
    if arguments.collect is not None:
        arguments.files = [*arguments.files, *_files_in(arguments.collect)]
    files: list[Path] = arguments.files
    if not files and arguments.write_scenes is None:
        raise UsageError("give the results files, --collect DIR or --write-scenes FILE")
    if not files and (
        report_files(arguments) != ReportFiles() or arguments.png or arguments.scenes
    ):
        raise UsageError("--scenes, --png and reports need results files")
    refuse_overwriting(_output_files(arguments), _read(arguments))
    if not files:
        _write_scenes(arguments.write_scenes, console, arguments.quiet)
        return 0
    began = time.monotonic()
    scenes = default_scenes() if arguments.scenes is None else read_scenes_file(arguments.scenes)
    checked, unusable = _check(files, scenes, SafeConsole(stderr=True))
    pictures = _pictures(checked, arguments.png) if arguments.png is not None and checked else {}
    refuse_overwriting(_output_files(arguments, pictures.values()), _read(arguments))
    if arguments.write_scenes is not None:
        _write_scenes(arguments.write_scenes, console, arguments.quiet)
    cycles = None if arguments.collect is None else predicted_cycles(checked)
    document = results_document(checked, unusable, time.monotonic() - began, cycles)
    publish(document, arguments, console, pictures, names_files=True)
    if any(one.verdict != VERIFIED for one in checked):
        return 1
    return 2 if unusable else 0


def _files_in(folder: Path) -> list[Path]:
    """The files in a folder and below, without those whose names begin with a full stop.

    Raises:
        UsageError: it is no folder that can be read, or there are none.
    """
    if not folder.is_dir():
        raise UsageError(f"--collect {folder}: there is no such folder")
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).as_posix().startswith(".")
        if "/." not in path.relative_to(folder).as_posix()
    )
    if not files:
        raise UsageError(f"--collect {folder}: it has no files")
    return files


def _output_files(
    arguments: argparse.Namespace, pictures: Iterable[Path] = ()
) -> Iterator[NamedFile]:
    """Every file that the command will write."""
    yield from report_places(arguments)
    yield from places_of(arguments, "write_scenes", "png")
    for path in pictures:
        if path != arguments.png:
            yield NamedFile("a picture", path)


def _read(arguments: argparse.Namespace) -> Iterator[NamedFile]:
    """Every file that the command reads."""
    for path in arguments.files:
        yield from (NamedFile("the results", file) for file in host_files(path))
    if arguments.scenes is not None:
        yield from (NamedFile("--scenes", file) for file in host_files(arguments.scenes))


def _write_scenes(path: Path, console: Console, quiet: bool) -> None:
    content = make_scenes_file()
    write_whole(path, content)
    if not quiet:
        count = len(parse_scenes_file(content).scenes)
        say(
            console,
            f"{path}: {count} scenes, {len(content):,} bytes; put it beside PortCheck as "
            f'"{SCENES_NAME}", of type TEXT',
        )


def _check(
    files: Sequence[Path], scenes: ScenesFile, errors: Console
) -> tuple[list[CheckedResults], list[InputError]]:
    """The checked results, and the errors of files that cannot be checked; these are printed."""
    checked: list[CheckedResults] = []
    unusable: list[InputError] = []
    for path in files:
        try:
            checked.append(check_results(read_results_file(path), scenes))
        except InputError as error:
            errors.print(Text(f"macproof: {error}", style="red"), soft_wrap=True)
            unusable.append(error)
    return checked, unusable


def _pictures(checked: Sequence[CheckedResults], path: Path) -> dict[str, Path]:
    """The file of each routine's plot; all but the first have the routine's name in theirs."""
    timed = routines(checked)
    if not timed:
        raise UsageError("--png: no file has times that a clock has measured")
    return {
        plot_name(routine): path.with_name(f"{path.stem}-{routine}{path.suffix}")
        if number
        else path
        for number, routine in enumerate(timed)
    }
