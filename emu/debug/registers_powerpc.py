"""The registers of a PowerPC.

The engine's interface lacks the flags of XER, so the processor moves that register itself.
Source of the encodings: PowerPC 601 RISC Microprocessor User's Manual, chapter 10 (MFSPR, MTSPR).
"""

from __future__ import annotations

from emu.debug.requests import RegisterValue
from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine

_MFXER, _MTXER = bytes.fromhex("7c6102a6"), bytes.fromhex("7c6103a6")
"""mfxer r3 and mtxer r3."""
_NUMBERS = tuple(f"f{number}" for number in range(32))


class PowerPcRegisters:
    """Reads and writes the registers; see `emu.debug.registers.RegisterFile`."""

    def __init__(self, cpu: Cpu, engine: HostedEngine) -> None:
        self._engine = engine
        self._general = cpu.general_registers

    def read(self) -> tuple[RegisterValue, ...]:
        """All registers."""
        engine = self._engine

        def now(name: str) -> RegisterValue:
            return RegisterValue(name, engine.register_file.read(name) & 0xFFFFFFFF)

        def waiting(name: str) -> RegisterValue:
            return RegisterValue(name, int(engine.registers[engine.index[name]]))

        values = [waiting(name) for name in self._general]
        values += [
            RegisterValue(name, engine.register_file.read(f"fpr{number}"), 64)
            for number, name in enumerate(_NUMBERS)
        ]
        values += [waiting("pc"), now("msr"), now("cr"), waiting("lr"), waiting("ctr")]
        engine.execute(_MFXER)
        values += [RegisterValue("xer", now("r3").value), now("fpscr")]
        engine.register_file.write("r3", waiting("r3").value)
        return tuple(values)

    def write(self, name: str, value: int) -> str:
        """Change a register."""
        engine = self._engine
        if name in engine.index:
            engine.registers[engine.index[name]] = value & 0xFFFFFFFF
        elif name in _NUMBERS:
            engine.register_file.write(f"fpr{name[1:]}", value & (1 << 64) - 1)
        elif name in ("cr", "fpscr"):
            engine.register_file.write(name, value & 0xFFFFFFFF)
        elif name == "xer":
            engine.register_file.write("r3", value & 0xFFFFFFFF)
            engine.execute(_MTXER)
            engine.register_file.write("r3", int(engine.registers[engine.index["r3"]]))
        elif name == "msr":
            return "MSR is the operating system's, and is not changed"
        else:
            return f"this processor has no register {name}"
        return ""
