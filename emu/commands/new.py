"""``macproof new``: write a case of a function, verified as it is, to be changed step by step."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.cases.skeletons.prototype import read_prototype
from emu.cases.skeletons.skeleton import schema_of_cases, write_skeleton
from emu.report.forms.terminal import say

_FUNCTION = "short Add(short a, short b)"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="what the case is to be called")
    parser.add_argument(
        "--function",
        default=_FUNCTION,
        metavar="PROTOTYPE",
        help=f'the function that it calls, as C declares it (default: "{_FUNCTION}"); structs may '
        "be declared before it",
    )
    parser.add_argument(
        "--header",
        type=Path,
        metavar="FILE",
        help="a header that declares the structs; --function may then be a name that it declares",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="where the folder NAME is made (default: here)",
    )
    parser.add_argument(
        "--schema",
        action="store_true",
        help="print the JSON Schema of case files, by which editors complete and check them",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the case, and print what to do next; or print the schema."""
    if (arguments.name is None) != arguments.schema:
        raise UsageError("macproof new needs either the NAME of a case or --schema")
    if arguments.schema:
        print(schema_of_cases(), end="")
        return 0
    prototype = read_prototype(arguments.function, arguments.header)
    place = write_skeleton(arguments.name, prototype, arguments.folder)
    if not arguments.quiet:
        for path in sorted(place.iterdir()):
            say(console, str(path))
        say(console, f"Look for CHANGE in these files. Next: macproof verify {place}")
    return 0
