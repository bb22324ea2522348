"""``macproof results``: check what PortCheck wrote on a real or emulated Macintosh."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from emu.base.errors import InputError, UsageError
from emu.base.files import write_whole
from emu.commands.console import SafeConsole
from emu.commands.outputs import output_file
from emu.commands.overwriting import Place, places_of, refuse_overwriting
from emu.program.mac_file import host_files
from emu.report.plot_files import plot_file
from emu.results.check import VERIFIED, CheckedResults, check_results
from emu.results.plot import speeds_plot
from emu.results.results_file import read_results_file
from emu.results.scenes_file import (
    SCENES_NAME,
    ScenesFile,
    default_scenes,
    make_scenes_file,
    parse_scenes_file,
    read_scenes_file,
)
from emu.results.words import columns, document, routines, rows, shown_speed

_MOST_SHOWN = 5


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
        "--json", type=output_file, metavar="FILE", help="write the results as json"
    )
    parser.add_argument(
        "--png", type=output_file, metavar="FILE", help="draw the speeds, with the figures of 1994"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Check every file; 1 if any is refuted, else 2 if any could not be checked."""
    files: list[Path] = arguments.files
    if not files and arguments.write_scenes is None:
        raise UsageError("give the results files, or --write-scenes FILE")
    if not files and (arguments.json or arguments.png or arguments.scenes):
        raise UsageError("--json, --png and --scenes need results files")
    refuse_overwriting(_written(arguments), _read(arguments))
    if not files:
        _write_scenes(arguments.write_scenes, console, arguments.quiet)
        return 0
    scenes = default_scenes() if arguments.scenes is None else read_scenes_file(arguments.scenes)
    checked, unusable = _check(files, scenes, SafeConsole(stderr=True))
    pictures = _pictures(checked, arguments.png) if arguments.png is not None and checked else {}
    refuse_overwriting(_written(arguments, pictures.values()), _read(arguments))
    if arguments.write_scenes is not None:
        _write_scenes(arguments.write_scenes, console, arguments.quiet)
    if not arguments.quiet:
        for one in checked:
            _say_verdict(console, one, whole=arguments.verbose)
        _print_tables(console, checked)
    if arguments.json is not None and checked:
        text = json.dumps(document(checked), indent=1) + "\n"
        write_whole(arguments.json, text.encode("utf-8", "backslashreplace"))
    for routine, path in pictures.items():
        _draw(checked, routine, path, console, arguments.quiet)
    if any(one.verdict != VERIFIED for one in checked):
        return 1
    return 2 if unusable else 0


def _written(arguments: argparse.Namespace, pictures: Iterable[Path] = ()) -> Iterator[Place]:
    """Every file that will be written."""
    yield from places_of(arguments, "write_scenes", "json", "png")
    for path in pictures:
        if path != arguments.png:
            yield Place("a picture", path)


def _read(arguments: argparse.Namespace) -> Iterator[Place]:
    """Every file that is read."""
    for path in arguments.files:
        yield from (Place("the results", file) for file in host_files(path))
    if arguments.scenes is not None:
        yield from (Place("--scenes", file) for file in host_files(arguments.scenes))


def _write_scenes(path: Path, console: Console, quiet: bool) -> None:
    content = make_scenes_file()
    write_whole(path, content)
    if not quiet:
        count = len(parse_scenes_file(content).scenes)
        _say(
            console,
            f"{path}: {count} scenes, {len(content):,} bytes; put it beside PortCheck as "
            f'"{SCENES_NAME}", of type TEXT',
        )


def _check(
    files: Sequence[Path], scenes: ScenesFile, errors: Console
) -> tuple[list[CheckedResults], int]:
    """What can be checked; the rest is complained about and counted."""
    checked, unusable = [], 0
    for path in files:
        try:
            checked.append(check_results(read_results_file(path), scenes))
        except InputError as error:
            errors.print(Text(f"macproof: {error}", style="red"), soft_wrap=True)
            unusable += 1
    return checked, unusable


def _say(console: Console, text: str) -> None:
    console.print(Text(text), soft_wrap=True)


def _say_verdict(console: Console, one: CheckedResults, *, whole: bool) -> None:
    about = one.results.about
    verdict = Text(one.verdict, style="green" if one.verdict == VERIFIED else "bold red")
    words = (
        f" {one.results.path}: {one.comparisons} digests compared; {one.results.machine}, "
        f"System {about['system']}, {about['program']} ({about['build']})"
    )
    console.print(verdict + Text(words), soft_wrap=True)
    wrong = one.refutations if whole else one.refutations[:_MOST_SHOWN]
    for refutation in wrong:
        _say(console, f"  {refutation}")
    if len(wrong) < len(one.refutations):
        _say(console, f"  and {len(one.refutations) - len(wrong)} more (--verbose)")
    if one.results.is_virtual and one.results.timings:
        _say(console, "  Its times are of macproof run, whose clock measures nothing: left out.")


def _print_tables(console: Console, checked: Sequence[CheckedResults]) -> None:
    for routine in routines(checked):
        found = rows(checked, routine)
        counts = columns(found)
        table = Table(
            title=Text(f"{routine}: complete runs in a second, by number of objects"),
            title_justify="left",
        )
        table.add_column("machine")
        for objects in counts:
            table.add_column(f"{objects}", justify="right", no_wrap=True)
        for number, row in enumerate(found):
            if number and found[number - 1].published and not row.published:
                table.add_section()
            cells = [shown_speed(row.per_second.get(objects)) for objects in counts]
            table.add_row(Text(row.machine), *cells)
        console.print(table)


def _pictures(checked: Sequence[CheckedResults], path: Path) -> dict[str, Path]:
    """A picture for each routine; beyond the first, the routine's name is in the file's."""
    timed = routines(checked)
    if not timed:
        raise UsageError("--png: no file has times that a clock has measured")
    return {
        routine: path.with_name(f"{path.stem}-{routine}{path.suffix}") if number else path
        for number, routine in enumerate(timed)
    }


def _draw(
    checked: Sequence[CheckedResults], routine: str, path: Path, console: Console, quiet: bool
) -> None:
    write_whole(path, plot_file(speeds_plot(rows(checked, routine), routine), ".png"))
    if not quiet:
        _say(console, f"{path}: the speeds of {routine}")
