"""``macproof import``: take the printed original program out of your copy of its post."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from rich.console import Console

from emu.base.files import read_file, write_whole
from emu.commands.interface.outputs import output_file
from macproof import UsageError
from posts.listing import import_listing, listing_digest

_FOLDER = Path("imported")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("post", type=Path, metavar="POST", help="your copy of the post")
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="FILE",
        help=f"where to write the listing (default: in {_FOLDER}, as its case names it)",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the listing, and print the command that verifies it."""
    listing = import_listing(arguments.post)
    content = listing.text.encode("latin-1")
    path: Path = arguments.output or _FOLDER / listing.file
    if path.exists() and not arguments.force:
        if path.is_file() and read_file(path) == content:
            state = "was there already"
        else:
            raise UsageError(f"{path} exists and differs from the listing; --force replaces it")
    else:
        write_whole(path, content)
        state = "written"
    if not arguments.quiet:
        lines = listing.text.count("\n")
        console.print(
            f"{path} {state}: {lines} lines, SHA-256 {listing_digest(listing.text)}.\n"
            f"Next: {shlex.join(('macproof', 'verify', listing.case, '--source', str(path)))}",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
    return 0
