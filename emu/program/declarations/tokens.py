"""Splits declarations in C into words, and obeys the preprocessor lines between them.

Comments go, the names of ``#define`` are replaced, branches of ``#if`` are chosen, files of
``#include`` are read where the caller finds them. A ``#pragma`` about alignment becomes a word, and
the reader of the declarations obeys it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from emu.base.errors import UsageError

PRAGMA = "#pragma"
"""The text of a token that stands for a pragma; its ``words`` are what follows."""

_TOKEN = re.compile(
    r"(?P<space>(?:[^\S\r\n]|\\\r?\n|/\*.*?\*/|//[^\r\n]*)+)"
    r"|(?P<end>\r\n?|\n)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<number>(?:0[xX][0-9A-Fa-f]{1,16}|\d{1,20})[uUlL]{0,3}(?![\w.]))"
    r"|(?P<text>\"(?:\\.|[^\"\\\r\n])*\"|'(?:\\.|[^'\\\r\n]){1,4}')"
    r"|(?P<sign>\.\.\.|<<|>>|&&|\|\||[=!<>]=|\#\#?|[-*()\[\],;{}:=&+/%~!<>?|^@.])",
    re.DOTALL | re.ASCII,
)
_LARGEST = 1 << 20
_MOST_TOKENS = 200_000
_DEEPEST_INCLUDE = 16
_WIDTH = 80
_BRANCHES = {"if", "ifdef", "ifndef", "elif", "else", "endif"}
# Compilers for the Macintosh have this name, and Apple's headers ask for it before they align.
_USUAL = {"PRAGMA_STRUCT_ALIGN": "1"}

FindFile = Callable[[str], "SourceText | None"]
"""Gives the file that an ``#include`` names; None for one that is not needed."""


class DeclarationError(UsageError):
    """A declaration cannot be read; the message says where, with columns counted from 1."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """What is read, and the name of its file; "" for a line that was given as it is."""

    text: str
    file: str = ""

    def place(self, at: int) -> str:
        """Where a character is, in words."""
        line = self.text.count("\n", 0, at) + 1
        column = f"column {at - self.text.rfind(chr(10), 0, at)}"
        several = self.file or "\n" in self.text.strip()
        return f"{f'{self.file}, ' * bool(self.file)}line {line}, {column}" if several else column

    def error(self, at: int, problem: str) -> DeclarationError:
        """An error about what begins at a character."""
        before, after = self.text[:at].rpartition("\n")[2], self.text[at:].partition("\n")[0]
        shown = f"{before}{after}".strip()
        return DeclarationError(f"{self.place(at)}: {problem} ({shown:.{_WIDTH}})")


@dataclass(frozen=True, slots=True)
class CToken:
    """A word, a number, a string or a sign, and where it stands.

    Attributes:
        text: as it is written.
        at: the number of its first character in the source.
        source: what it stands in.
        words: of a pragma, the words behind ``#pragma``.
    """

    text: str
    at: int
    source: SourceText
    words: tuple[str, ...] = ()

    @property
    def is_name(self) -> bool:
        """Whether it is a word."""
        return self.text[:1].isalpha() or self.text[:1] == "_"

    def error(self, problem: str) -> DeclarationError:
        """An error that begins at this token."""
        return self.source.error(self.at, problem)


@dataclass(slots=True)
class _Branch:
    """An ``#if`` that has not ended: whether its lines count, and whether a branch did before."""

    counts: bool
    was_chosen: bool


