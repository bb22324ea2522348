"""Cases of a few lines, written into a folder: a source in C, Python beside it, and the file."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import macproof

_PYTHON = """
from types import SimpleNamespace

import numpy as np


class Numbers:
    def __init__(self, generator, objects, seed):
        self.generator, self.objects, self.seed = generator, objects, seed
        random = np.random.default_rng([seed, objects])
        self.values = random.integers(-1000, 1001, objects)
        self.number = int(random.integers(-1000, 1001))

    def keep(self, indices):
        kept = Numbers(self.generator, len(indices), self.seed)
        kept.values, kept.number = self.values[indices], self.number
        return kept


def make(generator, objects, seed, *, width, height):
    return Numbers(generator, objects, seed)
"""


@dataclass(frozen=True, slots=True)
class SmallCase:
    """A case in a folder.

    Attributes:
        folder: the folder.
        source: the source in C that is verified.
        keys: the lines of the case file that say what is called, observed and right.
        python: what stands in ``small.py`` behind the scenes, which have ``values``, ``number`` and
            ``objects``.
        cpu: the processor.
    """

    folder: Path
    source: str
    keys: str
    python: str = ""
    cpu: str = "68040"

    @property
    def case(self) -> macproof.Case:
        """The case, whose files are written anew."""
        (self.folder / "small.c").write_text(self.source)
        (self.folder / "small.py").write_text(_PYTHON + self.python)
        (self.folder / "case.yaml").write_text(
            "schema: macproof.case/1\nname: small\ntitle: Small\nsources: [small.c]\n"
            f'cpus: ["{self.cpu}"]\n'
            "scene: {make: small:make, generators: [any], objects: [0, 1, 5], count: 16}\n"
            f"{self.keys}"
        )
        return macproof.load_case(self.folder)

    def verify(self, engine: str = "unicorn", **options: Any) -> macproof.Verification:
        """The verdict on the source; options are those of `macproof.verify`."""
        case = self.case
        programs = macproof.programs_of(case, cpus=[self.cpu], builds=["O2"])
        given = programs.on({engine: False if engine == "host" else None})
        return macproof.verify(case, given, jobs=1, **options)


def compiled(source: str, routine: str, place: Path) -> None:
    """Compile a source in C into a program of the 68040 with types, beside a case."""
    folder = place.parent / f"sources of {place.name}"
    folder.mkdir()
    keys = (
        f"call: {routine}\narguments: {{any: objects}}\nobserve: {{return: nothing}}\n"
        "reference: small:nothing\n"
    )
    case = SmallCase(folder, source, keys, "\n\ndef nothing(scene):\n    pass\n").case
    (subject,) = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    shutil.copyfile(subject.program, place)


def library(source: str, place: Path, *flags: str) -> None:
    """Compile a source in C into a shared library of this computer."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is not installed")
    file = place.with_suffix(".c")
    file.write_text(source)
    subprocess.run([compiler, "-shared", "-fPIC", *flags, "-o", place, file], check=True)
