"""The same program on macproof's engine, and on qemu-user."""

from __future__ import annotations

import signal
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from emu.machine.cpu import CPUS
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from tests.engines.faults import bare

NO_RETURN, ENDS = "it does not return", "the process ends"
_NO_OPERATION = {"68000": "4e71", "68040": "4e71", "601": "60000000"}
# MTFSF 255,F0 and MFFS F0; FMOVE.L FPSR to the state
_STATUS_MOVES = {
    "601": ("fdfe058e", "fc00048e"),
    "68040": (f"f239a800{bare.DATA + bare.AFTER + bare.FIELDS['68040']['fpsr'][0]:08x}",),
}
_SECONDS, _FOR_EVER = 60.0, 3.0
"""How long a program may take, and how long one is waited for that should not return."""
QEMU = {
    "68000": ("qemu-m68k", "m68000"),
    "68040": ("qemu-m68k", "m68040"),
    "601": ("qemu-ppc", "604"),
}
"""QEMU's commands and models; it has no 601."""
_BUFFER, _LENGTH = bare.DATA, bare.SIZE


def process(cpu: str, code: bytes, values: Mapping[str, int], *, returns: bool = True) -> str:
    """What bare Unicorn makes of an instruction, in a process of its own.

    Args:
        cpu: the processor.
        code: the instruction.
        values: the registers before it.
        returns: whether it is expected to return or to end the process.
    """
    seconds = _SECONDS if returns else _FOR_EVER
    state = [f"{name}={value:x}" for name, value in values.items()]
    command = [sys.executable, bare.__file__, cpu, code.hex(), *state]
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return NO_RETURN
    return ENDS if done.returncode < 0 else done.stdout.decode().strip()


def macproof(cpu: str, code: bytes, values: Mapping[str, int], *, sees_status: bool = True) -> str:
    """What the engine makes of it with which `verify` executes routines.

    Args:
        cpu: the processor.
        code: the instruction.
        values: the registers before it.
        sees_status: whether the status of results is read.
    """
    memory = GuestMemory(
        [
            MemoryRegion("code", bare.CODE, PAGE, writable=True, executable=True),
            MemoryRegion("state", bare.DATA, PAGE, writable=True, executable=False),
        ]
    )
    before, guest = bare.state(cpu, values), bare.program(cpu, code)
    if not sees_status:
        nothing = bytes.fromhex(_NO_OPERATION[cpu])
        for move in map(bytes.fromhex, _STATUS_MOVES.get(cpu, ())):
            assert move in guest
            guest = guest.replace(move, nothing * (len(move) // len(nothing)))
    memory.write(bare.CODE, guest)
    memory.write(bare.DATA, before)
    engine = FastEngine(CPUS[cpu], memory)
    engine.run(bare.CODE, bare.CODE + len(guest))
    if engine.refused is not None:
        return f"refused: {engine.refused.title}"
    if engine.exception >= 0:
        return f"exception {engine.exception}"
    return bare.changes(cpu, before, memory.view(bare.DATA, bare.SIZE).tobytes())


def qemu(cpu: str, code: bytes, values: Mapping[str, int], folder: Path) -> str:
    """What QEMU makes of it in user mode: the changes, or the signal that it ends with."""
    command, model = QEMU[cpu]
    file, before = folder / "program", bare.state(cpu, values)
    guest = bare.program(cpu, code) + (_EXIT_PPC if cpu == "601" else _EXIT_M68K)
    file.write_bytes(_elf(20 if cpu == "601" else 4, guest, before))
    file.chmod(0o755)
    words = [command, "-cpu", model, str(file)]
    try:
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return NO_RETURN
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name
    if done.returncode or len(done.stdout) != bare.SIZE:
        return done.stderr.decode().partition("\n")[0] or f"it ends with {done.returncode}"
    return bare.changes(cpu, before, done.stdout)


# write(1, data, size); exit(0)
_EXIT_M68K = bytes.fromhex(f"7004 7201 243c{_BUFFER:08x} 263c{_LENGTH:08x} 4e40 7001 7200 4e40")
_EXIT_PPC = bytes.fromhex(
    f"38000004 38600001 3c80{_BUFFER >> 16:04x} 38a0{_LENGTH:04x} 44000002"
    "38000001 38600000 44000002"
)


def _elf(machine: int, guest: bytes, data: bytes) -> bytes:
    """An executable file of two segments: the code and the data."""
    header = struct.Struct(">16sHHIIIIIHHHHHH")
    segment = struct.Struct(">8I")
    ident = b"\x7fELF\x01\x02\x01".ljust(16, b"\0")
    first = header.pack(
        ident, 2, machine, 1, bare.CODE, header.size, 0, 0, header.size, segment.size, 2, 0, 0, 0
    )
    places = ((0x1000, bare.CODE, guest), (0x2000, bare.DATA, data))
    table = b"".join(
        segment.pack(1, at, address, address, len(part), 0x1000, 7, 0x1000)
        for at, address, part in places
    )
    return (first + table).ljust(0x1000, b"\0") + guest.ljust(0x1000, b"\0") + data
