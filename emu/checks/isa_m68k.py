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
from emu.checks.m68k_forms import InstructionForm, find_form
from emu.checks.m68k_fpu import FpuOperation, fpu_operation

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
_CONTROL_REGISTERS = frozenset({*range(8), 0x800, 0x801, *range(0x803, 0x808)})
"""The control registers that the 68040's MOVEC can name."""
_FPU_PREDICATES = 32
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


class _EndsEarly(Exception):
    """The block ends within an instruction, because the engine refused and reported the rest."""


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
        except _EndsEarly:
            findings += instruction.findings()
            break
        findings += instruction.findings()
        if (
            instruction.is_unknown
        ):  # its length is not known, so the next instruction cannot be found
            break
        at += instruction.taken
    return findings


class _Instruction:
    """An instruction while its words are read.

    Attributes:
        taken: how many bytes were read.
        is_unknown: whether no processor has it.
    """

    def __init__(self, cpu: str, address: int, code: bytes) -> None:
        self.taken = 0
        self.is_unknown = False
        self._cpu = cpu
        self._address = address
        self._code = code
        self._mnemonic = "code"
        self._found: tuple[str, str] | None = None

    def findings(self) -> list[InstructionFinding]:
        """What the processor lacks of the instruction: at most one finding."""
        return (
            [InstructionFinding(self._address, self._mnemonic, *self._found)] if self._found else []
        )

    def decode(self) -> None:
        """Read all its words.

        Raises:
            _EndsEarly: there are too few.
        """
        word = self._next()
        form = find_form(word)
        if form is None:
            self._unknown(word)
            return
        self._mnemonic = form.mnemonic
        if form.since not in _HAD_BY[self._cpu]:
            self._lacks(_WHO[form.since])
        modes, later_modes, size = form.modes, form.later_modes, form.size
        for extension in form.extensions:
            match extension:
                case "w":
                    self._second_word(form, self._next())
                case "l":
                    self._take(4)
                case "i":
                    self._take(max(form.size, 2))
                case "p":
                    self._predicate(self._next())
                case "f":
                    operation = self._fpu(self._next())
                    modes = later_modes = operation.modes
                    size = operation.size
        if modes and not self.is_unknown:
            self._operand(word, modes, later_modes, size)
        self._target(form.target)

    def _target(self, mode: str) -> None:
        """The words of a MOVE's destination."""
        if mode == "X":
            self._index()
        else:
            self._take({"O": 2, "W": 2, "L": 4}.get(mode, 0))

    def _second_word(self, form: InstructionForm, word: int) -> None:
        if form.mnemonic == "movec" and word & 0xFFF not in _CONTROL_REGISTERS:
            self._lacks(f"control register 0x{word & 0xFFF:03x} is not one of a 68040")

    def _operand(self, word: int, modes: str, later_modes: str, size: int) -> None:
        mode = _mode_of(word)
        if mode not in later_modes:
            self._unknown(word)
        elif mode not in modes and self._cpu == "68000":
            self._lacks(f"with this operand, {_WHO['68020']}")
        match mode:
            case "O" | "W" | "o":
                self._take(2)
            case "L":
                self._take(4)
            case "X" | "x":
                self._index()
            case "#":
                self._take(max(size, 2))

    def _index(self) -> None:
        """An extension word with an index register, in the brief or in the full format."""
        extension = self._next()
        if extension & 0x700 and self._cpu == "68000":
            what = "a full extension word" if extension & 0x100 else "a scaled index"
            self._lacks(f"with {what}, {_WHO['68020']}")
        if not extension & 0x100:
            return
        base, selection = extension >> 4 & 3, extension & 7
        if base == 0 or selection == 4 or extension & 8 or (extension & 0x40 and selection > 3):
            self._unknown(extension, "addressing mode")
            return
        for size in (base, selection & 3):
            self._take((0, 0, 2, 4)[size])

    def _predicate(self, word: int) -> None:
        if word >= _FPU_PREDICATES:
            self._unknown(word, "condition")

    def _fpu(self, command: int) -> FpuOperation:
        operation = fpu_operation(command)
        self._mnemonic = operation.mnemonic or self._mnemonic
        if not operation.mnemonic:
            self._unknown(command, "floating-point operation")
        elif operation.by_software:
            self._add(_BY_SOFTWARE, UNDECIDED)
        return operation

    # -- words and findings --------------------------------------------------------------------

    def _take(self, size: int) -> None:
        if self.taken + size > len(self._code):
            raise _EndsEarly
        self.taken += size

    def _next(self) -> int:
        self._take(2)
        return int.from_bytes(self._code[self.taken - 2 : self.taken], "big")

    def _unknown(self, word: int, kind: str = "instruction") -> None:
        self.is_unknown = True
        self._add(f"is none: 0x{word:04x} stands for no {kind} of any 68K processor")

    def _lacks(self, why: str) -> None:
        self._add(f"is no instruction of a {self._cpu}: {why}")

    def _add(self, why: str, weight: str = REFUTES) -> None:
        if self._found is None or self._found[1] == UNDECIDED:
            self._found = why, weight


def _mode_of(word: int) -> str:
    """The addressing mode in the lower six bits of a word, as a letter; "?" for none."""
    mode, register = word >> 3 & 7, word & 7
    return "DAIPMOX"[mode] if mode < 7 else "WLox#???"[register]
