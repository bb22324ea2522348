"""Cases of one routine that asks the Toolbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.verify.report.report import ProgramResult

HEADERS = "Events Memory OSUtils Quickdraw Resources ToolUtils"
CASE = """
schema: macproof.case/1
name: asking
title: A routine that asks the Toolbox
sources: [asking.c]
call: Go
cpus: [68000, 68040, 601]
scene: {make: "asking_reference:make", generators: [any], objects: [1, 3, 8], count: 12}
reference: asking_reference:expect
"""
REFERENCE = """
from types import SimpleNamespace

class Scene:
    def __init__(self, generator, seed, values):
        self.generator, self.seed, self.values = generator, seed, values
    objects = property(lambda self: len(self.values))
    number = property(lambda self: self.seed % 500 + 1)
    text = property(lambda self: "a" * self.objects)
    three = [5, 6, 7]
    bytes = property(lambda self: [v % 256 for v in self.values])
    def keep(self, indices):
        return Scene(self.generator, self.seed, [self.values[int(n)] for n in indices])
    @property
    def nodes(self):
        first = None
        for value in reversed(self.values):
            first = SimpleNamespace(key=value, next=first)
        return first

def make(generator, objects, seed, *, width, height):
    return Scene(generator, seed, [(seed * 7 + n * 13) % 1000 - 500 for n in range(objects)])

def chain(values):
    first = None
    for value in reversed(values):
        first = SimpleNamespace(key=value, next=first)
    return first

def expect(scene):
    values = scene.values
    return SimpleNamespace(EXPECTED)
"""


class Asking:
    """Writes a case with a routine of its own, and verifies it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, source: str, keys: str, expected: str) -> macproof.Case:
        """The case of a routine.

        Args:
            source: C, without the headers.
            keys: lines of the case file: ``arguments`` or ``input``, ``observe``.
            expected: the reference's answer, as keyword arguments; ``values`` are the scene's.
        """
        headers = "".join(f"#include <{name}.h>\n" for name in HEADERS.split())
        (self.folder / "asking.c").write_text(headers + source)
        case = CASE.replace("call: Go\n", "") if keys.startswith("calls:") else CASE
        (self.folder / "case.yaml").write_text(case.lstrip() + keys.strip() + "\n")
        (self.folder / "asking_reference.py").write_text(REFERENCE.replace("EXPECTED", expected))
        return macproof.load_case(self.folder)

    def verify(
        self, source: str, keys: str, expected: str, cpu: str = "68040"
    ) -> macproof.Verification:
        """What becomes of the routine."""
        case = self.write(source, keys, expected)
        return macproof.verify(case, macproof.programs_of(case, cpus=[cpu], builds=["O1"]), jobs=1)


def result(found: macproof.Verification) -> ProgramResult:
    """The result of the only program."""
    (one,) = found.report.results
    return one


def words(found: macproof.Verification) -> str:
    """The first failure in words."""
    return result(found).failures[0].summary


@pytest.fixture
def asking(tmp_path: Path, compilers: Callable[..., None]) -> Asking:
    compilers("68040", "601")
    return Asking(tmp_path)
