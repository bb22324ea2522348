"""Disassembles one routine, with the places that a case file names: "CODE 3+0x1a2", "A5-0x1a2"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from emu.program.declarations.places import find_routine
from emu.program.instructions.trap_table import trap_info
from emu.program.model.model import NAMED_SEGMENT, Program, Segment

_MOST = 1000
_JUMP = b"\x4e\xf9"  # JMP to the address that follows
_FROM_A5 = re.compile(r"(-?)\$([0-9a-f]+)\(a5\)")
_TARGET = re.compile(r"(?:\$|0x)([0-9a-f]+)$")
_ADDRESS = re.compile(r"(?<!#)(?:\$|0x)([0-9a-f]{4,8})(?:\.l|\(pc\)|$)")
_CALLS = {"bsr", "bsr.b", "bsr.w", "bsr.l", "bl", "bla"}
_ENDS = {"rts", "rtd", "rte", "rtr", "jmp", "bra", "bra.b", "bra.w", "bra.l", "blr", "bctr", "b"}
"""What an instruction never goes on behind."""


@dataclass(frozen=True, slots=True)
class DisassemblyLine:
    """An instruction: its place, its code in hexadecimal, and what it is in words."""

    place: str
    code: str
    text: str


def place_of(program: Program, address: int) -> str:
    """The place of an address, as a case file names it; "" outside the program."""
    a5 = program.registers.get("a5")
    for segment in program.segments:
        if segment.address <= address < segment.end:
            if a5 is not None and segment.writable and not segment.executable:
                return f"A5{address - a5:+#x}"
            named = NAMED_SEGMENT.match(segment.name)
            return f"{named[0] if named else segment.name}+{address - segment.address:#x}"
    return ""


def list_routine(program: Program, name: str) -> Iterator[DisassemblyLine]:
    """The instructions of a routine of a 68K or PowerPC program, up to its last return.

    Args:
        program: the program.
        name: the routine's name, or its place.

    Raises:
        ProgramError: there is no such routine.
    """
    start = find_routine(program, name)
    segment = next(s for s in program.segments if s.address <= start < s.end)
    sizes = (s.size for s in program.symbols if s.address == start and s.kind == "function")
    size = max(sizes, default=0)
    end = start + size if size else segment.end
    return islice(_lines(program, segment, start, end), _MOST)


def _lines(program: Program, segment: Segment, start: int, end: int) -> Iterator[DisassemblyLine]:
    import capstone  # loaded only where code is disassembled

    is_68k = program.architecture == "m68k"
    decoder = (
        capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)
        if is_68k
        else capstone.Cs(capstone.CS_ARCH_PPC, capstone.CS_MODE_32 + capstone.CS_MODE_BIG_ENDIAN)
    )
    code = segment.data.ljust(segment.size, b"\0")
    at = furthest = start
    while at < end:
        data = code[at - segment.address : at - segment.address + 22]
        _, size, word, operands = next(
            decoder.disasm_lite(data, at, 1), (at, 2 if is_68k else 4, "", "")
        )
        line = _line(program, at, data[:size], word, operands)
        yield line
        target = _TARGET.search(operands)
        if target and word.startswith(("b", "db")) and word not in _CALLS:
            furthest = max(furthest, int(target[1], 16))
        at += size
        if word in _ENDS and at > furthest:
            return


def _line(program: Program, address: int, code: bytes, word: str, operands: str) -> DisassemblyLine:
    if program.architecture == "m68k" and code[0] >> 4 == 0xA:
        info = trap_info(int.from_bytes(code, "big"))
        word, operands = f"_{info.name}" if info else "trap", ""
    operands = _FROM_A5.sub(lambda match: _from_a5(program, match), operands)
    operands = _ADDRESS.sub(lambda match: _named(program, match), operands)
    return DisassemblyLine(
        place_of(program, address), code.hex(), f"{word or 'data':8} {operands}".rstrip()
    )


def _from_a5(program: Program, match: re.Match[str]) -> str:
    """A distance from A5, or the variable there; for an entry of the jump table its routine."""
    sign, digits = match[1] or "+", match[2]
    address = program.registers.get("a5", 0) + int(sign + digits, 16)
    for segment in program.segments:
        entry = segment.data[max(address - segment.address, 0) :][:6]
        if segment.address <= address and segment.executable and entry[:2] == _JUMP:
            return _words(program, int.from_bytes(entry[2:], "big"))
    location = program.locate(address)
    return location.symbol if location.symbol and not location.offset else f"A5{sign}0x{digits}"


def _named(program: Program, match: re.Match[str]) -> str:
    """An address in an instruction as a symbol or a place, if it is in the program."""
    return _words(program, int(match[1], 16)) or match[0]


def _words(program: Program, address: int) -> str:
    """The symbol at an address, or its place; "" outside the program."""
    location = program.locate(address)
    return (
        location.symbol if location.symbol and not location.offset else place_of(program, address)
    )
