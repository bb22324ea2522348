"""Checks whether a processor has the instructions that were executed.

An engine executes more instructions than the processor it stands for. Unicorn's 68000 runs some of
the 68020's. Its 68040 runs some that a Macintosh leaves to Apple's software. Its 601 runs those
that only an operating system may use. A program that needs such an instruction does not run on the
real processor, whatever it computed here. The check works on the bytes of a block of code and
needs no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from emu.checks.isa_m68k import check_68000, check_68040
from emu.checks.isa_model import NOTE, REFUTES, InstructionFinding
from emu.checks.isa_ppc import check_601
from emu.machine import CPUS, CodeBlock
from emu.program.instructions.m68k.forms import TRAP, find_form

Check = Callable[[int, bytes], list[InstructionFinding]]

_CHECKS: Mapping[str, Check] = MappingProxyType(
    {"68000": check_68000, "68040": check_68040, "601": check_601}
)
_RAISING_ON_PPC = ((0xFC00, 0x0C00), (0xFC00, 0x4400))
"""TWI and SC, by mask and value of the first 16 bits. (The engine never takes TW for illegal.)"""


def check_block(cpu: str, block: CodeBlock) -> list[InstructionFinding]:
    """The instructions of a block that a processor lacks; none if there is no table for it.

    Args:
        cpu: a name of `emu.machine.CPUS`.
        block: code that was entered at its beginning.
    """
    check = _CHECKS.get(cpu)
    return check(block.address, block.code) if check else []


def executes(cpu: str, block: CodeBlock) -> bool:
    """Whether a processor executes the instruction that a block begins with.

    If it does, an engine that reports an illegal instruction there is wrong. The answer is False
    for an instruction whose purpose is an exception, and for a processor without a table.
    """
    if not is_checked(cpu):
        return False
    if _raises(CPUS[cpu].family, int.from_bytes(block.code[:2], "big")):
        return False
    findings = check_block(cpu, block)
    return not any(f.address == block.address and f.weight != NOTE for f in findings)


def _raises(family: str, beginning: int) -> bool:
    """Whether the purpose of an instruction is an exception, by its first 16 bits."""
    if family == "M68K":
        form = find_form(beginning)
        return form is not None and form.flow == TRAP
    return any(beginning & mask == value for mask, value in _RAISING_ON_PPC)


@dataclass(frozen=True, slots=True)
class MissingInstruction:
    """An instruction that a processor lacks and another of its family has.

    Attributes:
        words: a clause that names the instruction and the processors that have it.
        cpu: the first of `emu.machine.CPUS` that has it.
    """

    words: str
    cpu: str


def missing_instruction(cpu: str, block: CodeBlock) -> MissingInstruction | None:
    """The instruction that a block begins with, if another processor of the family has it.

    Returns:
        None if the processor has it, or none of the family.
    """
    findings = [f for f in check_block(cpu, block) if f.address == block.address]
    if not findings or findings[0].weight != REFUTES:
        return None
    family = CPUS[cpu].family
    later = (name for name in CPUS if CPUS[name].family == family and executes(name, block))
    having = next(later, None)
    if having is None:
        return None
    name, _, _ = CPUS[having].disassemble(block.code).partition(" ")  # finer than the table's
    name = name if name.replace(".", "").isalnum() and name[0].isalpha() else findings[0].mnemonic
    return MissingInstruction(f"{name} {findings[0].why}", having)


def is_checked(cpu: str) -> bool:
    """Whether there is a table for the processor of that name."""
    return cpu in _CHECKS
