"""Counts in 68K code what compilers did in different ways.

Sources: M68000 Family Programmer's Reference Manual (M68000PM/AD) for the instructions; Inside
Macintosh: Processes, chapter 7, for the globals below A5 and the jump table above it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from emu.checks.isa_m68k import check_68000
from emu.program.instructions.disassembly import Code, InstructionSpan
from emu.program.instructions.m68k.forms import find_form, mode_of
from emu.program.instructions.reachable_code import ReachableCode, reached_code
from macproof import Program
from posts.habits.model import Habit, ProgramHabits

_FROM_A5 = re.compile(r"(-?)\$([0-9a-f]+)\(a5\)")
_ABSOLUTE = re.compile(r"(?<!#)\$([0-9a-f]{5,8})\.l")
_COPY_OF_A5 = re.compile(r"movea?\.l a5, [ad]\d")
_CONSTANT = re.compile(r"#\$([0-9a-f]+)")
_MULTIPLY = ("mulu", "muls")
_DIVIDE = ("divu", "divs", "tdivu", "tdivs")


@dataclass(slots=True)
class _Tally:
    """What has been counted so far, by name, and the arguments pushed since the last call."""

    found: Counter[str] = field(default_factory=Counter)
    pushed: list[str] = field(default_factory=list)
    end: int = 0


class _Counter:
    """Counts the habits in the instructions of a program.

    Args:
        program: the program.
        reached: its instructions.
        table_offset: where the jump table begins, in bytes from A5; None without one.
    """

    def __init__(self, program: Program, reached: ReachableCode, table_offset: int | None) -> None:
        import capstone  # loaded only where code is disassembled

        self._decoder = capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)
        self._code = Code(program)
        self._a5 = program.registers.get("a5")
        self._table = table_offset
        self._globals = [
            range(s.address, s.end) for s in program.segments if s.writable and not s.executable
        ]
        self._instructions = reached.instructions
        self.tally = _Tally()

    def count(self) -> Counter[str]:
        """Count all instructions, in the order of their addresses."""
        for address in sorted(self._instructions):
            instructions = self._instructions[address]
            if address != self.tally.end:
                self.tally.pushed.clear()
            self.tally.end = instructions.end
            if instructions.is_trap or not instructions.valid:
                self.tally.pushed.clear()
                continue
            self._instruction(instructions)
        return self.tally.found

    def _instruction(self, instruction: InstructionSpan) -> None:
        data = self._code.read(instruction.address, instruction.size)
        _, _, mnemonic, operands = next(self._decoder.disasm_lite(data, instruction.address, 1))
        counts = self.tally.found
        kind = mnemonic.partition(".")[0]
        if kind in _MULTIPLY:
            counts["multiply"] += 1
            is_short = mnemonic.endswith(".w")
            counts["multiply by constant"] += is_short and mode_of(instruction.word) == "#"
        elif kind in _DIVIDE:
            counts["divide"] += 1
            constant = _CONSTANT.match(operands)
            counts["divide by power"] += constant is not None and _is_power_of_two(constant[1])
        elif kind == "movem" and "(a7)" in operands:
            counts["movem"] += operands.endswith("-(a7)")
        if instruction.word >> 12 == 0xF:
            counts["fpu"] += 1
        elif check_68000(instruction.address, data):
            counts["68020"] += 1
        self._globals_of(instruction, mnemonic, operands)
        self._arguments(instruction, mnemonic, operands)

    def _globals_of(self, instruction: InstructionSpan, mnemonic: str, operands: str) -> None:
        """Uses of globals, and calls through the jump table."""
        counts = self.tally.found
        is_jump = mnemonic in ("jsr", "jmp")
        for sign, digits in _FROM_A5.findall(operands):
            distance = int(sign + digits, 16)
            if is_jump and self._table is not None and distance >= self._table:
                counts["jump table"] += 1
            elif not is_jump and distance < 0:
                counts["near globals"] += distance >= -0x8000
                counts["far globals"] += distance < -0x8000
        for digits in _ABSOLUTE.findall(operands):
            address = int(digits, 16)
            if not is_jump and any(address in span for span in self._globals):
                counts["far globals"] += 1
        # MOVE.L A5,Dn or An: the base of an address that is computed with 32 bits.
        if _COPY_OF_A5.fullmatch(f"{mnemonic} {operands}"):
            counts["far globals"] += self._adds_long(instruction.end)

    def _adds_long(self, address: int) -> bool:
        """Whether an instruction adds a constant of 32 bits to a register."""
        word = self._code.word(address)
        form = find_form(word)
        if form is None or form.size != 4:
            return False
        if form.operation == "addi":
            return mode_of(word) == "D"
        return form.operation in ("add", "adda") and mode_of(word) == "#"

    def _arguments(self, instruction: InstructionSpan, mnemonic: str, operands: str) -> None:
        """The widths of arguments that are pushed for routines of the program itself."""
        pushed, counts = self.tally.pushed, self.tally.found
        if instruction.is_call:
            counts["calls"] += 1
            counts["word arguments"] += pushed.count("w")
            counts["long arguments"] += pushed.count("l")
            pushed.clear()
        elif mnemonic == "pea" or (mnemonic in ("move.l", "clr.l") and operands.endswith("-(a7)")):
            pushed.append("l")
        elif mnemonic in ("move.w", "move.b", "clr.w", "clr.b") and operands.endswith("-(a7)"):
            pushed.append("w")
        elif self._code.targets(instruction):
            pushed.clear()


def m68k_habits(
    program: Program,
    ranges: Sequence[range] = (),
    entries: Sequence[int] = (),
    table_offset: int | None = None,
) -> ProgramHabits:
    """The habits that the code of a 68K program shows.

    Only code that is reached counts; see `emu.program.instructions.reachable_code.reached_code`.

    Args:
        program: the program.
        ranges: where its code lies; without them, every executable segment.
        entries: addresses where execution can begin.
        table_offset: where its jump table begins, in bytes from A5; None if it has none.
    """
    reached = reached_code(program, ranges, entries)
    routines = _routines(program, reached, ranges, entries)
    counts = _Counter(program, reached, table_offset).count()
    forms = [reached.instructions[routine].form for routine in routines]
    frames = sum(form is not None and form.mnemonic == "link.w" for form in forms)
    return ProgramHabits(
        path=program.path,
        architecture=program.architecture,
        method=reached.method,
        bytes_covered=reached.covered,
        bytes_of_code=reached.total,
        instructions=len(reached.instructions),
        routines=len(routines),
        habits=tuple(_habits(counts, len(reached.instructions), len(routines), frames)),
    )


def _habits(
    counts: Mapping[str, int], instructions: int, routines: int, frames: int
) -> Iterator[Habit]:
    arguments = counts["word arguments"] + counts["long arguments"]
    uses = counts["near globals"] + counts["far globals"]
    yield Habit("LINK first", frames, routines, "routines")
    yield Habit("MOVEM to the stack", counts["movem"], routines, "routines")
    yield Habit("MULU or MULS", counts["multiply"], instructions, "instructions")
    yield Habit("by a constant", counts["multiply by constant"], counts["multiply"], "MULU or MULS")
    yield Habit("DIVU or DIVS", counts["divide"], instructions, "instructions")
    yield Habit("by a power of two", counts["divide by power"], counts["divide"], "DIVU or DIVS")
    yield Habit("16 bits from A5", counts["near globals"], uses, "uses of globals")
    yield Habit("32 bits", counts["far globals"], uses, "uses of globals")
    yield Habit("through the jump table", counts["jump table"], counts["calls"], "calls")
    yield Habit("words", counts["word arguments"], arguments, "arguments for own routines")
    yield Habit("68020 or later", counts["68020"], instructions, "instructions")
    yield Habit("floating-point unit", counts["fpu"], instructions, "instructions")


def _routines(
    program: Program, reached: ReachableCode, ranges: Sequence[range], entries: Sequence[int]
) -> set[int]:
    """Where routines begin, as far as is known and as they were reached."""
    code = Code(program)
    starts = {symbol.address for symbol, _ in reached.functions} | set(entries)
    for instruction in reached.instructions.values():
        if instruction.is_call and not instruction.is_trap:
            starts.update(code.targets(instruction))
    jump = 0x4EF9  # JMP to a long address: an entry of the jump table
    starts = {code.long(at + 2) if code.word(at) == jump else at for at in starts}
    return {
        at for at in starts if at in reached.instructions and (not ranges or _within(at, ranges))
    }


def _is_power_of_two(digits: str) -> bool:
    number = int(digits, 16)
    return number > 1 and not number & number - 1


def _within(address: int, ranges: Sequence[range]) -> bool:
    return any(address in span for span in ranges)
