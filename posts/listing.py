"""Takes the listing of a case's original program out of the user's own copy of a post.

The listing belongs to its author and is never part of macproof. The case file names the lines of
the post before and after the listing, and the listing's SHA-256.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from emu.base.files import read_at_most
from emu.cases.case_file import read_case
from emu.cases.find import cases_with
from macproof import Case, InputError, UsageError
from posts.case_section import section_of

_LARGEST_POST = 4 << 20


@dataclass(frozen=True, slots=True)
class OriginalListing:
    """The original source of a case, which stands in a post that is not part of macproof.

    Attributes:
        begin: the line before the source ("======= begin"). In the post the row of "=" may be
            longer or shorter, and blanks may follow.
        end: the line after the source, with the same freedom.
        lines: how many lines the source has.
        sha256: SHA-256 of its lines without blanks at their ends, since mailers add and remove
            those.
        file: the name of the file that the source is written to.
    """

    begin: str
    end: str
    lines: int
    sha256: str
    file: str


@dataclass(frozen=True, slots=True)
class ImportedListing:
    """A listing that was found in a post.

    Attributes:
        case: the name of the case that it is the original of.
        file: the name of the file to write it to.
        text: the listing, with line feeds as line ends.
    """

    case: str
    file: str
    text: str


def listing_of(case: Case) -> OriginalListing | None:
    """Where the original of a case is printed; None if its file does not say.

    Raises:
        CaseError: the section ``listing`` is wrong.
    """
    section = section_of(case)
    keys = section is not None and section.data.get("listing")
    return OriginalListing(**keys) if keys else None


def import_listing(post: Path) -> ImportedListing:
    """Take the listing of a case that comes with macproof out of a copy of its post.

    Raises:
        InputError: the file cannot be read, or has no listing of a case. The message says what is
            wrong with the listing of the first case.
        UsageError: no case has a listing.
    """
    refused: InputError | None = None
    for case in map(read_case, cases_with(rb" +listing:")):
        listing = listing_of(case)
        if listing is not None:
            try:
                text = read_listing(post, listing, case.credit)
            except InputError as error:
                refused = refused or error
            else:
                return ImportedListing(case.name, listing.file, text)
    raise refused or UsageError("no case file has a section listing, so there is nothing to import")


def read_listing(post: Path, bounds: OriginalListing, credit: str) -> str:
    """Take a listing out of a copy of its post.

    Args:
        post: the copy.
        bounds: the lines around the listing, and its digest.
        credit: who wrote it, for messages.

    Raises:
        InputError: the file cannot be read, has no listing, or has a different one.
    """
    raw = read_at_most(post, _LARGEST_POST, "a newsgroup post")
    text = raw.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    begin = _like(bounds.begin).search(text)
    if begin is None:
        raise InputError(
            post,
            f'there is no line "{bounds.begin}" in it',
            remedy="Give the post as it was sent, with the listing between its two marks.",
        )
    end = _like(bounds.end).search(text, begin.end())
    if end is None:
        raise InputError(
            post,
            f'after "{bounds.begin}" there is no line "{bounds.end}"',
            where=f"line {text.count(chr(10), 0, begin.start()) + 1}",
            remedy="The copy seems to be cut off.",
        )
    listing = text[begin.end() + 1 : end.start()]
    digest = listing_digest(listing)
    if digest != bounds.sha256:
        lines = listing.count("\n")
        raise InputError(
            post,
            f"the listing in it is not that of {credit}: {lines} lines with SHA-256 {digest}, "
            f"expected {bounds.lines} lines with {bounds.sha256}",
            remedy="To verify a changed listing, save it as a file and give it with "
            "verify --source.",
        )
    return listing


def listing_digest(text: str) -> str:
    """SHA-256 over the lines of a listing without the blanks at their ends."""
    lines = (line.rstrip() for line in text.split("\n"))
    return hashlib.sha256("\n".join(lines).encode("latin-1")).hexdigest()


def _like(mark: str) -> re.Pattern[str]:
    """A pattern for a line like a mark, with any number of "=" in a row and of blanks."""
    words = re.sub("=+", "=+", re.escape(mark).replace(r"\ ", " *"))
    return re.compile(f"^{words} *$", re.MULTILINE)
