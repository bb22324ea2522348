"""What full checks of memory cost: processor time with them, as a multiple of that without.

Run it with ``python benchmarks/checks_cost.py [CASE ...]``; four-shifts if no case is named. For
each program the same scenes are run with and without checks in this process, twice; the second
counts. ``calls`` is the ratio of the guest's calls alone, ``scenes`` that of everything that
`macproof verify` does with a scene but the reference.
"""

from __future__ import annotations

import sys
import time

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs import Subject, programs_of
from emu.verify.bound_case import BoundCase
from emu.verify.prepared_scenes import Scenes
from emu.verify.scene_runs import run_scenes
from emu.verify.schedule import plan_scenes

SCENES = 24


def main(names: list[str]) -> None:
    """Print a row for each program."""
    print(f"{'case':<28}{'program':<12}{'calls':>8}{'scenes':>8}")
    for name in names or ["four-shifts"]:
        case = load_case(name)
        scenes = Scenes.make(case, plan_scenes(case, SCENES, 1994))
        for subject in programs_of(case, builds=["O0", "O2"]).subjects:
            plain, checked = (_spent(case, subject, scenes, checked=one) for one in (False, True))
            ratios = [more / less for more, less in zip(checked, plain, strict=True)]
            program = f"{subject.cpu} {subject.build}"
            print(f"{name:<28}{program:<12}{ratios[0]:>8.1f}{ratios[1]:>8.1f}")


def _spent(case: Case, subject: Subject, scenes: Scenes, *, checked: bool) -> tuple[float, float]:
    """The processor time of the calls, and of the scenes."""
    bound = BoundCase.of(case, subject, checked=checked)
    before = bound.before(scenes.scenes, scenes.preparations)
    spent = []
    for one in (
        lambda: bound.run(before, scenes.scenes, scenes.preparations),
        lambda: run_scenes(subject, bound, scenes),
    ):
        one()
        began = time.process_time()
        one()
        spent.append(time.process_time() - began)
    return spent[0], spent[1]


if __name__ == "__main__":
    main(sys.argv[1:])
