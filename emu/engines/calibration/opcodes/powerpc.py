"""The map of the 601: each row of the table of opcodes with each of its forms.

Registers have numbers apart from one another, and then the same number where that is no invalid
form. Constants have values at the edges of their fields. Reserved fields are 0.

Source: PowerPC 601 RISC Microprocessor User's Manual (MPC601UM/AD), chapter 10.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from emu.checks.isa_ppc import power_instructions
from emu.cycles.powerpc.ppc_opcodes import PpcOpcode, opcodes
from emu.engines.calibration.instructions import ppc_instruction
from emu.engines.calibration.opcodes.entry import MapEntry
from emu.engines.calibration.stubs import SHORT
from emu.machine.cpu import Cpu

_TRAPPING, _ALONE, _RESERVED = (
    "branches, calls, returns and traps, and writes of LR and CTR",
    "instructions of POWER, which no other engine has",
    "stores that depend on a reservation",
)
_BRANCHES = (
    *("b", "ba", "bl", "bla", "bc", "bca", "bcl", "bcla"),
    *("bclr", "bclrl", "bcctr", "bcctrl"),
)
_CONDITIONAL_STORE = "stwcx."
_D, _A, _B, _C, _SAME = 20, 6, 7, 8, 9
"""The numbers of registers: D so high that LMW and STMW leave the others alone."""
_SHIFTS: Mapping[str, int] = MappingProxyType(
    {"D": 21, "d": 21, "A": 16, "0": 16, "U": 16, "a": 16, "B": 11, "b": 11, "c": 6, "M": 21}
    | {"N": 21}
)
_NUMBERS: Mapping[str, int] = MappingProxyType(
    {"D": _D, "d": _D, "A": _A, "0": _A, "U": _A, "a": _A, "B": _B, "b": _B, "c": _C, "M": _D}
    | {"N": _D}
)
_FIELDS: Mapping[str, int] = MappingProxyType(
    # Condition fields 5 and 2; their bits 22, 9 and 15.
    {"F": 5 << 23, "G": 2 << 18, "t": 22 << 21, "u": 9 << 16, "v": 15 << 11}
)
_EDGES = (0x0000, 0x0001, 0x7FFF, 0x8000, 0xFFFF)
_DISPLACEMENTS = (0x0010, 0xFFF0)
_ROTATIONS = ((0, 0, 31), (1, 5, 20), (31, 31, 0), (16, 20, 5), (4, 31, 31))
"""Shift, first and last bit of the mask; the fourth mask goes round the end."""
_ARITHMETIC = (*range(7, 16), *range(24, 30))
_LOADS = range(32, 56)
_RECORD, _OVERFLOW = 1, 512


def ppc_entries(cpu: Cpu) -> Iterator[MapEntry]:
    """All entries of the map of the 601."""
    for name in _BRANCHES:
        yield MapEntry(name, None, _TRAPPING)
    power = frozenset(power_instructions())
    rows = tuple(opcodes())
    for name in power.difference(row.mnemonic for _, _, row in rows):
        yield MapEntry(name, None, _ALONE)
    codes = set()
    for primary, extended, row in rows:
        for word in _words(primary, extended, row):
            if word not in codes:
                codes.add(word)
                yield _entry(row, word, power)


def _entry(row: PpcOpcode, word: int, power: frozenset[str]) -> MapEntry:
    if row.mnemonic in power:
        return MapEntry(row.mnemonic, None, _ALONE)
    if row.mnemonic == _CONDITIONAL_STORE:
        return MapEntry(row.mnemonic, None, _RESERVED)
    instruction = ppc_instruction(word.to_bytes(4, "big"))
    return MapEntry(row.mnemonic, instruction, "" if instruction else _TRAPPING)


def _words(primary: int, extended: int, row: PpcOpcode) -> Iterator[int]:
    letters = dict.fromkeys(row.writes + row.reads)
    base = primary << 26 | extended << 1
    records = (0, _RECORD) if "r" in row.flags else (0,)
    for (registers, has_base), constant, record in itertools.product(
        _registers(tuple(letters), row), _constants(primary, row), records
    ):
        if has_base or primary not in _LOADS or constant == SHORT:
            yield base | registers | constant | record


def _registers(letters: tuple[str, ...], row: PpcOpcode) -> Iterator[tuple[int, bool]]:
    """The register fields: apart; all the same; and, False, none as the base of an address."""
    fields = sum(_FIELDS.get(letter, 0) for letter in letters)
    named = {_SHIFTS[letter]: _NUMBERS[letter] for letter in letters if letter in _SHIFTS}
    yield fields | _joined(named), True
    if row.cell.startswith(("load", "store", "float_load", "float_store", "cache")):
        if "0" in letters and "N" not in letters and "M" not in letters:
            yield fields | _joined(named | {_SHIFTS["0"]: 0}), False
        return
    yield fields | _joined(dict.fromkeys(named, _SAME)), True


def _joined(fields: Mapping[int, int]) -> int:
    return sum(number << shift for shift, number in fields.items())


def _constants(primary: int, row: PpcOpcode) -> tuple[int, ...]:
    """What may stand in fields that name no register."""
    if primary in _ARITHMETIC:
        return _EDGES
    if primary in _LOADS:
        return (*_DISPLACEMENTS, SHORT)
    match row.mnemonic:
        case "rlwimi" | "rlwinm":
            return tuple(shift << 11 | first << 6 | last << 1 for shift, first, last in _ROTATIONS)
        case "rlwnm":
            return tuple(first << 6 | last << 1 for _, first, last in _ROTATIONS)
        case "srawi":
            return tuple(count << 11 for count in (0, 1, 16, 31))
        case "lswi" | "stswi":
            return tuple(count << 11 for count in (0, 1, 4, 7, 16))
        case "mtcrf":
            return tuple(mask << 12 for mask in (0x80, 0xFF, 0x01, 0x5A))
        case "mfspr" | "mtspr":
            return tuple(number << 16 for number in (1, 8, 9))
        case "mtfsb0" | "mtfsb1":
            return tuple(bit << 21 for bit in (3, 16, 29, 30, 31))
        case "mtfsfi":
            return tuple(field << 23 | value << 12 for field, value in ((7, 1), (7, 2), (4, 10)))
        case "mtfsf":
            return tuple(mask << 17 for mask in (0x01, 0x10, 0x80))
        case "mcrfs":
            return tuple(to << 23 | of << 18 for to, of in ((5, 0), (0, 4), (7, 7)))
    return (0,)
