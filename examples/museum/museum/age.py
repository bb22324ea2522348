"""``macproof inspect --age``: which is the oldest of some programs."""

import argparse

from rich.console import Console


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the option, which runs this module in place of the command."""
    parser.add_argument(
        "--age", dest="run", action="store_const", const=run, help="name the oldest file"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the name of the oldest file."""
    oldest = min(arguments.programs, key=lambda path: path.stat().st_mtime)
    console.print(f"{oldest} is the oldest", markup=False)
    return 0
