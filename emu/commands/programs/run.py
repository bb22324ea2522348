"""``macproof run``: run a whole Mac program, without display and ROM."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.base.processes.workers import run_apart_reporting
from emu.base.yaml_document import did_you_mean
from emu.checks.levels import is_full
from emu.commands.interface.checks import add_checks_option
from emu.commands.interface.console import SafeConsole
from emu.commands.interface.outputs import (
    add_report_options,
    output_file,
    output_folder,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.commands.programs.machine_options import (
    add_cpu_option,
    add_folder_option,
    add_machine_options,
    add_open_option,
    add_other_program,
    add_step_option,
    chosen_cpu,
    machine_settings,
    other_request,
)
from emu.commands.programs.other_machine import run_where_it_fits
from emu.program.mac_file.mac_file import host_files
from emu.report.document import Document
from emu.report.forms.terminal import print_document
from emu.report.forms.write import write_documents
from emu.runner import runner
from emu.runner.compare_runs import RunComparison, compare_runs
from emu.runner.document import TEXT, run_document
from emu.runner.report import log_lines
from emu.toolbox.computer.macintosh_models import MACHINES
from emu.toolbox.guest.findings import CHECKS, Sureness
from emu.toolbox.users.script import Script


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "program",
        type=Path,
        metavar="PROGRAM",
        help="the application: MacBinary, AppleDouble, disk image, ...",
    )
    add_cpu_option(parser)
    parser.add_argument(
        "--script", type=Path, metavar="FILE", help="a script of the user's actions, as YAML"
    )
    parser.add_argument(
        "--describe",
        action="store_true",
        help="print what a user could do whenever the program only waits, as steps for a script",
    )
    parser.add_argument(
        "--png",
        type=output_folder,
        metavar="DIR",
        help="write pictures of its windows into this folder",
    )
    parser.add_argument(
        "--sounds",
        type=output_folder,
        metavar="DIR",
        help="write the sampled sounds that it played into this folder, as WAV files",
    )
    add_report_options(parser)
    parser.add_argument(
        "--output-file",
        default="",
        metavar="NAME",
        help="the file on its disk that the program writes its output to; it is made empty, and "
        "printed at the end",
    )
    parser.add_argument(
        "--files",
        type=output_folder,
        metavar="DIR",
        help="copy the files that the program wrote into this folder",
    )
    parser.add_argument(
        "--symbols", type=Path, metavar="FILE", help="its linked ELF or XCOFF file with symbols"
    )
    _add_machine_options(parser)
    _add_port_options(parser)
    _add_check_options(parser)


def _add_port_options(parser: argparse.ArgumentParser) -> None:
    """Declare options about what goes out of the machine."""
    parser.add_argument(
        "--log", type=output_file, metavar="FILE", help="write every Toolbox call into this file"
    )
    parser.add_argument(
        "--serial",
        type=output_file,
        metavar="FILE",
        help="write what it sends to the serial ports into this file",
    )
    parser.add_argument(
        "--datagrams",
        type=output_file,
        metavar="FILE",
        help="write what it sends as UDP packets into this file, each as a line",
    )


def _add_machine_options(parser: argparse.ArgumentParser) -> None:
    """Declare options about the Macintosh that the program runs on."""
    parser.add_argument(
        "--clock",
        choices=["calls", "model", "real"],
        default="calls",
        help="what makes time pass: its questions for the time, executed code by the processor's "
        "cycle model, or real time (default: calls)",
    )
    add_step_option(parser)
    parser.add_argument(
        "--mhz",
        type=float,
        metavar="N",
        help="the modelled processor's clock, for --clock model (default: 68000 7.8336, 68040 25, "
        "601 80)",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        metavar="S",
        help="seconds of processor time that it may take (default: 60)",
    )
    add_machine_options(parser)
    add_checks_option(parser)
    add_folder_option(parser)
    add_open_option(parser)


def _add_check_options(parser: argparse.ArgumentParser) -> None:
    """Declare options about what the program should do."""
    add_other_program(parser, "run this program as well; text, calls and pixels must be the same")
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="TEXT",
        help="its output must contain this text; \\n is a new line; may be repeated",
    )
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="CHECK",
        help="print mistakes this check finds, but do not fail; may be repeated",
    )
    parser.add_argument(
        "--stop-at-findings",
        action="store_true",
        help="end the run at the first mistake that fails it, and name the place",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Run the program; 0 if it ended by itself and nothing was wrong."""
    for check in arguments.allow:
        if check not in CHECKS:
            raise UsageError(f"there is no check {check!r}{did_you_mean(check, sorted(CHECKS))}")
    if "" in arguments.expect:
        raise UsageError("--expect is empty, and any output contains that")
    refuse_overwriting(_output_files(arguments), _read(arguments))
    request = _request(arguments)
    against = other_request(arguments, request)
    result = run_where_it_fits(request, arguments, lambda wanted: _run(wanted, arguments))
    other: runner.RunResult | None = None
    comparison: RunComparison | None = None
    if against is not None:
        other = _run(against, arguments)
        comparison = compare_runs(result, other)
    failures = _failures(result, other, comparison, arguments)
    document = run_document(
        result,
        failures,
        comparison=comparison,
        other=os.fspath(arguments.against) if arguments.against is not None else "",
        command=arguments.command_line,
    )
    _print(result, document, failures, arguments, console)
    _write(result, other, arguments)
    write_documents([document], report_files(arguments))
    if result.exit_code == 4 or (other is not None and other.exit_code == 4):
        return 4
    return 1 if failures or result.exit_code else 0


