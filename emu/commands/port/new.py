"""``macproof port new``: write a port of an old program, to be filled in."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from rich.console import Console

from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.cpu import CPUS
from emu.port.project.create import NewPort, create_port
from emu.report.forms.terminal import say


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the port is written")
    parser.add_argument(
        "--original",
        type=Path,
        required=True,
        metavar="PROGRAM",
        help="the old program: MacBinary, AppleDouble, disk.dsk:Name, PEF, ...",
    )
    parser.add_argument(
        "--cpu",
        choices=[name for name, cpu in CPUS.items() if cpu.architecture != "mips"],
        default="",
        help="the processor that it runs on (default: 68040 or 601)",
    )
    parser.add_argument(
        "--convention",
        choices=list(CALLING_CONVENTIONS),
        default="",
        help="how its compiler called functions (default: recognised)",
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a file of your new source, which stays where it is; may be repeated",
    )
    parser.add_argument(
        "--script",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a script of macproof run that plays the old program; may be repeated",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write it, and say what was recognised; the exit code is 0."""
    port = NewPort(
        arguments.original,
        arguments.cpu,
        arguments.convention,
        tuple(arguments.source),
        tuple(arguments.script),
    )
    path, recognition = create_port(arguments.folder, port)
    if not arguments.quiet:
        say(console, f"{path} written")
        say(console, f"functions are called as by {recognition.convention}:")
        for clause in recognition.evidence:
            say(console, f"- {clause}")
        if recognition.others:
            say(console, f"- if that is wrong, change it to {' or '.join(recognition.others)}")
        following = ("macproof", "port", "functions", str(arguments.folder))
        say(console, f"Next: {shlex.join(following)}")
    return 0
