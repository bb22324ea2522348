"""Finds the instructions in a block of 68K code that a 68000 or a 68040 lacks.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 2.2 for extension
words, the page of MOVEC for control registers, appendix A for processors.
A Macintosh runs applications in supervisor mode, so privileged instructions are no findings.
Reserved bits of second words are not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from emu.checks.isa_model import REFUTES, UNDECIDED, InstructionFinding
from emu.program.instructions.m68k.form_rows import CONTROL_REGISTERS
from emu.program.instructions.m68k.forms import (
    EFFECTIVE_ADDRESS,
    TARGET,
    FormField,
    InstructionForm,
    find_form,
    mode_of,
)
from emu.program.instructions.m68k.fpu import FpuOperation, fpu_operation
from emu.program.instructions.m68k.operands import (
    EndsEarlyError,
    NoModeError,
    Words,
    effective_address,
)

_WHO: Mapping[str, str] = MappingProxyType(
    {
        "68010": "the 68010 and later have it",
        "68020": "the 68020 and later have it",
        "68020only": "only the 68020 has it",
        "68040": "the 68040 has it",
    }
)
_HAD_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "68000": frozenset({"68000"}),
        "68040": frozenset({"68000", "68010", "68020", "68040"}),
    }
)
_FPU_PREDICATES = 32
_WITHOUT_WORDS = "DAIPM"
"""Addressing modes without extension words."""
_BY_SOFTWARE = (
    "is not in the 68040's hardware: a Macintosh leaves it to Apple's floating-point software "
    "package, whose result macproof does not have"
)


def check_68000(address: int, code: bytes) -> list[InstructionFinding]:
    """The instructions that a 68000 lacks, in a block at an address."""
    return _check("68000", address, code)


def check_68040(address: int, code: bytes) -> list[InstructionFinding]:
    """The instructions that a 68040 lacks, in a block at an address."""
    return _check("68040", address, code)


def _check(cpu: str, address: int, code: bytes) -> list[InstructionFinding]:
    if address & 1:
        why = f"is executed at an odd address: a {cpu} raises an address error instead"
        return [InstructionFinding(address, "code", why)]
    findings: list[InstructionFinding] = []
    at = 0
    while at + 2 <= len(code):
        instruction = _Instruction(cpu, address + at, code[at:])
        try:
            instruction.decode()
        except EndsEarlyError:  # the engine refused the instruction and reported the rest
            findings += instruction.findings()
            break
        findings += instruction.findings()
        if instruction.is_unknown:  # its length is not known, nor where the next one begins
            break
        at += instruction.words.taken
    return findings


class _Instruction:
    """An instruction while its words are read.

    Attributes:
        words: its words.
        is_unknown: whether no processor has it.
    """

    def __init__(self, cpu: str, address: int, code: bytes) -> None:
        self.words = Words(code)
        self.is_unknown = False
        self._cpu = cpu
        self._address = address
        self._mnemonic = "code"
        self._found: tuple[str, str] | None = None
        self._command: FpuOperation | None = None

    def findings(self) -> list[InstructionFinding]:
        """What the processor lacks of the instruction: at most one finding."""
        return (
            [InstructionFinding(self._address, self._mnemonic, *self._found)] if self._found else []
        )

    def decode(self) -> None:
        """Read all its words.

        Raises:
            EndsEarlyError: there are too few.
        """
        word = self.words.next()
        form = find_form(word)
        if form is None:
            self._unknown(word)
            return
        self._mnemonic = form.mnemonic
        if form.since not in _HAD_BY[self._cpu]:
            self._lacks(_WHO[form.since])
        for field in form.fields:
            if field.place == EFFECTIVE_ADDRESS:
                command = self._command
                if command is None:
                    self._operand(word, field.modes, field.later_modes, form.size)
                else:
                    self._operand(word, command.modes, command.modes, command.size)
            elif field.place == TARGET:
                self._extension_words(field.modes, word >> 6 & 7, word >> 9 & 7)
            elif field.size:
                self._further(form, field)

    def _further(self, form: InstructionForm, field: FormField) -> None:
        """Words that are no operand in memory."""
        match field.place:
            case "p":
                self._predicate(self.words.next())
            case "f":
                self._fpu(self.words.next())
            case "w" if form.mnemonic == "movec":
                self._control_register(self.words.next() & 0xFFF)
            case _:
                self.words.skip(field.size)

    def _control_register(self, number: int) -> None:
        if number not in CONTROL_REGISTERS:
            self._lacks(f"control register 0x{number:03x} is not one of a 68040")

    def _operand(self, word: int, modes: str, later_modes: str, size: int) -> None:
        if not modes or self.is_unknown:
            return
        mode = mode_of(word)
        if mode not in later_modes:
            self._unknown(word)
            return
        if mode not in modes and self._cpu == "68000":
            self._lacks(f"with this operand, {_WHO['68020']}")
        if mode == "#":
            self.words.skip(max(size, 2))
        else:
            self._extension_words(mode, word >> 3 & 7, word & 7)

    def _extension_words(self, letter: str, mode: int, register: int) -> None:
        """The words of an address, among them an extension word in the brief or full format."""
        if letter in _WITHOUT_WORDS:
            return
        if letter in "Xx":
            extension = self.words.peek()
            if extension & 0x700 and self._cpu == "68000":
                what = "a full extension word" if extension & 0x100 else "a scaled index"
                self._lacks(f"with {what}, {_WHO['68020']}")
        try:
            effective_address(mode, register, self.words, 0)
        except NoModeError as error:
            self._unknown(error.word, "addressing mode")

    def _predicate(self, word: int) -> None:
        if word >= _FPU_PREDICATES:
            self._unknown(word, "condition")

    def _fpu(self, command: int) -> None:
        self._command = operation = fpu_operation(command)
        self._mnemonic = operation.mnemonic or self._mnemonic
        if not operation.mnemonic:
            self._unknown(command, "floating-point operation")
        elif operation.by_software:
            self._add(_BY_SOFTWARE, UNDECIDED)

    # -- words and findings --------------------------------------------------------------------

    def _unknown(self, word: int, kind: str = "instruction") -> None:
        self.is_unknown = True
        self._add(f"is none: 0x{word:04x} stands for no {kind} of any 68K processor")

    def _lacks(self, why: str) -> None:
        self._add(f"is no instruction of a {self._cpu}: {why}")

    def _add(self, why: str, weight: str = REFUTES) -> None:
        if self._found is None or self._found[1] == UNDECIDED:
            self._found = why, weight
