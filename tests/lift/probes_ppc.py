"""Pieces of code of the 601, executed with random states on Unicorn and lifted.

Modes of the floating-point unit are 0, as always in lifted code. Unicorn is macproof's: the code
around a piece moves FPSCR, so Python executes what rounds, and rounds once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.engines.calibration import operands, stubs
from emu.engines.calibration.instructions import ProbeInstruction
from emu.engines.calibration.probes import ProbePlan, program_of
from emu.lift.decoder import Decoder, registers
from emu.lift.interpreter import Interpreter, LeftError
from emu.lift.powerpc.registers import CARRY, OVERFLOW, SUMMARY_OVERFLOW, XER, condition
from emu.machine import BareMachine
from emu.machine.cpu import PPC601

_MARK = b"\xff" * 8
_MOST_STEPS = 24
_TOGETHER = 128  # pieces of one program
_DATA_END = stubs.DATA + stubs.DATA_SIZE
_FLAGS = ((SUMMARY_OVERFLOW, 31), (OVERFLOW, 30), (CARRY, 29))
_XER_DECIDED = 0xFFF3FFFF  # bits 18 and 19 are reserved


@dataclass(frozen=True, slots=True)
class PowerOutcome:
    """What became of one state.

    Attributes:
        registers: general ones, floating-point ones, CR and XER, by name.
        stores: the bytes that changed, by address.
        ended: why it stopped; "" if it came to its end.
    """

    registers: Mapping[str, int]
    stores: Mapping[int, int]
    ended: str = ""


class _OutsideError(Exception):
    """An access to memory that a piece does not have."""


class LiftedPieces:
    """Executes pieces of code that are lifted.

    Args:
        plan: the pieces.
    """

    def __init__(self, plan: ProbePlan) -> None:
        program, places = program_of(plan)
        self._memory = bytearray(max(each.address + each.size for each in program.segments))
        for each in program.segments:
            self._memory[each.address : each.address + len(each.data)] = each.data
        lead = stubs.stub(plan.cpu, _MARK).index(_MARK)
        self._places = [place + lead for place in places]
        decoder = Decoder(plan.cpu, self._read, is_compared=lambda code: True)
        self._lifted = Interpreter(decoder, self._read, self._write)
        self._names = registers("powerpc")
        self._before: dict[int, int] = {}

    def outcome(self, number: int, size: int, state: np.void) -> PowerOutcome:
        """What the piece of a number, so many bytes long, does with a state."""
        self._lay(state)
        self._before = {}
        at = start = self._places[number]
        try:
            for _ in range(_MOST_STEPS):
                at = self._lifted.step(at)
                if at == start + size:
                    return PowerOutcome(self._registers(), self._stores())
            return PowerOutcome({}, {}, "it does not end")
        except (LeftError, _OutsideError) as error:
            return PowerOutcome({}, {}, str(error) or "it used memory outside")
        finally:
            for address, byte in self._before.items():
                self._memory[address] = byte

    def _lay(self, state: np.void) -> None:
        for number in range(32):
            for letter in "rf":
                name = f"{letter}{number}"
                self._lifted.set(self._names[name], int(state[name]))
        for name in ("LR", "CTR"):  # as the code around a piece leaves them
            self._lifted.set(self._names[name], stubs.BEFORE)
        cr, xer = int(state["cr"]), int(state["xer"])
        for number in range(8):
            self._lifted.set(condition(number), cr >> 28 - 4 * number & 15)
        self._lifted.set(XER, xer)
        for flag, bit in _FLAGS:
            self._lifted.set(flag, xer >> bit & 1)

    def _registers(self) -> dict[str, int]:
        get = self._lifted.get
        found = {f"{x}{n}": get(self._names[f"{x}{n}"]) for x in "rf" for n in range(32)}
        found["cr"] = sum(get(condition(n)) << 28 - 4 * n for n in range(8))
        flags = sum(get(flag) << bit for flag, bit in _FLAGS)
        found["xer"] = (get(XER) & 0x1FFFFFFF | flags) & _XER_DECIDED
        return found

    def _stores(self) -> dict[int, int]:
        before = self._before.items()
        return {at: self._memory[at] for at, byte in before if self._memory[at] != byte}

    def _read(self, address: int, size: int) -> bytes:
        if address < stubs.DATA or address >= len(self._memory):
            raise _OutsideError
        return bytes(self._memory[address : address + size])

    def _write(self, address: int, data: bytes) -> None:
        if not stubs.DATA <= address <= _DATA_END - len(data):
            raise _OutsideError
        for at in range(address, address + len(data)):
            self._before.setdefault(at, self._memory[at])
        self._memory[address : address + len(data)] = data


class UnicornPieces:
    """Executes pieces of code on Unicorn, as macproof does.

    Args:
        plan: the pieces.
    """

    def __init__(self, plan: ProbePlan) -> None:
        program, self._places = program_of(plan)
        self._machine = BareMachine(program, plan.cpu, heap_size=0)
        self._layout = stubs.state_of(plan.cpu)
        offset = self._machine.data.offset
        self._data = slice(offset(stubs.DATA), offset(stubs.DATA) + stubs.DATA_SIZE)
        self._before, self._after = offset(stubs.BEFORE), offset(stubs.AFTER)
        self._next = offset(stubs.NEXT)

    def outcomes(self, number: int, states: NDArray[np.void]) -> Iterator[PowerOutcome]:
        """What the piece of a number does with each of some states."""
        images = np.repeat(self._machine.pristine[np.newaxis], len(states), axis=0)
        size = self._layout.itemsize
        laid = np.frombuffer(states.tobytes(), np.uint8).reshape(len(states), size)
        images[:, self._before : self._before + size] = laid
        place = self._places[number].to_bytes(4, "big")
        images[:, self._next : self._next + 4] = np.frombuffer(place, np.uint8)
        while len(images):
            batch = self._machine.calls.run(stubs.CODE, images)
            for before, after in zip(images, batch.after, strict=False):
                yield self._outcome(before, after)
            if batch.fault is not None:
                yield PowerOutcome({}, {}, batch.fault.reason)
            images = images[len(batch.after) + (batch.fault is not None) :]

    def _outcome(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> PowerOutcome:
        data = after[self._after : self._after + self._layout.itemsize].tobytes()
        state = np.frombuffer(data, self._layout)[0]
        names = [name for name in self._layout.names or () if name != "fpscr"]
        found = {name: int(state[name]) for name in names}
        found["xer"] &= _XER_DECIDED
        changed = np.flatnonzero(after[self._data] != before[self._data])
        stores = {stubs.DATA + int(at): int(after[self._data][at]) for at in changed}
        return PowerOutcome(found, stores)


def outcomes(
    pieces: Sequence[ProbeInstruction], count: int, seed: int
) -> Iterator[tuple[ProbeInstruction, PowerOutcome, PowerOutcome]]:
    """What lifted code and Unicorn make of each of some states of each piece."""
    for start in range(0, len(pieces), _TOGETHER):
        some = tuple(pieces[start : start + _TOGETHER])
        plan = ProbePlan(PPC601.name, some, count, seed)
        lifted, unicorn = LiftedPieces(plan), UnicornPieces(plan)
        for number, piece in enumerate(some):
            states = operands.states(PPC601, piece, count, seed)
            states["fpscr"] = 0
            found = unicorn.outcomes(number, states)
            for state, other in zip(states, found, strict=True):
                yield piece, lifted.outcome(number, len(piece.code), state), other


def differences(ours: PowerOutcome, other: PowerOutcome, *, lower_half: str = "") -> list[str]:
    """The names of what differs; "end" if only one of them came to its end.

    Args:
        ours: of lifted code.
        other: of Unicorn.
        lower_half: a register of which the upper half is undefined.
    """
    if ours.ended or other.ended:
        return ["end"] if not (ours.ended and other.ended) else []
    names = [
        name
        for name, value in ours.registers.items()
        if (value ^ other.registers[name]) & (0xFFFFFFFF if name == lower_half else -1)
    ]
    return [*names, *(["memory"] if ours.stores != other.stores else [])]
