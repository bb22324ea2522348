"""Microseconds of processor time that a scene takes on each engine that is installed.

The scenes are the default mix of a case. What is measured is `BoundCase.run`: the images of the
scenes are laid into memory, the calls are made, what they leave is read back, and the call contract
is checked. Scenes, references and comparisons are left out. The least of several turns counts.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs import Subject, programs_of
from emu.engines.known import ENGINES
from emu.verify.bound_case import BoundCase
from emu.verify.prepared_scenes import Scenes
from emu.verify.schedule import plan_scenes

_TURNS = 5
_FEW = 20


def main() -> None:
    """Measure every engine on programs of a case, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", nargs="?", default="four-shifts")
    parser.add_argument("--scenes", type=int, default=700)
    arguments = parser.parse_args()
    case = load_case(arguments.case)
    natives = {one.name: one.has_sanitizers for one in ENGINES.values() if one.make_native}
    engines: dict[str, bool | None] = {name: natives.get(name) for name in ENGINES}
    programs = programs_of(case, cpus=["68040", "601"], builds=["O2"]).on(engines)
    scenes = Scenes.make(case, plan_scenes(case, arguments.scenes, 1994), compare_every=1000)
    print(f"{case.name}, the default mix; microseconds of processor time a call")
    for subject in programs:
        some = scenes if ENGINES[subject.engine].abilities.bulk else scenes.first(_FEW)
        try:
            found = f"{_microseconds(case, subject, some):10.1f}"
        except MacproofError as error:
            found = f"         - {error}"
        print(f"{subject.cpu:6} {subject.build:4} {subject.engine:15} {len(some.specs):6,} {found}")


def _microseconds(case: Case, subject: Subject, scenes: Scenes) -> float:
    bound = BoundCase.of(case, subject)
    before = bound.before(scenes.scenes, scenes.preparations)
    taken = []
    for _ in range(_TURNS):
        began = _processor_time()
        batch = bound.run(before, scenes.scenes, scenes.preparations)
        taken.append(_processor_time() - began)
        assert batch.completed == len(before)
    bound.machine.close()
    return 1e6 * min(taken) / len(before)


def _processor_time() -> float:
    """Seconds of processor time of this process and of those that it has started and that live."""
    ticks = 0
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            fields = Path("/proc", child, "stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
