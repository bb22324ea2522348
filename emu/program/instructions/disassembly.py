"""Tells which bytes of 68K code are instructions, and which are tables between them.

Capstone finds the length of each instruction; what branches, calls and returns do is decoded
here. Two ways through code are offered: from the beginning of a routine to its end, stepping over
the tables that switch statements leave in it, and along the flow of control from known entries.
"""

from __future__ import annotations

import struct
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from emu.program.instructions.m68k.forms import (
    BRANCH,
    CALL,
    JUMP,
    RETURN,
    InstructionForm,
    find_form,
    mode_of,
)
from emu.program.model.model import Program

_LONGEST = 22  # bytes an instruction of the 68020 and later can have
_STRETCH, _SHORT_STRETCH = 512, 96
"""How many bytes are decoded at once: of a whole routine, or of what a jump leads to."""

TABLE_JUMP = 0x4EFB  # JMP (d8,PC,Xn)
_AUTO_POP = 0x0400
_A5 = 5
_ILLEGAL, _EXIT_TO_SHELL = 0x4AFC, 0xA9F4


@dataclass(frozen=True, slots=True)
class InstructionSpan:
    """An instruction's address, its size in bytes and its first word.

    ``valid`` is False for a word that is no instruction of any 68K, nor a trap.
    """

    address: int
    size: int
    word: int
    valid: bool = True

    @property
    def form(self) -> InstructionForm | None:
        """Its form; None if its word has none."""
        return find_form(self.word)

    @property
    def flow(self) -> str:
        """Its kind of control flow, such as `emu.program.instructions.m68k.forms.CALL`; or ""."""
        form = find_form(self.word)
        return "" if form is None else form.flow

    @property
    def is_trap(self) -> bool:
        """Whether it is a call of the Toolbox or the operating system (an A-line word)."""
        return self.word & 0xF000 == 0xA000

    @property
    def is_call(self) -> bool:
        """Whether it calls something that may never come back: JSR, BSR or a trap."""
        return self.is_trap or self.flow == CALL

    @property
    def end(self) -> int:
        """The address after it."""
        return self.address + self.size


