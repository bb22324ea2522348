"""Answers that are all alike are told, and globals that a routine reads and no scene fills."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verify.small_cases import SmallCase, compiled

SCALED = "short gScale;\nlong Scale(short number) { return (long) number * gScale FACTOR; }\n"
KEYS = "call: Scale\narguments: {number: number}\n"
OLD = "observe: [return]\nreference: {program: old.elf, symbol: Scale}\n"
PYTHON = """

def expect(scene):
    return SimpleNamespace(product=scene.number * 3)


Numbers.three = 3
"""


def test_one_answer_to_all_scenes_is_told(tmp_path: Path, compilers: Callable[..., None]) -> None:
    compilers("68040")
    compiled(SCALED.replace("FACTOR", ""), "Scale", tmp_path / "old.elf")
    found = SmallCase(tmp_path, SCALED.replace("FACTOR", "* 2"), KEYS + OLD).verify()
    answers = found.report.results[0].answers
    assert (answers.distinct, answers.is_vacuous) == (1, True)
    assert answers.looked_at > 1
    assert answers.unfilled == ("gScale of old.elf", "gScale")
    assert "all answers were the same one" in str(found.document.outcome)
    assert "Different answers: 1, of" in str(found.document.sections)
    assert '"unfilled":' in found.to_json()


@pytest.mark.parametrize("filled", [True, False])
def test_what_no_scene_fills_is_told_whatever_it_holds(
    tmp_path: Path, compilers: Callable[..., None], filled: bool
) -> None:
    compilers("68040")
    scale = "short gScale;" if filled else "short gScale = 3;"
    source = SCALED.replace("FACTOR", "").replace("short gScale;", scale)
    keys = KEYS + "input: {gScale: three}\n" * filled
    keys += "observe: {return: product}\nreference: small:expect\n"
    found = SmallCase(tmp_path, source, keys, PYTHON).verify()
    assert found.verdict == "verified"
    answers = found.report.results[0].answers
    assert answers.unfilled == (() if filled else ("gScale",))
    assert answers.distinct > 5
    assert "same one" not in str(found.document.outcome)
