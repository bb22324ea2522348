"""The comparison of translated code with Unicorn finds what differs, and goes on where it ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emu.machine import Batch
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_plan import plan_scenes
from tests.lift import agreement
from tests.lift.agreement import (
    FIRST_SCENES,
    CaseCalls,
    Pair,
    difference,
    main,
    read_parts,
    subjects_of,
)

CASE = "four-shifts-test-of-two"


@pytest.mark.slow
def test_all_programs_of_a_case_agree():
    part = CaseCalls(CASE, 1, []).part()
    assert (part.scenes, part.differences) == (FIRST_SCENES, ())
    assert part.calls == part.translated > 3 * FIRST_SCENES
    assert part.program == "68000 O2, 68040 O2, 601 O2"


def test_what_differs_is_found():
    after = np.zeros((2, 16), np.uint8)
    one = Batch(after, {}, None)
    other = after.copy()
    other[1, 5] = 1
    assert difference(one, one) == ""
    assert difference(replace(one, after=other), one) == (
        "call 1 leaves other bytes at offset 0x5, 1 in all"
    )
    assert difference(replace(one, after=after[:1]), one) == "1 calls return, of 2"
    assert difference(replace(one, violations={0: ("it broke a rule",)}), one).endswith(", not {}")


def test_it_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(agreement, "translated_cases", lambda: [CASE])
    file = tmp_path / "calls.jsonl"
    assert main([str(file), "--calls", "1"]) == 0
    first = read_parts(file)
    assert main([str(file), "--calls", "1"]) == 0  # there are enough already
    assert read_parts(file) == first
    monkeypatch.setattr(agreement, "difference", lambda *_: "not the same")
    assert main([str(file), "--calls", str(first[0].calls + 1)]) == 1
    _, second = read_parts(file)
    assert second.first == FIRST_SCENES
    assert second.differences


@pytest.mark.slow
def test_mutants_are_broken_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(agreement, "translated_cases", lambda: [CASE])
    file = tmp_path / "mutants.jsonl"
    assert main([str(file), "--mutants", "6"]) == 0
    parts = read_parts(file)
    assert len({part.program for part in parts}) == 6
    assert any(part.wrong for part in parts)


@pytest.mark.slow
def test_a_fault_of_unicorn_is_counted_apart():
    """FCTIWZ of 4,503,601,774,854,144 less 1,048,576.5 is 2^31 - 1, and Unicorn has -2^31.

    The mutant changes a constant by which a whole number becomes a floating-point one. PowerPC 601
    RISC Microprocessor User's Manual, chapter 10, fctiwz, says what is right.
    """
    case, subjects = subjects_of("blockmap-bare")
    (subject,) = (one for one in subjects if one.name == "601 O2")
    broken = replace(subject, patches=((0x10A9C, b"\x49"),))
    scenes = Scenes.make(case, plan_scenes(case, 4, 1)[-1:])
    pair = Pair(case, broken)
    batches = list(pair.run(scenes))
    assert [is_fault for _, is_fault in pair.compare(scenes, batches)] == [True]
    pair.close()
