"""``macproof import``: take the 1994 listing out of a copy of the newsgroup post."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.commands.outputs import output_file
from emu.studies.listing import DEFAULT_OUTPUT, read_listing


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("post", type=Path, metavar="POST", help="your copy of the post")
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        default=DEFAULT_OUTPUT,
        metavar="FILE",
        help=f"where to write the listing (default: {DEFAULT_OUTPUT})",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the listing and say how to use it."""
    listing = read_listing(arguments.post)
    content = listing.text.encode("latin-1")
    path: Path = arguments.output
    if path.exists() and not arguments.force:
        if path.is_file() and path.read_bytes() == content:
            state = "was there already"
        else:
            raise UsageError(f"{path} exists and is something else; --force replaces it")
    else:
        write_whole(path, content)
        state = "written"
    if not arguments.quiet:
        lines = listing.text.count("\n")
        console.print(
            f"{path} {state}: {lines} lines, SHA-256 {listing.sha256}.\n"
            f"Next: macproof verify four-shifts --source {path}",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
    return 0
