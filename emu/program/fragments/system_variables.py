"""Variables that the libraries of a Power Macintosh export, beside their routines.

Sources of names and sizes: MPW's ErrNo.h and FP.h, and Apple's Components.h. Five more are what the
start-up code of programs that are linked with StdCLib uses, as it is in a fat game of 1995: it asks
``__NubAt3`` for a debugger, stores 2 in ``__C_phase``, keeps a place to return to in
``__target_for_exit``, calls main with the numbers at 2, 6 and 10 of ``_IntEnv`` (argc, argv,
envp), and returns ``_exit_status``. ``StandAlone``, which GDB's sources for MPW declare, is 1 in an
application.

The macros of MPW's ctype.h look characters up in the table at ``__p_CType``, and those of its
stdio.h take the streams from ``_iob``: 40 records of 24 bytes. All is 0 in them, so that every
macro calls the library (``_flsbuf``, ``_filbuf``). ``_lastbuf``, behind the last of them, is that
of System V's stdio.h, from which MPW's comes.
"""

from __future__ import annotations

import math
import string
import struct
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

STREAMS, STREAM_SIZE = 40, 24
_UPPER, _LOWER, _DIGIT, _SPACE, _PUNCTUATION, _CONTROL, _BLANK, _HEXADECIMAL = (
    1 << bit for bit in range(8)
)


def _character_class(code: int) -> int:
    """What MPW's ctype.h says of a character; 0 for all that are not ASCII."""
    letter = chr(code)
    if code >= 0x80:
        return 0
    if code < 0x20 or code == 0x7F:
        return _CONTROL | _SPACE * letter.isspace() * (code < 0x0E)
    if letter.isalnum():
        kind = _DIGIT if letter.isdigit() else _UPPER if letter.isupper() else _LOWER
        return kind | _HEXADECIMAL * (letter in string.hexdigits)
    return _SPACE | _BLANK if letter == " " else _PUNCTUATION


_TABLES: Mapping[str, bytes] = MappingProxyType(
    {
        "__p_CType": bytes(map(_character_class, range(256))),
        "environ": bytes(4),  # the end of a list without variables
    }
)
"""Variables that hold the address of a table, and the table."""

SYSTEM_VARIABLES: Mapping[str, bytes] = MappingProxyType(
    {
        "pi": struct.pack(">d", math.pi),
        "_DBL_EPSILON": struct.pack(">d", sys.float_info.epsilon),
        "_DBL_MAX": struct.pack(">d", sys.float_info.max),
        "_DBL_MIN": struct.pack(">d", sys.float_info.min),
        "_FLT_EPSILON": struct.pack(">f", 2.0**-23),
        "_FLT_MAX": struct.pack(">f", (2 - 2.0**-23) * 2.0**127),
        "_FLT_MIN": struct.pack(">f", 2.0**-126),
        "_iob": bytes(STREAMS * STREAM_SIZE),
        "StandAlone": (1).to_bytes(4, "big"),
        "errno": bytes(4),
        "MacOSErr": bytes(2),
        "_IntEnv": bytes(32),
        "__C_phase": bytes(4),
        "_exit_status": bytes(4),
        "__NubAt3": bytes(4),
        "__target_for_exit": bytes(512),
    }
)
"""Their values when a program starts, by their names."""

SYSTEM_PROCEDURES: Mapping[str, str] = MappingProxyType({"CallComponentUPP": "CallComponent"})
"""Variables that hold a universal procedure pointer, and the routine that it leads to."""

VARIABLE_ENDS: Mapping[str, str] = MappingProxyType({"_lastbuf": "_iob"})
"""Variables that hold the address behind another one: where the streams end."""

VARIABLE_NAMES = frozenset((*SYSTEM_VARIABLES, *SYSTEM_PROCEDURES, *VARIABLE_ENDS, *_TABLES))

_ALIGNMENT = 8


@dataclass(frozen=True, slots=True)
class ImportedVariables:
    """The variables that a program imports, laid one behind the other.

    Attributes:
        offsets: where each lies, in bytes, by its name, in this order.
        size: the bytes that all take.
    """

    offsets: Mapping[str, int]
    size: int

    def placed(self, address: int) -> bytes:
        """Their values, if they begin at an address."""
        data = bytearray()
        for name, offset in self.offsets.items():
            data = data.ljust(offset, b"\0") + variable_at(name, address + offset)
        return bytes(data.ljust(self.size, b"\0"))


def variable_at(name: str, address: int) -> bytes:
    """The value of a variable that begins at an address, with the table that it leads to."""
    table = _TABLES.get(name)
    return SYSTEM_VARIABLES[name] if table is None else (address + 4).to_bytes(4, "big") + table


def imported_variables(names: Iterable[str]) -> ImportedVariables:
    """Those of the names that are variables of the system's libraries."""
    offsets, size = {}, 0
    plain = SYSTEM_VARIABLES.keys() | _TABLES.keys()
    for name in names:
        if name in plain and name not in offsets:
            offsets[name] = size
            size += len(variable_at(name, 0))
            size += -size % _ALIGNMENT
    return ImportedVariables(offsets, size)
