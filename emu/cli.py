"""The ``macproof`` command."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import signal
import sys
from collections.abc import Sequence
from types import ModuleType

from rich.text import Text

from emu import __version__
from emu.base.errors import InternalError, MacproofError, UsageError
from emu.base.system.support import require_posix
from emu.commands.console import SafeConsole, silence
from emu.commands.parser import Parser

_COMMANDS = {
    "cases": "show the cases there are: those of macproof, and those in this folder",
    "doctor": "say what is installed here, and what is not possible without the rest",
    "new": "write a case for a function: source, case file, reference and test",
    "verify": "run every program on every scene and compare with the reference",
    "campaign": "verify on very many scenes, in shards, and go on after an interruption",
    "selfcheck": "break a routine on purpose, and show what its scenes do not find out",
    "fuzz": "change scenes at random, and keep those on which a program fails",
    "domain": "search for the range of each input for which a routine is correct and safe",
    "explain": "shrink a failing scene and say what goes wrong first",
    "findings": "show the defects of the published programs again",
    "calibrate": "ask all engines the same instructions, and say who is right",
    "audit": "measure the numeric claims of the posts",
    "show": "draw a scene as the window of 1994 did",
    "timing": "predict speeds, and lay them beside published and measured ones",
    "compare": "run all collision systems on the same objects, and say which to use",
    "inspect": "say what is in a program: segments, symbols, imports, traps used",
    "build": "compile cases, or build Mac applications",
    "run": "run a whole Mac program without ROM or display",
    "disk": "put programs on a disk for an emulated or real Mac",
    "results": "check what PortCheck found on a Macintosh",
    "import": "take the 1994 listing out of your copy of the post",
    "schema": "print the JSON Schema of a report, or of a file that you write",
    "completion": "print a script by which bash, zsh or fish completes commands and options",
}
_MODULES = {"import": "import_post"}  # of the others the name is the command's
_EPILOGUE = (
    "exit codes: 0 verified, 1 refuted, 2 usage or bad input, 3 a needed tool is missing, "
    "4 guest fault or exceeded budget without a verdict, 70 an error in macproof itself, "
    "130 interrupted"
)


def make_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser for a command line.

    Only commands named in ``words`` are imported and get their options, because importing all of
    them takes longer than most commands run. ``completion`` tells of all of them.
    """
    wanted = _COMMANDS if "completion" in words else words
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
    for name, help_text in _COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=help_text, description=help_text, parents=[common], epilog=_EPILOGUE
        )
        if name in wanted:
            module = _loaded(f"emu.commands.{_MODULES.get(name, name)}")
            module.add(subparser)
            subparser.set_defaults(run=module.run, command_line=("macproof", *words), parser=parser)
    return parser


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
            code: int = parsed.run(parsed, SafeConsole())
        return code
    except MacproofError as error:
        return _give_up(error, words)
    except OSError as error:
        _complain(str(error))
        if sys.stdout is not None:
            silence(sys.stdout)
        return 2
    except KeyboardInterrupt:
        _complain("interrupted")
        return 130
    except BaseException as error:  # an error in macproof says nothing about the routine
        return _give_up(InternalError.of(error), words)


def _on_termination(number: int, frame: object) -> None:
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


def _complain(text: str) -> None:
    with contextlib.suppress(OSError):  # without a terminal the exit code must be enough
        SafeConsole(stderr=True).print(Text(f"macproof: {text}", style="red"), soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
