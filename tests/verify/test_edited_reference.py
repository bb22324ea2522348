"""A process that goes on while a case's Python is edited, such as a notebook, uses the new text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof

CASE = """
schema: macproof.case/1
name: doubled
title: Doubles a number
sources: [doubled.c]
call: Doubled
arguments: {n: number}
scene: {make: "doubled_scenes:make_scene", generators: [any], objects: [0], count: 4}
observe: {return: result}
reference: doubled_reference:doubled
"""
FILES = {
    "case.yaml": CASE,
    "doubled.c": "short gCalls;\nshort Doubled(short n) { return 2 * n; }\n",
    "factor.py": "FACTOR = 2\n",
    "doubled_reference.py": """
from types import SimpleNamespace
from factor import FACTOR

def doubled(scene):
    return SimpleNamespace(result=FACTOR * scene.number)
""",
    "doubled_scenes.py": """
from dataclasses import dataclass

@dataclass(frozen=True)
class Number:
    number: int
    generator: str
    seed: int
    objects = 0
    def keep(self, indices): return self

def make_scene(generator, objects, seed, *, width, height):
    return Number(seed % 100 + 1, generator, seed)
""",
}


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers("68040")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.lstrip())
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def verify(case: macproof.Case) -> macproof.Verification:
    return macproof.verify(case, macproof.programs_of(case, cpus=["68040"], builds=["O1"]), jobs=1)


def test_a_case_that_is_loaded_again_has_the_edited_reference(folder: Path) -> None:
    first = macproof.load_case(folder)
    assert verify(first).verdict == "verified"
    edit(folder / "factor.py", "2", "3")
    second = macproof.load_case(folder)
    assert second.python["factor.py"] != first.python["factor.py"]
    report = verify(second)
    assert report.verdict == "refuted"
    found = macproof.explain(report).explanation
    assert found is not None and found.divergence is not None
    edit(folder / "factor.py", "3", "2")
    macproof.check(folder, cpu="68040", build="O1")


def test_explain_refuses_a_verdict_of_another_reference(folder: Path) -> None:
    """The reference was edited after the verdict, in the same process."""
    edit(folder / "factor.py", "2", "3")
    report = verify(macproof.load_case(folder))
    edit(folder / "factor.py", "3", "2")
    with pytest.raises(macproof.InputError, match=r"needs has changed since: factor\.py"):
        macproof.explain(report)


def test_a_case_that_was_loaded_before_the_edit_is_refused(folder: Path) -> None:
    case = macproof.load_case(folder)
    edit(folder / "factor.py", "2", "3")
    with pytest.raises(macproof.CaseError, match=r"factor\.py was changed .*case loaded again"):
        verify(case)


def test_another_case_of_the_folder_sees_the_edit_too(folder: Path) -> None:
    macproof.load_case(folder)
    edit(folder / "factor.py", "2", "3")
    other = folder / "other.case.yaml"
    other.write_text((folder / "case.yaml").read_text().replace("name: doubled", "name: other"))
    assert verify(macproof.load_case(other)).verdict == "refuted"
    edit(folder / "factor.py", "3", "2")
    assert verify(macproof.load_case(folder)).verdict == "verified"


def test_an_edit_that_does_not_compile_is_told_and_can_be_mended(folder: Path) -> None:
    macproof.load_case(folder)
    edit(folder / "doubled_reference.py", "def doubled(scene):", "def doubled(scene:")
    with pytest.raises(macproof.CaseError, match="SyntaxError"):
        macproof.load_case(folder)
    edit(folder / "doubled_reference.py", "def doubled(scene:", "def doubled(scene):")
    edit(folder / "factor.py", "2", "3")
    assert verify(macproof.load_case(folder)).verdict == "refuted"


def test_what_lies_elsewhere_cannot_be_imported_again(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.syspath_prepend(elsewhere)
    (folder / "doubled_reference.py").rename(elsewhere / "macproof_test_elsewhere.py")
    (folder / "factor.py").rename(elsewhere / "factor.py")
    edit(folder / "case.yaml", "doubled_reference:", "macproof_test_elsewhere:")
    macproof.load_case(folder)
    edit(elsewhere / "macproof_test_elsewhere.py", "FACTOR *", "1 + FACTOR *")
    with pytest.raises(macproof.CaseError, match=r"elsewhere\.py was changed after .*Begin Python"):
        macproof.load_case(folder)