def _output_files(arguments: argparse.Namespace) -> list[NamedFile]:
    places = [
        NamedFile("--log", arguments.log),
        NamedFile("--serial", arguments.serial),
        NamedFile("--datagrams", arguments.datagrams),
        *report_places(arguments),
    ]
    if arguments.log is not None and arguments.against is not None:
        places.append(NamedFile("the other log", _other_log(arguments.log)))
    return [place for place in places if place.path is not None]


def _read(arguments: argparse.Namespace) -> list[NamedFile]:
    places = [NamedFile("--script", arguments.script), NamedFile("--symbols", arguments.symbols)]
    if arguments.script is not None:
        beside = Script(arguments.script).files_beside()
        places += [NamedFile("a file that --script names", path) for path in beside]
    for what, program in (("the program", arguments.program), ("--against", arguments.against)):
        if program is not None:
            places += [NamedFile(what, path) for path in host_files(program)]
    return [place for place in places if place.path is not None]


def _other_log(log: Path) -> Path:
    return log.with_name(f"{log.name}.against")


def _request(arguments: argparse.Namespace) -> runner.RunRequest:
    if not 0 < arguments.timeout <= 86_400:
        raise UsageError(
            f"--timeout {arguments.timeout:g}: it is more than 0 and at most 86400 seconds"
        )
    if arguments.mhz is not None and arguments.clock != "model":
        raise UsageError("--mhz needs --clock model")
    if arguments.mhz is not None and not 0.1 <= arguments.mhz <= 10_000:
        raise UsageError("--mhz is from 0.1 to 10000")
    settings = machine_settings(
        arguments,
        timeout=arguments.timeout,
        keeps_log=arguments.log is not None or arguments.against is not None,
        documents=arguments.open,
    )
    settings = dataclasses.replace(
        settings,
        stops_at_findings=arguments.stop_at_findings,
        allowed=tuple(arguments.allow),
    )
    return runner.RunRequest(
        program=arguments.program,
        cpu=chosen_cpu(arguments.cpu, MACHINES.get(arguments.machine)),
        settings=settings,
        checked=is_full(arguments.checks),
        clock=arguments.clock,
        step=arguments.step,
        megahertz=arguments.mhz,
        script=arguments.script,
        output_file=arguments.output_file,
        symbols=arguments.symbols,
        describe=arguments.describe,
        may_be_exact=arguments.against is None,
        filmed=bool(arguments.json or arguments.html),
    )


