"""The ``macproof`` command."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from rich.text import Text

from emu import __version__
from emu.base.errors import InternalError, MacproofError, ToolMissingError, UsageError
from emu.base.system.support import require_posix
from emu.commands.interface.command import Command
from emu.commands.interface.console import SafeConsole, silence
from emu.commands.interface.parser import Parser

if TYPE_CHECKING:
    from emu.commands.interface.packages import PackageCommand

_COMMANDS = {
    "cases": Command(
        "show the cases there are: those of macproof, and those in this folder",
        "emu.commands.cases",
    ),
    "doctor": Command(
        "say what is installed here, and what is not possible without the rest",
        "emu.commands.doctor",
    ),
    "new": Command(
        "write a case for a function: source, case file, reference and test", "emu.commands.new"
    ),
    "verify": Command(
        "run every program on every scene and compare with the reference", "emu.commands.verify"
    ),
    "campaign": Command(
        "verify on very many scenes, in shards, and go on after an interruption",
        "emu.commands.campaign",
    ),
    "selfcheck": Command(
        "break a routine on purpose, and show what its scenes do not find out",
        "emu.commands.strength.selfcheck",
    ),
    "fuzz": Command(
        "change scenes at random, and keep those on which a program fails",
        "emu.commands.strength.fuzz",
    ),
    "domain": Command(
        "search for the range of each input for which a routine is correct and safe",
        "emu.commands.strength.domain",
    ),
    "prove": Command("prove that a routine is right for all inputs", "emu.commands.strength.prove"),
    "explain": Command(
        "shrink a failing scene and say what goes wrong first", "emu.commands.explain"
    ),
    "calibrate": Command(
        "ask all engines the same instructions, and say who is right", "emu.commands.calibrate"
    ),
    "conform": Command(
        "hold the engine's instructions against public test vectors", "emu.commands.conform"
    ),
    "show": Command("draw a scene as the window of 1994 did", "emu.commands.show"),
    "timing": Command(
        "predict speeds, and lay them beside published and measured ones",
        "emu.commands.timing",
        takes_options=True,
    ),
    "inspect": Command(
        "say what is in a program: segments, symbols, imports, traps used",
        "emu.commands.programs.inspect",
        takes_options=True,
    ),
    "build": Command("compile cases, or build Mac applications", "emu.commands.programs.build"),
    "port": Command(
        "port a whole old program, function by function, against the original",
        "emu.commands.port",
    ),
    "replay": Command(
        "verify the cases of a bundle that port bundle has written", "emu.commands.replay"
    ),
    "run": Command("run a whole Mac program without ROM or display", "emu.commands.programs.run"),
    "play": Command(
        "play a whole Mac program in the browser, record it and go back in time",
        "emu.commands.programs.play",
    ),
    "debug": Command(
        "debug a Mac program or a case with GDB, forwards and backwards",
        "emu.commands.programs.debug",
    ),
    "disk": Command(
        "put programs on a disk for an emulated or real Mac", "emu.commands.programs.disk"
    ),
    "results": Command(
        "check what PortCheck found on a Macintosh", "emu.commands.programs.results"
    ),
    "schema": Command(
        "print the JSON Schema of a report, or of a file that you write", "emu.commands.schema"
    ),
    "completion": Command(
        "print a script by which bash, zsh or fish completes commands and options",
        "emu.commands.completion",
    ),
}
_EPILOGUE = (
    "exit codes: 0 verified, 1 refuted, 2 usage or bad input, 3 a needed tool is missing, "
    "4 guest fault or exceeded budget without a verdict, 70 an error in macproof itself, "
    "130 interrupted"
)


def make_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser for a command line.

    Only the command that ``words`` name is imported and gets its options, because importing all of
    them takes longer than most commands run. ``completion`` tells of all of them.
    """
    asked = next((word for word in words if not word.startswith("-")), "")
    common = Parser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="print errors only")
    common.add_argument("--verbose", action="store_true", help="print every detail of failures")
    parser = Parser(
        prog="macproof",
        description="Evidence that a ported classic-Macintosh routine still does what it did.",
        epilog=_EPILOGUE,
    )
    parser.add_argument("--version", action="version", version=f"macproof {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in _commands(words, asked).items():
        subparser = subparsers.add_parser(
            name,
            help=command.help,
            description=command.help,
            parents=[common],
            epilog=_EPILOGUE,
        )
        subparser.set_defaults(command_line=("macproof", *words), parser=parser)
        if asked in (name, "completion"):
            try:
                _add(name, command, subparser)
            except ToolMissingError as error:  # of a package of somebody
                if asked == name:
                    raise
                _complain(str(error))
    return parser


def _commands(words: Sequence[str], asked: str) -> Mapping[str, Command | PackageCommand]:
    """The commands that a command line may need."""
    if list(words[:1]) in ([], ["--version"]) or (asked in _COMMANDS and asked != "completion"):
        return _COMMANDS
    return all_commands()


def all_commands() -> dict[str, Command | PackageCommand]:
    """The commands of macproof, then those of other packages, by their names."""
    from emu.commands.interface.packages import package_commands  # takes long

    commands: dict[str, Command | PackageCommand] = {**_COMMANDS}
    for name, package_command in package_commands().items():
        if name in commands:
            _complain(f"{package_command.owner} has a command {name}, too; macproof's own is used")
        commands.setdefault(name, package_command)
    return commands


def _add(name: str, command: Command | PackageCommand, parser: argparse.ArgumentParser) -> None:
    """Import a command, and declare its options."""
    if not isinstance(command, Command):
        command.add(parser, _loaded)
        return
    module = _loaded(command.module)
    module.add(parser)
    parser.set_defaults(run=module.run)
    if command.takes_options:
        from emu.commands.interface.packages import add_options  # takes long

        add_options(name, parser)


def _loaded(name: str) -> ModuleType:
    """Import a module with all that it needs.

    What modules define is not garbage. So Python does not look for garbage in the meantime, nor in
    these definitions later, which saves a tenth of the time that the import takes.
    """
    if name in sys.modules:
        return sys.modules[name]
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # file names may contain bytes that are not text
            stream.reconfigure(errors="backslashreplace")
    # SIGTERM must run the clean-up that ends the worker processes.
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGTERM, _on_termination)
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        require_posix()
        try:
            parsed = make_parser(words).parse_args(words)
        except SystemExit as end:  # of --help and --version
            return int(end.code or 0)
        if parsed.command is None:
            raise UsageError("no command was given; macproof --help lists them")
        with getattr(parsed, "around", contextlib.nullcontext)(parsed):
            code = parsed.run(parsed, SafeConsole())
        if not isinstance(code, int):  # None would be taken for 0
            raise TypeError(f"the command {parsed.command} ends with {code!r}, not an exit code")
        return code
    except MacproofError as error:
        return _give_up(error, words)
    except OSError as error:
        _complain(_reason_of(error))
        if sys.stdout is not None:
            silence(sys.stdout)
        return 2
    except KeyboardInterrupt:
        _complain("interrupted")
        return 130
    except BaseException as error:  # an error in macproof says nothing about the routine
        return _give_up(InternalError.of(error), words)


def _on_termination(number: int, frame: object) -> None:
    # Once is enough: the command timeout sends it twice, to its child and to its process group.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _give_up(error: MacproofError, words: Sequence[str]) -> int:
    """Print the error, with ``--verbose`` also its traceback, and return the exit code."""
    lines = [str(error)]
    if "--verbose" in words and error.trace:
        lines.append(error.trace.rstrip())
    elif isinstance(error, InternalError):
        lines.append("Please report it, with what --verbose prints.")
    _complain("\n".join(lines))
    return error.exit_code


def _reason_of(error: OSError) -> str:
    """What the operating system refused, and of what."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    try:
        os.getcwd()
    except OSError:  # of a folder that is gone the error does not say the name
        return "the working folder is not there any more; go to another one"
    return f"standard output, or another stream without a name: {error.strerror or error}"


def _complain(text: str) -> None:
    with contextlib.suppress(OSError):  # without a terminal the exit code must be enough
        SafeConsole(stderr=True).print(Text(f"macproof: {text}", style="red"), soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
