"""Makes a Program of one code resource that is no segment of an application: LDEF, XCMD, DRVR.

The system calls such a resource at its first byte, and a driver where the header says. It has no
A5 world of its own, and lies at any address. Source: Inside Macintosh II, chapter 6 (drivers), and
V, chapter 1 (definition procedures).
"""

from __future__ import annotations

import re
import struct

from emu.base.errors import ProgramError
from emu.program.code68k.code_linker import FIRST_ADDRESS, PASCAL
from emu.program.mac_file.expansion import ExpansionError
from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.resource_fork import Resource
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment, Symbol
from emu.program.symbols.macsbug_names import find_procedure_names

CODE_TYPES = (
    *("ADBS", "CDEF", "DRVR", "FKEY", "FMTR", "INIT", "LDEF", "MBDF", "MDEF", "PACK"),
    *("WDEF", "XCMD", "XFCN", "boot", "cdev", "dcmp", "mntr", "proc", "ptch", "rdev"),
)
"""The types whose resources hold 68K code; a program may have types of its own as well."""

_TITLE = re.compile(r"(.{4}) (-?\d+)", re.DOTALL)
_DRIVER_ROUTINES = ("Open", "Prime", "Control", "Status", "Close")
_DRIVER_OFFSETS = struct.Struct(">8x5H")  # behind flags, delay, event mask and menu
_DESCRIPTOR = b"\xaa\xfe"  # the trap MixedMode, with which a routine descriptor begins


def titles_of_code(file: MacFile) -> tuple[str, ...]:
    """The code resources of a file as they are named ("LDEF 128"), in the order of its map."""
    return tuple(f"{r.type} {r.id}" for r in file.resources.resources if r.type in CODE_TYPES)


def read_code_resource(file: MacFile, title: str) -> Program:
    """Read a code resource into a Program of one segment, which has the resource's name.

    Args:
        file: the file.
        title: its type and its ID, as in "LDEF 128"; any type but that of applications' segments.

    Raises:
        ProgramError: there is no such resource, or it is damaged or has no 68K code.
    """
    resource = _resource(file, title)
    try:
        code = resource.contents
    except ExpansionError as error:
        raise ProgramError(file.path, str(error), where=title) from error
    if len(code) < 2:
        raise ProgramError(file.path, f"it has {len(code)} bytes, and no code", where=title)
    if code.startswith(_DESCRIPTOR):
        raise ProgramError(
            file.path,
            "it begins with a routine descriptor of the Mixed Mode Manager; macproof reads code "
            "resources that are 68K code alone",
            where=title,
        )
    names = {FIRST_ADDRESS + name.start: name for name in find_procedure_names(code)}
    symbols = [Symbol(n.name, at, n.end - n.start, "function") for at, n in names.items()]
    routines = _driver_routines(code) if resource.type == "DRVR" else {}
    symbols += [Symbol(n, at, 0, "function") for at, n in routines.items() if at not in names]
    return Program(
        path=file.path,
        architecture="m68k",
        byte_order=">",
        segments=[
            Segment(
                f"{title} {resource.name}".rstrip(), FIRST_ADDRESS, len(code), code, False, True
            )
        ],
        symbols=symbols,
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
        convention=PASCAL,
        entries=tuple(routines) or (FIRST_ADDRESS,),
    )


def _resource(file: MacFile, title: str) -> Resource:
    named = _TITLE.fullmatch(title)
    if named is None:
        raise ProgramError(
            file.path, f"{title!r} is no resource", remedy="Write type and ID, as in LDEF 128."
        )
    if named[1] == "CODE":
        raise ProgramError(
            file.path,
            f"{title} is a segment of an application, which is read as a whole",
            remedy="Leave the resource out.",
        )
    resource = file.resources.find(named[1], int(named[2]))
    if resource is None:
        found = ", ".join(titles_of_code(file)) or "no code resources"
        raise ProgramError(file.path, f"it has no {title}", remedy=f"It has {found}.")
    return resource


def _driver_routines(code: bytes) -> dict[int, str]:
    """The routines that the header of a driver names, by their addresses."""
    if len(code) < _DRIVER_OFFSETS.size:
        return {}
    offsets = zip(_DRIVER_OFFSETS.unpack_from(code), _DRIVER_ROUTINES, strict=True)
    return {
        FIRST_ADDRESS + offset: name
        for offset, name in offsets
        if _DRIVER_OFFSETS.size <= offset < len(code) and offset % 2 == 0
    }
