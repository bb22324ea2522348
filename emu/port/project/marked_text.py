"""What stands below marks in the text of sources, without a compiler.

No C is parsed: comments, literals and directives are taken away, and then braces are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from emu.port.model import GLOBAL, Mark
from emu.port.project.marks import text_of
from emu.toolchain.mac_c.characters import code_only

_DIRECTIVE = re.compile(r"^[ \t]*#.*?(?<!\\)$", re.MULTILINE | re.DOTALL)
_FUNCTION = re.compile(r"([^\W\d][\w:~]*)\s*\(")
_VARIABLE = re.compile(r"([^\W\d]\w*)\s*(?:\[|=|;|,)")
_BRACE = re.compile(r"[{}]")
_END = re.compile(r"[;{]")
_SIGN = re.compile(r"[;{}]")
_DEFINITION = r"\b{name}\s*\([^;{{}}]*\)[^{{}}]*\{{"


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """A definition in a source.

    Attributes:
        name: what it defines; "" if that is not seen.
        file: the source.
        first: the number of its first line, from 1.
        lines: its lines.
    """

    name: str
    file: Path
    first: int
    lines: tuple[str, ...] = field(repr=False)


class MarkedText:
    """The text of a source or header.

    Args:
        path: the file.

    Attributes:
        path: the file.
        lines: its lines.
        code: its code: everything else is spaces, and every line keeps its number.

    Raises:
        CaseError: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        text = text_of(path)
        self.path = path
        self.lines = text.split("\n")
        self.code = _DIRECTIVE.sub(lambda found: "\n" * found[0].count("\n"), code_only(text))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.code))]

    def is_open(self, first: int, last: int, *, is_function: bool) -> bool:
        """Whether nothing ends between a mark's line and the line with a name."""
        between = self.code[self._starts[first] : self._starts[last - 1]] if last > first else ""
        signs = _SIGN.findall(between)
        if is_function:
            return not signs
        depth = 0
        for sign in signs:
            depth += {"{": 1, "}": -1, ";": 0}[sign]
            if depth < 0 or (sign == ";" and not depth):
                return False
        return True

    def statement(self, line: int) -> str:
        """The code from the beginning of a line up to the first semicolon or brace."""
        start = self._starts[line - 1]
        end = _END.search(self.code, start)
        return self.code[start : end.end()] if end else ""

    def declared_name(self, mark: Mark) -> str:
        """The name that is declared below a mark; "" if none is seen."""
        pattern = _VARIABLE if mark.kind == GLOBAL else _FUNCTION
        found = pattern.search(self.statement(mark.line))
        return found[1] if found else ""

    def definition(self, mark: Mark) -> SourceExcerpt | None:
        """The function that is defined below a mark; None if something else is there."""
        name = self.declared_name(mark)
        if not name or not self.statement(mark.line).endswith("{"):
            return None
        start = self._starts[mark.line - 1]
        return self._excerpt(name, self.code.index("{", start), mark.line)

    def definition_of(self, name: str) -> SourceExcerpt | None:
        """The function of a name; None if it is not defined here."""
        found = re.search(_DEFINITION.format(name=re.escape(name)), self.code)
        if found is None:
            return None
        line = self.code.count("\n", 0, found.start()) + 1
        return self._excerpt(name, found.end() - 1, line)

    def _excerpt(self, name: str, brace: int, line: int) -> SourceExcerpt:
        """The lines up to the brace that closes the one at an offset."""
        depth, end = 0, len(self.code)
        for sign in _BRACE.finditer(self.code, brace):
            depth += 1 if sign[0] == "{" else -1
            if not depth:
                end = sign.start()
                break
        last = self.code.count("\n", 0, end) + 1
        return SourceExcerpt(name, self.path, line, tuple(self.lines[line - 1 : last]))


class MarkedTexts:
    """The texts of the files of a port, each read once.

    Args:
        files: the sources and headers.
    """

    def __init__(self, files: Iterable[Path]) -> None:
        self._texts: Mapping[Path, MarkedText] = {
            path: MarkedText(path) for path in files if path.suffix.lower() != ".csv"
        }

    def of(self, mark: Mark) -> MarkedText | None:
        """The text with a mark; None if it is in a CSV file."""
        return self._texts.get(mark.file)

    def name(self, mark: Mark) -> str:
        """The name of what a mark stands for; "" if that is not seen."""
        text = self.of(mark)
        return mark.name or (text.declared_name(mark) if text else "")

    def definition(self, mark: Mark) -> SourceExcerpt | None:
        """The function that a mark stands for; None if none is defined yet."""
        text = self.of(mark)
        if mark.name:
            found = (one.definition_of(mark.name) for one in self._texts.values())
            return next(filter(None, found), None)
        if text is None:
            return None
        own = text.definition(mark)
        if own is not None:
            return own
        name = text.declared_name(mark)
        found = (one.definition_of(name) for one in self._texts.values() if name)
        return next(filter(None, found), None)
