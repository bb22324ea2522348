"""Tells where the last one of several 68K routines begins that lie behind one another.

Nothing names them. A return ends a routine if no branch leads over it: behind the first return of a
routine that has two there is code which only a branch can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from emu.program.instructions.disassembly import TABLE_JUMP, Code, InstructionSpan, ends_flow
from emu.program.instructions.m68k.forms import BRANCH, CALL

_LINKS, _UNLK = (0x4E56, 0x480E), 0x4E5E
_SAVES = {0x48E7, *range(0x2F00, 0x2F10)}
"""MOVEM.L and MOVE.L of a register to the stack."""
_RESTORES = {
    0x4CDF,
    *(0x201F | number << 9 for number in range(3, 8)),
    *(0x205F | number << 9 for number in range(2, 5)),
}
"""MOVEM.L from the stack, and MOVE.L from there to D3 to D7 and A2 to A4."""
_PREAMBLE = 12
"""How many bytes of a routine may lie before its LINK."""
_LARGEST = 0x10000
"""Bytes that are looked at; few segments had more, and a routine has far fewer."""


def last_routine(code: bytes) -> int:
    """The offset at which the last routine of some code begins; 0 if it is the only one.

    Args:
        code: routines that lie behind one another, to the end of the last.
    """
    if len(code) > _LARGEST:
        return 0
    reader = Code(code)
    instructions = list(reader.routine(0, len(code)))
    jumps = list(_jumps(reader, instructions, len(code)))
    # Up to each instruction the furthest target; from each to the last one the nearest.
    furthest = list(accumulate((max(to, default=-1) for to in jumps), max))
    nearest = list(accumulate((min(to, default=len(code)) for to in reversed(jumps)), min))[::-1]
    frames, link = 0, len(code)  # LINKs less UNLKs, and the first LINK, of what lies behind
    for index in range(len(instructions) - 1, 0, -1):
        start, word = instructions[index].address, instructions[index].word
        frames += (word in _LINKS) - (word == _UNLK)
        link = start if word in _LINKS else link
        is_passed = furthest[index - 1] >= start or nearest[index] < start
        if (
            frames >= 0
            and not is_passed
            and _is_end(instructions[index - 1], start)
            and not _restores(instructions[index:])
        ):
            # What lies far before a LINK is the table of a switch.
            return link if start + _PREAMBLE < link < len(code) else start
    return 0


def _restores(tail: Sequence[InstructionSpan]) -> bool:
    """Whether code gives back a register that it has not saved: the end of the routine before it.

    It stands behind a call that ends the program, where the compiler did not know that it does.
    """
    for one in tail:
        if one.word in _SAVES:
            return False
        if one.word in _RESTORES:
            return True
        if ends_flow(one):
            return False
    return False


def _is_end(instruction: InstructionSpan, following: int) -> bool:
    """Whether an instruction before another one returns, or ends the program."""
    is_branch = instruction.flow == BRANCH
    return instruction.end == following and ends_flow(instruction) and not is_branch


def _jumps(
    code: Code, instructions: Sequence[InstructionSpan], end: int
) -> Iterator[tuple[int, ...]]:
    """Where each instruction can go by a branch; a table that cannot be read leads anywhere."""
    previous = InstructionSpan(0, 0, 0)
    for one in instructions:
        targets = () if one.flow == CALL else tuple(code.targets(one))
        if one.word == TABLE_JUMP:
            targets = tuple(code.switch_table(previous, one, end)) or (end,)
        yield tuple(to for to in targets if 0 <= to <= end)
        previous = one
