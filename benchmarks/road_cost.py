"""What a scene costs on its whole road, and how that compares with another checkout of macproof.

Run it with ``python -m benchmarks.road_cost [CASE ...] [--against FOLDER]``; a case is a name or a
folder. The figures are microseconds of processor time for a scene and all O2 programs of its case,
the least of several turns, with what `macproof verify` does, or with ``--campaign`` with what a
campaign does:

* ``make``: scenes made and digested;
* ``ask``: the reference or the bulk reference asked about them, and its answers checked;
* ``pack``: the images filled that calls begin with and should leave;
* ``guest``: the calls, from memory and back, with the check of their contract;
* ``compare``: what they leave is compared with what they should leave;
* ``rest``: what is left of all, such as results and digests of answers;
* ``all``: the whole road.

With ``--against`` the other checkout has its turns between ours, in processes of their own, and
``ratio`` is our ``all`` by its. So other work on the machine slows both.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.short_form import parser_of
from emu.base.system.allocator import prepare_for_work
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.verify.batches.bench import Bench
from emu.verify.batches.differences import Differences
from emu.verify.runs import prepared_scenes
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.scenes.sample import Sample
from emu.verify.scenes.scene_plan import chunks, plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

CASES = ("four-shifts", "examples/lzss", "examples/packbits", "examples/quicksort")
COLUMNS = ("make", "ask", "pack", "guest", "compare", "rest", "all")
SCENES, TURNS, ROUNDS = 1500, 3, 3
_CAMPAIGN = 1000, 100_000  # calls prepared together, and scenes of the campaign; see emu/campaign
_ASKS = ("ask_reference", "ask_references", "bulk_answers", "reference_that_agrees")
_ASKS += ("require_no_overflow", "require_repeatable")  # of which another checkout may lack some
_STAGES = {
    "make": (Scenes, "make"),
    "pack": (Bench, "before"),
    "pack ": (Bench, "expect"),
    "guest": (Bench, "run"),
    "compare": (Differences, "rows"),
}


def main() -> None:
    """Print a row for each case."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--against", type=Path, metavar="FOLDER")
    parser.add_argument("--campaign", action="store_true", help="chunks as in a campaign")
    parser.add_argument("--scenes", type=int)
    parser.add_argument("--alone", action="store_true", help="print the costs of one case as JSON")
    arguments = parser.parse_args()
    rounds, turns = (1, 1) if arguments.short else (ROUNDS, TURNS)
    scenes = arguments.scenes or (100 if arguments.short else SCENES)
    if arguments.alone:
        (case,) = arguments.cases
        print(json.dumps(costs_of(load_case(case), scenes, turns, arguments.campaign)))
        return
    print(f"{'case':24}" + "".join(f"{name:>9}" for name in COLUMNS) + f"{'ratio':>8}")
    for case in arguments.cases or CASES[: 1 if arguments.short else None]:
        ask = functools.partial(_apart, case, scenes, turns=turns, is_campaign=arguments.campaign)
        pairs = [(ask(Path.cwd()), ask(arguments.against)) for _ in range(rounds)]
        ours, theirs = (min(side, key=lambda one: one["all"]) for side in zip(*pairs, strict=True))
        for name, costs in (("", ours), *([("  other", theirs)] if arguments.against else ())):
            row = "".join(f"{costs[name]:9.1f}" for name in COLUMNS)
            ratio = f"{ours['all'] / theirs['all']:8.2f}" if arguments.against and not name else ""
            print(f"{name or case:24}{row}{ratio}", flush=True)


def _apart(
    case: str, scenes: int, checkout: Path | None, *, turns: int, is_campaign: bool
) -> dict[str, float]:
    """The costs of a case in a process of its own, with the modules of a checkout."""
    if checkout is None:
        return {"all": 0.0}
    words = [case, "--alone", "--scenes", str(scenes), *(["--campaign"] if is_campaign else ())]
    words += ["--short"] if turns == 1 else []
    paths = os.pathsep.join([str(checkout), str(Path(__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, __file__, *words],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    costs: dict[str, float] = json.loads(done.stdout)
    return costs


def costs_of(case: Case, scenes: int, turns: int, is_campaign: bool) -> dict[str, float]:
    """The microseconds of each stage for a scene, in the turn in which all of it took the least."""
    prepare_for_work()
    subjects = programs_of(case, builds=["O2"]).subjects
    specs = plan_scenes(case, scenes, 1994)
    sample = Sample.of(spec.scene for spec in specs)
    pieces = chunks(specs)
    if is_campaign:
        most, planned = _CAMPAIGN
        pieces, sample = chunks(specs, most), Sample.about(375, planned)
    spent: Counter[str] = Counter()
    for name, (owner, method) in _STAGES.items():
        setattr(owner, method, _timed(owner.__dict__[method], name.strip(), spent))
    for name in _ASKS:
        if hasattr(prepared_scenes, name):
            setattr(prepared_scenes, name, _timed(getattr(prepared_scenes, name), "ask", spent))
    turn = functools.partial(_turn, case, subjects, pieces, sample, spent)
    turn()  # translates code
    best = min((turn() for _ in range(turns)), key=lambda one: one["all"])
    return {name: 1e6 * seconds / len(specs) for name, seconds in best.items()}


def _turn(
    case: Case,
    subjects: list[Subject],
    pieces: list[list[SceneSpec]],
    sample: Sample,
    spent: Counter[str],
) -> dict[str, float]:
    spent.clear()
    began = time.process_time()
    for piece in pieces:
        scenes = Scenes.make(case, piece, sample=sample)
        for result in run_programs(case, subjects, scenes, is_first=False):
            if result.failures or result.fault:
                raise SystemExit(f"{case.name}: the program measured is not verified")
    whole = time.process_time() - began
    spent["make"] -= spent["ask"]
    costs = {name: spent[name] for name in COLUMNS[:-2]}
    return {**costs, "rest": whole - sum(costs.values()), "all": whole}


def _timed(method: Any, name: str, spent: Counter[str]) -> Callable[..., Any]:
    """A method that adds the processor time that it takes."""
    bound = isinstance(method, classmethod)
    function = method.__func__ if bound else method

    @functools.wraps(function)
    def timed(*arguments: Any, **named: Any) -> Any:
        began = time.process_time()
        try:
            return function(*arguments, **named)
        finally:
            spent[name] += time.process_time() - began

    return classmethod(timed) if bound else timed  # type: ignore[return-value]


if __name__ == "__main__":
    main()
