"""Right and wrong programs of a case: compiled from its folder with pieces of text replaced."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

from emu.case import Case, load_case, read_case
from emu.machine import CPUS, Budget, Machine
from emu.program import read_elf
from emu.toolchain.builds import TARGETS
from emu.toolchain.gcc import compile_program
from emu.verify import Result, Subject, plan_scenes, verify

Changes: TypeAlias = Mapping[str, str]
"""What stands in a case's sources just once, and what is to stand there instead."""

MACS = ("68000", "68040", "601")


@functools.cache
def case_of(name: str) -> Case:
    return load_case(name)


def subject(case: Case, cpu: str, build: str = "O2", name: str = "") -> Subject:
    """The program of a case for a processor."""
    program = compile_program(case.source_tree(), case.builds[build], TARGETS[cpu])
    return Subject(cpu, f"{build} {name}".strip(), program.path)


def verify_case(name: str, scenes: int, objects: Sequence[int]) -> list[Result]:
    """What becomes of a case on every Mac processor, at O2 and period."""
    case = case_of(name)
    wanted = [(cpu, build) for cpu in MACS for build in ("O2", "period")]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        subjects = list(threads.map(lambda what: subject(case, *what), wanted))
    return verify(case, subjects, plan_scenes(case, scenes, 1994, objects), jobs=2)


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
        subjects = list(threads.map(compile_one, ports))
    case = case_of(name)
    results = verify(case, subjects, plan_scenes(case, scenes, 1994, objects), jobs=2)
    return dict(zip(ports, results, strict=True))


def not_refuted(results: Mapping[str, Result]) -> dict[str, str]:
    """Those of wrong ports that got through, with what is said of them."""
    return {
        port: f"{result.verdict} {result.fault} {result.failures[:1]}"
        for port, result in results.items()
        if result.verdict != "refuted"
    }


def machine(case: Case, cpu: str, build: str = "O2", budget: Budget | None = None) -> Machine:
    """A new machine with the program of a case."""
    made = Machine(read_elf(subject(case, cpu, build).program), CPUS[cpu], budget=budget)
    made.program.function(case.call)
    return made


def words(results: Iterable[Result]) -> set[str]:
    """The verdicts on several programs."""
    return {result.verdict for result in results}
