"""Translated code leaves byte for byte what Unicorn leaves: prebuilt programs, and broken ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.overview.report import list_cases
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.engines.native_code.engine import ARCHITECTURES
from emu.engines.registry import TRANSLATED
from emu.lift.decoder import Decoder
from emu.lift.native import module as native_module
from emu.lift.native.flow import find_flow
from emu.machine import CPUS, Batch
from emu.program.model.patches import Patch
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_plan import plan_scenes
from tests.rows import slow_but

_MUTANTS = 12


def subjects_of(name: str) -> tuple[Case, Sequence[Subject]]:
    case = load_case(name)
    subjects = programs_of(case, use="prebuilt").subjects
    return case, [one for one in subjects if CPUS[one.cpu].architecture in ARCHITECTURES]


def batch_on(case: Case, subject: Subject, scenes: Scenes, engine: str | None = None) -> Batch:
    """What the calls on scenes leave, on an engine or on Unicorn."""
    bench = Bench.of(case, subject if engine is None else replace(subject, engine=engine))
    scenes = scenes.take(bench.alike(scenes.preparations)[0])
    batch = bench.run(bench.before(scenes.scenes, scenes.preparations))
    bench.machine.close()
    return batch


def require_same(case: Case, subject: Subject, scenes: Scenes) -> Batch:
    """What translated code leaves, which has to be what Unicorn leaves."""
    unicorn = batch_on(case, subject, scenes)
    translated = batch_on(case, subject, scenes, TRANSLATED)
    assert translated.completed == unicorn.completed
    assert (translated.after == unicorn.after).all()
    assert translated.violations == unicorn.violations
    assert (translated.fault is None) == (unicorn.fault is None)
    return translated


def prebuilt_cases() -> list[str]:
    """The cases that have a program that comes along."""
    return [case.name for case in list_cases().cases]


@pytest.mark.parametrize("name", slow_but(["four-shifts"], prebuilt_cases()))
def test_a_program_leaves_the_same_bytes(name: str) -> None:
    case, subjects = subjects_of(name)
    scenes = Scenes.make(case, plan_scenes(case, 6, 1))
    for subject in subjects[:: 1 if name != "four-shifts" else 5]:
        translated = require_same(case, subject, scenes)
        if case.name == "four-shifts":
            assert translated.untranslated == {}


def mutants_of(subject: Subject, count: int) -> Iterator[Patch]:
    """One bit of the program's code changed: other instructions, other registers, no return."""
    chance = random.Random(f"{subject.name}")
    program = subject.read()
    segments = [segment for segment in program.segments if segment.executable]
    for _ in range(count):
        segment = chance.choice(segments)
        offset = chance.randrange(len(segment.data) // 3)
        yield (segment.address + offset, bytes([segment.data[offset] ^ 1 << chance.randrange(8)]))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_broken_programs_give_the_same_wrong_answers(cpu: str) -> None:
    case, subjects = subjects_of("four-shifts")
    subject = next(one for one in subjects if (one.cpu, one.build) == (cpu, "O2"))
    scenes = Scenes.make(case, plan_scenes(case, 4, 1))
    right = batch_on(case, subject, scenes)
    wrong = 0
    for patch in mutants_of(subject, _MUTANTS):
        broken = replace(subject, patches=(patch,))
        batch = require_same(case, broken, scenes)
        wrong += batch.completed < right.completed or bool((batch.after != right.after).any())
    assert wrong > 0


def test_a_large_program_is_many_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here each guest function becomes one of LLVM, as those of a whole application do."""
    monkeypatch.setattr(native_module, "_MOST_IN_ONE", 0)
    monkeypatch.setattr(native_module, "_MOST_IN_MANY", 1)
    texts = []
    real = native_module.translate

    def translate(*arguments: object, **options: object) -> native_module.NativeModule:
        texts.append(real(*arguments, **options))  # type: ignore[arg-type]
        return texts[-1]

    monkeypatch.setattr(native_module, "translate", translate)
    monkeypatch.setattr("emu.engines.native_code.translations.build_cache.find", lambda *a: None)
    case, subjects = subjects_of("four-shifts")
    scenes = Scenes.make(case, plan_scenes(case, 3, 1))
    for cpu in ("68040", "601"):
        subject = next(one for one in subjects if (one.cpu, one.build) == (cpu, "O0"))
        require_same(case, subject, scenes)
    assert all(made.text.count("define internal i32 @part") > 1 for made in texts)
    assert len(texts) == 2


def test_code_behind_a_call_that_nothing_returns_from_does_no_harm() -> None:
    """BSR to an endless loop; what is behind it is no code, and is lifted as what leaves."""
    code = bytes.fromhex("6102 4afc 60fe".replace(" ", ""))
    decoder = Decoder(CPUS["68040"], lambda at, size: code[at : at + size] if at < 6 else b"")
    flow = find_flow(decoder, [0], 0x100)
    assert sorted(flow.instructions) == [0, 2, 4]
    assert flow.entries == {0, 2}
    assert flow.functions == {0, 4}
    assert native_module.translate(CPUS["68040"], decoder, [0], 0x100).reasons.keys() == {2}
