"""States for probes: random registers, with the values at which instructions go wrong."""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from emu.engines.calibration.instructions import ProbeInstruction
from emu.engines.calibration.stubs import DATA, DATA_SIZE, TABLE, TABLE_SIZE, state_of
from emu.machine.cpu import Cpu
from emu.program.model.wide_floats import Extended

_WORDS = np.array(
    (
        *(0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000),
        *(0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFFFE, 0xFFFFFFFF),
    ),
    dtype=np.uint32,
)
_EXTREMES = np.array([0x80000000, 0xFFFFFFFF], dtype=np.uint32)
"""What every register of a state in eight holds; their quotient cannot be represented."""

_FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 0.1, 3.0, 1e10, -1e10, 1e300, -1e-300, 1e-310),
    *(2147483647.5, -2147483649.0, 16777217.0, float("inf"), float("-inf"), float("nan")),
)
_FPCR = np.array([n << 6 | rounding << 4 for n in range(3) for rounding in range(4)])
"""Precision (extended, single, double) and rounding (nearest, to zero, down, up)."""
_LONGEST_STRING = 32
_FIRST_POINTER, _BETWEEN = DATA + DATA_SIZE // 2, 0x400


def memory(seed: int) -> bytes:
    """What is in memory before every probe: words, and at its end addresses in its middle."""
    random = np.random.default_rng([seed, 0])
    words = _words(random, (DATA_SIZE - TABLE_SIZE) // 4)
    table = _FIRST_POINTER + 8 * random.integers(0, 1024, TABLE_SIZE // 4)
    return np.concatenate([words, table.astype(np.uint32)]).astype(">u4").tobytes()


def _words(random: np.random.Generator, count: int) -> NDArray[np.uint32]:
    """Words of which a half are special, a quarter are small, and a quarter are anything."""
    kind = random.integers(0, 4, count)
    anything = random.integers(0, 1 << 32, count, dtype=np.uint32)
    small = random.integers(-300, 300, count).astype(np.uint32)
    return np.where(kind < 2, random.choice(_WORDS, count), np.where(kind == 2, small, anything))


def states(cpu: Cpu, instruction: ProbeInstruction, count: int, seed: int) -> NDArray[np.void]:
    """States for probes of one instruction, the same for the same seed.

    Registers that the instruction takes addresses from point into the memory for instructions, and
    indexes are small. So do all address registers in every other state, for what takes an address
    without saying so.

    Returns:
        (count,) of `state_of` the processor.
    """
    random = np.random.default_rng([seed, *instruction.code])
    registers = np.zeros(count, dtype=state_of(cpu))
    is_m68k = cpu.architecture == "m68k"
    is_extreme = random.integers(0, 8, count) == 0
    for index, name in enumerate(cpu.general_registers[:32]):
        values = np.where(is_extreme, random.choice(_EXTREMES, count), _words(random, count))
        pointers = _FIRST_POINTER + _BETWEEN * index + 8 * random.integers(0, 64, count)
        is_pointer = np.full(count, index in instruction.bases)
        if is_m68k and index >= 8:
            is_pointer |= np.arange(count) % 2 == 0
        if index in instruction.indexes:
            values = 4 * random.integers(-16, 16, count).astype(np.uint32)
            is_pointer[:] = False
        if index in instruction.tables:
            pointers = TABLE + 8 * random.integers(0, 64, count)
            is_pointer[:] = True
        registers[name] = np.where(is_pointer, pointers, values)
    floats = _floats(random)
    if instruction.is_single:
        floats = map(_single, floats)
    if is_m68k:
        registers["ccr"] = _each(random, 32, count)
        if cpu.has_fpu and instruction.uses_fpu:
            registers["fpcr"] = _FPCR[_modes(random, len(_FPCR), count)]
        for n in range(8) if cpu.has_fpu else ():
            registers[f"fp{n}"] = [_extended(_double(next(floats))) for _ in range(count)]
    else:
        registers["cr"] = random.integers(0, 1 << 32, count, dtype=np.uint32)
        lengths = random.integers(0, _LONGEST_STRING + 1, count)
        registers["xer"] = _each(random, 8, count) << 29 | lengths
        if instruction.uses_fpu:
            registers["fpscr"] = _modes(random, 4, count)
        for n in range(32):
            registers[f"f{n}"] = [_double(next(floats)) for _ in range(count)]
    return registers


def _each(random: np.random.Generator, values: int, count: int) -> NDArray[np.int64]:
    """Numbers below a limit; as many as there are states, all of them if these are enough."""
    return (random.integers(0, values) + np.arange(count)) % values


def _modes(random: np.random.Generator, modes: int, count: int) -> NDArray[np.int64]:
    """Modes of the floating-point unit: number 0 in every other state, and the others in turn."""
    at = np.arange(count)
    others = 1 + (random.integers(0, modes - 1) + at // 2) % (modes - 1)
    return np.where(at % 2 == 0, 0, others)


def _floats(random: np.random.Generator) -> Iterator[float]:
    """Numbers of which a half are special and a quarter have few digits."""
    while True:
        kind = random.integers(0, 4)
        if kind < 2:
            yield _FLOATS[random.integers(0, len(_FLOATS))]
        elif kind == 2:
            yield float(random.integers(-100_000, 100_000)) / 8
        else:
            yield float(random.normal()) * 2.0 ** float(random.integers(-40, 40))


@functools.lru_cache(maxsize=64)
def _extended(double: int) -> bytes:
    """A number as FMOVE.X has it in memory: 16 bits that mean nothing follow the exponent.

    Args:
        double: its bits in double precision, which tell 0.0 from -0.0, as a cache must.
    """
    ten = bytes(Extended(struct.unpack(">d", double.to_bytes(8, "big"))[0]))
    return ten[:2] + b"\0\0" + ten[2:]


def _single(value: float) -> float:
    """The nearest number of single precision; infinite if there is none."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _double(value: float) -> int:
    return int.from_bytes(struct.pack(">d", value), "big")
