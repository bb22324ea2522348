"""Executes calls on p-code: instructions as SLEIGH, a part of Ghidra, translates them.

SLEIGH's descriptions of processors have nothing in common with QEMU. The package pypcode
makes them a module of Python; what they say is computed here, some ten thousand instructions a
second.

SLEIGH does not say all. These instructions are executed here: those that move registers of the
68K's floating-point unit as they are, MOVE from SR, and the moves of XER, whose flags SLEIGH keeps
apart. Other floating point of the 68K, with 80 bits, is refused.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emu.engines.packages import version_of_package
from emu.lift.integers import COMPUTE, Compute, UnknownOperationError
from emu.lift.operations import Opcode
from emu.machine.calls.other_engine import EngineRefusal, SequentialEngine
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import PAGE, GuestMemory
from emu.program import Program

_LANGUAGES = {"68040": "68000:BE:32:default", "601": "PowerPC:BE:32:default"}
_INSTRUCTIONS = 5_000_000
"""A call may execute so many instructions; that is some minutes."""

_LONGEST = 22  # bytes of a 68K instruction: MOVE with two operands of five extension words each
_CONSTANT, _REGISTER, _TEMPORARY, _MEMORY = range(4)
_SPACES = {"const": _CONSTANT, "register": _REGISTER, "unique": _TEMPORARY, "ram": _MEMORY}
_SIZES = {_REGISTER: 0x20000, _TEMPORARY: 0x100000}
_JUMPS = {"BRANCHIND", "CALLIND", "RETURN"}
_M68K_FLAGS = ("CF", "VF", "ZF", "NF", "XF")  # from bit 0 on
_PPC_FLAGS = {"xer_so": 31, "xer_ov": 30, "xer_ca": 29}
_SUPERVISOR = 0x2000


class _Stop(Exception):
    """Execution cannot go on; the message is the end of a sentence."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a number is: the space, its offset there (or its value), its size in bytes."""

    space: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class _Operation:
    """One operation of p-code."""

    name: str
    output: _Place | None
    inputs: tuple[_Place, ...]
    sizes: tuple[int, ...]
    compute: Compute | None


@dataclass(frozen=True, slots=True)
class _Instruction:
    """An instruction of the guest: its bytes and what it does, as operations or as a function."""

    code: bytes
    operations: tuple[_Operation, ...]
    special: Callable[[], None] | None = None


