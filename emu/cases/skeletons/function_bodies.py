"""Finds functions in the text of C sources, in the form of any time.

The text is not preprocessed, so that names are those that the author knows. What no compiler reads
is left out: comments, and the contents of strings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

_LEFT_OUT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
# A name, its parameters, and in the older form their declarations before the brace.
_HEAD = re.compile(
    r"\b(?P<name>[A-Za-z_]\w*)\s*\((?P<inside>(?:[^;{}()]|\([^;{}()]*\))*)\)"
    r"(?P<declarations>[^;{}()=+]?[^{}()=+]*)\{"
)
_NO_FUNCTIONS = {"if", "while", "for", "switch", "return", "sizeof"}
_ARRAY = r"\b{name}\s*\[\s*(?P<length>\w*)\s*\]"
_DEFINE = r"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+\(?(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)\)?"
_VALUE = re.compile(r"\breturn\b\s*[^;\s]|\basm\b|\b__asm")
_NO_VALUE = re.compile(r"\breturn\b\s*;")
_RETURNING_MACRO = re.compile(r"^[ \t]*#[ \t]*define\b[^\n]*\breturn\b", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class FunctionBody:
    """A function as its source has it.

    Attributes:
        name: its name.
        head: its parameters with their declarations, in either form.
        parameters: the names of its parameters, in order.
        text: what stands between its braces.
        file: all of the source that it stands in.
    """

    name: str
    head: str
    parameters: tuple[str, ...]
    text: str
    file: str

    @property
    def returns_a_value(self) -> bool:
        """Whether a value may be returned; a macro or assembler may do so, too."""
        return _VALUE.search(self.text) is not None or bool(_RETURNING_MACRO.search(self.file))

    @property
    def may_return_nothing(self) -> bool:
        """Whether a ``return`` in it has no value."""
        return _NO_VALUE.search(self.text) is not None

    def assigns(self, variable: str) -> bool:
        """Whether it gives a value to a variable, or to an element or a member of it."""
        place = rf"\b{re.escape(variable)}\b(?:\s*\[[^\]]*\]|\s*(?:\.|->)\s*\w+)*\s*"
        assigned = rf"{place}(?:=(?!=)|[-+*/|&^%]=|<<=|>>=|\+\+|--)|(?:\+\+|--)\s*{place}"
        declared = rf"\bstatic\b[^;]*\b{re.escape(variable)}\s*=[^;]*;"
        return re.search(assigned, re.sub(declared, ";", self.text)) is not None

    def array_length(self, parameter: str) -> int:
        """How many elements a parameter is declared with: ``short v[10]``; 0 for no number."""
        found = re.search(_ARRAY.format(name=re.escape(parameter)), self.head)
        if found is None:
            return 0
        length = found["length"]
        if _WORD.fullmatch(length):
            pattern = _DEFINE.format(name=re.escape(length))
            defined = re.search(pattern, self.file, re.MULTILINE)
            length = defined["number"] if defined else ""
        try:
            return int(length, 0)
        except ValueError:
            return 0


def function_bodies(texts: Sequence[str], names: Collection[str]) -> dict[str, FunctionBody]:
    """Functions of some names, by these; the first of each.

    Args:
        texts: the sources.
        names: which functions are wanted.
    """
    found: dict[str, FunctionBody] = {}
    for text in texts:
        for body in _bodies(_plain(text), names):
            found.setdefault(body.name, body)
    return found


def _bodies(text: str, names: Collection[str]) -> Iterator[FunctionBody]:
    for head in _HEAD.finditer(text):
        if head["name"] not in names or head["name"] in _NO_FUNCTIONS:
            continue
        end = _closing(text, head.end(), "{", "}")
        declared = f"{head['inside']} {head['declarations']}"
        parameters = tuple(filter(None, map(_last_name, _parts(head["inside"]))))
        yield FunctionBody(head["name"], declared, parameters, text[head.end() : end], text)


def _plain(text: str) -> str:
    """A source with its lines ended by LF, without comments; characters are their numbers."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LEFT_OUT.sub(lambda match: _replacement(match[0]), lines)


def _replacement(words: str) -> str:
    if words.startswith("'"):
        return f" {ord(words[1])} " if len(words) == 3 else " 0 "
    return '""' if words.startswith('"') else " "


def closing_bracket(text: str, start: int) -> int:
    """The place of the bracket that closes one before ``start``; the end if there is none."""
    return _closing(text, start, "[", "]")


def _closing(text: str, start: int, opening: str, closing: str) -> int:
    depth = 1
    for match in re.finditer(rf"[{re.escape(opening + closing)}]", text[start:]):
        depth += 1 if match[0] == opening else -1
        if not depth:
            return start + match.start()
    return len(text)


def _parts(inside: str) -> list[str]:
    """The parameters of a list, without what functions among them get."""
    return re.sub(r"\)\s*\([^()]*\)", ")", inside).split(",")


def _last_name(declaration: str) -> str:
    names = _WORD.findall(declaration.partition("[")[0])
    return names[-1] if names and names != ["void"] else ""
