"""Routines are proved or refuted for all inputs, and nothing is called proved that is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import macproof as kit
from emu.base.errors import ToolMissingError, UsageError
from emu.base.processes.workers import ProcessDown
from emu.prove.prove import prove, scene_to_prove
from emu.prove.report import PROVED, REFUTED, UNDECIDED, InputRange, ProgramProof
from emu.verify.batches.bench import Bench
from tests.gallery.twins import EXAMPLES
from tests.report.schemas import read
from tests.rows import slow_but

pytest.importorskip("z3")

from emu.prove import program as proving
from emu.prove.calls.differences import PathDifferences
from emu.prove.calls.replay import replayed
from emu.prove.numbers.limits import UndecidedError
from emu.prove.paths.explorer import Explorer
from emu.prove.program_task import GRACE, ProofTask

CORRECTED, PRINTED = "four-shifts-test-of-two-corrected", "four-shifts-test-of-two"
Command = Callable[..., Any]


def task_of(name: str, cpu: str = "68040", **changes: Any) -> ProofTask:
    """The proof of a prebuilt program."""
    case = kit.load_case(name)
    programs = kit.programs_of(case, cpus=[cpu], builds=["O2"], use="prebuilt")
    task = ProofTask(
        case,
        programs.subjects[0],
        scene_to_prove(case),
        case.proof.where,
        case.proof.fixed,
        case.proof.specification or case.reference,
        case.proof.rounds,
        60,
        4 << 30,
    )
    return replace(task, **changes)


def proof_of(name: str, cpu: str = "68040", **changes: Any) -> ProgramProof:
    """The proof, made in this process, which is not limited."""
    return proving._Proving(task_of(name, cpu, **changes)).prove()


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_a_right_routine_is_proved(cpu: str):
    proof = proof_of(CORRECTED, cpu)
    assert (proof.verdict, proof.why, proof.compared) == (PROVED, "", ("gIntersectQ",))
    assert proof.controls is not None
    assert proof.controls.covers
    assert proof.controls.changed.startswith("the lowest bit of gIntersectQ for corners[0][0] = ")


@pytest.mark.parametrize(("cpu", "most"), [("68040", 32767), ("601", 2**31 - 1)])
def test_a_wrong_one_is_refuted_and_its_domain_found(cpu: str, most: int):
    proof = proof_of(PRINTED, cpu)
    assert proof.verdict == REFUTED
    assert proof.call is not None
    assert "gIntersectQ is 1, expected 0" in proof.call.summary
    assert [(each.name, each.low, each.high) for each in proof.domain] == [("corners", 0, most)]
    inside = proof_of(PRINTED, cpu, bounds={"corners": (0, most)})
    assert inside.verdict == PROVED


# One of each family: a 68000 and a 68040 have the same instructions here, and each takes 20 s.
@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_dilated_integers_are_right_for_every_code(cpu: str):
    proof = proof_of("morton-neighbours", cpu)
    assert proof.verdict == PROVED
    assert [(each.name, each.high) for each in proof.inputs] == [
        ("codes", 0xFFFF),
        ("wide_codes", 0xFFFFFFFF),
    ]


def test_what_unicorn_does_not_confirm_is_undecided(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(proving, "replayed", lambda *_: (None, "Unicorn finds nothing wrong"))
    proof = proof_of(PRINTED)
    assert proof.verdict == UNDECIDED
    assert "the proof and Unicorn disagree: with corners[0][0] = " in proof.why


def test_a_specification_that_fails_on_numbers_is_no_error_of_macproof():
    def fails(scene: object) -> object:
        raise OverflowError("300 does not fit")

    case = kit.load_case(PRINTED)
    subject = kit.programs_of(case, cpus=["68040"], builds=["O2"], use="prebuilt").subjects[0]
    spec = scene_to_prove(case)
    call, why = replayed(Bench.of(case, subject), spec, {}, fails)
    assert call is None
    assert why.startswith(
        "this call cannot be made: the specification fails on the numbers of this call: "
        "OverflowError: 300 does not fit ("
    )


def test_a_specification_that_is_not_heeded_is_noticed(monkeypatch: pytest.MonkeyPatch):
    of = PathDifferences.of
    monkeypatch.setattr(PathDifferences, "of", lambda self, state, change=None: of(self, state))
    proof = proof_of(CORRECTED)
    assert proof.verdict == UNDECIDED
    assert proof.why == "a specification that was changed on purpose is not refuted"


def test_a_lost_path_is_noticed(monkeypatch: pytest.MonkeyPatch):
    paths = Explorer.paths
    monkeypatch.setattr(Explorer, "paths", lambda *given: paths(*given)[1:])
    proof = proof_of(CORRECTED)
    assert proof.verdict == UNDECIDED
    assert proof.why.startswith("no path is taken with corners[0][0] = ")


@pytest.mark.slow
def test_a_loop_beyond_its_bound_is_undecided():
    proof = proof_of("four-shifts", rounds=1, seconds=20)
    assert proof.verdict == UNDECIDED
    assert "the loop goes on beyond 1 rounds at 0x" in proof.why


def test_the_time_is_limited():
    with pytest.raises(UndecidedError, match=r"the time is over, which was 0\.001 seconds"):
        proof_of("four-shifts", seconds=0.001)


def test_a_proof_that_the_system_ends_has_used_its_time(monkeypatch: pytest.MonkeyPatch):
    """As where z3 does not heed its timeout: the process is ended, and cannot say how long."""

    def ended(*_: object) -> ProgramProof:
        down = ProcessDown("the process was stopped (SIGXCPU)")
        down.ending = "SIGXCPU"
        raise down

    monkeypatch.setattr("emu.prove.prove.run_apart", ended)
    report = prove(kit.programs_of(kit.load_case(CORRECTED), cpus=["601"], use="prebuilt"))
    proof = report.programs[0]
    assert (proof.verdict, proof.why) == (UNDECIDED, "the time is over, which was 120 seconds")
    assert proof.seconds == 120 + GRACE


@pytest.mark.parametrize("cpu", slow_but(["68000"], ["68000", "68040", "601"]))
def test_a_product_by_parts_is_proved(compilers: Command, cpu: str):
    """A 68000 multiplies 32 bits by 32 in three parts, which is `Products`' work to see."""
    compilers(cpu)
    case = kit.load_case(EXAMPLES / "proofs" / "rand_scalar.case.yaml")
    report = prove(kit.programs_of(case, cpus=[cpu], builds=["O2"]), seconds=60)
    proof = report.programs[0]
    assert (proof.verdict, proof.why) == (PROVED, "")
    assert proof.controls is not None
    assert proof.controls.changed.startswith("the lowest bit of return for limit = ")


