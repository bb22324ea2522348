"""Executes pieces of 68K code with random states on Unicorn, and the same pieces lifted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.engines.calibration import operands, stubs
from emu.engines.calibration.instructions import ProbeInstruction
from emu.lift.decoder import Decoder, registers
from emu.lift.interpreter import Interpreter, LeftError
from emu.machine import BareMachine
from emu.machine.cpu import M68000, Cpu
from emu.program import LineTable, Program, Segment, Symbol

FLAGS = ("CF", "VF", "ZF", "NF", "XF")
"""The flags of CCR, from bit 0 on."""

_BEHIND = 0x200
"""Bytes behind the code, which operands with an index may reach from the last piece."""

PIECE_END = bytes.fromhex("5a5a5a5a")
"""Stands in a piece for the address behind it."""

_TOGETHER = 128
"""Rows of one batch: each is an image of 120 KB."""

_CCR = int((stubs.state_of(M68000).fields or {})["ccr"][1])
_MOST_STEPS = 16
_DATA_END = stubs.DATA + stubs.DATA_SIZE
_LOWEST = 0x80000000
_DIVS_W, _DIVS_W_BITS, _DIV_L, _DIV_L_BITS = 0x81C0, 0xF1C0, 0x4C40, 0xFFC0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one state.

    Attributes:
        values: the registers D0 to A7, and the flags.
        stores: the bytes that changed, by address.
        ended: why it stopped; "" if it came to its end.
        is_left: whether the lifted code was left.
    """

    values: tuple[int, ...] = ()
    stores: Mapping[int, int] | None = None
    ended: str = ""
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class Probes:
    """Pieces of code as one program.

    Attributes:
        cpu: the processor.
        pieces: the pieces.
        program: the program.
        stubs: the addresses of what loads a state, executes a piece and stores the state.
        places: the addresses of the pieces.
    """

    cpu: Cpu
    pieces: tuple[ProbeInstruction, ...]
    program: Program
    stubs: tuple[int, ...]
    places: tuple[int, ...]


def probes(cpu: Cpu, pieces: Sequence[ProbeInstruction], seed: int) -> Probes:
    """Pieces of code as one program, with memory and states as calibrations have them."""
    code, starts, places = stubs.dispatch(cpu), [], []
    for piece in pieces:
        code += b"\0" * (-len(code) % 16)
        starts.append(stubs.CODE + len(code))
        places.append(stubs.CODE + len(code) + len(_load_state()))
        end = places[-1] + len(piece.code)
        text = piece.code.replace(PIECE_END, end.to_bytes(4, "big"))
        code += _load_state() + text + _store_state(cpu)
    code += bytes(_BEHIND)
    data = operands.memory(seed)
    segments = [
        Segment("code", stubs.CODE, len(code), code, writable=False, executable=True),
        Segment("data", stubs.DATA, len(data), data, writable=True, executable=False),
        Segment("state", stubs.BEFORE, stubs.STATE_SIZE, b"", writable=True, executable=False),
    ]
    program = Program(
        path=Path(f"probes of the {cpu.name}"),
        architecture=cpu.architecture,
        byte_order=">",
        segments=segments,
        symbols=[Symbol("probe", stubs.CODE, len(code), "function")],
        variables={},
        functions={"probe": [stubs.CODE]},
        lines=LineTable(()),
        has_debug_information=False,
    )
    return Probes(cpu, tuple(pieces), program, tuple(starts), tuple(places))


def _with_address(opcode: str, address: int) -> bytes:
    return bytes.fromhex(opcode) + address.to_bytes(4, "big")


def _load_state() -> bytes:
    return b"".join(
        (
            _with_address("23cf", stubs.KEPT),  # MOVE.L A7,(xxx).L
            _with_address("4cf9ffff", stubs.BEFORE),  # MOVEM.L (xxx).L,D0-D7/A0-A7
            _with_address("44f9", stubs.BEFORE + _CCR),  # MOVE.W (xxx).L,CCR
        )
    )


