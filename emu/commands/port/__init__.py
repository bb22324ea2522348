"""``macproof port``: the commands for a port of a whole old program, one file each.

Each module has a function ``add(parser)``, which declares its options, and a function
``run(arguments, console)``, which returns the exit code. It is imported when it is asked for.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping

from rich.console import Console

from emu.base.errors import UsageError
from emu.commands.interface.command import Command

PORT_COMMANDS: Mapping[str, Command] = {
    "new": Command("write a port of an old program, to be filled in", "emu.commands.port.new"),
    "match": Command(
        "propose where the functions and globals of the sources lie in the old program",
        "emu.commands.port.match",
    ),
    "functions": Command(
        "list the functions of the old program, and what to port next",
        "emu.commands.port.functions",
    ),
    "record": Command(
        "run the old program with scripts, and keep calls of its functions",
        "emu.commands.port.record",
    ),
    "verify": Command(
        "make the calls that are kept on the old and the new functions, and compare",
        "emu.commands.port.verify",
    ),
    "explain": Command(
        "say what a refuted function does differently first, and where",
        "emu.commands.port.explain",
    ),
    "run": Command(
        "run the old program with all verified functions at once, beside it alone",
        "emu.commands.port.hybrid",
    ),
    "status": Command(
        "say how far the port is: a page, a picture, and what became worse",
        "emu.commands.port.status",
    ),
    "bundle": Command(
        "pack sources, verdicts and cases into one file for macproof replay",
        "emu.commands.port.bundle",
    ),
    "export": Command(
        "write a case out of the calls that are kept of a function, for other processors and "
        "without the old program",
        "emu.commands.port.export",
    ),
    "mcp": Command(
        "serve the port to a program that drives it, by the Model Context Protocol over stdio",
        "emu.commands.port.mcp",
    ),
}
"""The commands by their names, in the order in which a port needs them."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the commands, and the options of the one that the command line names."""
    words = parser.get_default("command_line") or ()
    asked = next((word for word in words[2:] if not word.startswith("-")), "")
    subparsers = parser.add_subparsers(dest="port_command", metavar="COMMAND")
    for name, command in PORT_COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=command.help, description=command.help, epilog=parser.epilog
        )
        # What stands before the command's name counts as well, so there is no default here.
        for option in ("--quiet", "--verbose"):
            (known,) = (one for one in parser._actions if option in one.option_strings)
            subparser.add_argument(
                option, action="store_true", default=argparse.SUPPRESS, help=known.help
            )
        if asked == name or words[1:2] != ("port",):
            module = importlib.import_module(command.module)
            module.add(subparser)
            subparser.set_defaults(run_port=module.run)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Run the command, and return its exit code.

    Raises:
        UsageError: none was given.
    """
    if arguments.port_command is None:
        raise UsageError("no command of port was given; macproof port --help lists them")
    code: int = arguments.run_port(arguments, console)
    return code
