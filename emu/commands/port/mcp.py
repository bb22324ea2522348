"""``macproof port mcp``: serve a port to a program that drives it."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.commands.port.project_option import add_project
from emu.port.project.project import read_project
from emu.port.server.server import serve


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_project(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve until the client goes; the exit code is 0."""
    serve(read_project(arguments.port).path)
    return 0
