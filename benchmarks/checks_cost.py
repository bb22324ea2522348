"""What full checks of memory cost: processor time with them, as a multiple of that without.

Run it with ``python benchmarks/checks_cost.py [CASE ...]``; four-shifts if no case is named. For
each program the same scenes are run with and without checks in this process, twice; the second
counts. ``calls`` is the ratio of the guest's calls alone, ``scenes`` that of everything that
`macproof verify` does with a scene but the reference. ``empty`` is the ratio of the calls alone if
the hooks on accesses and blocks do nothing: what Unicorn takes to call them, and so the least that
checks by such hooks can cost.
"""

from __future__ import annotations

import time

import unicorn
from unicorn import unicorn_const

from benchmarks.short_form import parser_of
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.machine.engine.base.native import NativeFunction, add_block_hook, add_hook
from emu.machine.engine.fast_engine import FastEngine
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.scenes.scene_plan import plan_scenes

SCENES = 24
_NOTHING = """
define void @access(i64 %engine, i32 %kind, i64 %address, i32 %size, i64 %value, i64 %data) {
  ret void
}
define void @block(i64 %engine, i64 %address, i32 %size, i64 %data) {
  ret void
}
"""


def main() -> None:
    """Print a row for each program."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", default=["four-shifts"], metavar="CASE")
    arguments = parser.parse_args()
    count, builds = (3, ["O2"]) if arguments.short else (SCENES, ["O0", "O2"])
    print(f"{'case':<28}{'program':<12}{'empty':>8}{'calls':>8}{'scenes':>8}")
    for name in arguments.cases:
        case = load_case(name)
        scenes = Scenes.make(case, plan_scenes(case, count, 1994))
        for subject in programs_of(case, builds=builds).subjects:
            plain, checked = (_spent(case, subject, scenes, checked=one) for one in (False, True))
            ratios = [more / less for more, less in zip(checked, plain, strict=True)]
            ratios.insert(0, _empty(case, subject, scenes))
            program = f"{subject.cpu} {subject.build}"
            print(f"{name:<28}{program:<12}" + "".join(f"{one:>8.1f}" for one in ratios))


def _spent(case: Case, subject: Subject, scenes: Scenes, *, checked: bool) -> tuple[float, float]:
    """The processor time of the calls, and of the scenes."""
    bench = Bench.of(case, subject, checked=checked)
    images = bench.before(scenes.scenes, scenes.preparations)
    spent = []
    for one in (
        lambda: bench.run(images),
        lambda: run_scenes(subject, bench, scenes),
    ):
        one()
        began = time.process_time()
        one()
        spent.append(time.process_time() - began)
    return spent[0], spent[1]


def _empty(case: Case, subject: Subject, scenes: Scenes) -> float:
    """The processor time of calls with hooks that do nothing, as a multiple of that without."""
    bench = Bench.of(case, subject)
    machine, routine = bench.machine, bench.bound.calls.first
    images = bench.before(scenes.scenes, scenes.preparations).before
    access, block = (NativeFunction(_NOTHING, name) for name in ("access", "block"))
    spent = []
    for is_hooked in (True, False):
        engine = FastEngine(machine.cpu, machine.memory)
        if is_hooked:
            handle: unicorn.Uc = engine._engine
            kinds = unicorn_const.UC_HOOK_MEM_READ | unicorn_const.UC_HOOK_MEM_WRITE
            add_hook(handle, kinds, access, 0)
            add_block_hook(handle, block, 0)
        machine.calls.run_bare(routine, images, engine)
        began = time.process_time()
        machine.calls.run_bare(routine, images, engine)
        spent.append(time.process_time() - began)
    return spent[0] / spent[1]


if __name__ == "__main__":
    main()