def test_what_a_specification_cannot_compute_is_undecided():
    with pytest.raises(UndecidedError, match=r"more than 300 values|terms"):
        proof_of("brute-force")


SWAP = "void Swap(short *values, short *one, short *other)\n{\n    %s\n}\n"
BY_XOR = "*one ^= *other; *other ^= *one; *one ^= *other;"
BY_COPY = "short kept = *one; *one = *other; *other = kept;"
SWAP_CASE = """\
schema: macproof.case/1
name: swap
title: Two numbers change places
sources: [swap.c]
call: Swap
arguments:
  values: {points_to: values, count: 3}
  one: one into *values
  other: other into *values
scene: {make: "swapping:make", generators: [any], objects: [3], count: 10}
observe: {"*values": swapped}
reference: swapping:swap
proof: {where: {one: [0, 2], other: [0, 2]}}
"""
SWAPPING = """\
from dataclasses import dataclass
import numpy as np
@dataclass
class Scene:
    values: np.ndarray
    one: int
    other: int
    generator: str
    seed: int
    objects: int = 3
    def keep(self, indices):
        return self
@dataclass
class Answer:
    swapped: list
def make(generator, objects, seed, *, width, height):
    return Scene(np.arange(3) + seed % 9, seed % 3, (seed + 1) % 3, generator, seed)
def swap(scene):
    values = scene.values.tolist()
    one, other = int(scene.one), int(scene.other)
    values[one], values[other] = values[other], values[one]
    return Answer(values)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("body", "verdict"), [(BY_COPY, PROVED), (BY_XOR, REFUTED)])
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_pointers_that_may_be_one(
    compilers: Command, tmp_path: Path, cpu: str, body: str, verdict: str
):
    """Swapping by exclusive or makes 0 of a number that is swapped with itself."""
    compilers(cpu)
    (tmp_path / "swap.c").write_text(SWAP % body)
    (tmp_path / "swapping.py").write_text(SWAPPING)
    (tmp_path / "swap.case.yaml").write_text(SWAP_CASE)
    case = kit.load_case(tmp_path / "swap.case.yaml")
    report = prove(kit.programs_of(case, cpus=[cpu], builds=["O2"]))
    assert report.verdict == verdict, report.programs
    call = report.programs[0].call
    if call is not None:
        assert call.inputs["one"] == call.inputs["other"]


@pytest.mark.slow
def test_the_command(macproof_apart: Command, tmp_path: Path):
    file = tmp_path / "proof.json"
    words = ("--cpu", "68040", "--programs", "prebuilt")
    done = macproof_apart("prove", PRINTED, *words, "--json", file)
    assert done.code == 1, done.err
    assert "It is right where corners is 0 to 32,767; no such range can be made" in done.out
    data = read(file, "macproof.proof/1")
    assert data["verdict"] == data["programs"][0]["verdict"] == REFUTED
    narrow = macproof_apart("prove", PRINTED, *words, "--where", "corners=0..32767")
    assert (narrow.code, "proved" in narrow.out) == (0, True)


def test_a_range_of_what_the_scene_does_not_have_is_refused():
    selection = kit.programs_of(kit.load_case(CORRECTED), cpus=["601"], use="prebuilt")
    with pytest.raises(UsageError, match="in the scene is called corner; did you mean corners"):
        prove(selection, where=[InputRange("corner", 0, 1)])


def test_z3_is_an_extra(monkeypatch: pytest.MonkeyPatch):
    import importlib.metadata

    def missing(package: str) -> str:
        raise importlib.metadata.PackageNotFoundError(package)

    selection = kit.programs_of(kit.load_case(CORRECTED), cpus=["601"], use="prebuilt")
    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ToolMissingError, match=r"pip install 'macproof\[prove\]'"):
        prove(selection)
