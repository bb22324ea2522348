"""``macproof play``: play a Mac program on a page in the browser."""

from __future__ import annotations

import argparse
import math
import threading
import webbrowser
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
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
from emu.play.server import serve_game
from emu.runner.runner import RunRequest
from emu.toolbox.computer.macintosh_models import MACHINES

_LARGEST_PORT = 65_535
_STEP = 1_000
"""Microseconds for each question for the time, for which the person waits, too. At the 12,000 of
other runs an editor of 1994 that asks at each line it draws took 0.7 s for a letter."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "program",
        type=Path,
        metavar="PROGRAM",
        help="the application: MacBinary, AppleDouble, disk image, ...",
    )
    add_cpu_option(parser)
    add_other_program(
        parser, "play this program as well, with the same inputs, and frame what differs"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=0,
        metavar="N",
        help="the port of this computer to serve the page on (default: any that is free)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the page's address, and open no browser"
    )
    parser.add_argument(
        "--symbols", type=Path, metavar="FILE", help="its linked ELF or XCOFF file with symbols"
    )
    add_step_option(parser, _STEP)
    add_machine_options(parser)
    add_folder_option(parser)
    add_open_option(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve the page until it is closed; 0."""
    if not 0 <= arguments.port <= _LARGEST_PORT:
        raise UsageError(f"--port {arguments.port}: it is from 0 to {_LARGEST_PORT}")
    request = RunRequest(
        program=arguments.program,
        cpu=chosen_cpu(arguments.cpu, MACHINES.get(arguments.machine)),
        settings=machine_settings(arguments, timeout=math.inf, documents=arguments.open),
        step=arguments.step,
        symbols=arguments.symbols,
    )
    other = other_request(arguments, request)

    def on_ready(address: str) -> None:
        console.print(address, soft_wrap=True, highlight=False, markup=False)
        if not arguments.quiet:
            console.print("Close the page, or press Ctrl-C, to end.")
        if not arguments.no_browser:
            # A browser that runs in the terminal comes back only when it is left.
            threading.Thread(target=_open, args=(address, console), daemon=True).start()

    serve_game(request, other, arguments.port, on_ready)
    return 0


def _open(address: str, console: Console) -> None:
    if not webbrowser.open(address):
        console.print("No browser could be opened: open the address yourself.")
