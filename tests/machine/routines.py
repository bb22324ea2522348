"""Programs of a few routines, given in machine code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from emu.program import LineTable, Program, Segment, Symbol

CODE, DATA = 0x10000, 0x30000
_CONVENTIONS = {"m68k": "m68k-retro68", "powerpc": "ppc-poweropen", "mips": "mips-o32"}


def program(
    architecture: str, routines: Mapping[str, str], registers: Mapping[str, int], data: bytes
) -> Program:
    """Routines 64 bytes apart at `CODE`, and 256 bytes that begin with some data at `DATA`."""
    code = b"".join(bytes.fromhex(text).ljust(64, b"\0") for text in routines.values())
    return Program(
        path=Path("App"),
        architecture=architecture,
        byte_order=">",
        segments=[
            Segment("code", CODE, len(code), code, writable=False, executable=True),
            Segment("data", DATA, 256, data, writable=True, executable=False),
        ],
        symbols=[
            Symbol(name, CODE + 64 * index, 64, "function") for index, name in enumerate(routines)
        ],
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
        registers=registers,
        convention=_CONVENTIONS[architecture],
    )
