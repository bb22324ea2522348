"""References and scene makers that say otherwise each time are named, and verify nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cli import main
from emu.verify.answers.repeatable import require_repeatable
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.verification import verify

EXAMPLE = Path(__file__).parents[3] / "examples" / "bounce"
SPEC = SceneSpec("walls", 10, 1994)


@pytest.fixture
def bounce(tmp_path: Path) -> Callable[..., Case]:
    """The example with its Python changed."""

    def make(old: str = "", new: str = "") -> Case:
        folder = tmp_path / "bounce"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        file = folder / "bounce_reference.py"
        text = file.read_text()
        assert old in text
        text = text.replace(old, new).replace("import numpy", "import random\nimport numpy", 1)
        file.write_text(f"{text}\nCALLS = []\n")
        return load_case(str(folder))

    return make


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "int(turned.sum())",
            "random.random()",
            "move_balls returns a different bounces each time",
        ),
        (
            "return Moved(x,",
            "CALLS.append(1)\n    return Moved(x + len(CALLS) * (scene.objects > 0),",
            "move_balls returns a different x each time it is called (walls, 10 objects, seed",
        ),
        ("PCG64(seed)", "PCG64()", "make_scene makes a different x each time"),
    ],
)
def test_what_differs_each_time_is_named(
    bounce: Callable[..., Case], old: str, new: str, words: str
):
    case = bounce(old, new)
    with pytest.raises(CaseError) as refused:
        Scenes.make(case, [SPEC])
    assert words in str(refused.value)
    assert "It must depend on its arguments alone" in str(refused.value)


def test_what_is_the_same_each_time_passes(bounce: Callable[..., Case]):
    case = bounce()
    scenes = Scenes.make(case, [SPEC, SPEC])
    require_repeatable(case, SPEC, scenes.scenes[0], scenes.references[0])


def test_verify_and_explain_refuse_it(
    bounce: Callable[..., Case], macproof: Callable[..., Any], compilers: Callable[..., None]
):
    compilers("68040")
    case = bounce("int(turned.sum())", "random.randrange(1000)")
    words = (case.path, "--cpu", "68040", "--build", "O2", "--scenes", 4, "--jobs", 1)
    for command in ("verify", "explain"):
        done = macproof(command, *words)
        assert done.code == 2
        assert "move_balls returns a different bounces each time it is called" in done.err


def test_a_failure_that_does_not_come_again_is_said_to_have_been_there(
    bounce: Callable[..., Case],
    macproof: Callable[..., Any],
    compilers: Callable[..., None],
    tmp_path: Path,
):
    """A reference that depends on its process says the same twice there, and both times wrong."""
    compilers("68040")
    flag, report = tmp_path / "flag", tmp_path / "report.json"
    flag.touch()
    case = bounce(
        "int(turned.sum())", f"int(turned.sum()) + __import__('os').path.exists({str(flag)!r})"
    )
    words = ("--cpu", "68040", "--build", "O2", "--scenes", 4, "--jobs", 1, "--json", report)
    assert macproof("verify", case.path, *words).code == 1
    flag.unlink()
    done = macproof("explain", report, "--trust")
    assert done.code == 4
    assert "failed before on anywhere, 64 objects, seed 1994 (gBounceCount is " in done.err
    assert "Nothing to explain" not in done.out


def test_a_reference_that_raises_shows_its_traceback_if_asked(
    bounce: Callable[..., Case],
    macproof: Callable[..., Any],
    compilers: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
):
    compilers("68040")
    case = bounce("left, right = x < 0", "left, right = x.no < 0")
    line = next(
        number
        for number, text in enumerate((case.path.parent / "bounce_reference.py").open(), 1)
        if "x.no" in text
    )
    words = ("verify", case.path, "--cpu", "68040", "--build", "O2", "--scenes", 2)
    done = macproof(*words)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "object has no attribute 'no'" in done.err
    assert f"bounce_reference.py:{line})" in done.err
    assert main([*map(str, words), "--verbose"]) == 2
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert "left, right = x.no < 0" in err


@pytest.mark.parametrize(
    ("property_", "words"),
    [
        ("raise ValueError('too odd')", "has a property reads, which fails: ValueError: too odd ("),
        (
            "return self.missing",
            "has a property reads, which fails: AttributeError: 'Balls' object has no attribute "
            "'missing' (",
        ),
    ],
)
def test_a_property_of_a_scene_that_fails_is_the_cases_mistake(
    bounce: Callable[..., Case],
    macproof: Callable[..., Any],
    compilers: Callable[..., None],
    property_: str,
    words: str,
):
    compilers("68040")
    case = bounce(
        "    def keep(self",
        f"    @property\n    def reads(self):\n        {property_}\n\n    def keep(self",
    )
    case.path.write_text(case.path.read_text().replace("dx: dx", "dx: reads", 1))
    done = macproof("verify", case.path, "--cpu", "68040", "--build", "O2", "--jobs", 1)
    assert done.code == 2
    assert words in " ".join(done.err.split())
    assert "bounce_reference.py:" in done.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reference_that_changes_its_mind_refutes_nobody(
    bounce: Callable[..., Case], compilers: Callable[..., None], jobs: int
):
    """It does so in scenes of one seed only, which is not that of the first scenes."""
    compilers("68040")
    case = bounce(
        "int(turned.sum())", "random.randrange(9999) if scene.seed == 1996 else turned.sum()"
    )
    programs = programs_of(case, cpus=["68040"], builds=["O2"])
    with pytest.raises(CaseError, match="returns a different bounces each time it is called"):
        verify(case, programs, scenes=40, jobs=jobs)
