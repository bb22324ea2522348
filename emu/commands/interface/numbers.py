"""Options that take whole numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole_number(text: str) -> int:
    """Read a whole number.

    Raises:
        argparse.ArgumentTypeError: the text is not a number from 0 to 2**63.
    """
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) >= 1 << 63:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 to 2**63")
    return int(text)


def add_number_option(
    parser: argparse.ArgumentParser,
    name: str,
    default: int,
    words: str,
    read: Callable[[str], int] = whole_number,
) -> None:
    """Declare an option that takes a number and has one if it is not given.

    Args:
        parser: the parser of a command.
        name: the option, such as "--seed".
        default: its value if it is not given; the help text ends with it.
        words: what it means, for the help text.
        read: reads the number.
    """
    shown = f"{default:,}" if default > 9999 else default
    parser.add_argument(
        name, type=read, default=default, metavar="N", help=f"{words} (default: {shown})"
    )


def add_jobs_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--jobs``: how many worker processes; 0 means one for each processor."""
    parser.add_argument(
        "--jobs", type=whole_number, default=0, metavar="N", help="worker processes (default: all)"
    )
