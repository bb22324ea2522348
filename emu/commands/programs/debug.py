"""``macproof debug``: serve a program to GDB, forwards and backwards."""

from __future__ import annotations

import argparse
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.programs.machine_options import (
    add_folder_option,
    add_machine_options,
    add_step_option,
    chosen_cpu,
    machine_settings,
)
from emu.debug.debugging import serve_program
from emu.debug.gdb.client import find_gdb, gdb_words, line_to_paste
from emu.debug.gdb.server import DebugServer
from emu.debug.stops import DebugStop
from emu.debug.targets import DebuggedProgram
from emu.machine.cpu import MAC_CPUS
from emu.runner.runner import RunRequest
from emu.toolbox.computer.macintosh_models import MACHINES

_LARGEST_PORT = 65_535
_SECONDS = 86_400.0


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "program",
        type=Path,
        metavar="PROGRAM",
        help="the application: MacBinary, AppleDouble, disk image, ...",
    )
    parser.add_argument("--cpu", choices=MAC_CPUS, help="the processor (default: the program's)")
    parser.add_argument(
        "--script", type=Path, metavar="FILE", help="a script of the user's actions, as YAML"
    )
    parser.add_argument(
        "--symbols", type=Path, metavar="FILE", help="its linked ELF or XCOFF file with symbols"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=0,
        metavar="N",
        help="the port of this computer at which GDB connects (default: any that is free)",
    )
    parser.add_argument("--gdb", action="store_true", help="start GDB, connected to the program")
    parser.add_argument(
        "--commands",
        type=Path,
        metavar="FILE",
        help="start GDB, let it execute the commands in this file, and end",
    )
    parser.add_argument(
        "--sources",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder in which GDB looks for source files; may be repeated",
    )
    parser.add_argument(
        "--stop-at",
        default="",
        metavar="NAME",
        help="stop first before this routine, of the program or the Toolbox (default: at the first "
        "instruction)",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the program when GDB is gone, and wait for the next one",
    )
    add_step_option(parser)
    add_machine_options(parser)
    add_folder_option(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve the program until the debugger is gone; 0, or 1 if GDB's commands have failed."""
    if not 0 <= arguments.port <= _LARGEST_PORT:
        raise UsageError(f"--port {arguments.port}: it is from 0 to {_LARGEST_PORT}")
    for folder in arguments.sources:
        if not folder.is_dir():
            raise UsageError(f"{folder}: there is no such folder")
    if arguments.commands is not None and not arguments.commands.is_file():
        raise UsageError(f"{arguments.commands}: there is no such file")
    gdb = find_gdb() if arguments.gdb or arguments.commands is not None else ""
    request = _request(arguments)
    server = DebugServer(arguments.port)
    processes: list[subprocess.Popen[bytes]] = []

    def on_ready(stop: DebugStop) -> Callable[[], bool]:
        if not gdb:
            line = line_to_paste(server.port, arguments.sources)
            console.print(line, soft_wrap=True, highlight=False, markup=False)
            if not arguments.quiet:
                console.print("Connect with this line; Ctrl-C here ends the program.")
            return lambda: False
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # GDB answers Ctrl-C
        words = gdb_words(server.port, arguments.sources, gdb, arguments.commands)
        process = subprocess.Popen([words[0], "-q", *words[1:]])
        processes.append(process)
        return lambda: process.poll() is not None

    try:
        serve_program(
            DebuggedProgram(request),
            server,
            stop_at=arguments.stop_at,
            keeps=arguments.keep,
            on_ready=on_ready,
        )
    finally:
        server.close()
        for process in processes:
            process.wait()
    return 1 if any(process.returncode for process in processes) else 0


def _request(arguments: argparse.Namespace) -> RunRequest:
    arguments.against = None  # there is no other program that it is compared with
    return RunRequest(
        program=arguments.program,
        cpu=chosen_cpu(arguments.cpu, MACHINES.get(arguments.machine)),
        settings=machine_settings(arguments, timeout=_SECONDS),
        step=arguments.step,
        script=arguments.script,
        symbols=arguments.symbols,
    )
