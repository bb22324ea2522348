"""Writes marks above the definitions of a source; all its other bytes stay as they are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError
from emu.base.files import read_at_most, write_whole
from emu.port.match.answer import Proposal
from emu.port.model import FUNCTION
from emu.port.project.marks import LARGEST_SOURCE
from emu.toolchain.mac_c.characters import code_only, decoded

_LINE_END = re.compile(rb"\r\n|\r|\n")
_DIRECTIVE = re.compile(r"^[ \t]*#.*?(?<!\\)$", re.MULTILINE | re.DOTALL)
_BORDER = re.compile(r"[;{}]")


@dataclass(frozen=True, slots=True)
class MarksWritten:
    """What was written.

    Attributes:
        files: the files that were changed, in order.
        left_out: proposals that no mark can be written for, and why, a sentence each.
    """

    files: tuple[Path, ...]
    left_out: tuple[str, ...]


def write_marks(proposals: Sequence[Proposal], files: Mapping[str, Path]) -> MarksWritten:
    """Write the marks of some proposals above their definitions.

    All files are read before the first one is written. Line ends and encodings are kept.

    Args:
        proposals: proposals with places, for definitions that have no marks yet.
        files: the files that may be changed, by what proposals call them.

    Raises:
        CaseError: a file cannot be read.
        InputError: a file cannot be written.
    """
    by_file: dict[Path, list[Proposal]] = defaultdict(list)
    left_out = []
    for one in proposals:
        path = files.get(one.file)
        if path is None:
            left_out.append(f"{one.name} is defined in {one.file}, which is no file of the port")
        else:
            by_file[path].append(one)
    texts = {path: _MarkedText(path) for path in by_file}
    counts: dict[str, int] = defaultdict(int)
    for one in proposals:
        counts[one.name] += 1
    for path, text in texts.items():
        for one in by_file[path]:
            if not text.add(one, is_unique=counts[one.name] == 1):
                left_out.append(
                    f"{path.name}, line {one.line}: {one.name} shares its line with others, and "
                    f"another file defines one of its name; give it a line of its own"
                )
    for path, text in texts.items():
        write_whole(path, text.content())
    return MarksWritten(tuple(texts), tuple(left_out))


class _MarkedText:
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

    def add(self, one: Proposal, *, is_unique: bool) -> bool:
        """Put a mark above a definition; whether that can be done."""
        line = self._first_line(one.line)
        is_alone = one.kind == FUNCTION or self._is_alone(line, one)
        if not is_alone and not is_unique:
            return False
        name = "" if is_alone else f" {one.name}"
        text = self._lines[line - 1]
        indent = text[: len(text) - len(text.lstrip(b" \t"))]
        mark = indent + f"// {one.kind}: {one.place}{name}".encode("ascii", "replace")
        ending = _LINE_END.search(text)
        self._marks[line].append(mark + (ending[0] if ending else self._end))
        return True

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


def writable(proposals: Iterable[Proposal], certainties: Iterable[str]) -> list[Proposal]:
    """Those proposals that marks are to be written for, which have a place and no mark."""
    wanted = frozenset(certainties)
    return [one for one in proposals if one.place and one.certainty in wanted]
