"""Reads what the instructions of a PowerPC function hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from emu.program.functions.model import FunctionContents, FunctionExtent
from emu.program.functions.observations import READS, TAKES, WRITES, Observations
from emu.program.functions.program_memory import ProgramMemory
from emu.program.instructions.branches import powerpc_branch

_ADDRESS = re.compile(r"(-?(?:0x)?[0-9a-f]+)\((r\d+)\)")
_STACK, _CONTENTS = "r1", "r2"
_STORES = ("stw", "stb", "sth", "stfs", "stfd", "stmw")
_LOADS = ("lwz", "lbz", "lhz", "lha", "lfs", "lfd", "lmw")
_IMMEDIATE = frozenset(
    {"li", "cmpwi", "cmplwi", "mulli", "andi.", "ori", "xori", "subfic", "addic", "addic.", "addi"}
)
_SPOILT_BY_CALLS = tuple(f"r{number}" for number in (0, *range(3, 13)))
_CONTENTS_OF_PLACE = 0x429F0005
"""BCL 20,31,$+4: the address behind it gets into LR, for code that may lie anywhere."""


class PowerPcReader:
    """Reads the functions of one PowerPC program.

    Args:
        memory: the program's memory.
    """

    def __init__(self, memory: ProgramMemory) -> None:
        import capstone  # loaded only where code is disassembled

        self._memory = memory
        self._contents = memory.program.registers.get("r2", 0)
        mode = capstone.CS_MODE_32 + capstone.CS_MODE_BIG_ENDIAN
        self._decoder = capstone.Cs(capstone.CS_ARCH_PPC, mode)

    def contents(self, extent: FunctionExtent) -> FunctionContents:
        """What the instructions of a function hold."""
        return _PowerPcFunction(self._memory, self._contents, extent).read(self._lines(extent))

    def _lines(self, extent: FunctionExtent) -> Iterator[tuple[int, int, str, list[str]]]:
        """(address, word, mnemonic, operands) of every instruction."""
        code = self._memory.read(extent.start, extent.end - extent.start)
        at = 0
        while at + 4 <= len(code):
            before = at
            for address, _, mnemonic, text in self._decoder.disasm_lite(
                code[at:], extent.start + at
            ):
                word = int.from_bytes(code[at : at + 4], "big")
                yield address, word, mnemonic, text.split(", ")
                at += 4
            if at == before:  # a word that is no instruction
                at += 4


class _PowerPcFunction:
    """The reading of one function: which registers hold known addresses, and what was seen."""

    def __init__(self, memory: ProgramMemory, contents: int, extent: FunctionExtent) -> None:
        self._memory = memory
        self._contents = contents
        self._extent = extent
        self._seen = Observations(memory)
        self._known: dict[str, int] = {}  # registers with an address in the program
        self._upper: dict[str, int] = {}  # registers with the upper half of something
        self._pointers: dict[int, bool] = {}  # addresses loaded, and whether used as a base
        self._table_registers = {_CONTENTS}  # registers with the address of a table of pointers
        if contents:
            self._known[_CONTENTS] = contents
        self._here: int | None = None  # what BCL has left in LR

    def read(self, lines: Iterator[tuple[int, int, str, list[str]]]) -> FunctionContents:
        seen = self._seen
        for address, word, mnemonic, operands in lines:
            seen.instructions += 1
            if word >> 26 in (16, 18, 19) and mnemonic.startswith("b"):
                self._branch(address, word)
                continue
            if mnemonic.startswith(("f", "lf", "stf")):
                seen.units.add("FPU")
            if operands[0] == _STACK or mnemonic.startswith(("stmw", "lmw")):
                self._frame(mnemonic, operands)
                continue
            based = _ADDRESS.fullmatch(operands[-1])
            if based is not None:
                self._access(mnemonic, operands, int(based[1], 0), based[2])
            else:
                self._arithmetic(mnemonic, operands)
        for pointer, is_base in self._pointers.items():
            if not is_base:
                seen.use(pointer, TAKES)
        return seen.contents

    def _frame(self, mnemonic: str, operands: list[str]) -> None:
        based = _ADDRESS.fullmatch(operands[-1])
        if mnemonic == "stwu" and based is not None and based[2] == _STACK:
            self._seen.frame_size = -int(based[1], 0)

    def _branch(self, address: int, word: int) -> None:
        seen, kind = self._seen, word >> 26
        if word == _CONTENTS_OF_PLACE:
            self._here = address + 4
            return
        branch = powerpc_branch(address, word)
        target = branch.target if branch is not None else None
        if kind == 19 and word >> 1 & 0x3FF == 528:  # by CTR: a call, a jump from glue, a switch
            self._call_of_pointer(is_call=bool(word & 1))
        elif word & 1 and target is not None:
            seen.call(target)
        elif word & 1:
            seen.pointer_calls += 1
        if word & 1:
            for register in _SPOILT_BY_CALLS:
                self._forget(register)
            return
        seen.branches += branch is not None and branch.is_conditional
        if target is None or kind == 19:
            return
        if not self._extent.start <= target < self._extent.end:
            seen.call(target)
        elif target <= address:
            seen.loop_targets.add(target)

    def _call_of_pointer(self, *, is_call: bool) -> None:
        """A call or a jump by CTR; R12 has the transition vector."""
        vector = self._known.get("r12")
        name = self._memory.outside_name(vector) if vector is not None else ""
        if vector is not None and name:
            self._pointers[vector] = True
            for part in (vector, vector + 4):  # the routine's address, and its R2
                self._seen.drop_use(part)
            self._seen.import_call(name)
        elif is_call:
            self._seen.pointer_calls += 1

    def _access(self, mnemonic: str, operands: list[str], distance: int, base: str) -> None:
        """A load or a store, or something else with a distance from a register."""
        access = WRITES if mnemonic.startswith(_STORES) else READS
        address = None
        if base in self._known:
            address = self._known[base] + distance
            self._pointers[self._known[base]] = True
            pointer = self._memory.long(address) if base in self._table_registers else None
            if mnemonic == "lwz" and pointer is not None and self._seen.is_fixed(pointer):
                self._load_pointer(operands[0], pointer)
                return
        elif base in self._upper:
            address = self._upper[base] + distance & 0xFFFFFFFF
        if address is not None and self._seen.is_fixed(address):
            self._seen.use(address, access)
        elif base != _STACK:
            self._seen.offsets[distance] += 1
        if access == READS:
            self._forget(operands[0])
        if mnemonic.endswith("u"):  # it moves its base, in a loop perhaps
            self._forget(base)

    def _load_pointer(self, register: str, pointer: int) -> None:
        """A register that gets a pointer from the table of contents."""
        self._forget(register)
        code = self._memory.long(pointer)
        is_code = code is not None and self._memory.is_code(code)
        if code is not None and is_code and self._memory.long(pointer + 4) == self._contents:
            self._seen.function_pointers.setdefault(code)  # by its transition vector
            return
        self._known[register] = pointer
        self._pointers.setdefault(pointer, False)

    def _arithmetic(self, mnemonic: str, operands: list[str]) -> None:
        target = operands[0]
        if mnemonic == "mflr" and self._here is not None:
            self._moved(target, self._here, is_table=True)
            return
        value = _number(operands[-1]) if len(operands) > 1 else None
        if mnemonic == "lis" and value is not None:
            self._forget(target)
            self._upper[target] = value << 16 & 0xFFFFFFFF
            return
        source = operands[1] if len(operands) > 2 else ""
        if value is not None and mnemonic in ("addi", "addis") and source in self._known:
            amount = value << 16 if mnemonic == "addis" else value
            is_table = source in self._table_registers and source != _CONTENTS
            self._moved(target, self._known[source] + amount & 0xFFFFFFFF, is_table=is_table)
            return
        if value is not None and mnemonic in _IMMEDIATE:
            if mnemonic in ("addi", "ori") and source in self._upper:
                value = self._upper[source] + value & 0xFFFFFFFF
                if self._seen.is_fixed(value):
                    self._moved(target, value)
                    return
            if source != _STACK:
                self._seen.constants[_signed(value & 0xFFFFFFFF, 32)] += 1
        elif mnemonic == "rlwinm" and operands[2] == "0":
            self._seen.constants[_mask(int(operands[3], 0), int(operands[4], 0))] += 1
        if mnemonic == "mr" and operands[-1] in self._known:
            self._known[target] = self._known[operands[-1]]
        elif not mnemonic.startswith("cmp"):
            self._forget(target)

    def _moved(self, register: str, address: int, *, is_table: bool = False) -> None:
        """A register that gets an address which is part of something in the program."""
        self._forget(register)
        self._known[register] = address
        if is_table:
            self._table_registers.add(register)
        else:
            self._pointers.setdefault(address, False)

    def _forget(self, register: str) -> None:
        if register != _CONTENTS:
            self._known.pop(register, None)
            self._upper.pop(register, None)
            self._table_registers.discard(register)


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def _mask(first: int, last: int) -> int:
    """The mask from a bit to a bit, counted from the most significant one."""
    if first > last:
        return 0
    return (1 << 32 - first) - (1 << 31 - last)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 & 1 else value
