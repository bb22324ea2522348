"""Executes vectors of the PowerPC 601 as `verify` executes code.

A stub loads the registers that vectors name, executes the instruction and stores them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from emu.engines.conformity.vectors import Vector, VectorOutcome, VectorResult
from emu.machine.cpu import PPC601, Cpu
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion

_CODE, _STATE = 0x10000, 0x20000
_BEFORE, _AFTER = 0x000, 0x100
_GENERAL, _FLOATS, _SPECIAL = ("r3", "r4"), ("f3", "f4", "f5", "f6"), ("xer", "cr", "fpscr")
_LAYOUT = struct.Struct(">2I4Q3Ixxxx")
_XER, _CR, _FPSCR = 40, 44, 48
_UNWRITTEN = 0xFF
_BRANCHES = (16, 17, 18, 19)
# lfd, stfd, lwz, stw with r31 as base; mtfsf 255,f0; mffs f0; mtxer, mfxer, mtcr, mfcr with r30.
_LFD, _STFD, _LWZ, _STW = 0xC81F0000, 0xD81F0000, 0x801F0000, 0x901F0000
_MTFSF, _MFFS = 0xFDFE058E, 0xFC00048E
_MTXER, _MFXER, _MTCR, _MFCR = 0x7FC103A6, 0x7FC102A6, 0x7FCFF120, 0x7FC00026
_LIS_R31 = 0x3FE00000 | _STATE >> 16
_F0, _R30 = 0, 30 << 21


class PPC601Runner:
    """Asks vectors, one after the other."""

    cpu: Cpu = PPC601

    def __init__(self) -> None:
        self._memory = GuestMemory(
            [
                MemoryRegion("code", _CODE, PAGE, writable=False, executable=True),
                MemoryRegion("state", _STATE, PAGE, writable=True, executable=False),
            ]
        )
        load, store = list(_load_stub()), list(_store_stub())
        self._at = _CODE + 4 * len(load)
        self._end = self._at + 4 + 4 * len(store)
        words = [*load, 0, *store]
        self._memory.write(_CODE, struct.pack(f">{len(words)}I", *words))
        self._engine = FastEngine(PPC601, self._memory)

    def ask(self, vector: Vector) -> VectorResult:
        """What the engine does with a vector."""
        before = vector.before.registers
        code = bytes(vector.before.memory.values())
        if code[0] >> 2 in _BRANCHES:
            return VectorResult(VectorOutcome.SKIPPED, "it is a branch")
        values = [before[name] for name in (*_GENERAL, *_FLOATS, *_SPECIAL)]
        self._memory.write(_STATE + _BEFORE, _LAYOUT.pack(*values))
        self._memory.write(_STATE + _AFTER, bytes([_UNWRITTEN]) * _LAYOUT.size)
        self._memory.write(self._at, code)
        self._engine.forget_code(self._at, len(code))
        self._engine.run(_CODE, self._end)
        data = self._memory.view(_STATE + _AFTER, _LAYOUT.size).tobytes()
        if self._engine.refused is not None:
            return VectorResult(VectorOutcome.REFUSED, str(self._engine.refused))
        if self._engine.exception >= 0:
            return VectorResult(VectorOutcome.WRONG, f"it takes exception {self._engine.exception}")
        if data == bytes([_UNWRITTEN]) * _LAYOUT.size:
            return VectorResult(VectorOutcome.WRONG, "it does not go on behind the instruction")
        why = "; ".join(_differences(vector, _LAYOUT.unpack(data)))
        return VectorResult(VectorOutcome.WRONG if why else VectorOutcome.PASSED, why)


def _differences(vector: Vector, values: tuple[int, ...]) -> Iterator[str]:
    found = dict(zip((*_GENERAL, *_FLOATS, *_SPECIAL), values, strict=True))
    for name, wanted in vector.after.registers.items():
        decided = ~(vector.ignored or {}).get(name, 0)
        if (found[name] ^ wanted) & decided:
            digits = 16 if name in _FLOATS else 8
            yield f"{name} is {found[name]:0{digits}x} and must be {wanted:0{digits}x}"


def _load_stub() -> Iterator[int]:
    yield _LIS_R31
    yield from (_LFD | _F0 | _BEFORE + _FPSCR - 4, _MTFSF)
    for number, name in enumerate(_FLOATS):
        yield _LFD | int(name[1:]) << 21 | _BEFORE + 8 + 8 * number
    yield from (_LWZ | _R30 | _BEFORE + _XER, _MTXER, _LWZ | _R30 | _BEFORE + _CR, _MTCR)
    for number, name in enumerate(_GENERAL):
        yield _LWZ | int(name[1:]) << 21 | _BEFORE + 4 * number


def _store_stub() -> Iterator[int]:
    yield from (_MFCR, _STW | _R30 | _AFTER + _CR, _MFXER, _STW | _R30 | _AFTER + _XER)
    for number, name in enumerate(_GENERAL):
        yield _STW | int(name[1:]) << 21 | _AFTER + 4 * number
    for number, name in enumerate(_FLOATS):
        yield _STFD | int(name[1:]) << 21 | _AFTER + 8 + 8 * number
    # The upper word lands where CR is stored, so CR is stored once more.
    yield from (_MFFS, _STFD | _F0 | _AFTER + _FPSCR - 4, _MFCR, _STW | _R30 | _AFTER + _CR)
