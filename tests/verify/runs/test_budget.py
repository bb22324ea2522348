"""A budget in place of that of the case file reaches the machines that make the calls."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import macproof
from emu.commands import explain
from emu.machine.calls.batch import USUAL_INSTRUCTIONS
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.explain.failed_scene import first_failure
from emu.verify.runs import program_runs
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.small_cases import SmallCase

KEYS = "call: Go\narguments: {x: number}\nobserve: {return: same}\nreference: small:same\n"
PYTHON = "\n\ndef same(scene):\n    return SimpleNamespace(same=scene.number)\n"


def test_it_reaches_the_machine_and_what_explains_its_failures(
    tmp_path: Path, compilers: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    compilers("68040")
    case = SmallCase(tmp_path, "long Go(short x) { return x + 1L; }", KEYS, PYTHON).case
    chosen = replace(case, budget=2 * USUAL_INSTRUCTIONS)
    programs = macproof.programs_of(chosen, cpus=["68040"], builds=["O2"])
    budgets = []

    def laid(*given: Any, **named: Any) -> Bench:
        bench = bench_for(*given, **named)
        budgets.append((bench.machine.budget.instructions, bench.machine.budget.is_stated))
        return bench

    monkeypatch.setattr(program_runs, "bench_for", laid)
    scenes = Scenes.make(case, [SceneSpec("any", 1, 1994)])
    for one in (chosen, case):
        program_runs.run_programs(one, list(programs), scenes, is_first=True)
    assert budgets == [(2 * USUAL_INSTRUCTIONS, True), (USUAL_INSTRUCTIONS, False)]
    report = macproof.verify(chosen, programs, scenes=1, jobs=1).report
    found = first_failure([report])
    assert found is not None and found.case.budget == chosen.budget


@pytest.mark.parametrize("scenes", [1, 40])
def test_it_reaches_the_processes_that_make_the_calls(
    tmp_path: Path, compilers: Callable[..., None], scenes: int
) -> None:
    """A process that is forked for one task, and workers for several: both read the case again."""
    compilers("68040")
    endless = "volatile long gTurns; long Go(short x) { for (;;) gTurns += x | 1; }"
    case = replace(SmallCase(tmp_path, endless, KEYS, PYTHON).case, budget=5_000_000)
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    (result,) = macproof.verify(case, programs, scenes=scenes, jobs=1).report.results
    assert "within 5,000,000 instructions" in result.undecided


def test_explain_has_the_option() -> None:
    parser = argparse.ArgumentParser()
    explain.add(parser)
    arguments = parser.parse_args(["CASE", "--budget", "5000000000"])
    assert arguments.budget == 5_000_000_000