def _store_state(cpu: Cpu) -> bytes:
    """Without the floating-point registers, which would take ten times longer."""
    return b"".join(
        (
            # MOVE.W CCR,(xxx).L, which the 68000 lacks; or MOVE.W SR,(xxx).L
            _with_address("40f9" if cpu.name == "68000" else "42f9", stubs.AFTER + _CCR),
            _with_address("48f9ffff", stubs.AFTER),  # MOVEM.L D0-D7/A0-A7,(xxx).L
            _with_address("2e79", stubs.KEPT),  # MOVEA.L (xxx).L,A7
            b"\x4e\x75",  # RTS
        )
    )


class _OutsideError(Exception):
    """An access to memory that a probe does not have."""


class LiftedProbes:
    """Executes pieces of code that are lifted.

    Args:
        asked: the pieces.
    """

    def __init__(self, asked: Probes) -> None:
        program, self._places = asked.program, asked.places
        self._names = registers("m68k")
        self._before = {}
        end = max(each.address + each.size for each in program.segments)
        self._memory = bytearray(end)
        for each in program.segments:
            self._memory[each.address : each.address + len(each.data)] = each.data
        decoder = Decoder(asked.cpu, self._read, is_compared=lambda code: True)
        self._interpreter = Interpreter(decoder, self._read, self._write)
        self._general = [self._names[f"D{n}"] for n in range(8)]
        self._general += [self._names[f"A{n}"] for n in range(7)] + [self._names["SP"]]

    def outcome(self, number: int, size: int, state: np.void) -> Outcome:
        """What a piece does with a state.

        Args:
            number: which piece of the plan it is.
            size: its bytes.
            state: the state.
        """
        laid = state.tobytes()
        self._memory[stubs.BEFORE : stubs.BEFORE + len(laid)] = laid
        for place, value in zip(self._general, state.tolist(), strict=False):
            self._interpreter.set(place, value)
        for bit, name in enumerate(FLAGS):
            self._interpreter.set(self._names[name], int(state["ccr"]) >> bit & 1)
        self._before = {}
        try:
            return self._executed(self._places[number], size)
        except LeftError as error:
            return Outcome(ended=str(error), is_left=True)
        except _OutsideError:
            return Outcome(ended="it used memory outside")
        finally:
            for address, byte in self._before.items():
                self._memory[address] = byte

    def _executed(self, start: int, size: int) -> Outcome:
        at = start
        for _ in range(_MOST_STEPS):
            at = self._interpreter.step(at)
            if at == start + size:
                break
        else:
            return Outcome(ended="it does not end")
        values = [self._interpreter.get(place) for place in self._general]
        values.append(
            sum(self._interpreter.get(self._names[name]) << n for n, name in enumerate(FLAGS))
        )
        changed = {
            address: self._memory[address]
            for address, byte in self._before.items()
            if self._memory[address] != byte and address < _DATA_END
        }
        return Outcome(tuple(values), changed)

    def _read(self, address: int, size: int) -> bytes:
        if address < stubs.DATA or address >= len(self._memory):
            raise _OutsideError
        return bytes(self._memory[address : address + size])

    def _write(self, address: int, data: bytes) -> None:
        if not stubs.DATA <= address <= stubs.BEFORE + stubs.STATE_SIZE - len(data):
            raise _OutsideError
        for at in range(address, address + len(data)):
            self._before.setdefault(at, self._memory[at])
        self._memory[address : address + len(data)] = data


