"""Measures what `macproof verify --coverage` costs: processor time beside that of a plain run.

    python -m benchmarks.coverage [CASE ...]

Each case's programs of build O2 run in this process on scenes of both kinds of machine in turn. The
scenes are made and the reference is asked in both, as in a verification.
"""

from __future__ import annotations

import time
from itertools import product

from benchmarks.short_form import parser_of
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.scenes.sample import Sample
from emu.verify.scenes.scene_plan import chunks, plan_scenes

_CASES = ("four-shifts", "blockmap", "linear-quadtree", "collider")
_SCENES, _ROUNDS = 300, 3


def main() -> None:
    """Print a line for each case."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    count, rounds = (3, 1) if arguments.short else (_SCENES, _ROUNDS)
    for name in arguments.cases or _CASES:
        case = load_case(name)
        subjects = programs_of(case, builds=["O2"]).subjects
        specs = plan_scenes(case, count, 1994)
        pieces, sample = chunks(specs), Sample.of(spec.scene for spec in specs)
        best = {False: float("inf"), True: float("inf")}
        for _, covers in product(range(rounds), best):
            begins = time.process_time()
            for piece in pieces:
                scenes = Scenes.make(case, piece, sample=sample)
                run_programs(case, subjects, scenes, is_first=False, covers=covers)
            best[covers] = min(best[covers], time.process_time() - begins)
        ratio = best[True] / best[False]
        print(f"{name:20} plain {best[False]:6.2f} s  covered {best[True]:6.2f} s  {ratio:.2f}")


if __name__ == "__main__":
    main()
