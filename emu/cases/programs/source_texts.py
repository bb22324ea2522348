"""Finds the text of the source files that a program's line table names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from emu.report.document import Excerpt
from emu.toolchain.mac_c.characters import decoded
from emu.toolchain.sources import SourceTree

_TAB = 4


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """The text of the compiled sources.

    Attributes:
        lines: the lines of each file, by the file's name without a folder.
        missing: for each file whose text is not available, the reason as a clause.
    """

    lines: Mapping[str, tuple[str, ...]]
    missing: Mapping[str, str]

    def line(self, file: str, number: int) -> str:
        """The text of a line; "" if there is no such line. The first line has number 1."""
        lines = self.lines.get(file, ())
        return lines[number - 1] if 0 < number <= len(lines) else ""


def source_texts(tree: SourceTree, last: Mapping[str, int]) -> SourceTexts:
    """Find the text of source files.

    Lines end where they end for the compiler, so line numbers agree with the program's.

    Args:
        tree: the sources that were compiled.
        last: the highest number of a line with code, by the name of its file.

    Raises:
        CompileError: a file cannot be read.
    """
    staged: defaultdict[str, set[bytes]] = defaultdict(set)
    sources = tree.read()
    for name, content in sources.files.items():
        staged[name.rpartition("/")[2]].add(sources.originals.get(name, content))
    lines: dict[str, tuple[str, ...]] = {}
    missing: dict[str, str] = {}
    for file, number in sorted(last.items()):
        contents = staged.get(file, set())
        if len(contents) != 1:
            missing[file] = (
                "two different files of what was compiled have this name"
                if contents
                else "it is not one of the files from which the case's programs are compiled"
            )
            continue
        text = decoded(*contents).removesuffix("\n").split("\n")
        if number > len(text):
            missing[file] = (
                f"the program has code of line {number}, and the file has {len(text)} lines: the "
                "program was compiled from another file of this name"
            )
            continue
        lines[file] = tuple(line.expandtabs(_TAB) for line in text)
    return SourceTexts(lines, missing)


def excerpt_of(texts: SourceTexts, file: str, line: int, count: int) -> Excerpt | None:
    """Lines of a file around a certain one, which is marked; at most ``count``.

    Returns:
        None if the file's text is not available.
    """
    lines = texts.lines.get(file)
    if lines is None or not 0 < line <= len(lines):
        return None
    first = max(1, min(line - count // 2, len(lines) - count + 1))
    return Excerpt(file, first, lines[first - 1 : first - 1 + count], line)
