"""Routines that are called before the one under test, and what they ask the Toolbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.verify.runs.schedule import verify
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.small_cases import SmallCase

SOURCE = """
#include <Memory.h>
short gGiven, gCalls;
static Handle gHandle;
void Init(void) { if (gGiven) gHandle = NewHandle(2); }
long Twice(short number) { gCalls++; return 2L * number; }
"""
KEYS = """call: Twice
before: [Init]
input: {gGiven: objects}
arguments: {number: number}
ignore: [gCalls, gHandle]
observe: {return: twice}
reference: small:expect
"""
PYTHON = "\n\ndef expect(scene):\n    return SimpleNamespace(twice=2 * scene.number)\n"
# Init finds the fill of memory in gGiven, because a scene fills it in afterwards. So it asks the
# Toolbox before the second of these calls, and before no other.
ASKING = [SceneSpec("any", 5, 1, fill) for fill in (Fill.LOADED, Fill.POISON)]
OTHERS = [SceneSpec("any", 1, 2, fill) for fill in (Fill.LOADED, Fill.KEPT)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_one_batch_asks_the_toolbox_says_nothing_of_the_next(
    tmp_path: Path, compilers: Callable[..., None], jobs: int
) -> None:
    """A worker that has met a batch that asks does with the next what any other worker does."""
    compilers("68040")
    case = SmallCase(tmp_path, SOURCE, KEYS, PYTHON).case
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    (result,) = verify(case, list(programs.subjects), [*ASKING, *OTHERS], jobs=jobs)
    assert (result.verdict, sum(result.calls)) == ("verified", 4)
    assert result.asked == 2, "both calls of the batch are made with the Toolbox of their own"
    assert result.not_kept == 0, "a call of the other batch finds what the one before has left"
    assert result.instructions is not None, "the first call asks nothing, so it can be counted"