class UnicornProbes:
    """Executes pieces of code on Unicorn, as macproof does.

    Args:
        asked: the pieces.
    """

    def __init__(self, asked: Probes) -> None:
        self._stubs = asked.stubs
        self._machine = BareMachine(asked.program, asked.cpu, heap_size=0)
        self._layout = stubs.state_of(M68000)
        offset = self._machine.data.offset
        self._data = slice(offset(stubs.DATA), offset(stubs.DATA) + stubs.DATA_SIZE)
        self._before, self._after = offset(stubs.BEFORE), offset(stubs.AFTER)
        self._next = offset(stubs.NEXT)

    def outcomes(self, number: int, states: NDArray[np.void]) -> Iterator[Outcome]:
        """What a piece does with each of some states."""
        images = np.repeat(self._machine.pristine[np.newaxis], len(states), axis=0)
        size = self._layout.itemsize
        laid = np.frombuffer(states.tobytes(), np.uint8).reshape(len(states), size)
        images[:, self._before : self._before + size] = laid
        place = self._stubs[number].to_bytes(4, "big")
        images[:, self._next : self._next + 4] = np.frombuffer(place, np.uint8)
        while len(images):
            batch = self._machine.calls.run(stubs.CODE, images)
            for before, after in zip(images, batch.after, strict=False):
                yield self._outcome(before, after)
            if batch.fault is not None:
                yield Outcome(ended=batch.fault.reason)
            images = images[len(batch.after) + (batch.fault is not None) :]

    def _outcome(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> Outcome:
        size = self._layout.itemsize
        state = np.frombuffer(after[self._after : self._after + size].tobytes(), self._layout)[0]
        changed = np.flatnonzero(after[self._data] != before[self._data])
        found = after[self._data][changed]
        values = (*state.tolist()[:16], int(state["ccr"]) & 0x1F)
        return Outcome(
            values,
            {stubs.DATA + int(at): int(byte) for at, byte in zip(changed, found, strict=True)},
        )


def pairs(
    cpu: Cpu, pieces: Sequence[ProbeInstruction], count: int, seed: int
) -> Iterator[tuple[ProbeInstruction, Outcome, Outcome]]:
    """What lifted code and Unicorn make of each of some states of each piece.

    States are left out with which Unicorn ends its process: -2**31 or -2**63 divided by -1.
    """
    for start in range(0, len(pieces), _TOGETHER):
        some = tuple(pieces[start : start + _TOGETHER])
        asked = probes(cpu, some, seed)
        lifted, unicorn = LiftedProbes(asked), UnicornProbes(asked)
        for number, piece in enumerate(some):
            states = operands.states(M68000, piece, count, seed)
            kept = states[[not _ends_unicorn(piece.code, state) for state in states]]
            outcomes = unicorn.outcomes(number, kept)
            for state, other in zip(kept, outcomes, strict=True):
                yield piece, lifted.outcome(number, len(piece.code), state), other


def _ends_unicorn(code: bytes, state: np.void) -> bool:
    """Whether a state may be one with which Unicorn ends its process."""
    word, second = int.from_bytes(code[:2], "big"), int.from_bytes(code[2:4], "big")
    if word & _DIVS_W_BITS == _DIVS_W:
        return int(state[f"d{word >> 9 & 7}"]) == _LOWEST
    if word & _DIV_L_BITS == _DIV_L and second & 0x0800:
        low, high = (int(state[f"d{n}"]) for n in (second >> 12 & 7, second & 7))
        return low == _LOWEST or (high == _LOWEST and low == 0)
    return False


def difference(ours: Outcome, other: Outcome, decided: int = 0x1F) -> str:
    """Where the outcome of lifted code differs from Unicorn's; "" if it does not.

    Args:
        ours: of lifted code.
        other: of Unicorn.
        decided: the flags that are compared.
    """
    if ours.ended or other.ended:
        return (
            "" if ours.ended and other.ended else f"{ours.ended or 'ends'}/{other.ended or 'ends'}"
        )
    names = [f"{'da'[n >> 3]}{n & 7}" for n in range(16) if ours.values[n] != other.values[n]]
    flags = (ours.values[16] ^ other.values[16]) & decided
    names += [name for bit, name in enumerate(FLAGS) if flags >> bit & 1]
    return " ".join([*names, *(["memory"] if ours.stores != other.stores else [])])
