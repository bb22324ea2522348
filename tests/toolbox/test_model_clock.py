"""The clock that goes by a meter: what the program sees, and when it is stopped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine
from emu.toolbox.computer.clock import START_TICKS, TICKS_A_SECOND, CallClock, ModelClock
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import make_mac, run_code


class OneCycleABlock:
    """A meter for which every edge costs the same."""

    def __init__(self, megahertz: float = 1.0, each: float = 1.0) -> None:
        self.megahertz = megahertz
        self.each = each

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        self.edges, _ = engine.count_edges()
        self.edges.expect_prices(50, 0.125)

    def cycles(self) -> float:
        if self.edges.has_new:
            self.edges.price_new(lambda edge: self.each)
        return self.edges.cycles

    def priced_cycles(self) -> float:
        return self.edges.cycles

    def stop_at(self, cycles: float) -> None:
        self.edges.limit = cycles

    def at_stop(self) -> bool:
        return self.edges.at_limit


class Steady:
    """A meter that is told what it shows."""

    megahertz = 2.0

    def __init__(self) -> None:
        self.shown = 0.0
        self.stop = 0.0

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        pass

    def cycles(self) -> float:
        return self.shown

    priced_cycles = cycles

    def stop_at(self, cycles: float) -> None:
        self.stop = cycles

    def at_stop(self) -> bool:
        return self.shown >= self.stop


def test_microseconds_are_cycles_by_the_clock_and_what_was_waited() -> None:
    meter = Steady()
    clock = ModelClock(meter)
    meter.shown = 2001.0
    assert (clock.now(), clock.read(), clock.approximate()) == (1000, 1000, 1000)
    clock.wait(500)
    assert clock.now() == 1500


@given(shown=st.floats(0, 1e12), waits=st.lists(st.integers(0, 10_000_000), max_size=3))
def test_the_next_stop_is_at_the_next_tick(shown: float, waits: list[int]) -> None:
    meter = Steady()
    meter.shown = shown
    clock = ModelClock(meter)
    clock.plan()
    for wait in waits:
        clock.wait(wait)
    assert not clock.tick_is_due()
    before = clock.ticks()
    meter.shown = meter.stop
    assert clock.tick_is_due()
    assert clock.ticks() == before + 1
    # No more than the rounding of a microsecond late.
    meter.shown = meter.stop - 2 * 2 * meter.megahertz
    assert clock.ticks() == before


def make(meter: OneCycleABlock, cpu: str) -> Macintosh:
    return make_mac(cpu, settings=Settings(timeout=120), clock=ModelClock(meter))


LAST = START_TICKS + 5
# loop: MOVE.L $16A.W,D0; CMPI.L #LAST,D0; BCS loop; RTS
M68K_WAITS = f"2038 016a 0c80 {LAST:08x} 65f4 4e75"
# loop: li r4,0x16A; lwz r3,0(r4); cmplwi r3,LAST; blt loop; blr
PPC_WAITS = f"3880016a 80640000 2803{LAST:04x} 4180fff4 4e800020"


@pytest.mark.parametrize(("cpu", "code"), [("68040", M68K_WAITS), ("601", PPC_WAITS)])
def test_a_program_that_watches_the_tick_count_in_low_memory_sees_every_tick(
    cpu: str, code: str
) -> None:
    seen = []
    for _ in range(2):
        meter = OneCycleABlock(each=3.0)
        mac = make(meter, cpu)
        registers = run_code(mac, code)
        assert registers["d0" if cpu == "68040" else "r3"] == LAST
        ticks = mac.clock.now() * TICKS_A_SECOND / 1e6
        assert 5 <= ticks < 5.001
        seen.append((mac.clock.now(), meter.edges.edges().tolist()))
    assert seen[0] == seen[1], "the same at every run, whatever the host does meanwhile"


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_the_clock_that_a_program_reads_goes_by_what_it_executed(cpu: str) -> None:
    # Microseconds; MOVE.L D0,D3; MOVE.W #999,D1; loop: NOP; DBRA D1,loop; Microseconds; RTS
    code = "a193 2600 323c 03e7 4e71 51c9 fffc a193 4e75"
    mac = make(OneCycleABlock(megahertz=0.5), cpu)
    registers = run_code(mac, code)
    # 1,000 rounds of one cycle, and those of the blocks up to the second trap.
    assert registers["d0"] - registers["d3"] == 2 * (1000 + 1)


def test_low_memory_is_brought_up_to_date_without_a_report() -> None:
    mac = make(OneCycleABlock(), "68040")
    run_code(mac, M68K_WAITS)
    assert mac.guest.u32(LowMemory.TICKS) == LAST
    assert mac.outputs.findings == {}


def test_other_clocks_do_not_stop_the_guest() -> None:
    clock = CallClock()
    assert not clock.counts_ticks and not clock.tick_is_due()
    clock.plan()
    assert clock.approximate() == clock.now() == 0