def _run(request: runner.RunRequest, arguments: argparse.Namespace) -> runner.RunResult:
    errors = SafeConsole(stderr=True)
    if arguments.quiet or not errors.is_terminal:
        return run_apart_reporting(runner.run_request, request, on_report=lambda far: None)
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    )
    with progress:
        task = progress.add_task(request.program.name)

        def show(far: runner.RunProgress) -> None:
            seconds = far.virtual_microseconds / 1e6
            progress.update(
                task,
                description=f"{request.program.name}: {far.calls:,} calls, {seconds:.1f} s",
            )

        return run_apart_reporting(runner.run_request, request, on_report=show)


def _failures(
    result: runner.RunResult,
    other: runner.RunResult | None,
    comparison: RunComparison | None,
    arguments: argparse.Namespace,
) -> list[str]:
    failures = []
    text = f"{result.text}{result.output}"
    for expected in arguments.expect:
        if expected.replace("\\n", "\n") not in text:
            failures.append(f"its output does not contain {expected!r}")
    for run in (result, other):
        findings = run.findings if run is not None else ()
        wrong = [
            finding
            for finding in findings
            if finding.check not in arguments.allow and finding.sureness is not Sureness.UNUSUAL
        ]
        if wrong:
            count = f"{len(wrong)} mistake{'s' if len(wrong) > 1 else ''}"
            whose = "" if run is result else f" of {arguments.against}"
            failures.append(f"the checks found {count}{whose}")
    if comparison is not None and comparison.differences:
        failures.append(f"it does not do the same as {arguments.against}")
    return failures


def _write(
    result: runner.RunResult, other: runner.RunResult | None, arguments: argparse.Namespace
) -> None:
    if arguments.png is not None:
        for folder, run_result in ((arguments.png, result), (arguments.png / "against", other)):
            for picture in run_result.pictures if run_result is not None else ():
                path = folder / f"{picture.name}.png"
                write_whole(path, picture.png, below=arguments.png)
    if arguments.sounds is not None:
        for sound in result.sounds:
            path = arguments.sounds / f"{sound.name}.wav"
            write_whole(path, sound.wav, below=arguments.sounds)
    for path, sent in (
        (arguments.serial, result.serial),
        (arguments.datagrams, result.datagrams),
    ):
        if path is not None:
            write_whole(path, sent)
    if arguments.files is not None:
        for name, data in result.files.items():
            write_whole(arguments.files / on_the_host(name), data, below=arguments.files)
    if arguments.log is not None:
        write_whole(arguments.log, log_lines(result).encode("utf-8", "backslashreplace"))
        if other is not None:
            write_whole(
                _other_log(arguments.log), log_lines(other).encode("utf-8", "backslashreplace")
            )


def on_the_host(name: str) -> Path:
    """Turn a path on the program's disk into one that lies below a folder of the host."""
    parts = [part.replace("/", ":").replace("\0", "") for part in name.split(":")]
    return Path(*(f"_{part}" if part in ("", ".", "..") else part for part in parts))


def _print(
    result: runner.RunResult,
    document: Document,
    failures: Sequence[str],
    arguments: argparse.Namespace,
    console: Console,
) -> None:
    """Print the program's own text, then the report; with ``--quiet`` only what is wrong."""

    def show(text: str, style: str = "") -> None:
        lines = text.replace("\t", "    ")
        console.print(lines, style=style, soft_wrap=True, highlight=False, markup=False)

    program_text = f"{result.text}{result.output}"
    if program_text:
        show(program_text.rstrip("\n"))
    if arguments.quiet:
        for text in (*([result.problem] if result.problem else []), *failures):
            show(text, "red")
        return
    rest = tuple(section for section in document.sections if section.title != TEXT)
    print_document(dataclasses.replace(document, sections=rest), console, verbose=arguments.verbose)
