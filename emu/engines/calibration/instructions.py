"""The instructions of programs, by their encoding form, and the registers they take addresses from.

Two instructions have the same form if their texts differ in registers and numbers only:
``add.l d0, d1`` and ``add.l d4, d2`` are both ``add.l d, d``. Branches, calls, returns and traps
are left out, since a probe has to come back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emu.base.errors import MacproofError
from emu.cycles.powerpc.ppc_code import PpcInstruction, decode_word
from emu.machine.cpu import Cpu
from emu.program import Program
from emu.program.instructions.disassembly import Code

_REGISTER = re.compile(r"\b(fp|[adrf])(\d+)\b")
_STACK_POINTER = re.compile(r"\bsp\b")
_NUMBER = re.compile(r"#?-?(?:\$-?[0-9a-f]+|0x[0-9a-f]+|\b\d[0-9.]*)")
_BRACKETS = re.compile(r"\(([^)]*)\)")
_KEPT_REGISTERS = {8, 9}  # LR and CTR, in which the probe keeps its way back
_TRAPS = frozenset({"sc", "tw", "twi"})
_COUNTED = {"lswi", "stswi"}  # a number of bytes stands where others have an index
_IDLE = frozenset({"nop", "reset", "stop"})
_FPU = ("f", "mffs", "mtfs", "mcrfs")
_SINGLE_ARITHMETIC = 59  # the opcode of FADDS and its like


@dataclass(frozen=True, slots=True)
class ProbeInstruction:
    """An instruction to be probed.

    Attributes:
        form: its text without the numbers of registers and without constants.
        text: its text.
        code: its bytes.
        bases: registers that it takes addresses from, by their index among the general registers.
        indexes: registers that it adds to them.
        is_single: whether its numbers have to be of single precision. Of others the result is
            undefined for PowerPC's arithmetic of single precision.
        tables: registers that it takes the address of an address from.
    """

    form: str
    text: str
    code: bytes
    bases: frozenset[int] = frozenset()
    indexes: frozenset[int] = frozenset()
    is_single: bool = False
    tables: frozenset[int] = frozenset()

    @property
    def uses_fpu(self) -> bool:
        """Whether the modes of the floating-point unit may matter to it."""
        return self.text.startswith(_FPU)

    @property
    def registers(self) -> frozenset[str]:
        """The names of the registers in its text."""
        return frozenset(match[0] for match in _REGISTER.finditer(self.text))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Instructions of the map that cannot be probed.

    Attributes:
        kind: what they are ("privileged instructions").
        instructions: how many there are, each form with each of its addressing modes.
        mnemonics: their names.
    """

    kind: str
    instructions: int
    mnemonics: tuple[str, ...]


def find_instructions(
    cpu: Cpu, programs: Iterable[Program], encodings: int
) -> tuple[ProbeInstruction, ...]:
    """The instructions of programs, in the order of their forms and their bytes.

    Args:
        cpu: the processor.
        programs: programs for it.
        encodings: how many instructions of the same form are taken at most.
    """
    by_form: dict[str, dict[bytes, ProbeInstruction]] = {}
    for program in programs:
        each = _of_m68k if cpu.architecture == "m68k" else _of_ppc
        for instruction in each(cpu, program):
            by_form.setdefault(instruction.form, {})[instruction.code] = instruction
    return tuple(
        by_form[form][code]
        for form in sorted(by_form)
        for code in _spread(by_form[form], encodings)
    )


def _spread(codes: Iterable[bytes], most: int) -> list[bytes]:
    """Some of them, far apart in their order."""
    ordered = sorted(codes)
    step = max(1, len(ordered) / most)
    return [ordered[int(index * step)] for index in range(min(most, len(ordered)))]


def form_of(text: str) -> str:
    """The form of an instruction with some text."""
    named = _REGISTER.sub(lambda match: f"\0{match[1]}", _STACK_POINTER.sub("a7", text))
    return _NUMBER.sub("n", named).replace("\0", "")


def _of_m68k(cpu: Cpu, program: Program) -> Iterator[ProbeInstruction]:
    code = Code(program)
    for symbol in program.symbols:
        if symbol.kind != "function" or symbol.address not in code:
            continue
        for instruction in code.routine(symbol.address, symbol.address + symbol.size):
            form = instruction.form
            if (
                instruction.valid
                and form is not None
                and not form.flow
                and form.operation not in _IDLE
            ):
                yield m68k_instruction(cpu, code.read(instruction.address, instruction.size))


def m68k_text(cpu: Cpu, code: bytes) -> str:
    """The text of an instruction of the 68K; Capstone writes SP, and a16 for the PC."""
    return _STACK_POINTER.sub("a7", cpu.disassemble(code)).replace("a16", "pc")


def m68k_instruction(cpu: Cpu, code: bytes) -> ProbeInstruction:
    """An instruction of the 68K, by its bytes."""
    text = m68k_text(cpu, code)
    bases, indexes = {cpu.general_registers.index("a7")}, set[int]()
    for inside in _BRACKETS.findall(text):
        for name, width in re.findall(r"\b([ad]\d)(\.[wl])?", inside):
            (indexes if width else bases).add(cpu.general_registers.index(name))
    return ProbeInstruction(
        form_of(text), text, code, frozenset(bases - indexes), frozenset(indexes)
    )


def _of_ppc(cpu: Cpu, program: Program) -> Iterator[ProbeInstruction]:
    for segment in program.segments:
        for symbol in program.symbols if segment.executable else ():
            if symbol.kind != "function" or not segment.address <= symbol.address < segment.end:
                continue
            start = symbol.address - segment.address
            code = segment.data[start : start + symbol.size]
            for at in range(0, len(code) - 3, 4):
                instruction = ppc_instruction(code[at : at + 4])
                if instruction is not None:
                    yield instruction


def ppc_instruction(code: bytes) -> ProbeInstruction | None:
    """An instruction of PowerPC by its bytes; None if it is not one, or cannot be probed."""
    word = int.from_bytes(code, "big")
    try:
        instruction = decode_word(word, 0)
    except MacproofError:
        return None
    if instruction.branch is not None or instruction.mnemonic in _TRAPS:
        return None
    if instruction.mnemonic == "mtspr" and word >> 16 & 31 in _KEPT_REGISTERS:
        return None
    bases, indexes = _addresses(instruction)
    is_single = word >> 26 == _SINGLE_ARITHMETIC
    return ProbeInstruction(instruction.mnemonic, instruction.text, code, bases, indexes, is_single)


def _addresses(instruction: PpcInstruction) -> tuple[frozenset[int], frozenset[int]]:
    """The registers that an address is formed from; the stack pointer holds one at all times."""
    first, second = instruction.word >> 16 & 31, instruction.word >> 11 & 31
    bases, indexes = {1}, set[int]()
    if instruction.access or instruction.cell == "cache_operation":
        is_indexed = instruction.word >> 26 == 31 and instruction.mnemonic not in _COUNTED
        bases |= {first} if first else {second} if is_indexed else set()
        indexes |= {second} if is_indexed and first else set()
    return frozenset(bases - indexes), frozenset(indexes - {1})
