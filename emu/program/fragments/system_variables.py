"""Variables that the libraries of a Power Macintosh export, beside their routines.

Sources of names and sizes: MPW's ErrNo.h and FP.h, and Apple's Components.h. Five more are what the
start-up code of programs that are linked with StdCLib uses, as it is in a fat game of 1995: it asks
``__NubAt3`` for a debugger, stores 2 in ``__C_phase``, keeps a place to return to in
``__target_for_exit``, calls main with the numbers at 2, 6 and 10 of ``_IntEnv`` (argc, argv, envp),
and returns ``_exit_status``. StdCLib's ``_iob``, the table of streams, is not among them: macproof
has no routine that reads it.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

SYSTEM_VARIABLES: Mapping[str, bytes] = MappingProxyType(
    {
        "pi": struct.pack(">d", math.pi),
        "_DBL_MAX": struct.pack(">d", sys.float_info.max),
        "_DBL_MIN": struct.pack(">d", sys.float_info.min),
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

VARIABLE_NAMES = frozenset((*SYSTEM_VARIABLES, *SYSTEM_PROCEDURES))

_ALIGNMENT = 8


@dataclass(frozen=True, slots=True)
class ImportedVariables:
    """The variables that a program imports, laid one behind the other.

    Attributes:
        offsets: where each lies, in bytes, by its name.
        data: their values.
    """

    offsets: Mapping[str, int]
    data: bytes


def imported_variables(names: Iterable[str]) -> ImportedVariables:
    """Those of the names that are variables of the system's libraries."""
    offsets, data = {}, bytearray()
    for name in names:
        if name in SYSTEM_VARIABLES and name not in offsets:
            offsets[name] = len(data)
            data += SYSTEM_VARIABLES[name]
            data += bytes(-len(data) % _ALIGNMENT)
    return ImportedVariables(offsets, bytes(data))
