"""The ``macproof`` command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from rich.console import Console
from rich.text import Text

from emu import __version__
from emu.commands import build, explain, import_post, show, verify
from emu.errors import MacproofError

_COMMANDS: dict[str, tuple[ModuleType, str]] = {
    "verify": (verify, "run every program on every scene and compare with the reference"),
    "explain": (explain, "shrink a failing scene and say what goes wrong first"),
    "show": (show, "draw a scene as the window of 1994 did"),
    "build": (build, "compile cases with the cross compilers"),
    "import": (import_post, "take the 1994 listing out of your copy of the post"),
}
_EPILOGUE = (
    "exit codes: 0 verified, 1 refuted, 2 usage or bad input, 3 a needed tool is missing, "
    "4 guest fault or exceeded budget without a verdict"
)


def make_parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="print errors only")
    common.add_argument("--verbose", action="store_true", help="print every detail of failures")
    parser = argparse.ArgumentParser(
        prog="macproof",
        description="Evidence that a ported classic-Macintosh routine still does what it did.",
        epilog=_EPILOGUE,
    )
    parser.add_argument("--version", action="version", version=f"macproof {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, help_text) in _COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=help_text, description=help_text, parents=[common], epilog=_EPILOGUE
        )
        module.add(subparser)
        subparser.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    parsed = make_parser().parse_args(arguments)
    console = Console()
    try:
        code: int = parsed.run(parsed, console)
        sys.stdout.flush()
        return code
    except MacproofError as error:
        notes = getattr(error, "__notes__", [])
        text = "\n".join([f"macproof: {error}", *notes])
        Console(stderr=True).print(Text(text, style="red"), soft_wrap=True)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        Console(stderr=True).print("macproof: interrupted", style="red")
        return 130


if __name__ == "__main__":
    sys.exit(main())
