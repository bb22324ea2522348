"""Writes marks above the definitions of a source; all its other bytes stay as they are."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError
from emu.base.files import read_at_most, write_whole
from emu.port.match.answer import Proposal
from emu.port.model import GLOBAL, LIBRARY
from emu.port.project.marks import LARGEST_SOURCE
from emu.toolchain.mac_c.characters import code_only, decoded

_LINE_END = re.compile(rb"\r\n|\r|\n")
_DIRECTIVE = re.compile(r"^[ \t]*#.*?(?<!\\)$", re.MULTILINE | re.DOTALL)
_BORDER = re.compile(r"[;{}]")


@dataclass(frozen=True, slots=True)
class MarkWriting:
    """What was written.

    Attributes:
        files: the files that were changed, in order.
        left_out: proposals that no mark can be written for, and why, a sentence each.
    """

    files: tuple[Path, ...]
    left_out: tuple[str, ...]


def write_marks(
    proposals: Sequence[Proposal], certainties: Collection[str], files: Mapping[str, Path]
) -> MarkWriting:
    """Write marks above the definitions of those proposals that are as certain as is asked for.

    All files are read before the first one is written. Line ends and encodings are kept.

    Args:
        proposals: proposals for all definitions.
        certainties: which of them get marks, if they have places.
        files: the files that may be changed, by what proposals call them.

    Raises:
        CaseError: a file cannot be read.
        InputError: a file cannot be written.
    """
    by_file: dict[Path, list[Proposal]] = defaultdict(list)
    left_out = []
    lines = Counter((one.file, one.line, one.kind) for one in proposals)
    for one in proposals:
        if not one.place or one.certainty not in certainties:
            continue
        path = files.get(one.file)
        if path is None:
            left_out.append(f"{one.name} is defined in {one.file}, which is no file of the port")
        else:
            by_file[path].append(one)
    texts = {path: _Source(path) for path in by_file}
    for path, text in texts.items():
        for one in by_file[path]:
            text.add(one, is_alone=lines[one.file, one.line, one.kind] == 1)
    for path, text in texts.items():
        write_whole(path, text.content())
    return MarkWriting(tuple(texts), tuple(left_out))


class _Source:
    """A source that marks are written into."""

    def __init__(self, path: Path) -> None:
        content = read_at_most(path, LARGEST_SOURCE, "a source", CaseError)
        ends = [match.end() for match in _LINE_END.finditer(content)]
        starts = [0, *ends]
        self._lines = [content[a:b] for a, b in zip(starts, [*ends, len(content)], strict=True)]
        found = _LINE_END.search(content)
        self._end = found[0] if found else b"\n"
        code = code_only(decoded(content))
        self._code = _DIRECTIVE.sub(lambda match: "\n" * match[0].count("\n") + "#", code)
        self._starts = [0, *(match.end() for match in re.finditer("\n", self._code))]
        self._marks: dict[int, list[bytes]] = defaultdict(list)

    def add(self, one: Proposal, *, is_alone: bool) -> None:
        """Put a mark above a definition, with a name if another one is in its line."""
        line = self._first_line(one.line)
        if one.kind == GLOBAL:
            is_alone = is_alone and self._is_alone(line, one)
        # The code for a routine of the Toolbox has no definition: the mark names it.
        name = "" if is_alone and one.kind != LIBRARY else f" {one.name}"
        text = self._lines[line - 1]
        indent = text[: len(text) - len(text.lstrip(b" \t"))]
        mark = indent + f"// {one.kind}: {one.place}{name}".encode("ascii", "replace")
        ending = _LINE_END.search(text)
        self._marks[line].append(mark + (ending[0] if ending else self._end))

    def _first_line(self, line: int) -> int:
        """The line in which the definition begins whose name stands in a line."""
        before = self._code[: self._starts[line - 1]]
        borders = [match.end() for match in _BORDER.finditer(before)]
        directive = before.rfind("#")
        start = max([0, *borders[-1:], directive + 1])
        code = self._code[start : self._starts[line - 1]]
        if not code.strip():
            return line
        offset = start + len(code) - len(code.lstrip())
        first = self._code.count("\n", 0, offset) + 1
        # What stands behind the end of another definition has no line of its own.
        return first if not self._code[self._starts[first - 1] : offset].strip() else first + 1

    def _is_alone(self, line: int, one: Proposal) -> bool:
        """Whether a variable is the only one of its declaration, and its line has no other."""
        start = self._starts[line - 1]
        end = self._code.find(";", self._starts[one.line - 1])
        text = self._code[start : end if end >= 0 else len(self._code)]
        values = _without_values(text)
        last = self._code.count("\n", 0, max(end, 0)) + 1
        rest = self._code[end + 1 : self._starts[last] if last < len(self._starts) else None]
        return "," not in values and not rest.strip()

    def content(self) -> bytes:
        """The bytes with all marks."""
        out = []
        for number, text in enumerate(self._lines, 1):
            out += self._marks.get(number, [])
            out.append(text)
        return b"".join(out)


def _without_values(text: str) -> str:
    """A declaration without what stands in brackets: values, members, parameters, lengths."""
    kept, depth = [], 0
    for character in text:
        depth += {"{": 1, "(": 1, "[": 1}.get(character, 0)
        if not depth:
            kept.append(character)
        depth -= {"}": 1, ")": 1, "]": 1}.get(character, 0)
    return "".join(kept)
