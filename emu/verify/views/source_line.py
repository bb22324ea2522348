"""The line of a source in which a failure shows, if the source is still what was compiled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.programs.source_texts import excerpt_of, source_texts
from emu.cases.programs.sources import Replacements, source_tree
from emu.program import Location
from emu.report.document import Excerpt


@dataclass(frozen=True, slots=True)
class CompiledSources:
    """The sources that a program was compiled from.

    Attributes:
        source: the sources that replaced the case's own; None if none did.
        digest: `SourceTree.digest` of all that was compiled.
    """

    source: Path | Replacements | None
    digest: str


def source_excerpt(
    case: Case, compiled: CompiledSources | None, place: Location | None, count: int
) -> Excerpt | str | None:
    """The lines around a place in a program.

    The digest is compared before anything is shown, so that no line is shown that was not compiled,
    and no other file that a damaged report names.

    Args:
        case: the case of the program.
        compiled: its sources; None if nobody knows them, as of a program that was given.
        place: the place; None if there is none.
        count: how many lines are wanted, the marked one among them.

    Returns:
        The lines; or why they are not shown, as a sentence; None if there is nothing to show.
    """
    if compiled is None or not case.units or place is None or not place.line:
        return None
    try:
        tree = source_tree(case, compiled.source)
        is_same = tree.digest() == compiled.digest
        texts = source_texts(tree, {place.file: place.line})
    except (MacproofError, OSError):
        is_same = False
    if not is_same:
        return f"{place.source} is not shown: what was compiled has changed since."
    excerpt = excerpt_of(texts, place.file, place.line, count)
    return excerpt or f"{place.source} is not shown: {texts.missing[place.file]}."
