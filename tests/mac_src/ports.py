"""Right and wrong programs of a case: compiled from its folder with pieces of text replaced."""

from __future__ import annotations

import functools
import itertools
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.find import load_case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.machine import CPUS, BareMachine, Budget
from emu.program import read_elf
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

Changes: TypeAlias = Mapping[str, str]
"""What stands in a case's sources just once, and what is to stand there instead."""

MACS = ("68000", "68040", "601")


@functools.cache
def case_of(name: str) -> Case:
    return load_case(name)


def subject(
    case: Case, cpu: str, build: str = "O2", *, name: str = "", source: Path | None = None
) -> Subject:
    """The program of a case for a processor; of another source, if there is one."""
    program = compile_program(source_tree(case, source), case.builds[build], ALL_TARGETS[cpu])
    return Subject(cpu, f"{build} {name}".strip(), program.path)


def subjects(case: Case, cpus: Iterable[str], builds: Iterable[str]) -> list[Subject]:
    """All programs of a case for some processors and builds, compiled side by side."""
    wanted = itertools.product(cpus, builds)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(lambda what: subject(case, *what), wanted))


def run_here(case: Case, subjects: Iterable[Subject], specs: Sequence[SceneSpec]) -> list[Result]:
    """What `verify` finds out, within this process; for programs that cannot bring it down."""
    scenes = Scenes.make(case, specs)
    results = []
    for one in subjects:
        machine = BareMachine(read_elf(one.program), CPUS[one.cpu])
        results.append(run_scenes(one, Bench.lay(case, machine), scenes))
    return results


def verify_case(name: str, scenes: int, objects: Sequence[int]) -> list[Result]:
    """What becomes of a case on every Mac processor, at O2 and period."""
    case = case_of(name)
    programs = subjects(case, MACS, ("O2", "period"))
    return verify(case, programs, plan_scenes(case, scenes, 1994, objects), jobs=2)


def changed_case(name: str, changes: Changes, folder: Path) -> Case:
    """The case in a new folder, its sources changed."""
    original = case_of(name)
    shutil.copytree(original.path.parent, folder)
    case = read_case(folder / original.path.name)
    own = [path for path in folder.iterdir() if path.suffix == ".h" or path.name in case.sources]
    texts = {path: path.read_text() for path in own}
    for old in changes:
        times = sum(text.count(old) for text in texts.values())
        assert times == 1, f"{old!r} is there {times} times"
    # All at once, so that pieces can change places.
    pattern = "|".join(map(re.escape, changes))
    for path, text in texts.items():
        path.write_text(re.sub(pattern, lambda match: changes[match[0]], text))
    return case


def verify_ports(
    name: str,
    ports: Mapping[str, Changes],
    folder: Path,
    scenes: int,
    objects: Sequence[int],
) -> dict[str, Result]:
    """What becomes of wrong ports, every other one on the 68040 or the 601, by their names."""
    cpus = dict(zip(ports, ("68040", "601") * len(ports), strict=False))

    def compile_one(port: str) -> Subject:
        case = changed_case(name, ports[port], folder / port.replace(" ", "_"))
        return subject(case, cpus[port], name=port)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        programs = list(threads.map(compile_one, ports))
    case = case_of(name)
    results = verify(case, programs, plan_scenes(case, scenes, 1994, objects), jobs=2)
    return dict(zip(ports, results, strict=True))


def not_refuted(results: Mapping[str, Result]) -> dict[str, str]:
    """Those of wrong ports that got through, with what is said of them."""
    return {
        port: f"{result.verdict} {result.fault} {result.failures[:1]}"
        for port, result in results.items()
        if result.verdict != "refuted"
    }


def machine(case: Case, cpu: str, build: str = "O2", budget: Budget | None = None) -> BareMachine:
    """A new machine with the program of a case."""
    made = BareMachine(read_elf(subject(case, cpu, build).program), CPUS[cpu], budget=budget)
    made.program.function(case.call)
    return made


def words(results: Iterable[Result]) -> set[str]:
    """The verdicts on several programs."""
    return {result.verdict for result in results}
