r"""Pascal strings in C source for a compiler that has none.

``"\pHello"`` becomes ``"\005Hello"``: the length comes first. It is done to the text before it is
compiled; everything else, and the place of every line, stays as it is. A string that goes on in a
second literal is refused, since its length cannot be known here.
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
    """A source with its Pascal strings written as others.

    Raises:
        CompileError: one is longer than 255 characters, or goes on in another literal.
    """

    def replace(match: re.Match[bytes]) -> bytes:
        text = match["text"]
        if match["pascal"] is None:
            return match[0]
        line = source.count(b"\n", 0, match.start()) + 1
        where = f"line {line}"
        if _MORE.match(source, match.end()):
            raise CompileError(path, "a Pascal string goes on in a second literal", where=where)
        count = len(_CHARACTER.findall(text))
        if count > _LONGEST:
            raise CompileError(path, f"a Pascal string of {count} characters", where=where)
        return b'"\\%03o%s"' % (count, text)

    return _TOKEN.sub(replace, source)
