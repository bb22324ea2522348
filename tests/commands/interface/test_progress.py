"""What a user sees while something takes long that cannot be counted."""

from __future__ import annotations

import argparse

import pytest

from emu.commands.interface import progress
from emu.commands.interface.progress import progress_in_words


@pytest.mark.parametrize(("quiet", "told"), [(False, "at 31 [s]\nat 70 [s]\n"), (True, "")])
def test_where_no_terminal_is_there_is_a_line_each_half_minute(
    quiet: bool, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0, 5, 31, 40, 60, 70])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))
    with progress_in_words(argparse.Namespace(quiet=quiet)) as show:
        for at in (5, 31, 40, 60, 70):
            show(f"at {at} [s]")
    outcome = capsys.readouterr()
    assert (outcome.out, outcome.err) == ("", told)
