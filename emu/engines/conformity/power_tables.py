"""Reads the vectors of DingusPPC: ``ppcinttests.csv`` and ``ppcfloattests.csv``.

A line has the instruction's name and code, and then names with values: the operands ``rA`` and
``rB`` lie in r3 and r4, the result ``rD`` in r3; those of the floating-point unit lie in f4, f5 and
f6, the result in f3. All other registers, XER and CR are 0 before the instruction; FPSCR holds the
rounding mode only. Source: ppctests.cpp of that project.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from emu.base.errors import InputError
from emu.base.files import read_at_most
from emu.engines.conformity.manual_gaps import undefined_quotient
from emu.engines.conformity.vectors import Vector, VectorState

SUFFIX = ".csv"

_LARGEST = 16 << 20
_ROUNDING = {"RTN": 0, "RTZ": 1, "RPI": 2, "RNI": 3, "VEN": 0x80}
_OPERANDS = {"rA": "r3", "rB": "r4", "frA": "f4", "frB": "f5", "frC": "f6"}
_RESULTS = {"rD": "r3", "frD": "f3", "XER": "xer", "CR": "cr", "FPSCR": "fpscr"}
_CLEAR = {"r3": 0, "r4": 0, "f3": 0, "f4": 0, "f5": 0, "f6": 0, "xer": 0, "cr": 0, "fpscr": 0}
_NUMBERS = {
    "FLT_MAX": 0x47EFFFFFE0000000,
    "FLT_MIN": 0x3810000000000000,
    "DBL_MAX": 0x7FEFFFFFFFFFFFFF,
    "DBL_MIN": 0x0010000000000000,
    "qnan": 0x7FF8000000000000,
    "snan": 0x7FF4000000000000,
}
_MINUS = 1 << 63


def has_power_vectors(path: Path) -> bool:
    """Whether a file of comma-separated values has vectors and not, for instance, assembly code.

    Raises:
        InputError: it cannot be read.
    """
    data = read_at_most(path, _LARGEST, "test vectors", InputError)
    return any(b",CR=" in line for line in data.splitlines())


def read_power_table(path: Path) -> Iterator[Vector]:
    """The vectors of a file.

    Raises:
        InputError: it cannot be read, or a line is no vector.
    """
    data = read_at_most(path, _LARGEST, "test vectors", InputError)
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield _vector(line, number)
            except (ValueError, KeyError, OverflowError) as error:
                why = f"line {number} is no vector of DingusPPC: {error}"
                raise InputError(path, why) from error


def _vector(line: str, number: int) -> Vector:
    group, code, *pairs = line.strip().split(",")
    before, after = dict(_CLEAR), dict[str, int]()
    for pair in pairs:
        name, is_pair, text = pair.partition("=")
        if not is_pair:
            raise ValueError(f"{pair!r} is no name with a value")
        if name == "round":
            before["fpscr"] = _ROUNDING[text]
        elif name in _OPERANDS:
            is_float = name.startswith("f")
            before[_OPERANDS[name]] = double_bits(text) if is_float else _number(text, 4)
        else:
            after[_RESULTS[name]] = _number(text, 8 if name == "frD" else 4)
    memory = dict(enumerate(int(code, 16).to_bytes(4, "big")))
    name = f"line {number}: {line.strip()}"
    ignored = undefined_quotient(group, before["r3"], before["r4"])
    return Vector(
        group, name, VectorState(before, memory, 0), VectorState(after, {}, 4), ignored=ignored
    )


def _number(text: str, size: int) -> int:
    """A hexadecimal number that fits into some bytes."""
    return int.from_bytes(int(text, 16).to_bytes(size, "big"), "big")


def double_bits(text: str) -> int:
    """The 64 bits of a number as these files write it: "3.5", "-inf", "FLT_MAX", "snan".

    Raises:
        ValueError: it is no number.
    """
    known = _NUMBERS.get(text.removeprefix("-"))
    if known is not None:
        return known | _MINUS * text.startswith("-")
    return int.from_bytes(struct.pack(">d", float(text)), "big")
