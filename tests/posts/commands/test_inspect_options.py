"""``macproof inspect --habits``: what it prints, what it writes, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.commands.programs.test_inspect import named as named
from tests.report import schemas

Run = Callable[..., Any]


def test_habits_in_words_and_as_json(macproof: Run, named: Path, tmp_path: Path) -> None:
    outcome = macproof("inspect", "--habits", named, "--json", tmp_path / "habits.json")
    assert outcome.code == 0, outcome.err
    for text in ("LINK first", "2 routines", "through the jump table", "were reached"):
        assert text in outcome.out, text
    written = schemas.read(tmp_path / "habits.json", "macproof.habits/1")
    assert written["programs"][0]["routines"] == 2
    several = macproof("inspect", "--habits", named, named)
    assert "68K: 2 programs" in several.out


def test_options_that_do_not_go_together_with_habits(macproof: Run, named: Path) -> None:
    outcome = macproof("inspect", "--habits", named, "--routine", "Main")
    assert outcome.code == 2
    assert "--habits and --routine do not go together" in outcome.err
