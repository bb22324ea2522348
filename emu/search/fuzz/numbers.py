"""Collects the numbers that a program's instructions have in them: limits, sizes, magic words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from emu.machine.cpu import Cpu
from emu.program import Program
from emu.program.instructions.disassembly import Code

_NUMBER = re.compile(r"(?<![\w(])[#$]*(-?)[#$]*(0x)?([0-9a-f]+)\b(?!\()")
_MOST = 400
_LONGEST = 22  # bytes of a 68K instruction: MOVE with two operands of five extension words each


def numbers_of(program: Program, cpu: Cpu) -> list[int]:
    """The immediate operands of a program's instructions, each once, in order of size."""
    constants = set()
    for size, code in _instructions(program):
        _, _, operands = cpu.disassemble(code[:size]).partition(" ")
        for operand in operands.split(","):
            match = _NUMBER.fullmatch(operand.strip())
            if match is not None and (match[3].isdigit() or "$" in operand or match[2]):
                is_hexadecimal = match[2] or "$" in operand
                number = int(match[3], 16 if is_hexadecimal else 10)
                constants.add(-number if match[1] else number)
    return sorted(
        constant for constant in constants if abs(constant) > 1 and abs(constant) < 1 << 32
    )[:_MOST]


def _instructions(program: Program) -> Iterator[tuple[int, bytes]]:
    code = Code(program) if program.architecture == "m68k" else None
    for symbol in program.symbols:
        if symbol.kind != "function":
            continue
        end = symbol.address + symbol.size
        if code is not None:
            for instruction in code.routine(symbol.address, end):
                yield instruction.size, code.read(instruction.address, _LONGEST)
            continue
        for segment in program.segments:
            if segment.executable and segment.address <= symbol.address < segment.end:
                for place in range(symbol.address - segment.address, end - segment.address, 4):
                    yield 4, segment.data[place : place + 4]
