"""``macproof new``: write a case of a function, verified as it is, to be changed step by step."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.cases.skeletons.old_routine import OldRoutine
from emu.cases.skeletons.own_sources import OwnFunction, write_case_of_source
from emu.cases.skeletons.prototype import read_prototype
from emu.cases.skeletons.skeleton import schema_of_cases, write_skeleton
from emu.commands.interface.source_options import add_header_options, headers_of_options
from emu.report.forms.terminal import say
from emu.toolchain.builds import ALL_TARGETS

_NAME = re.compile(r"[A-Za-z_]\w*(::~?[A-Za-z_]\w*)*")
_FUNCTION = "short Add(short a, short b)"
# Options about how sources are compiled, and the keys of a case that say the same.
_KEYS = {
    "include": "include",
    "define": "define",
    "cpu": "cpus",
    "prefix": "prefix",
    "headers": "headers",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="what the case is to be called")
    parser.add_argument(
        "--function",
        default=_FUNCTION,
        metavar="PROTOTYPE",
        help=f'the function that it calls, as C declares it (default: "{_FUNCTION}"); structs may '
        "be declared before it; with --source its name",
    )
    _add_source_options(parser)
    add_header_options(parser)
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


def _add_source_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a case of a function that is there already."""
    parser.add_argument(
        "--source",
        action="append",
        type=Path,
        metavar="FILE",
        help="your own source with the function, to which the case refers; its prototype, structs "
        "and globals are read from it. Give further files with further --source",
    )
    parser.add_argument(
        "--from",
        dest="old",
        type=Path,
        metavar="PROGRAM",
        help="with --source: the old application whose routine says what is right",
    )
    parser.add_argument(
        "--symbol",
        metavar="ROUTINE",
        help="with --from: its routine, by name or place (CODE 2+0x122); the name of --function if "
        "not given",
    )
    parser.add_argument(
        "--include",
        action="append",
        metavar="DIR",
        help="with --source: a folder of headers; may be repeated",
    )
    parser.add_argument(
        "--define",
        action="append",
        metavar="NAME",
        help="with --source: a name for the preprocessor; may be repeated",
    )
    parser.add_argument(
        "--cpu",
        action="append",
        choices=ALL_TARGETS,
        help="with --source: a processor that the case is for (default: those of any case)",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the case, and print what to do next; or print the schema."""
    if (arguments.name is None) != arguments.schema:
        raise UsageError("macproof new needs either the NAME of a case or --schema")
    if arguments.schema:
        print(schema_of_cases(), end="")
        return 0
    place = _write(arguments)
    if not arguments.quiet:
        for path in sorted(place.iterdir()):
            say(console, str(path))
        is_unwritten = arguments.source and arguments.old is None
        options = ("--build", "O2", "--against", "O0") if is_unwritten else ()
        following = shlex.join(("macproof", "verify", str(place), *options))
        say(console, f"Look for CHANGE in these files. Next: {following}")
    return 0


def _write(arguments: argparse.Namespace) -> Path:
    """Write the case; its folder."""
    keys = {key: given for name, key in _KEYS.items() if (given := getattr(arguments, name))}
    if arguments.symbol is not None and arguments.old is None:
        raise UsageError("--symbol needs --from: the old application that has this routine")
    if not arguments.source:
        needy = [name for name, key in _KEYS.items() if key in keys]
        needy += ["from"] if arguments.old is not None else []
        if needy:
            raise UsageError(f"--{needy[0]} needs --source")
        prototype = read_prototype(arguments.function, arguments.header)
        return write_skeleton(arguments.name, prototype, arguments.folder)
    if arguments.header is not None:
        raise UsageError("--header and --source exclude each other: a source includes its headers")
    name = arguments.function
    if name == _FUNCTION and arguments.symbol is not None:
        name = arguments.symbol
    if not _NAME.fullmatch(name):
        raise UsageError(
            "with --source, --function is the name of a function, as in --function Foo"
        )
    headers_of_options(arguments.prefix, arguments.headers, arguments.include or ())
    for word in arguments.define or ():
        if not word.isidentifier():
            raise UsageError(f"--define: {word!r} is not a name, such as DEBUG")
    function = OwnFunction(name, tuple(arguments.source), keys)
    old = None if arguments.old is None else OldRoutine(arguments.old, arguments.symbol or name)
    return write_case_of_source(arguments.name, function, arguments.folder, old)
