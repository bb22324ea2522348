"""Microseconds of processor time that a scene takes on each engine that is installed.

The scenes are the default mix of a case. What is measured is `Bench.run`: the images of the
scenes are laid into memory, the calls are made, what they leave is read back, and the call contract
is checked. Scenes, references and comparisons are left out. The least of several turns counts. The
first column is the time of all processes, the second that of Python alone; what is between them is
that of a process that executes calls, such as QEMU.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.short_form import parser_of
from emu.base.errors import MacproofError
from emu.base.system.allocator import prepare_for_work
from emu.base.system.support import require_linux
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.engines.registry import ENGINES
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import NO_SCENE
from emu.verify.scenes.scene_plan import chunks, plan_scenes

_TURNS, _SCENES = 5, 2000
_AT_ONCE = 250  # calls, as in a campaign
_FEW = 20


def main() -> None:
    """Measure every engine on programs of a case, and print a table."""
    parser = parser_of(__doc__)
    parser.add_argument("case", nargs="?", default="four-shifts")
    parser.add_argument("--scenes", type=int, help=f"how many, {_SCENES:,} if not given")
    parser.add_argument("--objects", type=int, nargs="*", help="numbers of objects in scenes")
    arguments = parser.parse_args()
    count, turns = (_FEW, 1) if arguments.short else (_SCENES, _TURNS)
    require_linux("this benchmark, which reads processor times in /proc,")
    case = load_case(arguments.case)
    natives = {one.name: one.has_sanitizers for one in ENGINES.values() if one.make_native}
    engines: dict[str, bool | None] = {name: natives.get(name) for name in ENGINES}
    programs = programs_of(case, cpus=["68040", "601"], builds=["O2"]).on(engines)
    specs = plan_scenes(case, arguments.scenes or count, 1994, arguments.objects)
    made = [Scenes.make(case, part, sample=NO_SCENE) for part in chunks(specs, _AT_ONCE)]
    prepare_for_work()
    print(f"{case.name}; microseconds of processor time a call, and of these in Python")
    for subject in programs:
        is_bulk = ENGINES[subject.engine].abilities.bulk
        some = made if is_bulk else [made[-1].first(_FEW)]
        try:
            found = "{:10.1f}{:10.1f}".format(*_microseconds(case, subject, some, turns))
        except MacproofError as error:
            found = f"         - {error}"
        calls = sum(len(part.specs) for part in some)
        print(f"{subject.cpu:6} {subject.build:4} {subject.engine:15} {calls:6,} {found}")


def _microseconds(
    case: Case, subject: Subject, made: Sequence[Scenes], turns: int
) -> tuple[float, float]:
    bench = Bench.of(case, subject)
    taken = []
    images = [bench.before(part.scenes, part.preparations) for part in made]
    calls = sum(len(one.scenes) for one in images)
    for _ in range(turns):
        others, began = of_other_processes(), time.process_time()
        for one in images:
            assert bench.run(one).completed == len(one.scenes)
        own = time.process_time() - began
        taken.append((own + of_other_processes() - others, own))
    bench.machine.close()
    every, own = min(taken)
    return 1e6 * every / calls, 1e6 * own / calls


def of_other_processes() -> float:
    """Seconds of processor time of the processes that this one has started and that live."""
    nanoseconds = 0
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            for one in Path("/proc", child, "task").iterdir():
                nanoseconds += int((one / "schedstat").read_text().split()[0])
    return nanoseconds / 1e9


if __name__ == "__main__":
    main()
