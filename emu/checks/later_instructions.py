"""The instructions of a 68K program that a 68000 lacks and a later processor has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from emu.checks.isa import check_block, missing_instruction
from emu.checks.isa_model import REFUTES
from emu.machine import CodeBlock
from emu.program import Program
from emu.program.instructions.disassembly import Code, InstructionSpan

_FIRST = "68000"


@dataclass(frozen=True, slots=True)
class LaterInstruction:
    """A kind of instruction that the 68000 lacks.

    Attributes:
        words: the instruction, and which processors have it, as a clause.
        cpu: the first processor of macproof that has it.
        address: where it is for the first time.
        count: how many of them there are.
    """

    words: str
    cpu: str
    address: int
    count: int


def later_instructions(
    program: Program, instructions: Mapping[int, InstructionSpan]
) -> tuple[LaterInstruction, ...]:
    """The kinds of instructions that a 68000 lacks, by the first place of each.

    Args:
        program: a 68K program.
        instructions: those that can be reached, by address. Words between them may be data.
    """
    code = Code(program)
    addresses: dict[tuple[str, str], list[int]] = {}
    for piece in _pieces(instructions.values()):
        text = code.read(piece.start, len(piece))
        for finding in check_block(_FIRST, CodeBlock(piece.start, text)):
            if finding.weight != REFUTES or finding.address not in instructions:
                continue
            later = missing_instruction(
                _FIRST, CodeBlock(finding.address, text[finding.address - piece.start :])
            )
            if later is not None:
                addresses.setdefault((later.words, later.cpu), []).append(finding.address)
    kinds = [LaterInstruction(*key, min(at), len(at)) for key, at in addresses.items()]
    return tuple(sorted(kinds, key=lambda kind: kind.address))


def _pieces(instructions: Iterable[InstructionSpan]) -> Iterator[range]:
    """The ranges of instructions that follow each other."""
    start = end = -1
    for instruction in sorted(instructions, key=lambda instruction: instruction.address):
        if instruction.address != end:
            if start >= 0:
                yield range(start, end)
            start = instruction.address
        end = instruction.end
    if start >= 0:
        yield range(start, end)
