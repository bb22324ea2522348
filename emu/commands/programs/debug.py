"""``macproof debug``: serve a program to GDB, forwards and backwards."""

from __future__ import annotations

import argparse
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.programs.debug_target import add_debugged, chosen_target
from emu.debug.gdb.client import find_gdb, gdb_words, line_to_paste
from emu.debug.gdb.server import DebugServer
from emu.debug.gdb.service import serve
from emu.debug.stops import DebugStop

_LARGEST_PORT = 65_535


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_debugged(parser)
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
        "--directory",
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


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve the program until the debugger is gone; 0, or 1 if GDB's commands have failed."""
    if not 0 <= arguments.port <= _LARGEST_PORT:
        raise UsageError(f"--port {arguments.port}: it is from 0 to {_LARGEST_PORT}")
    for folder in arguments.directory:
        if not folder.is_dir():
            raise UsageError(f"{folder}: there is no such folder")
    if arguments.commands is not None and not arguments.commands.is_file():
        raise UsageError(f"{arguments.commands}: there is no such file")
    gdb = find_gdb() if arguments.gdb or arguments.commands is not None else ""
    debugged = chosen_target(arguments, console)
    server = DebugServer(arguments.port)
    processes: list[subprocess.Popen[bytes]] = []

    def on_ready(stop: DebugStop) -> Callable[[], bool]:
        if not gdb:
            line = line_to_paste(server.port, arguments.directory)
            console.print(line, soft_wrap=True, highlight=False, markup=False)
            if not arguments.quiet:
                console.print("Connect with this line; Ctrl-C here ends the program.")
            return lambda: False
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # GDB answers Ctrl-C
        words = gdb_words(server.port, arguments.directory, gdb, arguments.commands)
        process = subprocess.Popen([words[0], "-q", *words[1:]])
        processes.append(process)
        return lambda: process.poll() is not None

    try:
        serve(
            debugged,
            server,
            stop_at=arguments.stop_at,
            at_difference=arguments.at_difference,
            keeps=arguments.keep,
            on_ready=on_ready,
        )
    finally:
        server.close()
        for process in processes:
            process.wait()
    return 1 if any(process.returncode for process in processes) else 0
