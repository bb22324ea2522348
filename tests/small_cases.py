"""Cases of a few lines, written, compiled and bound for one test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.toolchain.builds import ALL_TARGETS, TARGETS
from emu.toolchain.compilers.find import how_to_install, missing_compilers
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sanitizers import sanitized
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_plan import plan_scenes

# What every module of scenes below may use: a scene of numbers, which the generator's seed draws.
PYTHON = """
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np

@dataclass(frozen=True)
class Numbers:
    values: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self):
        return len(self.values)

    def keep(self, indices):
        return Numbers(self.values[indices], self.generator, self.seed)

def make_numbers(generator, objects, seed, width, height):
    drawn = np.random.PCG64([seed, objects]).random_raw(objects)
    return Numbers((drawn % 1000).astype(int), generator, seed)

def answer(**values):
    return SimpleNamespace(**values)
"""
CASE = """
schema: macproof.case/1
name: small
title: A small case
cpus: [68000, 68040, 601]
sources: [small.cpp]
call: Run
scene: {make: "scenes:MAKE", generators: GENERATORS, objects: [5, 9], count: 24}
input: INPUT
observe: OBSERVE
reference: scenes:reference
"""


def require_compilers(*cpus: str) -> None:
    """Skip a test where the cross compilers of these CPUs, or of all Macs, are not installed."""
    missing = missing_compilers([ALL_TARGETS[cpu] for cpu in cpus or TARGETS], {})
    if missing:
        names = ", ".join(sorted({target.compiler for target in missing}))
        pytest.skip(f"{names} not installed. {how_to_install(missing)}")


class SmallCases:
    """Writes cases of one C++ source and one reference, and verifies them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    def make(
        self,
        source: str,
        reference: str,
        observe: str,
        given: str = "{gValues: values, gCount: objects}",
        python: str = "",
        make: str = "make_numbers",
        generators: str = "[any]",
    ) -> Case:
        """A case; ``given``, ``observe`` and ``generators`` are YAML.

        ``reference`` is a function's body, ``python`` what else its module has, ``make`` the name
        of a function in it.
        """
        self._made += 1
        place = self._folder / f"small_{self._made}"
        place.mkdir()
        body = "".join(f"    {line}\n" for line in reference.strip().splitlines())
        text = f"{PYTHON}\n{python}\ndef reference(scene):\n{body}"
        (place / "scenes.py").write_text(text)
        (place / "small.cpp").write_text(source)
        file = place / "case.yaml"
        words = {"INPUT": given, "OBSERVE": observe, "MAKE": make, "GENERATORS": generators}
        case = CASE
        for name, value in words.items():
            case = case.replace(name, value)
        file.write_text(case)
        return read_case(file)

    def programs(
        self, case: Case, cpus: Sequence[str] = ("601",), builds: Sequence[str] = ("O2",)
    ) -> Selection:
        """The case's programs, compiled; a test is skipped without the compilers they need."""
        require_compilers(*cpus)
        return programs_of(case, cpus=cpus, builds=builds, use="compiled")

    def subject(self, case: Case, cpu: str, build: str, sanitize: Sequence[str] = ()) -> Subject:
        """The case's program, compiled."""
        require_compilers(cpu)
        chosen = sanitized(case.builds[build], sanitize)
        program = compile_program(source_tree(case), chosen, ALL_TARGETS[cpu])
        return Subject(cpu, build, program.path)

    def verify(
        self,
        case: Case,
        cpu: str,
        build: str,
        scenes: int = 12,
        seed: int = 1,
        engine: str = "unicorn",
        sanitize: Sequence[str] = (),
    ) -> Result:
        """What becomes of the program on some scenes."""
        subject = replace(self.subject(case, cpu, build, sanitize), engine=engine)
        (result,) = verify(case, [subject], plan_scenes(case, scenes, seed), jobs=1)
        return result
