"""What a scene costs beside the guest's own work, for every case of the kit.

Run it with ``python benchmarks/scene_cost.py [CASE ...]``; a case is a name or a folder. The
figures are microseconds of processor time. Other work on the machine changes them by a third, so it
is the ratios of one run that count:

* ``make``: a scene is made, and its input digested; of many scenes at once, as in `verify`;
* ``plain``: the reference is asked about it;
* ``bulk``: the bulk reference is asked, with many scenes at once, and ``ratio`` is how often it
  fits into the reference's time;
* ``pack``: the image is filled that a call of one program begins with, and the one that it should
  leave is made; each of the case's attributes is read once for all programs;
* ``call``: the call, from memory and back;
* ``compare``: what it left is compared with what it should leave, byte for byte.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.short_form import parser_of
from emu.base.system.allocator import prepare_for_work
from emu.cases.case import Case
from emu.cases.files.places import find_cases
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.scenes import ask_bulk_reference, scenes_together
from emu.verify.answers.answers import ask_reference
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.input_digests import digests_of
from emu.verify.scenes.sample import NO_SCENE
from emu.verify.scenes.scene_plan import chunks, plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

COLUMNS = ("make", "plain", "bulk", "pack", "call", "compare")
MOST_CHUNKS = 20
_SHORT = ("four-shifts", "trivial-loops")


class Costs:
    """The processor time that each part has taken, and how often it was done."""

    def __init__(self) -> None:
        self._spent: Counter[str] = Counter()
        self._times: Counter[str] = Counter()

    @contextmanager
    def of(self, part: str, times: int) -> Iterator[None]:
        """Add what the block takes."""
        began = time.process_time()
        yield
        self._spent[part] += time.process_time() - began
        self._times[part] += times

    def each(self, part: str) -> float:
        """The microseconds for each time."""
        return 1e6 * self._spent[part] / max(self._times[part], 1)


def main() -> None:
    """Measure the cases named on the command line, or all."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    prepare_for_work()
    every = _SHORT if arguments.short else map(str, find_cases())
    print(f"{'case':36}" + "".join(f"{name:>8}" for name in COLUMNS) + f"{'ratio':>7}")
    for name in arguments.cases or every:
        case = load_case(name)
        costs = measure(case, 1 if arguments.short else MOST_CHUNKS)
        row = "".join(f"{costs.each(name):8.0f}" for name in COLUMNS)
        is_bulk = bool(case.bulk_reference)
        ratio = f"{costs.each('plain') / costs.each('bulk'):7.1f}" if is_bulk else ""
        print(f"{case.name:36}{row}{ratio}", flush=True)


def measure(case: Case, most_chunks: int) -> Costs:
    """What the scenes of a case cost, on one of its O2 programs."""
    subject = programs_of(case, builds=["O2"]).subjects[-1]
    bench = bench_for(case, subject)
    pieces = chunks(plan_scenes(case, case.scene_count, 1994))
    run_chunk(case, bench, pieces[0], Costs())  # translates code
    costs = Costs()
    later = pieces[1:] or pieces
    for piece in later[:: -(-len(later) // most_chunks)]:
        run_chunk(case, bench, piece, costs)
    return costs


def run_chunk(case: Case, bench: Bench, specs: list[SceneSpec], costs: Costs) -> None:
    """Do with a chunk of scenes what `verify` does, one part after the other."""
    named = list({spec.scene: spec for spec in specs}.values())
    with costs.of("make", len(named)):
        made = scenes_together(case, [spec.scene for spec in named])
        digests_of(case, made)
    with costs.of("plain", len(made)):
        for scene in made:
            ask_reference(case, scene)
    if case.bulk_reference:
        with costs.of("bulk", len(made)):
            ask_bulk_reference(case, made)
    scenes = Scenes.make(case, specs, sample=NO_SCENE)
    with costs.of("pack", len(specs)):
        parts = [scenes.take(rows) for rows in bench.alike(scenes.preparations)]
        every = [
            bench.expect(bench.before(one.scenes, one.preparations), one.references)
            for one in parts
        ]
    with costs.of("call", len(specs)):
        batches = [bench.run(images) for images in every]
    with costs.of("compare", len(specs)):
        wrong = [
            bench.differences(images).rows(images.expected[: batch.completed], batch.after)
            for images, batch in zip(every, batches, strict=True)
        ]
    if any(wrong) or any(batch.fault or batch.violations for batch in batches):
        raise SystemExit(f"{case.name}: the program measured is not verified")


if __name__ == "__main__":
    main()
