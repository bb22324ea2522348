"""Makes texts, as routines read them: digits, words, blanks, and what a source compares with.

Random bytes are hardly ever a text. A parser of numbers meets no digit among them in hundreds of
scenes, and a routine that looks for a keyword never finds it.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import InputError

_USUAL = (
    *(bytes([digit]) for digit in b"0123456789"),
    *(b" ", b"-", b"+", b".", b",", b"\r", b"\n", b"\t", b"a", b"e", b"x", b"A", b"Z", b"_"),
    *(b"00", b"10", b"255", b"32767", b"-32768", b"65536", b"2147483648", b"abc", b"Hello"),
)
_LITERAL = re.compile(
    r"/\*.*?\*/|//[^\n]*|^[ \t]*#[ \t]*include[^\n]*"
    r"|\"(?P<string>(?:\\.|[^\"\\\n])*)\"|'(?P<character>(?:\\.|[^'\\\n])+)'",
    re.DOTALL | re.MULTILINE,
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "p": ""}


def random_text(words: NDArray[np.uint64], *sources: Path) -> NDArray[np.uint8]:
    """Make a text in which digits, signs, blanks, numbers and words follow each other.

    Args:
        words: random words, one for each byte.
        sources: source files in C. What their strings and characters hold is in every second place,
            since it is likely to be what the routine looks for.

    Returns:
        As many bytes as there are words.

    Raises:
        InputError: a source cannot be read.

    Example:
        >>> import numpy
        >>> words = numpy.random.PCG64(1).random_raw(24)
        >>> bytes(macproof.random_text(words)).decode()
        '214748364821474836489655'
    """
    own = tuple(piece for source in sources for piece in literals_of(source))
    text = bytearray()
    for word in words.tolist():
        if len(text) >= len(words):
            break
        pieces = own if own and word & 1 else _USUAL
        text += pieces[(word >> 1) % len(pieces)]
    return np.frombuffer(bytes(text[: len(words)]), np.uint8)


def literals_of(source: Path) -> tuple[bytes, ...]:
    """What the strings and characters of a source in C hold, each once, in their order.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return _literals(source.read_bytes())
    except OSError as error:
        raise InputError(source, f"cannot be read: {error.strerror}") from error


@functools.lru_cache(maxsize=32)
def _literals(content: bytes) -> tuple[bytes, ...]:
    literals = {
        _ESCAPE.sub(_unescaped, match["string"] or match["character"] or "").encode("latin-1")
        for match in _LITERAL.finditer(content.decode("latin-1"))
    }
    return tuple(sorted(literals - {b""}))


def _unescaped(match: re.Match[str]) -> str:
    hexadecimal, octal, letter = match.groups()
    if hexadecimal or octal:
        return chr(int(hexadecimal or octal, 16 if hexadecimal else 8) & 0xFF)
    return _LETTERS.get(letter, letter)
