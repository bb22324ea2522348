"""Reads the marks in sources, headers and CSV files.

A mark is a comment above a definition: ``// FUNCTION: CODE 2+0x122``, or with ``/*`` and ``*/`` in
C of the time. A name may follow the place; the mark then stands for the function or variable of
that name, wherever it is defined. A CSV file has a line of names, of which ``place`` and ``name``
are needed, and a line for each mark: ``place,name,kind,size``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from emu.base.errors import CaseError
from emu.base.files import read_at_most
from emu.base.yaml_document import did_you_mean
from emu.port.model import FUNCTION, GLOBAL, LIBRARY, STUB, Mark
from emu.toolchain.mac_c.characters import decoded, pieces

KINDS = (FUNCTION, STUB, LIBRARY, GLOBAL)
LARGEST_SOURCE = 16 << 20
"""Bytes of a file with marks."""

_COMMENT = re.compile(r"^[ \t/*]*(FUNCTION|STUB|LIBRARY|GLOBAL)[ \t]*:([^\n]*)", re.MULTILINE)
_NAME = r"(?:[^\W\d][\w$.]*::)*~?[^\W\d][\w$.]*"
_PLACE = re.compile(
    rf"(?P<base>[Aa]5|\S(?:[^+\n]*\S)?)\s*(?P<sign>[+-])\s*(?P<offset>0[xX][0-9A-Fa-f]+|\d+)"
    rf"(?:\s+(?P<name>{_NAME}))?"
)
_SIZE = re.compile(r"0[xX][0-9A-Fa-f]+|[1-9]\d*|0")
_L1 = "line 1"
_COLUMNS = ("place", "name", "kind", "size")
_FORM = "write a place as in CODE 2+0x122, section 0+0x40 or A5-0x864"


def read_marks(files: Iterable[Path]) -> list[Mark]:
    """Read the marks of some files, in the order of files and lines.

    Args:
        files: sources and headers in any encoding of the time, and files that end in .csv.

    Raises:
        CaseError: a mark is not written as it should be; or a file cannot be read.
    """
    marks: list[Mark] = []
    for path in files:
        text = text_of(path)
        marks += _table(text, path) if path.suffix.lower() == ".csv" else _comments(text, path)
    return marks


def text_of(path: Path) -> str:
    """The text of a source or a CSV file, with a line feed at the end of every line.

    Raises:
        CaseError: it cannot be read.
    """
    return decoded(read_at_most(path, LARGEST_SOURCE, "a source", CaseError))


def usual_place(place: str) -> str:
    """A place in the one form in which places are compared: "CODE 2+0x122".

    Raises:
        ValueError: it is no place.
    """
    match = _PLACE.fullmatch(place.strip())
    if match is None or match["name"]:
        raise ValueError(f"{place.strip() or 'nothing'} is no place; {_FORM}")
    return _usual(match)


def _usual(match: re.Match[str]) -> str:
    base = "A5" if match["base"] in ("a5", "A5") else " ".join(match["base"].split())
    return f"{base}{match['sign']}{int(match['offset'], 0):#x}"


def _comments(text: str, path: Path) -> Iterator[Mark]:
    line = 1
    for piece in pieces(text):
        if piece.kind == "comment":
            yield from _in_comment(piece.text, line, path)
        line += piece.text.count("\n")


def _in_comment(text: str, first: int, path: Path) -> Iterator[Mark]:
    for match in _COMMENT.finditer(text):
        line = first + text.count("\n", 0, match.start())
        content = match[2].partition("*/")[0].strip()
        place = _PLACE.fullmatch(content)
        if place is None:
            problem = f"after {match[1]}: stands {content or 'nothing'}, which is no place"
            raise CaseError(path, problem, where=f"line {line}", remedy=_sentence(_FORM))
        yield _mark(path, line, match[1], _usual(place), place["name"] or "")


def _table(text: str, path: Path) -> Iterator[Mark]:
    """The marks of a CSV file; spaces around a value do not count."""
    try:
        rows = list(csv.reader(io.StringIO(text), skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise CaseError(path, f"it is not CSV: {error}") from error
    head = [name.strip().lower() for name in rows[0]] if rows else []
    for name in head:
        if name not in _COLUMNS:
            hint = did_you_mean(name, _COLUMNS)
            raise CaseError(path, f"there is no column {name or 'without a name'}{hint}", where=_L1)
    for name in ("place", "name"):
        if name not in head:
            raise CaseError(path, f"its first line has no column {name}", where=_L1)
    reader = csv.reader(io.StringIO(text), skipinitialspace=True, strict=True)
    next(reader)
    for row in reader:
        if row:
            values = dict(zip(head, (value.strip() for value in row), strict=False))
            yield _row(path, reader.line_num, values)


def _row(path: Path, line: int, values: dict[str, str]) -> Mark:
    where = f"line {line}"
    kind = values.get("kind", "").upper() or FUNCTION
    size = values.get("size", "") or "0"
    if kind not in KINDS:
        raise CaseError(path, f"there is no kind {kind}{did_you_mean(kind, KINDS)}", where=where)
    if not values.get("name"):
        raise CaseError(path, "the name is missing", where=where)
    if not _SIZE.fullmatch(size):
        raise CaseError(path, f"{size} is no number of bytes", where=where)
    try:
        place = usual_place(values.get("place", ""))
    except ValueError as error:
        raise CaseError(path, str(error), where=where) from error
    return _mark(path, line, kind, place, values["name"], int(size, 0))


def _mark(path: Path, line: int, kind: str, place: str, name: str, size: int = 0) -> Mark:
    if place.startswith("A5") and kind != GLOBAL:
        problem = f"{place} is a place of a variable, and the mark is one of a {kind}"
        raise CaseError(path, problem, where=f"line {line}", remedy="Write GLOBAL.")
    return Mark(kind, place, path, line, name, size)


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."