class Code:
    """The executable memory of a program.

    Args:
        program: a 68K program; or code alone, which then begins at the address 0.
    """

    def __init__(self, program: Program | bytes) -> None:
        import capstone  # loaded only where code is disassembled

        # The 68040 has every instruction that a Macintosh program can use; A-line words decode
        # as data of one word.
        self._decoder = capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)
        self._pieces = [(0, program)] if isinstance(program, bytes) else _pieces(program)
        self._last = 0, b""
        self._a5 = None if isinstance(program, bytes) else program.registers.get("a5")

    def __contains__(self, address: int) -> bool:
        return self._find(address) is not None

    def _find(self, address: int) -> tuple[int, bytes] | None:
        start, data = self._last
        if start <= address < start + len(data):  # most follow one another
            return self._last
        for start, data in self._pieces:
            if start <= address < start + len(data):
                self._last = start, data
                return self._last
        return None

    def read(self, address: int, size: int) -> bytes:
        """Bytes at an address; fewer where the code ends before."""
        segment = self._find(address)
        return segment[1][address - segment[0] : address - segment[0] + size] if segment else b""

    def word(self, address: int) -> int:
        """The word at an address; 0 outside the code."""
        return int.from_bytes(self.read(address, 2).ljust(2, b"\0"), "big")

    def long(self, address: int) -> int:
        """The long at an address; 0 outside the code."""
        return int.from_bytes(self.read(address, 4).ljust(4, b"\0"), "big")

    def decode(self, start: int, end: int, stretch: int = _STRETCH) -> Iterator[InstructionSpan]:
        """The instructions from ``start`` to ``end``, without regard to jumps and tables.

        Args:
            start: where the first begins.
            end: all begin before it.
            stretch: how many bytes are decoded at once.
        """
        at = start
        while at < end:
            data = self.read(at, min(end - at, stretch) + _LONGEST)
            if len(data) < 2:
                return
            before = at
            for address, size, mnemonic, _ in self._decoder.disasm_lite(data, at):
                if address >= end or address - before >= stretch:
                    break
                word = data[address - before] << 8 | data[address - before + 1]
                valid = mnemonic != "dc.w" or word & 0xF000 == 0xA000
                yield InstructionSpan(address, size, word, valid)
                at = address + size
            if at == before:
                yield InstructionSpan(at, 2, self.word(at), valid=False)
                at += 2

    def routine(self, start: int, end: int) -> Iterator[InstructionSpan]:
        """The instructions of a routine that lies from ``start`` to ``end``."""
        at = start
        while at < end:
            previous = InstructionSpan(at, 0, 0)
            for instruction in self.decode(at, end):
                yield instruction
                at = instruction.end
                table = self.switch_table(previous, instruction, end)
                if table:
                    at += len(table) * _entry_size(previous)
                    break
                previous = instruction
            else:
                return

    def switch_table(self, load: InstructionSpan, jump: InstructionSpan, end: int) -> list[int]:
        """The targets of a switch statement, from the table behind its jump.

        The table holds distances from its own beginning. The instruction before the jump,
        MOVE (6,PC,Xn),Dn, loads one of them. The table ends where its nearest target begins.

        Args:
            load: the instruction before the jump.
            jump: the jump.
            end: the end of the routine; all targets lie before it.
        """
        if jump.word != TABLE_JUMP or load.word & 0xF1FF not in (0x303B, 0x203B):
            return []
        if self.word(jump.address + 2) & 0xFF != 2:
            return []
        start, size = jump.end, _entry_size(load)
        targets: list[int] = []
        limit = end
        while start + size * (len(targets) + 1) <= limit:
            at = start + size * len(targets)
            form = ">h" if size == 2 else ">i"
            distance = struct.unpack(form, self.read(at, size).ljust(size, b"\0"))[0]
            target = start + distance
            if target % 2 or target >= end or target not in self:
                break
            if distance > 0:
                limit = min(limit, target)
            targets.append(target)
        return targets

    def flow(
        self, entries: Iterable[int], reached: Mapping[int, InstructionSpan] | None = None
    ) -> dict[int, InstructionSpan]:
        """Every instruction that can be reached from the entries, by its address.

        Calls through registers and tables of other kinds are not followed. Data may follow a call
        that never returns. Therefore, if a stretch of code runs into something that is no
        instruction, all that follows the last call of the stretch is left out.

        Args:
            entries: addresses where execution can begin.
            reached: instructions that are known to be reached; they are in the result, and what
                they jump to is followed.
        """
        instructions = dict(reached or {})
        waiting = [
            target for instruction in instructions.values() for target in self.targets(instruction)
        ]
        waiting += entries
        barren: set[int] = set()
        while waiting:
            start = waiting.pop()
            piece = self._find(start)
            if piece is None or start % 2 or start in instructions or start in barren:
                continue
            stretch = self._stretch(start, piece[0] + len(piece[1]), instructions, barren)
            previous = InstructionSpan(start, 0, 0)
            for instruction in stretch:
                instructions[instruction.address] = instruction
                waiting += self.targets(instruction)
                waiting += self.switch_table(previous, instruction, piece[0] + len(piece[1]))
                previous = instruction
        return instructions

    def _stretch(
        self, start: int, end: int, reached: Container[int], barren: set[int]
    ) -> list[InstructionSpan]:
        """Instructions up to one that always jumps or returns, or to one that is known already.

        Those that only lead to what is no instruction are left out and added to ``barren``, so
        that code which calls into them again and again takes no longer.
        """
        stretch: list[InstructionSpan] = []
        for instruction in self.decode(start, end, _SHORT_STRETCH):
            if instruction.address in reached:
                return stretch
            if not instruction.valid or instruction.address in barren:
                break
            stretch.append(instruction)
            if ends_flow(instruction):
                return stretch
        calls = [index for index, instruction in enumerate(stretch) if instruction.is_call]
        kept = calls[-1] + 1 if calls else 0
        barren.update(instruction.address for instruction in stretch[kept:])
        return stretch[:kept]

    def targets(self, instruction: InstructionSpan) -> list[int]:
        """Where an instruction may jump to, as far as its own words tell."""
        form, address = find_form(instruction.word), instruction.address
        if form is None or not form.flow:
            return []
        at, size = form.distance
        if size:
            distance = int.from_bytes(self.read(address + at, size), "big", signed=True)
            return [address + max(at, 2) + distance]
        if form.flow in (JUMP, CALL):
            after = address + 2
            match mode_of(instruction.word):
                case "W":
                    return [_signed(self.word(after), 16) & 0xFFFFFFFF]
                case "L":
                    return [self.long(after)]
                case "o":
                    return [after + _signed(self.word(after), 16)]
                case "O" if instruction.word & 7 == _A5 and self._a5 is not None:
                    return [self._a5 + _signed(self.word(after), 16)]
        return []


def _pieces(program: Program) -> list[tuple[int, bytes]]:
    return [(s.address, s.data.ljust(s.size, b"\0")) for s in program.segments if s.executable]


def _entry_size(load: InstructionSpan) -> int:
    return 2 if load.word & 0xF000 == 0x3000 else 4


def ends_flow(instruction: InstructionSpan) -> bool:
    """Whether execution never goes on behind an instruction."""
    word = instruction.word
    if instruction.flow in (RETURN, JUMP, BRANCH) or word in (_ILLEGAL, _EXIT_TO_SHELL):
        return True
    # A Toolbox trap with the auto-pop bit returns to the caller of its caller.
    return word & 0xF800 == 0xA800 and bool(word & _AUTO_POP)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
