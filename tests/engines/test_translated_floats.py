"""Floating point of the 601 in translated code, against exact numbers that are rounded once."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from emu.engines.native_code.engine import TranslatedEngine
from emu.machine import BareMachine
from emu.machine.abi.instructions import machine_code, with_immediate
from emu.machine.cpu import PPC601
from emu.program import LineTable, Program, Segment, Symbol
from tests.lift.float_cases_ppc import FLOAT_CASES

_CODE, _DATA = 0x40000, 0x20000
_STATES = 64
_ADDIS, _LFD, _STFD, _BLR = 15, 50, 54, 0x4E800020


def _program() -> Program:
    """A routine that executes every case; operands and results are in a table of 4 doubles each."""
    words = [with_immediate(_ADDIS, 12, 0, _DATA >> 16)]
    for number, case in enumerate(FLOAT_CASES):
        words += [with_immediate(_LFD, 2 + n, 12, 32 * number + 8 * n) for n in range(3)]
        words += [case.word, with_immediate(_STFD, 1, 12, 32 * number + 24)]
    code = machine_code([*words, _BLR])
    size = 32 * len(FLOAT_CASES)
    return Program(
        path=Path("floating point"),
        architecture="powerpc",
        byte_order=">",
        segments=[
            Segment("code", _CODE, len(code), code, writable=False, executable=True),
            Segment("data", _DATA, size, bytes(size), writable=True, executable=False),
        ],
        symbols=[Symbol("floats", _CODE, len(code), "function")],
        variables={},
        functions={"floats": [_CODE]},
        lines=LineTable(()),
        has_debug_information=False,
    )


def test_results_are_rounded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))
    numbers = [list(itertools.islice(case.numbers(), 3 * _STATES)) for case in FLOAT_CASES]
    with BareMachine(_program(), PPC601, heap_size=0, engine=TranslatedEngine) as machine:
        start = machine.data.offset(_DATA)
        images = np.repeat(machine.pristine[np.newaxis], _STATES, axis=0)
        tables = images[:, start : start + 32 * len(FLOAT_CASES)]
        for state in range(_STATES):
            rows = [[*row[3 * state : 3 * state + 3], 0] for row in numbers]
            tables[state] = np.array(rows, dtype=">u8").view(np.uint8).ravel()
        batch = machine.calls.run(_CODE, images)
    assert batch.fault is None
    found = np.ascontiguousarray(batch.after[:, start : start + 32 * len(FLOAT_CASES)])
    results = found.view(">u8").reshape(_STATES, len(FLOAT_CASES), 4)
    translated = [state for state in range(_STATES) if state not in batch.untranslated]
    assert len(translated) > _STATES / 4
    for state, (number, case) in itertools.product(translated, enumerate(FLOAT_CASES)):
        a, b, c = numbers[number][3 * state : 3 * state + 3]
        bits = int(results[state, number, 3]) & case.decided
        wanted = case.wanted(a, b, c)
        assert f"{bits:016x}" == f"{wanted:016x}", f"{case.name} {a:016x} {b:016x} {c:016x}"