class Pcode(SequentialEngine):
    """Executes calls of one program on p-code.

    Args:
        cpu: the processor: the 68040 or the 601.
        program: the program.
        memory: the memory of the machine.

    Raises:
        EngineRefusal: there is no such processor.
        ToolMissingError: pypcode is not installed.
    """

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory) -> None:
        self.version = pcode_version()
        if cpu.name not in _LANGUAGES:
            raise EngineRefusal(f"{program.path}: pcode has no {cpu.title}. Use another engine")
        self._cpu = cpu
        self._program = program
        self._memory = memory
        self._translator, self._errors = _translator(_LANGUAGES[cpu.name])
        self._names = {name: _place(where) for name, where in self._translator.registers.items()}
        self._pages = {
            page: region.writable
            for region in memory.regions
            for page in range(region.address, region.end, PAGE)
        }
        self._executable = {r.address: r.end for r in memory.regions if r.executable}
        self._known: dict[int, _Instruction] = {}
        self._spaces = {space: bytearray(size) for space, size in _SIZES.items()}
        self._floats = bytearray(96)
        self._bytes_of_memory = memory.buffer.data.cast("B")

    def execute(self, start: int, until: int) -> str:
        """Execute instructions; see `SequentialEngine.execute`.

        Raises:
            EngineRefusal: there is floating point of the 68K, or an instruction that p-code names
                without a meaning, such as DCBF.
        """
        registers = self._spaces[_REGISTER]
        registers[:] = bytes(len(registers))
        self._floats[:] = bytes(len(self._floats))
        for name, value in self._cpu.boot:
            if name.upper() in self._names:
                self._write(self._names[name.upper()], value)
        at = start
        try:
            for _ in range(_INSTRUCTIONS):
                if at == until:
                    return ""
                at = self._step(at)
        except _Stop as stop:
            return str(stop)
        except ZeroDivisionError:
            return f"ended with division by zero at 0x{at:08x}"
        except UnknownOperationError as error:
            raise EngineRefusal(
                f"{self._program.path}: it executes {self._text(at)}, and pcode has no {error}. "
                "Use another engine"
            ) from error
        return f"used up {_INSTRUCTIONS} instructions"

    # -- instructions ------------------------------------------------------------------------

    def _step(self, at: int) -> int:
        """Execute an instruction; the address of the next one."""
        instruction = self._known.get(at)
        if instruction is None or self._bytes(at, len(instruction.code)) != instruction.code:
            instruction = self._known[at] = self._translated(at)
        if instruction.special is not None:
            instruction.special()
            return at + len(instruction.code)
        index, operations = 0, instruction.operations
        while index < len(operations):
            target = self._perform(operations[index])
            if target is None:
                index += 1
            elif target.space == _CONSTANT:  # within the instruction
                index += target.offset - (1 << 8 * target.size) * (
                    target.offset >> 8 * target.size - 1
                )
            else:
                return target.offset
        return at + len(instruction.code)

    def _perform(self, operation: _Operation) -> _Place | None:
        """Perform an operation; where it jumps to, if it does."""
        if operation.compute is not None and operation.output is not None:
            values = [self._read(place) for place in operation.inputs]
            self._write(
                operation.output,
                self._computed(operation, operation.compute, values, operation.output.size),
            )
        elif operation.name == "LOAD" and operation.output is not None:
            where = _Place(_MEMORY, self._read(operation.inputs[1]), operation.output.size)
            self._write(operation.output, self._read(where))
        elif operation.name == "STORE":
            where = _Place(_MEMORY, self._read(operation.inputs[1]), operation.inputs[2].size)
            self._write(where, self._read(operation.inputs[2]))
        elif operation.name in ("BRANCH", "CALL"):
            return operation.inputs[0]
        elif operation.name == "CBRANCH":
            return operation.inputs[0] if self._read(operation.inputs[1]) else None
        elif operation.name in _JUMPS:
            return _Place(_MEMORY, self._read(operation.inputs[0]), 4)
        elif operation.name != "IMARK":
            raise UnknownOperationError(f"meaning for {operation.name}")
        return None

    def _computed(
        self, operation: _Operation, compute: Compute, values: list[int], size: int
    ) -> int:
        try:
            return compute(values, operation.sizes, size)
        except ZeroDivisionError:
            if self._cpu.architecture == "m68k":
                raise
            return values[0]  # PowerPC has no exception and an undefined quotient

    def _translated(self, at: int) -> _Instruction:
        end = next((end for start, end in self._executable.items() if start <= at < end), 0)
        if not end:
            raise _Stop(f"jumped to 0x{at:08x}, where nothing may be executed")
        code = self._bytes(at, min(_LONGEST, end - at))
        special = self._special(code)
        if special is not None:
            return special
        try:
            operations = self._translator.translate(code, at, 0, max_instructions=1).ops
        except self._errors as error:
            raise _Stop(f"came to {self._text(at)}, which pcode does not know") from error
        size = operations[0].inputs[0].size
        return _Instruction(code[:size], tuple(map(_operation, operations)))

    def _special(self, code: bytes) -> _Instruction | None:
        """An instruction that is executed without p-code."""
        word, long = int.from_bytes(code[:2], "big"), int.from_bytes(code[:4], "big")
        if self._cpu.architecture != "m68k":
            register = _Place(_REGISTER, (long >> 21 & 31) * 4, 4)
            action = {
                0x7C0103A6: functools.partial(self._set_xer, register),
                0x7C0102A6: functools.partial(self._get_xer, register),
            }.get(long & 0xFC1FFFFF)
            return None if action is None else _Instruction(code[:4], (), action)
        address = int.from_bytes(code[2:6], "big")
        if word == 0x40F9:  # MOVE.W SR,(xxx).L
            return _Instruction(code[:6], (), functools.partial(self._store_status, address))
        return self._float_move(code, long) if word & 0xFF00 == 0xF200 else None

    def _float_move(self, code: bytes, long: int) -> _Instruction | None:
        """FMOVE.X and FMOVEM.X with an absolute address move what is in registers as it is."""
        word, extension = long >> 16, long & 0xFFFF
        if word & 0xFFC0 == 0xF200 and extension >> 13 in (4, 5):
            return None  # FMOVE from and to the control registers
        if word == 0xF239 and extension | 0x2000 == 0xF0FF:
            part = slice(0, 96)
        elif word == 0xF239 and extension & 0xDC7F == 0x4800:
            part = slice(12 * (extension >> 7 & 7), 12 * (extension >> 7 & 7) + 12)
        else:
            raise EngineRefusal(
                f"{self._program.path}: it executes {self._cpu.disassemble(code)}, and pcode has "
                "no floating point of 80 bits. Use another engine"
            )
        address, is_store = int.from_bytes(code[4:8], "big"), bool(extension & 0x2000)
        move = functools.partial(self._move_floats, part, address, is_store=is_store)
        return _Instruction(code[:8], (), move)

    def _move_floats(self, part: slice, address: int, *, is_store: bool) -> None:
        where = self._view(address, part.stop - part.start, writing=is_store)
        if is_store:
            where[:] = self._floats[part]
        else:
            self._floats[part] = where

    def _store_status(self, address: int) -> None:
        flags = sum(self._read(self._names[name]) << bit for bit, name in enumerate(_M68K_FLAGS))
        self._write(_Place(_MEMORY, address, 2), _SUPERVISOR | flags)

    def _set_xer(self, register: _Place) -> None:
        value = self._read(register)
        self._write(self._names["XER"], value)
        for name, bit in _PPC_FLAGS.items():
            self._write(self._names[name], value >> bit & 1)

    def _get_xer(self, register: _Place) -> None:
        value = self._read(self._names["XER"])
        for name, bit in _PPC_FLAGS.items():
            value = value & ~(1 << bit) | (self._read(self._names[name]) & 1) << bit
        self._write(register, value)

    # -- numbers -----------------------------------------------------------------------------

    def _read(self, place: _Place) -> int:
        if place.space == _CONSTANT:
            return place.offset
        start, size = place.offset, place.size
        if place.space == _MEMORY:
            return int.from_bytes(self._view(start, size, writing=False), "big")
        return int.from_bytes(self._spaces[place.space][start : start + size], "big")

    def _write(self, place: _Place, value: int) -> None:
        start, size = place.offset, place.size
        data = (int(value) & (1 << 8 * size) - 1).to_bytes(size, "big")
        if place.space == _MEMORY:
            self._view(start, size, writing=True)[:] = data
        else:
            self._spaces[place.space][start : start + size] = data

    def _view(self, address: int, size: int, *, writing: bool) -> memoryview:
        """Guest memory that may be used so."""
        for page in {address & -PAGE, address + size - 1 & -PAGE}:
            writable = self._pages.get(page)
            if writable is None:
                raise _Stop(f"used 0x{address:08x}, which is not mapped")
            if writing and not writable:
                raise _Stop(f"stored to 0x{address:08x}, which may not be written")
        start = address - self._memory.base
        return self._bytes_of_memory[start : start + size]

    def _bytes(self, address: int, size: int) -> bytes:
        start = address - self._memory.base
        return bytes(self._bytes_of_memory[start : start + size])

    def _text(self, at: int) -> str:
        code = self._bytes(at, _LONGEST)
        return f"{self._cpu.disassemble(code)} at 0x{at:08x}"


def pcode_version() -> str:
    """Name and version of the engine.

    Raises:
        ToolMissingError: pypcode is not installed.
    """
    return f"pcode (pypcode {version_of_package('pypcode', 'pcode')})"


@functools.cache
def _translator(language: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """What translates instructions of a processor, and what it raises for what is none."""
    module = importlib.import_module("pypcode")
    return module.Context(language), (module.BadDataError, module.UnimplError)


def _place(varnode: Any) -> _Place:
    space = _SPACES[varnode.space.name]
    if varnode.offset + varnode.size > _SIZES.get(space, 1 << 64):
        raise UnknownOperationError(f"register at 0x{varnode.offset:x}")
    offset = varnode.offset
    if space == _CONSTANT:
        offset &= (1 << 8 * varnode.size) - 1
    return _Place(space, offset, varnode.size)


def _operation(operation: Any) -> _Operation:
    name = operation.opcode.name
    inputs = operation.inputs[:1] if name == "IMARK" else operation.inputs
    places = tuple(map(_place, inputs))
    return _Operation(
        name,
        None if operation.output is None else _place(operation.output),
        places,
        tuple(place.size for place in places),
        COMPUTE.get(Opcode(name)) if name in Opcode.__members__ else None,
    )
