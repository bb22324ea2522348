"""Executes vectors of the 68000 as `verify` executes code: same engine, same checks.

Memory is the 16 MB of a 68000, full of an instruction that stops at once, so that a jump to a wrong
place is noticed there. Two stubs lie behind it. The first loads the registers and jumps to
the vector's instruction. Where the next instruction must be, a jump is put for the time of the
vector; it leads to the second stub, which stores the registers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from emu.engines.conformity.vectors import Vector, VectorOutcome, VectorResult
from emu.machine.cpu import M68000, Cpu
from emu.machine.engine.base.watchdog import Watchdog
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.accesses import NO_POISON, Accesses, AccessKind, StackPlace
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from emu.program.instructions.m68k.instruction_words import read_instruction
from emu.program.instructions.m68k.operands import UndecodableError

_SIZE = 1 << 24
# Not right behind the memory: an address there with a carry into bit 24 means one near 0.
_STUBS = 0x1100_0000
_STATE = _STUBS + PAGE
_END = _STUBS + 0x800
_USER_STUB, _SYSTEM_STUB, _JUMP = _STUBS + 0x100, _STUBS + 0x200, _STUBS + 0x300
_STOPPER = bytes.fromhex("4e4f")  # TRAP #15
_NAMES = (*(f"d{n}" for n in range(8)), *(f"a{n}" for n in range(7)))
_STORED = (*_NAMES, "usp", "ssp")
_BEFORE, _AFTER, _LAYOUT = _STATE, _STATE + 0x100, struct.Struct(">15I3IH")
_JUMP_SIZE = 6
_SYSTEM, _UNWRITTEN = 0x2000, 0xFFFF
_ADDRESS_ERROR = 3
_SECONDS = 2.0
_FOR_ONE_ENGINE = 400
"""An engine maps a page anew for each address with other upper bits, and gets slower with each."""


class M68000Runner:
    """Asks vectors, one after the other.

    Raises:
        ToolMissingError: llvmlite, which full checks need, is not installed.
    """

    cpu: Cpu = M68000

    def __init__(self) -> None:
        self._memory = GuestMemory(
            [
                MemoryRegion("memory", 0, _SIZE, writable=True, executable=True),
                MemoryRegion("stubs", _STUBS, PAGE, writable=False, executable=True),
                MemoryRegion("state", _STATE, PAGE, writable=True, executable=False),
            ]
        )
        self._memory.write(0, _STOPPER * (_SIZE // 2))
        self._memory.write(_STUBS, _load_stub())
        self._memory.write(_USER_STUB, _store_stub(is_system=False))
        self._memory.write(_SYSTEM_STUB, _store_stub(is_system=True))
        # No stack: a vector's stack pointer is any address.
        self._accesses = Accesses(M68000, self._memory, StackPlace(0, 0, 0))
        self._asked = 0

    def ask(self, vector: Vector) -> VectorResult:
        """What the engine does with a vector."""
        after, size = vector.after.pc % _SIZE, _instruction_size(vector)
        ends = vector.exception is None
        start = vector.before.pc % _SIZE
        if ends and after - size < start < after + _JUMP_SIZE:
            return VectorResult(VectorOutcome.SKIPPED, "it goes on in its own words")
        if self._asked % _FOR_ONE_ENGINE == 0:
            self._engine = FastEngine(M68000, self._memory, accesses=self._accesses)
            self._watchdog = Watchdog(self._engine.stop, _SECONDS)
        self._asked += 1
        changed = self._prepare(vector)
        if ends:
            is_system = vector.after.registers["sr"] & _SYSTEM
            self._put(after, _jump(_SYSTEM_STUB if is_system else _USER_STUB), changed)
        self._forget(changed)
        self._accesses.clear()
        self._accesses.begin(0, NO_POISON)
        with self._watchdog:
            self._watchdog.calls += 1
            self._engine.run(_STUBS, _END)
        result = self._end(vector, after) if ends else self._exception(vector)
        for address in changed:
            self._memory.buffer[address] = _STOPPER[address & 1]
        self._forget(changed)
        return result

    def _prepare(self, vector: Vector) -> set[int]:
        """Put a vector's state into memory; the addresses of the bytes that may be changed."""
        changed: set[int] = set()
        for address in vector.after.memory:
            self._put(address, b"\0", changed)
        for address, byte in vector.before.memory.items():
            self._put(address, bytes([byte]), changed)
        registers = vector.before.registers
        values = [registers[name] for name in _STORED]
        start = vector.before.pc % _SIZE
        self._memory.write(_BEFORE, _LAYOUT.pack(*values, start, registers["sr"]))
        self._memory.write(_AFTER, b"\xff" * _LAYOUT.size)
        self._memory.write(_JUMP, _jump(start))
        return changed

    def _put(self, address: int, data: bytes, changed: set[int]) -> None:
        for at, byte in enumerate(data, address):
            self._memory.buffer[at % _SIZE] = byte
            changed.add(at % _SIZE)

    def _forget(self, changed: set[int]) -> None:
        """Drop translations of what was changed, so that the engine reads it anew."""
        self._engine.forget_code(_JUMP, _JUMP_SIZE)
        for start in {address & -16 for address in changed}:
            self._engine.forget_code(start, 16)

    def _exception(self, vector: Vector) -> VectorResult:
        """Whether the exception that the processor takes was reported."""
        if vector.exception == _ADDRESS_ERROR:
            for access in self._accesses.noted():
                if access.kind is AccessKind.MISALIGNED:
                    return VectorResult(VectorOutcome.REPORTED)
        refused, number = self._engine.refused, self._engine.exception
        if vector.exception in (number, refused.exception if refused else None):
            return VectorResult(VectorOutcome.REPORTED)
        return self._stopped(f"it must take exception {vector.exception}")

    def _stopped(self, instead: str) -> VectorResult:
        engine = self._engine
        if engine.refused is not None:
            return VectorResult(VectorOutcome.REFUSED, str(engine.refused))
        if engine.exception >= 0:
            instead = f"it takes exception {engine.exception}; {instead}"
        return VectorResult(VectorOutcome.WRONG, instead)

    def _end(self, vector: Vector, after: int) -> VectorResult:
        """Whether the state is the one that must follow."""
        *values, _, status = _LAYOUT.unpack(self._memory.view(_AFTER, _LAYOUT.size).tobytes())
        if status == _UNWRITTEN:
            return self._stopped(f"it must go on at {after:06x}")
        why = "; ".join(self._differences(vector, after, values, status))
        return VectorResult(VectorOutcome.WRONG if why else VectorOutcome.PASSED, why)

    def _differences(
        self, vector: Vector, after: int, values: list[int], status: int
    ) -> Iterator[str]:
        wanted = vector.after.registers
        # In user mode the other stack pointer cannot be read.
        unread = "" if wanted["sr"] & _SYSTEM else "ssp"
        for name, value in zip(_STORED, values, strict=True):
            if name != unread and value != wanted[name]:
                yield f"{name} is {value:08x} and must be {wanted[name]:08x}"
        decided = ~(vector.ignored or {}).get("sr", 0)
        if (status ^ wanted["sr"]) & decided & 0xFFFF:
            yield f"sr is {status:04x} and must be {wanted['sr']:04x}"
        for address, byte in vector.after.memory.items():
            found = int(self._memory.buffer[address])
            if found != byte and not after <= address < after + _JUMP_SIZE:
                yield f"{address:06x} holds {found:02x} and must hold {byte:02x}"


