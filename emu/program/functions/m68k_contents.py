"""Reads what the instructions of a 68K function hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from emu.program.functions.m68k_extents import M68kFunction
from emu.program.functions.m68k_stack import StackDepth
from emu.program.functions.model import FunctionContents
from emu.program.functions.observations import READS, TAKES, WRITES, Observations
from emu.program.functions.program_memory import ProgramMemory
from emu.program.instructions.disassembly import Code, InstructionSpan
from emu.program.instructions.m68k.forms import BRANCH, CALL, CONDITIONAL, JUMP, LOOP
from emu.program.instructions.trap_table import trap_info, with_trap

_OPERAND = re.compile(r"(?:\([^)]*\)|[^,(])+")
_NUMBER = re.compile(r"#(-?)\$([0-9a-f]+)")
_BASED = re.compile(r"(-?)\$([0-9a-f]+)\((a\d|pc)(?:, ([^)]*))?\)")
_ABSOLUTE = re.compile(r"\$([0-9a-f]+)\.([wl])")
_BITS = {"b": 8, "w": 16, "l": 32}
_QUIET = ("link", "unlk", "movem", "dbra", "db", "trap", "rtd")
"""Instructions whose numbers say nothing of the source."""
_STACK, _FRAME, _GLOBALS = "a7", "a6", "a5"
_SCRATCH = frozenset({"d0", "d1", "d2", "a0", "a1"})
_REGISTER = re.compile(r"[ad][0-7]")
_SUMS = ("add", "adda", "addq", "addi", "sub", "suba", "subq", "subi")
_READ_ONLY = ("cmp", "tst", "btst", "chk", "jsr", "jmp", "pea")
_SANE = frozenset({"FP68K", "Elems68K"})
_FIRST_PARAMETER = 8


@dataclass(frozen=True, slots=True)
class _Line:
    """A disassembled instruction."""

    span: InstructionSpan
    mnemonic: str
    operands: tuple[str, ...]


class M68kReader:
    """Reads the functions of one 68K program.

    Args:
        memory: the program's memory.
    """

    def __init__(self, memory: ProgramMemory) -> None:
        import capstone  # loaded only where code is disassembled

        self._memory = memory
        self._code = Code(memory.program)
        self._a5 = memory.program.registers.get("a5")
        self._decoder = capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)

    def contents(self, function: M68kFunction) -> FunctionContents:
        """What the instructions of a function hold."""
        seen = Observations(self._memory)
        selector: int | None = None
        depth = StackDepth(self._code)
        bases = {_GLOBALS}
        for line in self._lines(function):
            seen.instructions += 1
            depth.arrive(line.span)
            if line.span.is_trap:
                self._trap(line.span.word, selector, seen)
            elif line.span.flow:
                self._flow(line, function, seen)
            else:
                self._operands(line, seen, bases)
                for distance in _parameters(line, depth):
                    seen.parameter(distance, _read_size(line.mnemonic))
            _follow(line, bases)
            depth.leave(line.span, line.mnemonic, line.operands)
            selector = _immediate(line) if not line.span.is_trap else None
            if line.span.word >> 9 == 0b1111001:
                seen.units.add("FPU")
        return seen.contents

    def _lines(self, function: M68kFunction) -> Iterator[_Line]:
        for span in function.instructions:
            data = self._code.read(span.address, span.size)
            _, _, mnemonic, text = next(
                self._decoder.disasm_lite(data, span.address, 1), (0, 0, "", "")
            )
            operands = tuple(operand.strip() for operand in _OPERAND.findall(text))
            yield _Line(span, mnemonic, operands)

    def _trap(self, word: int, selector: int | None, seen: Observations) -> None:
        info = trap_info(word)
        name = info.name if info is not None else f"trap ${word:04X}"
        if name in _SANE:
            seen.units.add("SANE")
        chosen = [s.name for s in with_trap(word) if s.selector is not None]
        if selector is not None and chosen:
            named = (s.name for s in with_trap(word) if s.selector == selector & 0xFFFF)
            name = next(named, name)
        seen.toolbox[name] += 1

    def _flow(self, line: _Line, function: M68kFunction, seen: Observations) -> None:
        span, extent = line.span, function.extent
        targets = self._code.targets(span)
        if span.flow == CALL:
            if not targets:
                seen.pointer_calls += 1
            for target in targets:
                if target != span.end:
                    seen.call(target)
            return
        if span.flow in (CONDITIONAL, LOOP):
            seen.branches += 1
        if span.flow in (CONDITIONAL, LOOP, BRANCH, JUMP):
            for target in targets:
                if not extent.start <= target < extent.end:
                    seen.call(target)  # the last thing a function does may be such a call
                elif target <= span.address:
                    seen.loop_targets.add(target)

    def _operands(self, line: _Line, seen: Observations, bases: Set[str]) -> None:
        mnemonic, size = line.mnemonic, line.mnemonic[-1:]
        if mnemonic.startswith("link"):
            amount = _number(line.operands[-1], "w" if mnemonic.endswith("w") else "l")
            seen.frame_size = -amount if amount is not None and line.operands[0] == "a6" else None
        quiet = mnemonic.startswith(_QUIET) or line.operands[-1:] == (_STACK,)
        for position, operand in enumerate(line.operands):
            number = None if quiet else _number(operand, "b" if mnemonic == "moveq" else size)
            if number is not None:
                if size == "l" and seen.is_fixed(number & 0xFFFFFFFF):
                    seen.use(number & 0xFFFFFFFF, TAKES)
                else:
                    seen.constants[number] += 1
                continue
            for access in _accesses(mnemonic, position, len(line.operands)):
                self._memory_operand(operand, access, mnemonic, seen, bases)

    def _memory_operand(
        self, operand: str, access: str, mnemonic: str, seen: Observations, bases: Set[str]
    ) -> None:
        absolute = _ABSOLUTE.fullmatch(operand)
        if absolute is not None:
            address = int(absolute[1], 16)
            if mnemonic.startswith("pea") and absolute[2] == "w":
                seen.constants[address - 0x10000 if address & 0x8000 else address] += 1
            else:
                seen.use(address, access)
            return
        based = _BASED.fullmatch(operand)
        if based is None:
            return
        distance = int(based[1] + based[2], 16)
        if based[3] == "pc":
            seen.use(distance, TAKES if access == TAKES or based[4] else access)
        elif based[3] in bases and self._a5 is not None:
            seen.use(self._a5 + distance, access)
        elif based[3] == _FRAME and seen.frame_size is not None:
            if distance >= _FIRST_PARAMETER:
                seen.parameter(distance, _read_size(mnemonic))
        elif based[3] != _STACK:
            seen.offsets[distance] += 1


def _follow(line: _Line, bases: set[str]) -> None:
    """Keep the registers that hold A5 and the index of a global array, as THINK C computes it."""
    if line.span.flow == CALL or line.span.is_trap:
        bases -= _SCRATCH
    elif len(line.operands) > 1 and _REGISTER.fullmatch(line.operands[-1]):
        source, target = line.operands[0], line.operands[-1]
        mnemonic = line.mnemonic.partition(".")[0]
        if mnemonic in ("move", "movea", "add", "adda") and source in bases:
            bases.add(target)
        elif mnemonic not in (*_SUMS, *_READ_ONLY):
            bases -= {target} - {_GLOBALS}


def _parameters(line: _Line, depth: StackDepth) -> Iterator[int]:
    """The parameters that an instruction reads at distances from A7."""
    if line.operands[-1:] != (_STACK,):
        yield from (at for one in line.operands if (at := depth.parameter(one)) is not None)


def _read_size(mnemonic: str) -> int:
    """Bytes that an instruction reads of an operand; 0 if it takes the address."""
    if mnemonic.startswith(("lea", "pea")):
        return 0
    return _BITS.get(mnemonic[-1], 0) // 8


def _accesses(mnemonic: str, position: int, count: int) -> tuple[str, ...]:
    """What an instruction does with an operand in memory."""
    if mnemonic.startswith(("lea", "pea")):
        return (TAKES,)
    if position < count - 1 or mnemonic.startswith(_READ_ONLY):
        return (READS,)
    writes_only = mnemonic.startswith(("move", "clr", "fmove")) or mnemonic in ("st.b", "sf.b")
    return (WRITES,) if writes_only else (READS, WRITES)


def _number(operand: str, size: str) -> int | None:
    """An immediate operand as a signed number."""
    match = _NUMBER.fullmatch(operand)
    if match is None:
        return None
    value, bits = int(match[1] + match[2], 16), _BITS.get(size, 32)
    return value - (1 << bits) if value >> bits - 1 & 1 and value > 0 else value


def _immediate(line: _Line) -> int | None:
    """The number that an instruction loads or pushes, which may select a routine of a trap."""
    if line.operands and line.mnemonic.startswith("move"):
        return _number(line.operands[0], "b" if line.mnemonic == "moveq" else line.mnemonic[-1])
    return None
