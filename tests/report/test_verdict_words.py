"""Words of verdicts: each has one tone, and nothing else of the kit gives a word another one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from emu.report.document import Tone
from emu.report.verdict_words import _BAD, _DOUBTFUL, _GOOD, TONES, verdict_outcome

EMU = Path(__file__).parents[2] / "emu"
# Where a tone is taken for something else than a word: for how much of two answers is alike.
NO_WORD = {"verify/oracle_document.py"}


def tones_given(source: str) -> list[int]:
    """The lines of a module that make an outcome of a tone, or lay a tone to a text."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Outcome":
            found.append(node.lineno)
        values = node.values if isinstance(node, ast.Dict) else []
        found += [one.lineno for one in values if re.match(r"Tone\.", ast.unparse(one))]
    return found


def test_a_word_has_one_tone():
    assert len(TONES) == len(_GOOD) + len(_BAD) + len(_DOUBTFUL)
    assert TONES["refuted"] is Tone.BAD and TONES["verified"] is Tone.GOOD


def test_a_word_that_is_not_known_has_no_tone():
    with pytest.raises(KeyError):
        verdict_outcome("found")


def test_tones_are_given_to_words_in_one_place():
    modules = {
        path.relative_to(EMU).as_posix(): tones_given(path.read_text())
        for path in EMU.rglob("*.py")
        if path.parent != EMU / "report" and "Tone" in path.read_text()
    }
    assert {name: lines for name, lines in modules.items() if lines and name not in NO_WORD} == {}


@pytest.mark.parametrize(
    "source", ['Outcome("refuted", Tone.GOOD)', 'TONES = {"refuted": Tone.GOOD}']
)
def test_another_place_would_be_seen(source: str):
    assert tones_given(source) == [1]
