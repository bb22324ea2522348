"""The characters of a source of the time: its line ends, its encoding, and its operators.

A file is UTF-8 if its bytes are; any other is MacRoman. A carriage return, a line feed and both
together each end a line, so every line keeps its number. In the code, ``≠ ≤ ≥`` are operators, a
non-breaking space is a space, and any other character beyond ASCII is a letter of an identifier.
Strings and character constants get the bytes that they have on a Macintosh: MacRoman.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MAC_ROMAN = "mac_roman"

_PIECE = re.compile(
    r"(?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))"
    r"|(?P<literal>\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?)",
    re.DOTALL,
)
_CHARACTER = r"[^'\\\n]|\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}|.)"
_LONG_CONSTANT = re.compile(rf"'(?:{_CHARACTER}){{3,4}}'")
_ESCAPES = {"n": 10, "r": 13, "t": 9, "b": 8, "f": 12, "v": 11, "a": 7}
_IN_CODE = str.maketrans({"≠": "!=", "≤": "<=", "≥": ">=", "\u00a0": " "})
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_NOT_A_LINE_FEED = re.compile(r"[^\n]")


class TextPiece(NamedTuple):
    """A part of a source: code, a comment, or a literal (a string or a character constant)."""

    kind: str
    text: str


def pieces(text: str) -> Iterator[TextPiece]:
    """Split a source into code, comments and literals, in their order."""
    done = 0
    for match in _PIECE.finditer(text):
        if done < match.start():
            yield TextPiece("code", text[done : match.start()])
        yield TextPiece(match.lastgroup or "code", match[0])
        done = match.end()
    if done < len(text):
        yield TextPiece("code", text[done:])


def code_only(text: str) -> str:
    """The source with a space for every character of comments and literals, except line ends."""
    return "".join(
        piece.text if piece.kind == "code" else _NOT_A_LINE_FEED.sub(" ", piece.text)
        for piece in pieces(text)
    )


def decoded(content: bytes) -> str:
    """The text of a file, with a line feed at the end of every line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode(MAC_ROMAN)  # which has a character for every byte
    return text.replace("\r\n", "\n").replace("\r", "\n")


def with_ascii_operators(text: str) -> str:
    """The source with operators and spaces of ASCII, and with letters that GCC takes."""
    if text.isascii():
        return text
    return "".join(
        _BEYOND_ASCII.sub(_letter, piece.text.translate(_IN_CODE))
        if piece.kind == "code"
        else piece.text
        for piece in pieces(text)
    )


def encoded(text: str) -> bytes:
    """The bytes to compile: literals in MacRoman if it has all their characters, the rest UTF-8."""
    if text.isascii():
        return text.encode()
    return b"".join(
        _mac_bytes(piece.text) if piece.kind == "literal" else piece.text.encode()
        for piece in pieces(text)
    )


def with_long_constants(text: str) -> str:
    """The source with constants of three or four characters, such as 'TEXT', as numbers.

    They are long on a Macintosh; GCC makes them int, of which 16 bits are left if it has no more.
    """
    return "".join(
        _number(piece.text) if _LONG_CONSTANT.fullmatch(piece.text) else piece.text
        for piece in pieces(text)
    )


def _number(constant: str) -> str:
    value = 0
    for character in re.findall(_CHARACTER, constant[1:-1]):
        value = value << 8 | _code(character)
    return f"0x{value:08X}L"


def _code(character: str) -> int:
    escaped = character[1:]
    if not escaped:
        return _mac_bytes(character)[-1]
    if escaped[0] in "01234567":
        return int(escaped, 8) & 0xFF
    if escaped[0] == "x" and escaped[1:]:
        return int(escaped[1:], 16)
    return _ESCAPES.get(escaped, ord(escaped) & 0xFF)


def _letter(match: re.Match[str]) -> str:
    """A letter of an identifier; one that GCC refuses, such as ∂, is spelled out: _u2202_."""
    letter = match[0]
    return letter if letter.isidentifier() else f"_u{ord(letter):04x}_"


def _mac_bytes(text: str) -> bytes:
    try:
        return text.encode(MAC_ROMAN)
    except UnicodeEncodeError:
        return text.encode()
