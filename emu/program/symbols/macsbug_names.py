"""The procedure names that compilers leave in 68K code for the debugger MacsBug.

A name follows the last instruction of its routine, RTS, JMP (A0) or RTD. Three forms are in use:
a byte 80 + length (or 80 and a length byte) before the characters, padded to whole words and
followed by a word that counts the constants behind it; 8 characters of which the first has its
top bit set (and for which the second has it clear); and 16 characters with both top bits set.
Source: MacsBug Reference and Debugging Guide, appendix D.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from emu.program.instructions.routine_borders import last_routine

_SECOND_OF_RTD = 0x74
_LINK_A6, _LINK_A6_LONG = 0x4E56, 0x480E
_EXIT_TO_SHELL = b"\xa9\xf4"
_RETURN = re.compile(rb"\x4e[\x75\xd0\x74]")
_NAME = re.compile(rb"[A-Za-z_%][A-Za-z0-9_%.$]*")
_FIXED_NAME = re.compile(rb"[A-Za-z_%][A-Za-z0-9_%.$]* *")


@dataclass(frozen=True, slots=True)
class ProcedureName:
    """A routine's name and extent.

    Attributes:
        name: its name.
        start: the offset of its code's first byte.
        end: the offset after its last byte.
        behind: the offset after the name before, and its constants; 0 without one. Routines without
            names lie from there to ``start``.
        is_alone: whether it is the only routine between ``start`` and ``end``, as far as returns
            can tell; else a routine without a name may begin at ``start``.
    """

    name: str
    start: int
    end: int
    behind: int
    is_alone: bool = True


def find_procedure_names(code: bytes) -> list[ProcedureName]:
    """The named routines of a segment's code, in order.

    A routine begins where the name of the routine before ends. If code without a name lies between
    them, the routine begins at its LINK A6 instruction, or where no branch leads to from before it
    (see `emu.program.instructions.routine_borders`). Bytes count as a name only if they follow
    a return and hold nothing but the characters of an identifier.
    """
    procedure_names = []
    start = 0
    for end, after, name in _names(code):
        if end < start:
            continue
        begin = _beginning(code, start, end)
        procedure_names.append(
            ProcedureName(name, begin, end, start, len(list(_returns(code, begin, end))) <= 1)
        )
        start = after
    return procedure_names


def _names(code: bytes) -> Iterator[tuple[int, int, str]]:
    """(end of the code, end of the name and its constants, name) of every name."""
    at = 0
    for place in _returns(code, 0, len(code)):
        if place < at:
            continue
        end = place + (4 if code[place + 1] == _SECOND_OF_RTD else 2)
        name_and_start = _name_at(code, end)
        if name_and_start is not None:
            name, at = name_and_start
            yield end, at, name


def _name_at(code: bytes, at: int) -> tuple[str, int] | None:
    head = code[at : at + 2]
    if len(head) < 2 or not head[0] & 0x80:
        return None
    length = head[0] & 0x7F
    variable = _variable(code, at + 1, length) if length <= 0x1F else None
    if head[0] == 0x80:
        variable = _variable(code, at + 2, head[1])
    return variable or _fixed(code, at)


def _variable(code: bytes, start: int, length: int) -> tuple[str, int] | None:
    text = code[start : start + length]
    if not length or len(text) < length or not _NAME.fullmatch(text):
        return None
    end = start + length + (start + length) % 2
    if end + 2 > len(code):
        return text.decode("ascii"), len(code)
    constants = code[end] << 8 | code[end + 1]
    after = end + 2 + constants
    # If there is no room for so many constants, this word is not a count: some names have none.
    return text.decode("ascii"), after + after % 2 if after <= len(code) else end


def _fixed(code: bytes, at: int) -> tuple[str, int] | None:
    length = 16 if code[at + 1] & 0x80 else 8
    text = bytes(byte & 0x7F for byte in code[at : at + 2]) + code[at + 2 : at + length]
    if len(text) < length or not _FIXED_NAME.fullmatch(text):
        return None
    return text.decode("ascii").rstrip(), at + length


def _beginning(code: bytes, start: int, end: int) -> int:
    """Where the routine that ends at ``end`` begins, at or after ``start``.

    A routine without a name may lie between. It ends with a return; if LINK A6 follows that
    return, the named routine begins there. Without one its branches tell.
    """
    begin = start
    for at in _returns(code, start, end - 3):
        following = code[at + 2] << 8 | code[at + 3]
        if code[at + 1] != _SECOND_OF_RTD and following in (_LINK_A6, _LINK_A6_LONG):
            begin = at + 2
    if any(_returns(code, begin, end - 3)) or _EXIT_TO_SHELL in code[begin:end]:
        begin += last_routine(code[begin:end])
    return begin


def _returns(code: bytes, start: int, end: int) -> Iterator[int]:
    """The even offsets between two offsets of returns, each of which may end a routine."""
    starts = (match.start() for match in _RETURN.finditer(code, start, end))
    return (place for place in starts if place % 2 == 0)
