"""Machine code in sources of the time: ``asm`` blocks, and routines declared by their code.

GCC has another assembler and no such declarations. An ``asm`` block becomes an error where it is
compiled: on a PowerPC the block that ``#if powerc`` leaves out does no harm. A routine that is
declared by a trap word is declared without it, so that macproof's glue to the Toolbox is linked. A
routine that is declared by other machine code becomes one that GCC refuses to call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from emu.toolchain.mac_c.pragmas import error_pragma

_ASM = re.compile(r"(?<![#\w])(?:__)?asm(?:__)?\b(?!\s*\()")
_OF_GCC = re.compile(r"\s*(?:(?:__)?(?:volatile|inline|goto)(?:__)?\s*)+\(")
_INLINE = re.compile(r"\)\s*(=\s*(0[xX][0-9A-Fa-f]+|\{[^{};()]*\}))\s*;")
_BY_MACRO = re.compile(r"\)\s*\w*INLINE\b")
# ONEWORDINLINE(w1) = w1, and the like
_INLINE_MACRO = re.compile(
    r"^([ \t]*#[ \t]*define[ \t]+\w+\([^)\n]*\))([ \t]*=[ \t]*(?:\{[^}\n]*\}|\w+))[ \t]*$", re.M
)
_WORD = re.compile(r"0[xX]([0-9A-Fa-f]+)")
_DECLARED = re.compile(r"\s*(?!(?:return|else|case|do|goto)\b)(?:\w+[\s*]+)+\**\s*(\w+)\s*$")
# THINK C's name of the double of 8 bytes, which GCC's is.
_DOUBLE = re.compile(r"\b(?:(short|long)\s+)?double\b")
# 1.5, 2., .5e3 and 1e3, without a suffix; no part of a name, as x.e1 has
_FRACTION = re.compile(
    r"(?<![\w.])(?:\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])"
)
# THINK C asks for its options in this way.
_OPTION = re.compile(r"\b__option\s*\(\s*(\w+)\s*\)")
_OPTIONS = {"int_4": "(__SIZEOF_INT__ == 4)", "unsigned_char": "defined(__CHAR_UNSIGNED__)"}
# extern short MemErr : 0x220; a variable at an address
_AT_ADDRESS = re.compile(r"\bextern\b[^;:(){}=]*\w[\s\]]*(:\s*(0[xX][0-9A-Fa-f]+|[0-9]+)\s*);")
# void f(...), which GCC takes in C++ alone; a macro may be defined so.
_ANY_ARGUMENTS = re.compile(r"^(?![ \t]*#)[^\n(]*\w\s*(\(\s*\.\.\.\s*\))", re.MULTILINE)
_FARTHEST = 4096  # characters of one declaration
_OBJECTS = re.compile(r"\b(?:struct|class)\s+\w+\s*:\s*(?:(?:public|virtual)\s+)?(\w+)")


class Edit(NamedTuple):
    """A part of a text, from one offset to another, and what takes its place."""

    start: int
    end: int
    text: str


def edits(code: str, *, is_c: bool, has_long_double: bool = False) -> Iterator[Edit]:
    """What has to be changed in a source.

    Args:
        code: the source without comments and literals.
        is_c: whether it is C, or a header of a program in C.
        has_long_double: whether a ``double`` is GCC's ``long double``.
    """
    yield from _blocks(code)
    for match in _INLINE_MACRO.finditer(code):
        yield Edit(*match.span(2), "")
    for match in _INLINE.finditer(code):
        name = _declared_before(code, match.start())
        if name:
            words = [int(word, 16) for word in _WORD.findall(match[2])]
            is_trap = any(word >> 12 == 0xA for word in words) or not words
            yield Edit(*match.span(1), "" if is_trap else _uncallable(name))
    for match in _OBJECTS.finditer(code):
        if is_c or match[1] in ("direct", "indirect"):
            yield Edit(match.start(), match.start(), f"{_NO_OBJECTS} ")
    yield from _doubles(code, has_long_double=has_long_double)
    for match in _OPTION.finditer(code):
        yield Edit(*match.span(), _OPTIONS.get(match[1], "0"))
    for match in _AT_ADDRESS.finditer(code):
        yield Edit(*match.span(1), f'__asm__("{match[2]}")')
    if is_c:
        for match in _ANY_ARGUMENTS.finditer(code):
            yield Edit(*match.span(1), "()")


def _doubles(code: str, *, has_long_double: bool) -> Iterator[Edit]:
    """The types and constants of floating point as GCC has them."""
    for match in _DOUBLE.finditer(code):
        if match[1] == "short":
            yield Edit(*match.span(), "double")
        elif has_long_double and match[1] is None:
            yield Edit(*match.span(), "long double")
    for match in _FRACTION.finditer(code) if has_long_double else ():
        yield Edit(match.end(), match.end(), "L")


def inlined(code: str) -> set[str]:
    """The routines that a source declares by their machine code."""
    ends = [match.start() for form in (_INLINE, _BY_MACRO) for match in form.finditer(code)]
    return {name for end in ends if (name := _declared_before(code, end))}


def _blocks(code: str) -> Iterator[Edit]:
    """Errors in place of ``asm`` blocks and of the bodies of ``asm`` functions."""
    done = 0
    for match in _ASM.finditer(code):
        if match.start() < done or _OF_GCC.match(code, match.end()):
            continue
        opening = code.find("{", match.end())
        semicolon = code.find(";", match.end(), None if opening < 0 else opening)
        if semicolon >= 0 or opening < 0:  # only a declaration
            yield Edit(*match.span(), "")
            continue
        done = _end_of_block(code, opening)
        if code[match.end() : opening].strip(" \t\n0123456789"):
            yield Edit(*match.span(), _REFUSED.format(what="function"))
            yield Edit(opening, done, "{ }")
        else:
            yield Edit(match.start(), done, _REFUSED.format(what="block") + " { }")


_NO_OBJECTS = error_pragma(
    "objects of THINK C are not C: rename the file to .cpp, and write virtual and public as in C++"
)
_REFUSED = error_pragma(
    "GCC cannot compile this asm {what} of THINK C or CodeWarrior: write in C what it does, for "
    "GCC alone (#ifdef __GNUC__), or in a file .S in the syntax of the GNU assembler"
)


def _end_of_block(code: str, opening: int) -> int:
    depth = 0
    for brace in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(code)


def _declared_before(code: str, closing: int) -> str:
    """The routine whose parameters end at an offset; "" if it is no declaration."""
    first = max(0, closing - _FARTHEST)
    depth = 0
    for place in range(closing, first - 1, -1):
        if code[place] in ";{}":
            return ""
        depth += {")": 1, "(": -1}.get(code[place], 0)
        if not depth:
            break
    else:
        return ""
    start = max(code.rfind(mark, first, place) for mark in ";{}#)") + 1
    if start and code[start - 1] == "#":
        start = code.find("\n", start) + 1
    declared = _DECLARED.match(code[start:place])
    return declared[1] if declared else ""


def _uncallable(name: str) -> str:
    return (
        f'__attribute__((error("{name} is declared by its machine code, which GCC cannot insert: '
        'write it in C, or in a file .S")))'
    )
