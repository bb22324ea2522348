"""What Unicorn says of calls that were prepared for another engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import macproof
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.second_opinion import ask_unicorn
from emu.verify.scenes.scene_plan import plan_scenes
from tests.verify.small_cases import SmallCase

SOURCE = """
#include <Memory.h>
static Handle gHandle;
void Init(void) { gHandle = NewHandle(2); **(short **) gHandle = 7; }
long Go(short number) { return **(short **) gHandle + (number > 0); }
"""
KEYS = """call: Go
before: [Init]
arguments: {number: number}
ignore: [gHandle]
observe: {return: seven}
reference: small:expect
"""
PYTHON = "\n\ndef expect(scene):\n    return SimpleNamespace(seven=7)\n"


def test_routines_before_a_call_are_called_again_on_the_machine_that_is_asked(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """What the Toolbox gave them on the other machine, such as a handle, is worth nothing there."""
    compilers("68040")
    case = SmallCase(tmp_path, SOURCE, KEYS, PYTHON).case
    (subject,) = macproof.programs_of(case, cpus=["68040"], builds=["O2"]).subjects
    scenes = Scenes.make(case, plan_scenes(case, 9, 1))
    first, other = (Bench.of(case, subject) for _ in range(2))
    images = first.expect(first.before(scenes.scenes, scenes.preparations), scenes.references)
    opinions = ask_unicorn(other, images, range(len(scenes.specs)))
    wrong = [scene.number > 0 for scene in scenes.scenes]
    assert {True, False} == set(wrong)
    assert [not opinions[row].is_right for row in sorted(opinions)] == wrong
    assert {opinion.words.partition(",")[0] for opinion in opinions.values()} == {
        "it is right",
        "return is 8",
    }
