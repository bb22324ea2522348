"""Turns a source file of the time into one that GCC takes; every line keeps its number."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from emu.toolchain.mac_c.characters import (
    code_only,
    decoded,
    encoded,
    with_ascii_operators,
    with_long_constants,
    with_mpw_newlines,
)
from emu.toolchain.mac_c.machine_code import Edit, edits, inlined
from emu.toolchain.mac_c.pragmas import TypeSizes, error_pragma, gcc_pragma

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+([^\n]*)", re.MULTILINE)
# What a text has to have to need more than other characters.
_SPECIAL = re.compile(
    r"#[ \t]*pragma|\basm|\b__asm|=\s*(?:0[xX]|\{)|\)[ \t]*=[ \t]*\w+[ \t]*$"
    r"|\b(?:struct|class)\s+\w+\s*:|__option|\bshort\s+double|\(\s*\.\.\."
    r"|\bextern\b[^;:]*:\s*\d",
    re.MULTILINE,
)
_SPECIAL_WITH_LONG_DOUBLES = re.compile(rf"{_SPECIAL.pattern}|\bdouble\b|\d[.eE]|\.\d", re.M)


# There are less than two hundred headers of the Toolbox, which every program includes.
_TEXTS_KEPT = 512


@functools.lru_cache(_TEXTS_KEPT)
def gcc_text(content: bytes, layout: TypeSizes, *, is_c: bool) -> bytes:
    """The text that GCC compiles.

    Args:
        content: the bytes of the file.
        layout: how the compiler's flags lay out data, which pragmas may contradict.
        is_c: whether it is C, or a header of a program in C.
    """
    if b"\0" in content:
        line = decoded(content[: content.index(b"\0")]).count("\n") + 1
        said = f"line {line} has a NUL byte, so this is not the text of a source"
        return f"{error_pragma(said)}\n".encode()
    text = _gcc_text(content, layout, is_c=is_c)
    text = with_mpw_newlines(text, is_on=layout.has_mpw_newlines)
    return with_long_constants(text) if layout.has_short_int else text


def _gcc_text(content: bytes, layout: TypeSizes, *, is_c: bool) -> bytes:
    special = _SPECIAL_WITH_LONG_DOUBLES if layout.has_long_double else _SPECIAL
    if content.isascii() and b"\r" not in content and not special.search(content.decode()):
        return content
    text = with_ascii_operators(decoded(content))
    if special.search(text):
        code = code_only(text)
        changes = [
            *edits(code, is_c=is_c, has_long_double=layout.has_long_double),
            *_pragmas(code, layout),
        ]
        text = edited(text, changes)
    return encoded(text)


def _pragmas(code: str, layout: TypeSizes) -> Iterable[Edit]:
    by_code: set[str] | None = None
    for match in _PRAGMA.finditer(code):
        if by_code is None:
            by_code = inlined(code)
        if (text := gcc_pragma(match[1].strip(), layout, by_code)) is not None:
            yield Edit(*match.span(), text)


def edited(text: str, changes: Iterable[Edit]) -> str:
    """The text with some changes, none of which takes a line away."""
    parts, done = [], 0
    for start, end, replacement in sorted(changes):
        if start >= done:
            lines = text.count("\n", start, end)
            parts += [text[done:start], replacement, "\n" * lines]
            done = end
    return "".join((*parts, text[done:]))
