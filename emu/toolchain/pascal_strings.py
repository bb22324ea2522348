r"""Translates Pascal strings in C source, for a compiler that does not know them.

``"\pHello"`` becomes ``"\005Hello"``: the length comes first. Literals that follow one another are
one string, so ``"\pHel" "lo"`` becomes ``"\005Hel" "lo"``. The text may be preprocessed or not.
Everything else in it and the number of every line stay as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

from emu.base.errors import CompileError

_LONGEST = 255
_COMMENT = rb"//(?:\\\r?\n|[^\r\n])*|/\*.*?\*/"
# What a preprocessor writes: # 12 "file.c"
_LINE_MARKER = rb'^\#[ ]\d+[ ]"(?:\\.|[^"\\\n])*"[^\n]*$'
_LITERAL = rb'"(?:\\.|[^"\\\r\n])*"'
_TOKEN = re.compile(
    rb"%s|%s|'(?:\\.|[^'\\\r\n])*'|(?P<pascal>\"\\[pP](?:\\.|[^\"\\\r\n])*\")|\"(?:\\.|[^\"\\])*\""
    % (_COMMENT, _LINE_MARKER),
    re.DOTALL | re.MULTILINE,
)
_SPACE_IN_LINE = rb"(?:[^\S\r\n]|\\\r?\n|/\*.*?\*/)*"
_NEXT_IN_LINE = re.compile(rb"%s(%s|[A-Za-z_])" % (_SPACE_IN_LINE, _LITERAL), re.DOTALL)
_NEXT = re.compile(
    rb"(?:\s|\\\r?\n|%s|%s)*(%s|[A-Za-z_])" % (_COMMENT, _LINE_MARKER, _LITERAL),
    re.DOTALL | re.MULTILINE,
)
_CHARACTER = re.compile(rb"\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}|.)|[^\\]", re.DOTALL)
_MARKED = re.compile(rb'^# (\d+) "((?:\\.|[^"\\\n])*)"[^\n]*\n', re.MULTILINE)


def has_pascal_strings(source: bytes) -> bool:
    """Whether a source may contain one; one in a comment counts too."""
    return b'"\\p' in source or b'"\\P' in source


def translate_pascal_strings(source: bytes, path: Path) -> bytes:
    """Translate the Pascal strings of a source.

    Args:
        source: the text of a C or C++ file, or what the preprocessor made of it.
        path: the file, for messages.

    Raises:
        CompileError: a string has more than 255 characters, or continues in a macro.
    """
    parts, done = [], 0
    for match in _TOKEN.finditer(source):
        if match["pascal"] is None:
            continue
        start = match.start()
        count = _length(source, match, path)
        if count > _LONGEST:
            problem = f"a Pascal string of {count} characters; it can have {_LONGEST}"
            raise CompileError(path, problem, where=_place(source, start))
        parts += [source[done:start], b'"\\%03o' % count]
        done = start + len(b'"\\p')
    return b"".join((*parts, source[done:]))


def _length(source: bytes, match: re.Match[bytes], path: Path) -> int:
    """How many characters a string has, with the literals that follow it."""
    literal, end = match[0][len(b"\\p") :], match.end()
    next_token = _NEXT_IN_LINE if _in_directive(source, match.start()) else _NEXT
    count = 0
    while True:
        count += len(_CHARACTER.findall(literal[1:-1]))
        following = next_token.match(source, end)
        if following is None:
            return count
        literal, end = following[1], following.end()
        if not literal.startswith(b'"') or has_pascal_strings(literal):
            what = "another Pascal string" if literal.startswith(b'"') else "a macro"
            problem = f"a Pascal string continues in {what}, so its length is not known"
            raise CompileError(path, problem, where=_place(source, match.start()))


def _in_directive(source: bytes, offset: int) -> bool:
    """Whether an offset is in a line, or a continued line, of the preprocessor."""
    start = source.rfind(b"\n", 0, offset) + 1
    while source[max(start - 3, 0) : start].endswith((b"\\\n", b"\\\r\n")):
        start = source.rfind(b"\n", 0, start - 1) + 1
    return source[start:offset].lstrip().startswith(b"#")


def _place(source: bytes, offset: int) -> str:
    """The line of an offset, by the last line marker before it if there is one."""
    markers = list(_MARKED.finditer(source, 0, offset))
    if not markers:
        before = source.count(b"\n", 0, offset)
        return f"line {before + 1}"
    marker = markers[-1]
    line = int(marker[1]) + source.count(b"\n", marker.end(), offset)
    return f"{marker[2].decode(errors='replace').removeprefix('program/')}, line {line}"
