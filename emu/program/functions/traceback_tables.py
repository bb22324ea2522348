"""Traceback tables: what compilers leave behind a PowerPC function for debuggers.

A word of zeros follows the function, then the table: its version, the language, flags, the
numbers of registers and arguments, and optional parts, among them the function's size and name.
Source: PowerPC Runtime Architecture (IBM's sys/debug.h), "struct tbtable".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FIXED = 12  # the word of zeros, and the parts that every table has
_HAS_OFFSET, _HAS_CONTROL = 0x20, 0x08
_HAS_HANDLER, _HAS_NAME, _USES_ALLOCA = 0x80, 0x40, 0x20
_LAST_LANGUAGE = 13
_MOST_CONTROLS = 64
_NAME = re.compile(rb"\.?([A-Za-z_~][ -~]*?)(?:\[[A-Z]{2}\])?")
"""Linkers put the dot before it; GCC writes the storage class behind it, such as ``main[PR]``."""


@dataclass(frozen=True, slots=True)
class TracebackTable:
    """What a table says of its function.

    Attributes:
        size: bytes of the table and of the zeros before it.
        function_size: bytes of the function; None if it does not say.
        name: the function's name alone; "" for none.
        argument_count: how many arguments it has, in general and in floating-point registers.
    """

    size: int
    function_size: int | None
    name: str
    argument_count: int


def read_traceback_table(code: bytes, at: int) -> TracebackTable | None:
    """The table whose word of zeros stands at an offset of the code; None if there is none."""
    head = code[at : at + _FIXED]
    if len(head) < _FIXED or head[:4] != b"\0\0\0\0" or head[4] or head[5] > _LAST_LANGUAGE:
        return None
    flags, more, whole, floating = head[6], head[7], head[10], head[11] >> 1
    if not flags & _HAS_OFFSET and not more & _HAS_NAME:
        return None  # nothing in it tells it from zeros that fill a gap
    end, function_size, name = at + _FIXED, None, ""
    if whole or floating:
        end += 4
    if flags & _HAS_OFFSET:
        function_size = int.from_bytes(code[end : end + 4], "big")
        end += 4
    if more & _HAS_HANDLER:
        end += 4
    if flags & _HAS_CONTROL:
        count = int.from_bytes(code[end : end + 4], "big")
        if count > _MOST_CONTROLS:
            return None
        end += 4 + 4 * count
    if more & _HAS_NAME:
        length = int.from_bytes(code[end : end + 2], "big")
        text = code[end + 2 : end + 2 + length]
        found = _NAME.fullmatch(text)
        if len(text) < length or found is None:
            return None
        name = found[1].decode("ascii")
        end += 2 + length
    end += bool(more & _USES_ALLOCA)
    if end > len(code) or (function_size is not None and not 0 < function_size <= at):
        return None
    return TracebackTable(-(-end // 4) * 4 - at, function_size, name, whole + floating)


def find_traceback_tables(code: bytes) -> Iterator[tuple[int, TracebackTable]]:
    """The tables that tell where their function begins: its offset in the code, and the table."""
    at = code.find(b"\0\0\0\0")
    while at >= 0:
        table = read_traceback_table(code, at) if at % 4 == 0 else None
        if table is not None and table.function_size is not None and table.function_size % 4 == 0:
            yield at - table.function_size, table
        at = code.find(b"\0\0\0\0", at + (table.size if table else 4 - at % 4))
