"""Places that an old program writes and a case does not observe, in what is told of a port."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.cases.programs.subject import Subject
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.second_opinion import ask_unicorn
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.small_cases import SmallCase, compiled

OLD = "short gLast; long Twice(long number) { if (number & 1) gLast = 40; return 2 * number; }"
KEYS = """call: Twice
arguments: {number: seed}
observe: [return]
reference: {program: old.elf, symbol: Twice}
"""
ODD, EVEN = SceneSpec("any", 5, 1), SceneSpec("any", 1, 2)


@pytest.fixture
def case_of(tmp_path: Path, compilers: Callable[..., None]) -> Callable[[str], macproof.Case]:
    """The case of a port of that old program."""
    compilers("68040")
    compiled(OLD, "Twice", tmp_path / "old.elf")
    return lambda port: SmallCase(tmp_path, port, KEYS).case


def subject_of(case: macproof.Case) -> Subject:
    (subject,) = macproof.programs_of(case, cpus=["68040"], builds=["O2"]).subjects
    return subject


def test_what_is_told_of_a_scene_does_not_depend_on_the_batches_before(
    case_of: Callable[[str], macproof.Case],
) -> None:
    """On the even scene the old program writes nothing, whatever it wrote on the odd one."""
    case = case_of(OLD.replace("if (number & 1) gLast = 40;", "gLast = number & 1 ? 40 : 9;"))
    subject = subject_of(case)
    alone, after_another = (
        verify(case, [subject], specs, jobs=1)[0].failures for specs in ([EVEN], [ODD, EVEN])
    )
    assert [failure.spec for failure in alone] == [EVEN]
    assert "of gLast (0x" in str(alone[0])
    assert "which the routine must not change" in str(alone[0])
    assert after_another == alone


def test_a_second_opinion_names_such_a_place_as_the_first_does(
    case_of: Callable[[str], macproof.Case],
) -> None:
    """The machine that is asked has laid no answer, so it gets the places with the images."""
    case = case_of(OLD.replace("gLast = 40", "gLast = 41"))
    subject, scenes = subject_of(case), Scenes.make(case, [ODD])
    first, other = (Bench.of(case, subject) for _ in range(2))
    images = first.expect(first.before(scenes.scenes, scenes.preparations), scenes.references)
    opinion = ask_unicorn(other, images, [0])[0]
    wrong = first.differences(images).first(images.expected[0], first.run(images).after[0])
    assert opinion.words == str(wrong) == "gLast is 41, expected 40"