@dataclass(slots=True)
class Preprocessor:
    """Reads sources one after the other; names that one defines hold in the next.

    Attributes:
        evaluate: gives the number that the tokens of an expression are.
        find_file: gives included files.
        macros: what names are replaced by.
    """

    evaluate: Callable[[list[CToken]], int]
    find_file: FindFile = lambda name: None
    macros: dict[str, list[CToken]] = field(
        default_factory=lambda: {
            name: [CToken(text, 0, SourceText(text))] for name, text in _USUAL.items()
        }
    )
    _count: int = 0

    def tokens(self, source: SourceText) -> list[CToken]:
        """All tokens of a source, in order.

        Raises:
            DeclarationError: something is not C, or it is too large.
        """
        output: list[CToken] = []
        self._read(source, output, 0)
        return output

    def _read(self, source: SourceText, output: list[CToken], depth: int) -> None:
        if len(source.text) > _LARGEST or depth > _DEEPEST_INCLUDE:
            what = "it includes itself" if depth else f"it has over {_LARGEST:,} characters"
            raise source.error(0, what)
        branches: list[_Branch] = []
        for line in _lines(source):
            if line[0].text != "#":
                if all(branch.counts for branch in branches):
                    self._replace(line, output, frozenset())
                continue
            word = line[1].text if len(line) > 1 else ""
            if word in _BRANCHES:
                self._branch(word, line, branches)
            elif all(branch.counts for branch in branches):
                self._directive(word, line, output, depth)
        if branches:
            raise source.error(len(source.text), "#endif is missing")

    def _replace(self, line: list[CToken], output: list[CToken], inside: frozenset[str]) -> None:
        """Add the tokens of a line, with what names in it are replaced by."""
        for token in line:
            self._count += 1
            if self._count > _MOST_TOKENS:
                raise token.error(f"there are over {_MOST_TOKENS:,} words")
            body = None if token.text in inside else self.macros.get(token.text)
            if body is None:
                output.append(token)
            else:
                here = [replace(each, at=token.at, source=token.source) for each in body]
                self._replace(here, output, inside | {token.text})

    def _directive(self, word: str, line: list[CToken], output: list[CToken], depth: int) -> None:
        rest = line[2:]
        if word == "define" and rest and rest[0].is_name:
            # One with parameters is left as it is; where it is used, the reader says so.
            source, end = rest[0].source, rest[0].at + len(rest[0].text)
            if rest[0].text != "pascal" and source.text[end : end + 1] != "(":
                self.macros[rest[0].text] = rest[1:]
        elif word == "undef" and rest:
            self.macros.pop(rest[0].text, None)
        elif word == "pragma":
            output.append(replace(line[0], text=PRAGMA, words=tuple(word.text for word in rest)))
        elif word in ("include", "import") and rest:
            name = rest[0].text.strip('"')
            if name == "<":
                name = "".join(word.text for word in rest[1:-1])
            included = self.find_file(name)
            if included is not None:
                self._read(included, output, depth + 1)
        elif word == "error":
            raise line[0].error("an #error is met; it asks for something that is not defined")

    def _branch(self, word: str, line: list[CToken], branches: list[_Branch]) -> None:
        """Choose the lines that count between ``#if`` and ``#endif``."""
        if word.startswith("if"):
            outside = all(branch.counts for branch in branches)
            chosen = outside and self._holds(word, line)
            branches.append(_Branch(chosen, chosen or not outside))
            return
        if not branches:
            raise line[0].error(f"#{word} stands without #if")
        last = branches[-1]
        if word == "endif":
            branches.pop()
            return
        last.counts = not last.was_chosen and (word == "else" or self._holds("if", line))
        last.was_chosen |= last.counts

    def _holds(self, word: str, line: list[CToken]) -> bool:
        rest = line[2:]
        if not rest:
            raise line[0].error(f"#{word} names nothing")
        if word != "if":
            return (rest[0].text in self.macros) == (word == "ifdef")
        operands: list[CToken] = []
        at = 0
        while at < len(rest):
            if rest[at].text == "defined":
                at += 1 + (rest[at + 1 : at + 2] != [] and rest[at + 1].text == "(")
                name = rest[at].text if at < len(rest) else ""
                at += 1 + (rest[at + 1 : at + 2] != [] and rest[at + 1].text == ")")
                operands.append(replace(line[1], text=str(int(name in self.macros))))
            else:
                self._replace([rest[at]], operands, frozenset())
                at += 1
        # A name that nothing defines is 0 in an #if.
        return self.evaluate([replace(t, text="0") if t.is_name else t for t in operands]) != 0


def _lines(source: SourceText) -> Iterator[list[CToken]]:
    """The tokens of each line that has some; a backslash at its end goes on with the line."""
    line: list[CToken] = []
    at, text = 0, source.text
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None and line and line[0].text == "#":
            at += 1  # a directive may hold anything, such as a number with a point
            continue
        if match is None:
            raise source.error(at, f"{text[at]} has no place in a declaration")
        if match.lastgroup == "end":
            if line:
                yield line
            line = []
        elif match.lastgroup != "space":
            line.append(CToken(match[0], at, source))
        at = match.end()
    if line:
        yield line
