"""What checks of memory cost in translated code: processor time of calls, as multiples.

Run it with ``python -m benchmarks.translated_checks [CASE ...]``; it is four-shifts if no case is
named. Each row is a program. ``plain`` is translated code without checks, ``quick`` asks the shadow
at each access, and ``bits`` follows undefined bits, too. The first three columns are multiples of
a call on Unicorn without checks, the last two of ``plain``. The best of twelve turns counts, with
the time of the process that makes the calls. The last lines say whether the limits are met.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path

from benchmarks.short_form import parser_of
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.engines.native_code.engine import TranslatedEngine
from emu.engines.native_code.screen import TranslatedScreen
from emu.engines.native_code.screening import ScreeningEngine
from emu.engines.native_code.translations import CheckTerms
from emu.lift.shadow.check_form import CheckForm
from emu.machine.calls.call_entry import Calls
from emu.verify.batches.bench import Bench
from emu.verify.memory.memory_checks import mark
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_plan import plan_scenes

SCENES, RUNS = 24, 12
_LEAST = 0.05
"""Seconds of processor time of a measurement: some systems count it in steps of 10 ms."""
_FORMS = ("plain", "quick", "bits")
_LIMITS = {"q/p": 1.6, "b/p": 4.0, "bits": 0.8}
"""The most that a column should have; the last one is a multiple of Unicorn's plain call."""


def main() -> None:
    """Print a row for each program."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    count, builds, runs = (3, ["O2"], 1) if arguments.short else (SCENES, ["O0", "O2"], RUNS)
    names = (*_FORMS, "q/p", "b/p")
    columns = "".join(f"{name:>8}" for name in names)
    most = dict.fromkeys(names, 0.0)
    print(f"{'case':<28}{'program':<12}{columns}")
    for name in arguments.cases or ["four-shifts"]:
        case = load_case(name)
        scenes = Scenes.make(case, plan_scenes(case, count, 1994))
        for subject in programs_of(case, builds=builds).subjects:
            unicorn, *spent = _spent(case, subject, scenes, runs)
            ratios = [one / unicorn for one in spent] + [one / spent[0] for one in spent[1:]]
            program = f"{subject.cpu} {subject.build}"
            print(f"{name:<28}{program:<12}" + "".join(f"{one:>8.2f}" for one in ratios))
            most = {one: max(most[one], two) for one, two in zip(names, ratios, strict=True)}
    for name, limit in _LIMITS.items():
        word = "met" if most[name] <= limit else "missed"
        print(f"{name}: at most {most[name]:.2f}, limit {limit}: {word}")


def _spent(case: Case, subject: Subject, scenes: Scenes, runs: int) -> list[float]:
    """The processor time of the calls on Unicorn, and in each form of translated code."""
    bench = Bench.of(case, subject, screened=True)
    scenes = scenes.take(bench.alike(scenes.preparations)[0])
    images = bench.before(scenes.scenes, scenes.preparations)
    machine, routine = bench.machine, bench.bound.calls.first
    screen = machine.calls.screen
    assert isinstance(screen, TranslatedScreen)
    mark(images.bound, screen)
    red_zone, entry = machine.convention.red_zone, machine._entry
    made = (machine.cpu, machine.program, machine.memory)
    plain = TranslatedEngine(*made)
    quick, bits = (
        ScreeningEngine(*made, CheckTerms(red_zone, form), screen.marks)
        for form in (CheckForm.QUICK, CheckForm.BITS)
    )
    rows = range(len(images.before))
    shadows = screen.shadows(entry, entry.calls(routine, images.before, images.around), rows)

    def calls() -> Calls:
        return entry.calls(routine, images.before, images.around)

    return _best(
        runs,
        lambda: machine.calls.run(routine, images.before, images.around),
        lambda: plain.run(entry, calls()),
        lambda: quick.screen(entry, calls(), shadows),
        lambda: bits.screen(entry, calls(), shadows),
    )


def _best(runs: int, *made: Callable[[], object]) -> list[float]:
    """The least time of each; they take turns, since other work makes all slower for a while."""
    for make in made:
        make()
    least = [math.inf] * len(made)
    for _ in range(runs):
        for index, make in enumerate(made):
            began, times, passed = _processor_time(), 0, 0.0
            while passed < _LEAST:
                make()
                times, passed = times + 1, _processor_time() - began
            least[index] = min(least[index], passed / times)
    return least


def _processor_time() -> float:
    """Seconds of this process and of those that it has started."""
    return sum(_of_process(process) for process in _with_children(os.getpid()))


def _of_process(process: int) -> float:
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0


def _with_children(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children")
    try:
        found = list(map(int, children.read_text().split()))
    except OSError:
        found = []
    return [process, *(one for child in found for one in _with_children(child))]


if __name__ == "__main__":
    main()
