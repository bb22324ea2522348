"""Reads what PortCheck's two files have in common: lines of ASCII, the last one with a CRC.

All lines of a file end in the same way: with CR as on a Macintosh, with LF, or with both. The last
line is ``end`` and eight hexadecimal digits: the CRC-32 (as in zip files) of all lines before it,
each ended with an LF. So the CRC stays right when copying a file changes its line ends.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import InputError
from emu.base.files import open_file, read_at_most
from emu.program.mac_file.mac_file import read_mac_file

_END = re.compile(r"end ([0-9a-f]{8})")
_PRINTING = re.compile(rb"[\x20-\x7e]*")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_NAMES = {b"\r\n": "CR LF", b"\r": "CR", b"\n": "LF"}
_MOST_QUOTED = 60


class DamagedFileError(InputError):
    """A file of scenes or results is damaged, cut short or was changed."""


@dataclass(frozen=True, slots=True)
class CheckedLines:
    """The lines of a file without the last, and their CRC."""

    path: Path
    lines: Sequence[str]
    crc: int

    def error(self, line: int, problem: str) -> DamagedFileError:
        """Make the error for a line; lines are counted from 0."""
        return DamagedFileError(self.path, problem, where=f"line {line + 1}")


def checksum(lines: Iterable[str]) -> int:
    """The CRC-32 of lines, each ended with an LF."""
    return zlib.crc32("".join(f"{line}\n" for line in lines).encode("ascii"))


def with_checksum(lines: Sequence[str], end_of_line: bytes = b"\r") -> bytes:
    """The contents of a file with these lines and their CRC."""
    closed = [*lines, f"end {checksum(lines):08x}"]
    return b"".join(line.encode("ascii") + end_of_line for line in closed)


def read_lines(path: Path, title: str, limit: int) -> CheckedLines:
    """Read a file and check that it is whole.

    Args:
        path: a plain file, a MacBinary or AppleSingle file, or ``disk.dsk:NAME`` for a file in an
            HFS disk image.
        title: the first line it must have.
        limit: the most bytes it may have.

    Raises:
        DamagedFileError: it is no such file, or it is damaged, cut short or was changed.
        InputError: it cannot be read.
    """
    # AppleSingle and MacBinary files begin with a zero byte; text files do not.
    if (not path.exists() and ":" in path.name) or _first_byte(path) == 0:
        data = read_mac_file(path).data
        if len(data) > limit:
            raise DamagedFileError(
                path, f"it has more than {limit:,} bytes, which is too large for such a file"
            )
    else:
        data = read_at_most(path, limit, "such a file")
    return check_lines(data, path, title)


def _first_byte(path: Path) -> int | None:
    try:
        with open_file(path) as file:
            return next(iter(file.read(1)), None)
    except (OSError, ValueError):
        return None  # reading the whole file later reports the error


def check_lines(data: bytes, path: Path, title: str) -> CheckedLines:
    """Like `read_lines`, but for contents in memory; ``path`` is for messages."""
    kind = title.rsplit(" ", 1)[0]
    if not data.startswith(kind.encode("ascii")):
        raise DamagedFileError(path, f"it does not begin with {kind!r}, so it is no such file")
    lines = _split(data, path)
    if lines[0] != title:
        raise DamagedFileError(
            path,
            f"its first line is {quoted(lines[0])}, and only {title!r} is known",
            where="line 1",
        )
    end = _END.fullmatch(lines[-1])
    if end is None:
        raise DamagedFileError(
            path, "the last line has no CRC: the end of the file is missing, or was changed"
        )
    crc = checksum(lines[:-1])
    if crc != int(end[1], 16):
        raise DamagedFileError(
            path,
            f"it was changed or damaged: its CRC is {crc:08x}, and its last line says {end[1]}",
            remedy="Copy it from the Macintosh again.",
        )
    return CheckedLines(path, lines[:-1], crc)


def _split(data: bytes, path: Path) -> list[str]:
    """Split a text into lines; every line must end, and all in the same way."""
    ending = _line_end(data, path)
    if not data.endswith(ending):
        raise DamagedFileError(path, "its last line does not end: it was cut short")
    lines = data[: -len(ending)].split(ending)
    for number, line in enumerate(lines, 1):
        if _PRINTING.fullmatch(line) is None:
            raise DamagedFileError(
                path, "it has a character that is not printing ASCII", where=f"line {number}"
            )
    return [line.decode("ascii") for line in lines]


def _line_end(data: bytes, path: Path) -> bytes:
    """The line end that all lines have in common."""
    ends = [(match.group(), match.end()) for match in _LINE_END.finditer(data)]
    if not ends:
        return b"\n"
    first = ends[0][0]
    for number, (end, place) in enumerate(ends, 1):
        if end != first and not (
            place == len(data) and first.startswith(end)
        ):  # the text was cut off between CR and LF
            raise DamagedFileError(
                path,
                f"its line ends are mixed: this line ends with {_NAMES[end]}, those before it with "
                f"{_NAMES[first]}",
                where=f"line {number}",
                remedy="Copy it from the Macintosh again, without a conversion of its text.",
            )
    return first


def quoted(line: str) -> str:
    """A line in quotation marks for a message, shortened if it is long."""
    return repr(line if len(line) <= _MOST_QUOTED else line[: _MOST_QUOTED - 3] + "...")


def whole_number(word: str, most: int) -> int | None:
    """Read a decimal number without leading zeros; None if it is not one, or is above a limit."""
    if not word.isascii() or not word.isdigit() or len(word) > 20 or (word[0] == "0" != word):
        return None
    number = int(word)
    return number if number <= most else None
