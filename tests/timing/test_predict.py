"""Programs run, checked, counted and priced; wrong ones refused."""

from __future__ import annotations

import dataclasses

import pytest

from emu.base.errors import CaseError, GuestError, MacproofError, WrongResultError
from emu.cases.case_file import read_case
from emu.cases.scenes import ask_reference, scene_of
from emu.cycles.base.model import KINDS
from emu.cycles.powerpc.ppc601 import Ppc601
from emu.machine.calls.execution.counted_calls import CountedCalls
from emu.timing import predict
from emu.timing.predict import (
    TimedProgram,
    TimingPlan,
    UnpricedError,
    count_program,
    predict_program,
    predict_programs,
)
from emu.timing.provenance import footprint, shares, shares_by_kind
from posts.timing.events import count_events

PLAN = TimingPlan("uniform", (0, 50), 2, 1994)


@pytest.fixture(scope="module")
def programs(prebuilt):
    def give(*builds):
        return [TimedProgram(subject, "own.cpp") for subject in prebuilt(("601",), builds)]

    return give


@pytest.fixture(scope="module")
def prediction(case, programs):
    (program,) = programs("period")
    return predict_program(case, program, PLAN, is_varied=True)


def test_instructions_are_those_that_single_steps_count(prediction, bind_case, case):
    bench = bind_case("601", "period")
    for objects in PLAN.objects:
        total = 0
        for spec in PLAN.specs(objects):
            scene = scene_of(case, spec)
            trace, _ = bench.machine.calls.trace(
                bench.bound.calls.first, bench.before([scene]).before[0]
            )
            total += bench.machine.calls.instructions(trace)
        assert prediction.sizes[objects].instructions == total / 2
        assert sum(prediction.sizes[objects].mix.values()) == pytest.approx(total / 2)


@pytest.mark.slow
def test_many_calls_are_counted_in_translated_code(prediction, case, programs, monkeypatch):
    def left_to_unicorn(self, calls, terms):
        raise AssertionError("Unicorn counts calls")

    monkeypatch.setattr(predict, "FEWEST_TRANSLATED", 4)
    monkeypatch.setattr(CountedCalls, "count", left_to_unicorn)
    (program,) = programs("period")
    assert predict_program(case, program, PLAN, is_varied=True) == prediction
    monkeypatch.setattr(predict, "FEWEST_TRANSLATED", 5)
    with pytest.raises(AssertionError, match="Unicorn counts calls"):
        predict_program(case, program, PLAN)


def test_cycles_are_told_in_full(prediction):
    for size in prediction.sizes.values():
        assert size.calls == 2
        assert size.comparisons > 0
        assert size.cycles > size.instructions / 3
        assert sum(size.by_source.values()) == pytest.approx(size.cycles)
        assert size.per_second(80) == pytest.approx(80e6 / size.cycles)
    assert sum(shares(prediction).values()) == pytest.approx(1)
    kinds = shares_by_kind(shares(prediction))
    assert list(kinds) == list(KINDS)
    assert sum(kinds.values()) == pytest.approx(1)


def test_changed_models_price_the_same_counts(prediction, case, programs):
    varied = prediction.sizes[50].varied
    assert varied
    assert any(cycles != prediction.sizes[50].cycles for cycles in varied.values())
    plain = predict_program(case, *programs("period"), PLAN)
    assert not plain.sizes[50].varied
    assert plain.sizes[50].cycles == prediction.sizes[50].cycles


def test_the_footprint_is_shown_to_fit(prediction):
    foot = footprint(prediction)
    assert 500 < foot.code_bytes < 4096
    assert 3000 < foot.data_bytes < 8192
    assert 0 < foot.stack_bytes < 1024
    assert foot.fits is True
    assert "32,768" in foot.caches
    large = dataclasses.replace(prediction, data_bytes=40_000)
    assert footprint(large).fits is False


def test_the_same_comes_out_in_worker_processes(case, programs, prediction):
    done = []
    chosen = programs("O2", "period")
    plain, varied = predict_programs(
        case,
        chosen,
        PLAN,
        varied=lambda program: program.subject.build == "period",
        jobs=2,
        on_progress=done.append,
    )
    assert [plain.build, varied.build] == ["O2", "period"]
    assert not plain.sizes[50].varied
    assert varied.sizes == prediction.sizes
    assert done == [1, 1]


def test_counts_are_kept_for_who_wants_more(case, programs, prediction):
    counted = count_program(case.path, *programs("period"), PLAN.specs(50))
    assert counted.counts.calls == 2
    assert counted.pricing.cycles / 2 == pytest.approx(prediction.sizes[50].cycles)


def test_a_wrong_program_is_not_timed(case, compile_ports, broken_port):
    texts = {name: broken_port(name) for name in ("no shift 00", "register clobbered")}
    ports = compile_ports(texts, ("601",), ("O2",))
    for name, words in (("no shift 00", "expected"), ("register clobbered", "register")):
        program = TimedProgram(ports[name, "601", "O2"], "broken.cpp")
        with pytest.raises(WrongResultError, match=f"is wrong and is not timed: uniform.*{words}"):
            predict_program(case, program, PLAN)


def test_a_wrong_reference_is_found_out(case, programs, tmp_path):
    for path in case.path.parent.iterdir():
        if path != case.path:
            (tmp_path / path.name).symlink_to(path)
    wrong = "tests.timing.wrong_reference:nothing_collides"
    text = case.path.read_text().replace(case.reference, wrong)
    (tmp_path / "case.yaml").write_text(text)
    with pytest.raises(WrongResultError, match="gCollisionArray"):
        predict_program(read_case(tmp_path / "case.yaml"), *programs("O2"), PLAN)


def test_a_program_that_faults_is_not_timed(case, compile_ports, broken_port):
    ports = compile_ports({"stray": broken_port("stray store")}, ("601",), ("O2",))
    program = TimedProgram(ports["stray", "601", "O2"], "stray.cpp")
    with pytest.raises(GuestError, match="did not return: uniform, 0 objects"):
        predict_program(case, program, PLAN)


@pytest.mark.slow
def test_a_program_that_kills_its_process_is_named(case, compile_ports, broken_port):
    ports = compile_ports({"killer": broken_port("kills the engine")}, ("68040",), ("O2",))
    program = TimedProgram(ports["killer", "68040", "O2"], "killer.cpp")
    with pytest.raises(GuestError, match=r"68040 O2 killer \(killer.cpp\)"):
        predict_programs(case, [program], PLAN, jobs=1)


class _Ignorant(Ppc601):
    def decode(self, code, address):
        raise MacproofError(f"no timing for the code at 0x{address:08x}")


def test_code_that_the_model_does_not_know_is_not_priced(case, programs):
    with pytest.raises(UnpricedError, match="no timing for the code at 0x"):
        predict_program(case, *programs("O2"), PLAN, model=_Ignorant())


def test_events_are_the_references_own(case):
    words = {"visits": "sector_visits", "pairs": "tests"}
    counted = count_events(case, PLAN, words)
    assert counted[0] == {"visits": 396, "pairs": 0}
    pairs = [ask_reference(case, scene_of(case, s)).tests for s in PLAN.specs(50)]
    assert counted[50] == {"visits": 396, "pairs": sum(pairs) / 2}
    assert count_events(case, PLAN, {}) == {}


@pytest.mark.parametrize(
    ("attribute", "problem"), [("no_such", "returns no no_such"), ("flags", "not as a number")]
)
def test_events_that_cannot_be_counted(case, attribute, problem):
    with pytest.raises(CaseError, match=problem):
        count_events(case, PLAN, {"x": attribute})
