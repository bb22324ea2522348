"""How fast translated code is beside Unicorn, and what a translation costs, beside the targets.

    python -m benchmarks.translated_speed [--scenes N]

All of it is processor time, of this process and of that with the translated code, for the programs
of four-shifts at O2. The least of several turns counts. A call's path is `Bench.run`. The campaign
has all that a scene takes: it is made, laid, run, compared and kept. Workers begin and translate
once, and the plain reference is asked about 375 scenes whatever the number, which takes 2 seconds:
a campaign of 20,000 scenes tells more of these than of calls.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.engines import of_other_processes
from benchmarks.orphans import adopt_orphans, children, seconds_of_children, wait_for_orphans
from benchmarks.short_form import parser_of
from emu.base.system.allocator import prepare_for_work
from emu.base.system.support import require_linux
from emu.campaign.campaign import run_campaign
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.engines.native_code.translations import KeptTranslation, kept_translation
from emu.engines.registry import TRANSLATED, UNICORN
from emu.lift.native.blocks import BlockMarks
from emu.lift.native.flow import CodeFlow
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import NO_SCENE
from emu.verify.scenes.scene_plan import chunks, plan_scenes

_SCENES, _TURNS, _CAMPAIGN = 1000, 7, 100_000
_AT_ONCE = 250  # calls, as in a campaign
_EVERYWHERE = range(1 << 32)
_CALL, _MARKS, _COLD, _KEPT, _WHOLE = 0.25, 1.1, 0.7, 5.0, 0.45


def main() -> None:
    """Print each figure, its target, and whether that is met."""
    parser = parser_of(__doc__)
    parser.add_argument("--scenes", type=int, help=f"of a campaign, {_CAMPAIGN:,} if not given")
    arguments = parser.parse_args()
    scenes, turns = (20, 1) if arguments.short else (_SCENES, _TURNS)
    require_linux("this benchmark, which reads processor times in /proc,")
    prepare_for_work()
    case = load_case("four-shifts")
    selection = programs_of(case, builds=["O2"], use="prebuilt")
    parts = chunks(plan_scenes(case, scenes, 1994), _AT_ONCE)
    made = [Scenes.make(case, part, sample=NO_SCENE) for part in parts]
    with TemporaryDirectory() as folder, patch.dict("os.environ", MACPROOF_CACHE=folder):
        for subject in selection.subjects:
            _calls(case, subject, made, turns)
            _translations(case, subject, turns)
        count = arguments.scenes or (40 if arguments.short else _CAMPAIGN)
        _campaigns(selection, Path(folder), count)


def _told(what: str, found: float, target: float, unit: str = "") -> None:
    met = "met" if found <= target else "missed"
    print(f"{what:56} {found:8.2f}{unit:3}  target {target:g}{unit}: {met}")


def _calls(case: Case, subject: Subject, made: list[Scenes], turns: int) -> None:
    """A call on Unicorn, in translated code, and in translated code without marks."""
    unicorn = _seconds(case, subject, made, turns)
    translated = replace(subject, engine=TRANSLATED)
    marked = _seconds(case, translated, made, turns)
    with _without_marks():
        plain = _seconds(case, translated, made, turns)
    calls = sum(len(one.specs) for one in made)
    name = f"{subject.cpu} {subject.build}"
    each = f"{1e6 * marked / calls:.1f} / {1e6 * unicorn / calls:.1f} us"
    _told(f"{name}: a call, translated / Unicorn ({each})", marked / unicorn, _CALL)
    _told(f"{name}: a call, with marks of blocks / without", marked / plain, _MARKS)


@contextmanager
def _without_marks() -> Iterator[None]:
    """Translate without marks, and keep that in a cache of its own."""

    def unmarked(flow: CodeFlow, _: range) -> BlockMarks:
        return BlockMarks(flow, _EVERYWHERE)

    with (
        TemporaryDirectory() as folder,
        patch.dict("os.environ", MACPROOF_CACHE=folder),
        patch("emu.lift.native.module.BlockMarks", unmarked),
    ):
        yield


def _seconds(case: Case, subject: Subject, made: list[Scenes], turns: int) -> float:
    bench = Bench.of(case, subject)
    images = [bench.before(part.scenes, part.preparations) for part in made]
    taken = []
    for _ in range(turns + 1):  # the first one translates
        began = time.process_time() + of_other_processes()
        for one in images:
            bench.run(one)
        taken.append(time.process_time() + of_other_processes() - began)
    bench.machine.close()
    return min(taken[1:])


def _translations(case: Case, subject: Subject, turns: int) -> None:
    """What a translation takes, and what finding one takes that was kept."""
    taken: list[float] = []
    made: list[KeptTranslation] = []

    def timed(*arguments: Any, **named: Any) -> KeptTranslation:
        began = time.process_time()
        made.append(kept_translation(*arguments, **named))
        taken.append(time.process_time() - began)
        return made[-1]

    scene = Scenes.make(case, plan_scenes(case, 1, 1994), sample=NO_SCENE)
    cold, kept = [], []
    with patch("emu.engines.native_code.engine.kept_translation", timed):
        for _ in range(turns + 1):  # the first one loads SLEIGH and LLVM, in 100 ms
            with TemporaryDirectory() as folder, patch.dict("os.environ", MACPROOF_CACHE=folder):
                for times in (cold, kept):
                    taken.clear()
                    bench = Bench.of(case, replace(subject, engine=TRANSLATED))
                    bench.run(bench.before(scene.scenes, scene.preparations))
                    times.append(sum(taken))
                    machine = bench.machine
                    count = sum(
                        machine.cpu.count_instructions(machine.read(at, size))
                        for at, size in made[-1].blocks
                    )
                    machine.close()
    name = f"{subject.cpu} {subject.build}"
    each = 1000 * min(cold[1:]) / count
    _told(f"{name}: a translation, an instruction of {count}", each, _COLD, "ms")
    _told(f"{name}: a translation that was kept", 1000 * min(kept[1:]), _KEPT, "ms")


def _campaigns(selection: Selection, folder: Path, scenes: int) -> None:
    """Whole campaigns on each engine, in the worker processes that they have."""
    taken = {}
    adopt_orphans()
    for engine in (TRANSLATED, UNICORN):
        began, others = _with_children(), children()
        run_campaign(folder / engine, replace(selection, engines=(engine,)), scenes=scenes)
        wait_for_orphans(others)
        taken[engine] = _with_children() - began
    each = " / ".join(f"{1e6 * taken[name] / scenes:.0f}" for name in (TRANSLATED, UNICORN))
    ratio = taken[TRANSLATED] / taken[UNICORN]
    _told(f"campaign of {scenes:,} scenes, translated / Unicorn ({each} us)", ratio, _WHOLE)


def _with_children() -> float:
    """Seconds of processor time of this process and of those that it has waited for."""
    return time.process_time() + seconds_of_children()


if __name__ == "__main__":
    main()