def _instruction_size(vector: Vector) -> int:
    memory, start = vector.before.memory, vector.before.pc % _SIZE
    code = bytes(memory.get((start + n) % _SIZE, 0) for n in range(16))
    try:
        return read_instruction(code, full=False).size
    except UndecodableError:
        return 2


def _jump(address: int) -> bytes:
    return b"\x4e\xf9" + address.to_bytes(4, "big")


def _absolute(opcode: str, address: int) -> bytes:
    return bytes.fromhex(opcode) + address.to_bytes(4, "big")


def _load_stub() -> bytes:
    return b"".join(
        (
            _absolute("2079", _BEFORE + 60),  # MOVEA.L (xxx).L,A0
            b"\x4e\x60",  # MOVE A0,USP
            _absolute("2e79", _BEFORE + 64),  # MOVEA.L (xxx).L,A7
            _absolute("46f9", _BEFORE + 72),  # MOVE.W (xxx).L,SR
            _absolute("4cf97fff", _BEFORE),  # MOVEM.L (xxx).L,D0-D7/A0-A6
            _jump(_JUMP),
        )
    )


def _store_stub(*, is_system: bool) -> bytes:
    pieces = [
        _absolute("40f9", _AFTER + 72),  # MOVE.W SR,(xxx).L
        _absolute("48f97fff", _AFTER),  # MOVEM.L D0-D7/A0-A6,(xxx).L
        _absolute("23cf", _AFTER + (64 if is_system else 60)),  # MOVE.L A7,(xxx).L
    ]
    if is_system:
        pieces += [b"\x4e\x68", _absolute("23c8", _AFTER + 60)]  # MOVE USP,A0; MOVE.L A0,(xxx).L
    return b"".join((*pieces, _jump(_END)))
