r"""Translates Pascal strings in C source, for a compiler that does not know them.

``"\pHello"`` becomes ``"\005Hello"``: the length comes first. Everything else in the source and the
number of every line stay as they are. A string that continues in a second literal is refused,
because its length is not known here.
"""

from __future__ import annotations

import re
from pathlib import Path

from emu.base.errors import CompileError

_LONGEST = 255
_TOKEN = re.compile(
    rb"//(?:\\\r?\n|[^\r\n])*"  # comments
    rb"|/\*.*?\*/"
    rb"|'(?:\\.|[^'\\\r\n])*'"
    rb'|(?P<pascal>"\\[pP](?P<text>(?:\\.|[^"\\\r\n])*)")'
    rb'|"(?:\\.|[^"\\])*"',
    re.DOTALL,
)
_CHARACTER = re.compile(rb"\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}|.)|[^\\]", re.DOTALL)
_MORE = re.compile(rb'\s*"')


def translate_pascal_strings(source: bytes, path: Path) -> bytes:
    """Translate the Pascal strings of a source.

    Raises:
        CompileError: a string has more than 255 characters, or continues in another literal.
    """

    def replace(match: re.Match[bytes]) -> bytes:
        text = match["text"]
        if match["pascal"] is None:
            return match[0]
        line = source.count(b"\n", 0, match.start()) + 1
        where = f"line {line}"
        if _MORE.match(source, match.end()):
            raise CompileError(path, "a Pascal string continues in a second literal", where=where)
        count = len(_CHARACTER.findall(text))
        if count > _LONGEST:
            raise CompileError(path, f"a Pascal string of {count} characters", where=where)
        return b'"\\%03o%s"' % (count, text)

    return _TOKEN.sub(replace, source)
