"""The registers of a 68K.

The engine's interface has no floating-point registers, and reading SR by it destroys the flags. So
the processor stores them itself, by instructions that are not the program's.
Source of the encodings: M68000 Family Programmer's Reference Manual (FMOVEM).
"""

from __future__ import annotations

from emu.debug.requests import RegisterValue
from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine

_STORE_NUMBERS, _LOAD_NUMBERS = bytes.fromhex("f210f0ff"), bytes.fromhex("f210d0ff")
"""FMOVEM.X FP0-FP7,(A0) and FMOVEM.X (A0),FP0-FP7."""
_NUMBERS = tuple(f"fp{number}" for number in range(8))
_CONTROL = {"fpcr": 0x1000, "fpsr": 0x0800, "fpiar": 0x0400}
"""The bit that chooses a control register in FMOVE.L to (A0), and from there."""


class M68kRegisters:
    """Reads and writes the registers; see `emu.debug.registers.RegisterFile`."""

    def __init__(self, cpu: Cpu, engine: HostedEngine) -> None:
        self._engine = engine
        self._has_fpu = cpu.has_fpu
        self._general = cpu.general_registers
        # The lowest bytes of the stack hold floating-point registers for a moment.
        self._room = engine.memory.region("stack").address

    def read(self) -> tuple[RegisterValue, ...]:
        """All registers."""
        engine = self._engine
        values = [RegisterValue(name, self._word(name)) for name in self._general]
        values += [RegisterValue("sr", engine.flags(), 16), RegisterValue("pc", self._word("pc"))]
        if self._has_fpu:
            numbers = self._stored(_STORE_NUMBERS, 12 * len(_NUMBERS))
            values += _values(_NUMBERS, numbers, 96)
            for name, bit in _CONTROL.items():
                values += _values((name,), self._stored(_move(0xA000 | bit), 4), 32)
        return tuple(values)

    def write(self, name: str, value: int) -> str:
        """Change a register."""
        engine = self._engine
        if name == "sr":
            # Another mode would exchange stack pointers, and an interrupt's level means nothing.
            engine.register_file.write("sr", engine.flags() & ~0x1F | value & 0x1F)
        elif name in engine.index:
            engine.registers[engine.index[name]] = value & 0xFFFFFFFF
        elif self._has_fpu and name in _NUMBERS:
            self._write_number(_NUMBERS.index(name), value)
        elif self._has_fpu and name in _CONTROL:
            data = (value & 0xFFFFFFFF).to_bytes(4, "big")
            self._stored(_move(0x8000 | _CONTROL[name]), 4, data)
        else:
            return f"this processor has no register {name}"
        return ""

    def _word(self, name: str) -> int:
        return int(self._engine.registers[self._engine.index[name]])

    def _write_number(self, number: int, value: int) -> None:
        data = bytearray(self._stored(_STORE_NUMBERS, 12 * len(_NUMBERS)))
        data[12 * number : 12 * number + 12] = (value & (1 << 96) - 1).to_bytes(12, "big")
        self._stored(_LOAD_NUMBERS, len(data), bytes(data))

    def _stored(self, code: bytes, size: int, data: bytes = b"") -> bytes:
        """What an instruction stores at (A0), or loads from there; memory stays as it is."""
        engine = self._engine
        place = engine.memory.view(self._room, size)
        kept = place.tobytes()
        engine.memory.write(self._room, data)
        engine.register_file.write("a0", self._room)
        engine.execute(code)
        engine.register_file.write("a0", self._word("a0"))
        stored = place.tobytes()
        engine.memory.write(self._room, kept)
        return stored


def _move(extension: int) -> bytes:
    """FMOVE.L between a control register and (A0).

    One at a time: of several the engine puts FPIAR first, and a processor FPCR.
    """
    return b"\xf2\x10" + extension.to_bytes(2, "big")


def _values(names: tuple[str, ...], data: bytes, bits: int) -> list[RegisterValue]:
    size = bits // 8
    parts = (data[start : start + size] for start in range(0, len(data), size))
    return [
        RegisterValue(name, int.from_bytes(part, "big"), bits)
        for name, part in zip(names, parts, strict=True)
    ]
