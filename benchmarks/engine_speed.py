"""How fast guest code runs, and what macproof adds to it.

For every processor and build of a case, these are measured in turns, on the same scenes
of 200 objects, and the median of the turns is printed:

* ``default``: guest MIPS in a bare loop of the engine in its default mode;
* ``fast``: the same in the mode macproof uses (data pages answered as not executable), and the
  ratio of the two;
* ``net``: that ratio without what it costs to enter and leave the engine, which is the same in
  both modes (``enter us``);
* ``bare us``: microseconds a scene takes in the bare loop of the fast mode;
* ``edges``: the same loop with every edge between blocks counted, as a multiple of it;
* ``pipeline``: microseconds a scene takes with everything macproof does: inputs encoded and
  written, the call, everything read back and compared, the contract checked. The reference's own
  time is left out: references are computed beforehand.

All times are processor times. Run it with ``make benchmark``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.short_form import parser_of
from emu.cases.find import load_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.programs import programs_of
from emu.cases.scenes import ask_reference, scene_of
from emu.machine import CPUS, BareMachine
from emu.machine.engine.base.models import describe_engine
from emu.machine.engine.fast_engine import FastEngine
from emu.program import read_elf
from emu.toolchain.builds import TARGETS
from emu.verify.batches.bench import Bench


@dataclass(frozen=True, slots=True)
class Length:
    """How much is measured.

    Attributes:
        scenes: the scenes.
        rounds: how often their calls are made in a turn.
        turns: how often each loop has its turn.
    """

    scenes: int
    rounds: int
    turns: int


_USUAL, _SHORT = Length(scenes=50, rounds=10, turns=9), Length(scenes=3, rounds=1, turns=1)


def main() -> None:
    """Measure every program of a case and print a table."""
    parser = parser_of(__doc__)
    parser.add_argument("case", nargs="?", default="four-shifts")
    parser.add_argument("--objects", type=int, default=200)
    arguments = parser.parse_args()
    length = _SHORT if arguments.short else _USUAL
    case = load_case(arguments.case)
    programs = programs_of(case, cpus=list(TARGETS))
    scenes = [
        scene_of(case, SceneName("uniform", arguments.objects, seed))
        for seed in range(length.scenes)
    ]
    references = [ask_reference(case, scene) for scene in scenes]
    print(
        f"{describe_engine()}; {case.name}, {length.scenes} uniform scenes of {arguments.objects}"
    )
    print(f"{programs.note}")
    print(
        f"{'CPU':6} {'build':10} {'instr.':>8} {'default':>8} {'fast':>6} {'ratio':>6}"
        f" {'enter us':>9} {'net':>5} {'bare us':>8} {'edges':>6} {'pipeline us':>12} {'added':>6}"
    )
    for program in programs.built:
        machine = BareMachine(read_elf(program.path), CPUS[program.cpu], heap_size=0)
        bench = Bench.lay(case, machine)
        print(
            f"{program.cpu:6} {program.build:10} {measure(bench, scenes, references, length)}",
            flush=True,
        )


def measure(bench: Bench, scenes: list, references: list, length: Length) -> str:
    """One row of the table."""
    machine, routine = bench.machine, bench.bound.calls.first
    plain = FastEngine(machine.cpu, machine.memory, answer_pages=False)
    counted = FastEngine(machine.cpu, machine.memory)
    edges = counted.count_edges()
    images = bench.before(scenes).before
    instructions = statistics.mean(
        machine.calls.instructions(machine.calls.trace(routine, image)[0]) for image in images[:10]
    )

    def bare(engine: FastEngine | None) -> Callable[[], None]:
        def loop() -> None:
            for _ in range(length.rounds):
                machine.calls.run_bare(routine, images, engine)

        return loop

    # One instruction that does nothing, in a corner of the gate's page that is never used.
    nothing = machine.memory.region("gate").address + 0x800
    machine.memory.write(nothing, machine.cpu.no_operation)
    after_nothing = nothing + len(machine.cpu.no_operation)

    def enter() -> None:
        for _ in range(length.rounds * len(scenes)):
            plain.run(nothing, after_nothing)

    def pipeline() -> None:
        for _ in range(length.rounds):
            made = bench.expect(bench.before(scenes), references)
            batch = machine.calls.run(routine, made.before)
            wrong = bench.differences(made).wrong(made.expected, batch.after).any(axis=1)
            if np.any(wrong) or batch.violations or batch.fault:
                raise SystemExit("the program measured is not verified")

    loops = {
        "default": bare(plain),
        "enter": enter,
        "fast": bare(None),
        "edges": bare(counted),
        "pipeline": pipeline,
    }
    medians = _medians(loops, len(scenes) * length.rounds, length.turns)
    edges.check()
    if not edges.used:
        raise SystemExit("no edge was counted")
    return _row(instructions, medians)


def _row(instructions: float, medians: Sequence[float]) -> str:
    default, entering, fast, counting, whole = medians
    return (
        f"{instructions:8.0f} {instructions / default:8.0f} {instructions / fast:6.0f}"
        f" {default / fast:6.2f} {entering:9.1f} {(default - entering) / (fast - entering):5.2f}"
        f" {fast:8.1f} {counting / fast:6.2f} {whole:12.1f} {whole / fast - 1:6.1%}"
    )


def _medians(loops: Mapping[str, Callable[[], None]], calls: int, count: int) -> list[float]:
    """The microseconds of a call in each loop, of processor time; the loops take turns."""
    turns: dict[str, list[float]] = {name: [] for name in loops}
    for turn in range(count + 1):
        for name, loop in loops.items():
            began = time.process_time()
            loop()
            spent = time.process_time() - began
            if turn:  # the first turn translates code
                turns[name].append(spent / calls * 1e6)
    return [statistics.median(each) for each in turns.values()]


if __name__ == "__main__":
    main()
