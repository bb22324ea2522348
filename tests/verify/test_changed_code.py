"""A program that changes its own code: what it executes, and whether it empties the caches."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.checks.isa_model import UNDECIDED
from emu.cli import main
from emu.machine import CPUS, BareMachine
from emu.machine.cpu import CacheEffect
from emu.program import read_elf
from emu.verify.calls.executed_code import stale_code_findings
from tests.rows import slow_but

pytestmark = pytest.mark.slow

CASE = Path(__file__).parents[1] / "programs" / "changes_itself"
BUILDS = ("O1", "flush", "before", "before-flush", "keep-flush")
CPU_NAMES = ("68000", "68040", "601")
Results = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def results(
    compilers: Callable[..., None],
    tmp_path_factory: pytest.TempPathFactory,
) -> Results:
    """What `verify` says, by processor and build."""
    compilers(*CPU_NAMES)
    file = tmp_path_factory.mktemp("report") / "report.json"
    builds = [word for build in BUILDS for word in ("--build", build)]
    assert main(["verify", str(CASE), *builds, "--json", str(file), "--quiet"]) == 1
    return {(r["cpu"], r["build"]): r for r in json.loads(file.read_text())["results"]}


@pytest.mark.parametrize("build", ["O1", "before"])
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68040", "601"]))
def test_changed_code_is_executed_with_full_caches(results: Results, cpu: str, build: str):
    """It computes what it should, here; a real processor may execute the old instruction."""
    result = results[cpu, build]
    assert (result["verdict"], result["diverged"], result["violated"]) == ("refuted", 0, 0)
    (finding,) = result["isa"]["findings"]
    assert finding["weight"] == "refutes"
    assert f"a {cpu} may execute the old instructions" in finding["why"]
    assert "Go+0x" in finding["why"]
    assert "(changes_itself.cpp:" in finding["why"]
    assert "Patched" in finding["place"]


@pytest.mark.parametrize("build", ["flush", "before-flush"])
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_changed_code_is_executed_with_empty_caches(results: Results, cpu: str, build: str):
    assert results[cpu, build]["verdict"] == "verified"
    assert results[cpu, build]["isa"]["findings"] == []


@pytest.mark.parametrize("build", ["O1", "before"])
def test_a_68000_has_no_caches(results: Results, build: str):
    assert results["68000", build]["verdict"] == "verified"


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_the_next_call_executes_what_was_loaded(results: Results, cpu: str):
    """The engine keeps what it has translated, and does not see that memory is made ready."""
    program = read_elf(Path(results[cpu, "keep-flush"]["program"]["file"]))
    machine = BareMachine(program, CPUS[cpu])
    wanted = [7, 0, 9, 0, 0, 7]
    before = []
    for value in wanted:
        machine.reset()
        machine.globals["gIn"][...] = value
        before.append(machine.data.copy())
    batch = machine.calls.run(program.function("Go"), np.stack(before))
    start = machine.data.offset(program.variable("gOut").address)
    found = batch.after[:, start : start + 2].copy().view(">i2")[:, 0].tolist()
    assert found == [value or 1 for value in wanted]
    assert batch.stale is None


def test_a_call_that_takes_too_long_to_look_at_is_undecided(results: Results):
    program = read_elf(Path(results["68040", "before"]["program"]["file"]))
    machine = BareMachine(program, CPUS["68040"])
    machine.globals["gIn"][...] = 5
    before = machine.data.copy()[np.newaxis]
    machine.budget = dataclasses.replace(machine.budget, seconds=-1.0)
    (finding,) = stale_code_findings(machine, machine.calls.run(program.function("Go"), before))
    assert finding.weight == UNDECIDED
    assert "it is not known whether" in finding.why


@pytest.mark.parametrize(
    ("cpu", "word", "effect"),
    [
        ("68040", 0xF4F8, CacheEffect(stores=True, invalidates=True)),  # cpusha bc
        ("68040", 0xF478, CacheEffect(stores=True, invalidates=False)),  # cpusha dc
        ("68040", 0xF498, CacheEffect(stores=False, invalidates=True)),  # cinva ic
        ("68040", 0xF4B8, CacheEffect(stores=False, invalidates=True)),  # cpusha ic
        ("68040", 0xF458, CacheEffect(stores=False, invalidates=False)),  # cinva dc
        ("68040", 0xF4E0, None),
        ("68040", 0x4E71, None),
        ("601", 0x4C00012C, CacheEffect(stores=True, invalidates=True)),  # isync
        ("601", 0x60000000, None),
    ],
)
def test_what_an_instruction_does_to_the_caches(cpu: str, word: int, effect: CacheEffect | None):
    of_a_word = CPUS[cpu].cache_effect
    assert of_a_word is not None
    assert of_a_word(word) == effect
