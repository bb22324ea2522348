"""How many changed scenes a search runs in a second, in translated code and on Unicorn.

    python -m benchmarks.fuzz_speed [--scenes N] [CASE ...]

The same scenes, changed as `macproof fuzz` changes them, run on all programs of a case's usual
build, with the guide if one can be compiled: first in translated code, then on Unicorn alone. Both
must find the same features and mistakes. It is processor time, also of the processes of translated
code. Asking is what both have in common: each scene is made, and the reference is asked about it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from benchmarks.orphans import seconds_of_children
from benchmarks.short_form import parser_of
from emu.base.errors import UsageError
from emu.base.system.support import require_linux
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.selection import Selection
from emu.cases.scenes import scene_of
from emu.engines.native_code.process import seconds_of_translated
from emu.machine.cpu import CPUS
from emu.search.asked_scene import ask_about
from emu.search.fuzz.execute import Execution, FuzzTerms, execute_all, terms_after
from emu.search.fuzz.guide import guide_of
from emu.search.fuzz.mutate import Mutator
from emu.search.fuzz.numbers import numbers_of
from emu.search.fuzz.search import usual_programs
from emu.search.fuzz.translated_runs import TranslatedCalls
from emu.verify.scenes.changed_scenes import ChangedScene, changed_of
from emu.verify.scenes.scene_plan import plan_scenes

_CASES = (
    "examples/packbits",
    "examples/lzss",
    "examples/quicksort",
    "examples/checksum",
    "four-shifts",
)
_SCENES, _PIECE, _TARGET = 640, 64, 10.0


def main() -> None:
    """Print a line for each case."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--scenes", type=int, default=_SCENES, help=f"{_SCENES} if not given")
    arguments = parser.parse_args()
    require_linux("this benchmark, which reads the processor times of other processes,")
    short = ("four-shifts",) if arguments.short else _CASES
    for name in arguments.cases or short:
        _compare(name, load_case(name), 40 if arguments.short else arguments.scenes)


def _compare(name: str, case: Case, count: int) -> None:
    selection = usual_programs(case)
    guide = guide_of(selection)
    begin = [ChangedScene(spec) for spec in plan_scenes(case, len(case.generators), 1994)]
    scenes = list(_changed(case, selection, begin, count))
    first = FuzzTerms(guide=guide)
    usual = execute_all(case.known_case, selection.subjects, begin, first)
    terms = terms_after(first, usual)
    translated, executions = _rate(selection, scenes, terms)
    with _on_unicorn():
        unicorn, others = _rate(selection, scenes, terms)
    same = [_found(one) == _found(other) for one, other in zip(executions, others, strict=True)]
    began = _seconds()
    for start in range(0, len(scenes), _PIECE):
        ask_about(case, scenes[start : start + _PIECE], terms.asking)
    asking = 100 * (_seconds() - began) * translated / count
    ratio = translated / unicorn
    met = "met" if ratio >= _TARGET else "missed"
    made = sum(one.is_translated for one in executions)
    print(
        f"{name:20} translated {translated:7.0f}/s  unicorn {unicorn:7.0f}/s  ratio {ratio:5.1f}  "
        f"target {_TARGET:g}: {met}; {made} of {count} translated, asking takes {asking:.0f}%, "
        f"{sum(same)} with equal results"
    )


def _found(execution: Execution) -> frozenset[object]:
    """What a search keeps of an execution: its mistakes; its features if there are none."""
    keys = frozenset(suspicion.key for suspicion in execution.suspicions)
    return keys or execution.features


def _changed(
    case: Case, selection: Selection, begin: Sequence[ChangedScene], count: int
) -> Iterator[ChangedScene]:
    """Scenes that differ from the first ones by a step or two."""
    random = np.random.Generator(np.random.PCG64(1994))
    programs = [(subject.read(), CPUS[subject.cpu]) for subject in selection.subjects]
    numbers = sorted({number for each in programs for number in numbers_of(*each)})
    mutator = Mutator(case, numbers, random)
    originals = [scene_of(case, one.spec) for one in begin]
    scenes = list(originals)
    while count:
        chosen = int(random.integers(len(scenes)))
        try:
            scene = mutator.change(scenes[chosen], scenes[int(random.integers(len(scenes)))])
            yield changed_of(case, begin[chosen % len(begin)].spec, scene)
        except UsageError:
            continue
        count -= 1


def _rate(
    selection: Selection, scenes: Sequence[ChangedScene], terms: FuzzTerms
) -> tuple[float, list[Execution]]:
    """Scenes in a second, and what became of them."""
    case, subjects = selection.case, selection.subjects
    execute_all(case.known_case, subjects, scenes[:2], terms)  # this translates
    gc.collect()  # else one of both pays 50 ms for the garbage of what came before
    began, executions = _seconds(), []
    for start in range(0, len(scenes), _PIECE):
        executions += execute_all(case.known_case, subjects, scenes[start : start + _PIECE], terms)
    return len(scenes) / (_seconds() - began), executions


@contextmanager
def _on_unicorn() -> Iterator[None]:
    """Let translated code say nothing of any scene."""
    with patch("emu.search.fuzz.execute.calls_together", lambda *_: TranslatedCalls()):
        yield


def _seconds() -> float:
    """Processor time of this process, of that with translated code, and of those that ended."""
    return time.process_time() + seconds_of_translated() + seconds_of_children()


if __name__ == "__main__":
    main()
