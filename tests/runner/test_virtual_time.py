"""Programs on the clock of a cycle model: what they see, print and measure."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from emu.base.errors import GuestError, MacproofError, UsageError
from emu.cycles.base.model import ASSUMPTION, Code
from emu.machine.cpu import CPUS
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import StopKind
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.runner import model_meter, virtual_time
from emu.runner.model_meter import TOOLBOX_COSTS, ModelMeter
from emu.runner.runner import RunRequest, run_request
from emu.runner.virtual_time import (
    Experiment,
    VirtualRequest,
    read_experiments,
    run_in_virtual_time,
)
from emu.toolbox.computer.clock import ModelClock
from emu.toolbox.computer.settings import Settings
from tests.cycles.conftest import FakeModel
from tests.program.code_samples import write_application
from tests.rows import slow_but

PROGRAMS = Path(__file__).parents[1] / "programs" / "mac" / "prebuilt"
CODE, ROM = 0x1000, 0x0280_0000


def hosted(code: str, cpu: str = "68040") -> HostedEngine:
    memory = GuestMemory(
        (MemoryRegion("code", 0, 0x4000, True, True), MemoryRegion("ROM", ROM, 0x1000, False, True))
    )
    memory.write(CODE, bytes.fromhex(code))
    memory.write(ROM, bytes.fromhex("a8504e75"))
    engine = HostedEngine(CPUS[cpu], memory, ROM + 0xFF0)
    engine.registers[engine.index["pc"]] = CODE
    engine.registers[engine.index["a7"]] = 0x4000
    return engine


def run(engine: HostedEngine, meter: ModelMeter) -> None:
    """Go on until a trap, as `Macintosh` does."""
    while engine.run().kind is StopKind.ASKED:
        meter.cycles()


class Flat(FakeModel):
    """Every instruction costs the same."""

    def __init__(self, each: float = 2.0) -> None:
        super().__init__()
        self.each = each

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        return (self.each,) * len(block)


# -- the meter ---------------------------------------------------------------------------------


def test_cycles_are_exact_at_every_question() -> None:
    # MOVEQ #9,D0; loop: NOP; DBRA D0,loop; trap: 1 + 10 * 3 + 1 words
    engine, meter = hosted("7009 4e71 51c8fffc a850"), ModelMeter(Flat())
    meter.attach(CPUS["68040"], engine)
    assert meter.megahertz == 10.0
    for turn in range(1, 4):
        engine.registers[engine.index["pc"]] = CODE
        run(engine, meter)
        if turn == 1:
            # Before anything is priced a byte counts an eighth; what is shown is never too much.
            assert meter.priced_cycles() == 64 * 0.125
        assert meter.cycles() == turn * 32 * 2.0
        assert meter.priced_cycles() == meter.cycles()


def test_a_block_is_priced_with_what_ran_before_it() -> None:
    engine, model = hosted("6002 4e71 4e71 a850"), FakeModel()
    meter = ModelMeter(model)
    meter.attach(CPUS["68040"], engine)
    run(engine, meter)
    # BRA.S at the beginning 9, NOP after it 1, the trap after NOP (4e71: one odd byte) 1.25.
    assert meter.cycles() == 9 + 1 + 1.25


def test_the_clock_can_be_chosen() -> None:
    meter = ModelMeter(Flat(), megahertz=33.0)
    meter.attach(CPUS["68040"], hosted("a850"))
    assert meter.megahertz == 33.0
    assert ModelClock(meter).now() == 0


def test_what_stands_for_the_rom_costs_what_a_call_is_taken_to_cost() -> None:
    engine, meter = hosted("4eb9 02800000 a851"), ModelMeter(Flat())
    meter.attach(CPUS["68040"], engine)
    run(engine, meter)
    assert engine.registers[engine.index["pc"]] == ROM
    assert meter.cycles() == 3 * 2.0 + TOOLBOX_COSTS["m68k"].cycles
    for cost in TOOLBOX_COSTS.values():
        assert cost.source.kind == ASSUMPTION and cost.source.title


def test_code_that_was_overwritten_keeps_what_it_has_cost_and_gives_up_its_price() -> None:
    class ByOpcode(Flat):
        def price(self, before: Code, block: Code) -> tuple[float, ...]:
            return tuple(float(int(one.text[2:4], 16)) for one in block)

    engine, meter = hosted("7003 a800"), ModelMeter(ByOpcode())
    meter.attach(CPUS["68040"], engine)
    run(engine, meter)
    assert meter.cycles() == 3.0
    engine.registers[engine.index["pc"]] = CODE
    run(engine, meter)
    engine.memory.write(CODE, bytes.fromhex("7040"))
    engine.forget_code(CODE, 2)
    engine.registers[engine.index["pc"]] = CODE
    run(engine, meter)
    assert engine.registers[engine.index["d0"]] == 0x40
    assert meter.cycles() == 3.0 + 3.0 + 0x40


def test_code_without_a_model_is_an_error_and_not_free() -> None:
    class Ignorant(FakeModel):
        def decode(self, code: bytes, address: int) -> Code:
            raise MacproofError(f"there is no instruction at 0x{address:08x}")

    engine, meter = hosted("a850"), ModelMeter(Ignorant())
    meter.attach(CPUS["68040"], engine)
    run_once = engine.run()
    assert run_once.kind is StopKind.EXCEPTION
    with pytest.raises(MacproofError, match="no instruction at 0x00001000"):
        meter.cycles()


# -- whole programs ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "cpu"),
    slow_but([("68000", "68000")], [("68000", "68000"), ("68000", "68040"), ("601", "601")]),
)
def test_a_program_takes_the_same_time_at_every_run_and_less_on_a_faster_clock(
    folder: str, cpu: str
) -> None:
    def time(megahertz: float | None) -> int:
        result = run_request(
            RunRequest(
                program=PROGRAMS / folder / "fixed_point.bin",
                cpu=cpu,
                clock="model",
                megahertz=megahertz,
                settings=Settings(timeout=60),
            )
        )
        assert not result.problem
        return result.virtual_microseconds

    usual = time(None)
    assert usual == time(None) > 0
    assert time(1000.0) < usual


@pytest.mark.slow
def test_the_68000_takes_longest_and_the_601_least() -> None:
    times = [
        run_request(
            RunRequest(program=PROGRAMS / folder / "fixed_point.bin", cpu=cpu, clock="model")
        ).virtual_microseconds
        for folder, cpu in (("68000", "68000"), ("68000", "68040"), ("601", "601"))
    ]
    assert times == sorted(times, reverse=True)
    assert times[0] > 2 * times[1]


def test_a_program_whose_code_has_no_model_ends_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Ignorant(FakeModel):
        def decode(self, code: bytes, address: int) -> Code:
            raise MacproofError(f"there is no instruction at 0x{address:08x}")

    monkeypatch.setattr(model_meter, "model_for", lambda cpu: Ignorant())
    result = run_request(
        RunRequest(program=PROGRAMS / "68000" / "empty.bin", cpu="68040", clock="model")
    )
    assert "there is no instruction at" in result.problem and result.exit_code == 4


# -- measurements ------------------------------------------------------------------------------


def test_lines_of_experiments_are_read() -> None:
    lines = (
        "Collision testing...",
        "0 objects: 18336 in 30000123 us:  1640 us/iter, 611 iter/s",
        "50 objects: 2280 in 3000954 us:  1.3e+03 us/iter, 7.6e+02 iter/s",
        "100 objects: 0 in 3000954 us",
        "200 objects: 7 in 0 us",
        "200 objects:  objects: 7 in 10 us",
        "objects: 7 in 10 us",
    )
    assert read_experiments(lines) == (
        Experiment(0, 18336, 30000123, 18336e6 / 30000123),
        Experiment(50, 2280, 3000954, 2280e6 / 3000954),
    )
    assert read_experiments(lines)[0].per_second == pytest.approx(611.2, abs=0.1)


def test_a_program_that_measures_nothing_is_an_error() -> None:
    request = VirtualRequest(PROGRAMS / "68000" / "empty.bin", "68040")
    with pytest.raises(GuestError, match="printed no measurement"):
        run_in_virtual_time(request)


def test_a_program_that_does_not_end_is_an_error(tmp_path: Path) -> None:
    request = VirtualRequest(write_application(tmp_path, "60fe"), "68040", timeout=0.1)
    with pytest.raises(GuestError, match="did not end within"):
        run_in_virtual_time(request)


def test_there_must_be_a_model() -> None:
    with pytest.raises(UsageError, match="no cycle model of the processor 603"):
        run_in_virtual_time(VirtualRequest(PROGRAMS / "601" / "empty.bin", "603"))


def measuring_program(folder: Path, cpu: str, seconds: str) -> Path:
    """The author's program, with experiments of so many seconds."""
    from emu.toolchain.builds import BUILDS, TARGETS
    from emu.toolchain.compilers.find import missing_compilers
    from emu.toolchain.mac_app.application import build_application
    from emu.toolchain.mac_app.applications import find_applications

    if missing_compilers([TARGETS[cpu]], {}):
        pytest.skip(f"the compiler for the {cpu} is not installed")
    sources = Path(__file__).parents[2] / "mac_src"
    (four_shifts,) = find_applications(["four-shifts"], sources)
    return build_application(
        four_shifts.source_paths(sources),
        four_shifts.title,
        cpu,
        sources / four_shifts.resources,
        folder,
        build=BUILDS["period"],
        flags=(f"-DTEST_SECONDS={seconds}",),
    )


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68040", "601"]))
def test_the_authors_program_measures_itself(tmp_path: Path, cpu: str) -> None:
    program = measuring_program(tmp_path, cpu, ".25")
    run = run_in_virtual_time(VirtualRequest(program, cpu))
    assert run.lines[0] == "Collision testing..."
    assert len(run.lines) == 5
    assert [experiment.objects for experiment in run.experiments] == [0, 50, 100, 200]
    rates = [experiment.per_second for experiment in run.experiments]
    assert rates == sorted(rates, reverse=True)
    assert run.megahertz == {"68040": 25, "601": 80}[cpu]
    iterations = sum(experiment.iterations for experiment in run.experiments)
    assert run.clock_calls > iterations
    assert run.virtual_seconds * 1e6 > sum(e.microseconds for e in run.experiments)
    assert run.assumptions[-1].startswith("Toolbox: ")
    assert pickle.loads(pickle.dumps(run)) == run
    # Twice the clock, half the time.
    faster = run_in_virtual_time(VirtualRequest(program, cpu, megahertz=2 * run.megahertz))
    for slow, fast in zip(run.experiments, faster.experiments, strict=True):
        assert fast.per_second == pytest.approx(2 * slow.per_second, rel=0.15)


def test_quick_experiments_are_shorter() -> None:
    assert 0 < virtual_time.QUICK_SECONDS < 30
