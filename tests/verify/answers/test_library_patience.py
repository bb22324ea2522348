"""A function of a shared library that never returns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import GuestError
from emu.base.processes.companion import Companion
from emu.verify.answers import library
from emu.verify.answers.host import host_memory
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.answers.test_library import MODERN, Library


def set_patience(seconds: int) -> None:
    """How long a call may take, in the process that makes it."""
    host_memory.PATIENCE = seconds


@pytest.mark.slow
def test_a_function_that_never_returns_is_ended(
    tmp_path: Path, compilers: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host_memory.PATIENCE == 30
    compilers("68000", "601")
    patient = Companion()
    patient.call(set_patience, 2)
    monkeypatch.setattr(library, "_COMPANION", patient)
    monkeypatch.setattr(library, "PATIENCE", 2)
    waiting = MODERN.replace("text[0] += 1;", "while (count == 9) *(volatile uint8_t *) text;")
    case = Library(tmp_path).case(modern=waiting)
    with pytest.raises(GuestError, match=r"did not return in 2 s \(any, 9 .* verdict on Total"):
        Scenes.make(case, [SceneSpec("any", 9, 1)])
    patient.close()
