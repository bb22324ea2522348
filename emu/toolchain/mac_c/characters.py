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
_IN_CODE = str.maketrans({"≠": "!=", "≤": "<=", "≥": ">=", "\u00a0": " "})
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_CHARACTERS = re.compile(r"'((?:\\.|[^'\\]){3,16})'", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_NEWLINE_SWITCH = re.compile(r"#[ \t]*pragma[ \t]+mpwc_newline[ \t]+(on|off|reset)\b")
_EXCHANGED = {r"\n": r"\r", r"\r": r"\n"}
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


def with_long_constants(text: bytes) -> bytes:
    """The text to compile with ``'TEXT'`` as ``0x54455854L``.

    Where ``int`` has 16 bits, GCC keeps two characters of such a constant; compilers of the time
    made it a long.
    """
    if b"'" not in text:
        return text
    return "".join(
        _CHARACTERS.sub(_long_constant, piece.text) if piece.text[0] == "'" else piece.text
        for piece in pieces(text.decode("latin-1"))
    ).encode("latin-1")


def with_mpw_newlines(text: bytes, *, is_on: bool) -> bytes:
    r"""The text to compile with ``'\n'`` for a carriage return and ``'\r'`` for a line feed.

    So MPW C has them, and CodeWarrior between ``#pragma mpwc_newline on`` and ``off``.

    Args:
        text: what `encoded` gives.
        is_on: whether it is so at the begin of the file.
    """
    if b"\\" not in text or not (is_on or b"mpwc_newline" in text):
        return text
    parts, is_now = [], is_on
    for piece in pieces(text.decode("latin-1")):
        if piece.kind == "code":
            for value in _NEWLINE_SWITCH.findall(piece.text):
                is_now = is_on if value == "reset" else value == "on"
        elif piece.kind == "literal" and is_now:
            piece = piece._replace(text=_ESCAPE.sub(_exchanged, piece.text))
        parts.append(piece.text)
    return "".join(parts).encode("latin-1")


def _exchanged(match: re.Match[str]) -> str:
    return _EXCHANGED.get(match[0], match[0])


def _long_constant(match: re.Match[str]) -> str:
    content = match[1]
    escaped = re.sub(r"[^\x20-\x7e]", lambda found: f"\\x{ord(found[0]):02x}", content)
    value = _ESCAPE.sub(_character, escaped)
    return f"0x{value.encode('latin-1').hex()}L" if 2 < len(value) <= 4 else match[0]


def _character(match: re.Match[str]) -> str:
    """The character of an escape sequence."""
    escape = match[1]
    if escape[0] == "x":
        return chr(int(escape[1:], 16) & 0xFF)
    if escape[0] in "01234567":
        return chr(int(escape, 8) & 0xFF)
    return _ESCAPED.get(escape, escape)


def _letter(match: re.Match[str]) -> str:
    """A letter of an identifier; one that GCC refuses, such as ∂, is spelled out: _u2202_."""
    letter = match[0]
    return letter if letter.isidentifier() else f"_u{ord(letter):04x}_"


def _mac_bytes(text: str) -> bytes:
    try:
        return text.encode(MAC_ROMAN)
    except UnicodeEncodeError:
        return text.encode()
