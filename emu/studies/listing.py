"""Takes the 1994 listing out of a reader's own copy of the newsgroup post.

The listing is Tom Moertel's and never part of macproof. It stands in the post between a line
"======= begin" and a line "======= end", and is known by its SHA-256, taken over its lines
without the blanks at their ends, which mailers add and remove.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import InputError
from emu.base.files import read_at_most

LISTING_SHA256 = "5fe5d9af08d59fe980a7484a0ec5ef663f80b5c345b11e844f1f448f54b77465"
LISTING_LINES = 438
DEFAULT_OUTPUT = Path("imported") / "four_shifts_1994.cpp"

_BEGIN = re.compile(r"^=+ *begin *$", re.MULTILINE)
_END = re.compile(r"^=+ *end *$", re.MULTILINE)
_LARGEST_POST = 4 << 20


@dataclass(frozen=True, slots=True)
class Listing:
    """The text between the marks, with line feeds as line ends."""

    text: str
    sha256: str


def read_listing(post: Path) -> Listing:
    """Take the listing out of a copy of the post.

    Raises:
        InputError: the file cannot be read, has no listing, or not the listing of 1994.
    """
    raw = read_at_most(post, _LARGEST_POST, "a newsgroup post")
    text = raw.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    begin = _BEGIN.search(text)
    if begin is None:
        raise InputError(
            post,
            'there is no line "======= begin" in it',
            remedy="Give the post as it was sent, with the listing between its two marks.",
        )
    end = _END.search(text, begin.end())
    if end is None:
        raise InputError(
            post,
            'after "======= begin" there is no line "======= end"',
            where=f"line {text.count(chr(10), 0, begin.start()) + 1}",
            remedy="The copy seems to be cut off.",
        )
    listing = text[begin.end() + 1 : end.start()]
    digest = listing_digest(listing)
    if digest != LISTING_SHA256:
        lines = listing.count("\n")
        raise InputError(
            post,
            f"the listing in it is not the one of 1994: {lines} lines with SHA-256 {digest}, "
            f"expected {LISTING_LINES} lines with {LISTING_SHA256}",
            remedy="To verify a changed listing, save it as a file and give it with "
            "verify --source.",
        )
    return Listing(listing, digest)


def listing_digest(text: str) -> str:
    """SHA-256 over the lines of a listing without the blanks at their ends."""
    lines = (line.rstrip() for line in text.split("\n"))
    return hashlib.sha256("\n".join(lines).encode("latin-1")).hexdigest()
