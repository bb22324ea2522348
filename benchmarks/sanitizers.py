"""What programs with sanitizers cost, beside the same builds without.

Run it with ``python benchmarks/sanitizers.py [CASE ...]``. For each processor and each choice of
sanitizers it prints the microseconds of processor time for a call, and how many times that of the
same build without sanitizers it is: ``call`` for the call alone, ``verify`` for all that is done
with a scene that has been made already. The aim is at most 4 for each sanitizer.
"""

from __future__ import annotations

import time

from benchmarks.short_form import parser_of
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.verify.batches.benches import bench_for
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.scenes.scene_plan import plan_scenes

CASES = ("four-shifts", "linear-quadtree", "blockmap", "brute-force")
CPUS = ("68000", "68040", "601")
CHOICES: tuple[tuple[str, ...], ...] = ((), ("undefined",), ("address",), ("address", "undefined"))
SCENES, REPEATS = 12, 3


def costs_of(case_name: str, subject: Subject, count: int) -> tuple[float, float]:
    """The least microseconds for a call alone, and for all that is done with a scene."""
    case = load_case(case_name)
    most = max(case.objects)
    scenes = Scenes.make(case, plan_scenes(case, count, 1994, [most]))
    bench = bench_for(case, subject)
    images = bench.before(scenes.scenes, scenes.preparations)
    calls, whole = [], []
    for _ in range(REPEATS):
        began = time.process_time()
        bench.run(images)
        calls.append(time.process_time() - began)
        began = time.process_time()
        run_scenes(subject, bench, scenes)
        whole.append(time.process_time() - began)
    millions = len(scenes.specs) / 1e6
    return min(calls) / millions, min(whole) / millions


def main() -> None:
    """Print a row for each case, processor and choice of sanitizers."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    cases, count = (CASES[:1], 2) if arguments.short else (CASES, SCENES)
    print(
        f"{'case':18}{'cpu':>7}  {'sanitizers':20}{'call':>9}{'ratio':>7}{'verify':>9}{'ratio':>7}"
    )
    for name in arguments.cases or cases:
        for cpu in CPUS:
            plain = (0.0, 0.0)
            for choice in CHOICES:
                (subject,) = programs_of(name, cpus=[cpu], builds=["O2"], sanitize=choice)
                call, whole = costs_of(name, subject, count)
                plain = plain if choice else (call, whole)
                words = ",".join(choice) or "none"
                print(
                    f"{name:18}{cpu:>7}  {words:20}{call:9.1f}{call / plain[0]:7.2f}"
                    f"{whole:9.1f}{whole / plain[1]:7.2f}"
                )


if __name__ == "__main__":
    main()
