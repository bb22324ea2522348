"""Calling routines that behave: arguments, results, globals, the heap, batches, the layout."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from emu.base.errors import ProgramError, UsageError
from emu.machine import CPUS, BareMachine, Budget, ContractViolation
from emu.machine.calls.execution.slow_calls import SlowCalls
from emu.machine.engine.base.watchdog import Watchdog
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.layout import FILL, GAP, regions_for
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from emu.program import Program
from tests.rows import slow_but

NewMachine = Callable[..., BareMachine]

WEIGHTS = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)


# -- arguments and results --------------------------------------------------------------------


@pytest.mark.parametrize("count", range(11))
def test_arguments_arrive_in_order(machine: BareMachine, count: int) -> None:
    """Each has a weight of its own; beyond eight a PowerPC takes them from the stack."""
    for values in (tuple(range(1, count + 1)), tuple(1000 * (n % 3) - n * n for n in range(count))):
        weighted = sum(w * v for w, v in zip(WEIGHTS, values, strict=False))
        expected = weighted if count else 1000
        assert machine.call(f"Take{count}", *values) == expected & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (-1, 0xFFFFFFFE),
        (-(1 << 31), 0),
        (0x7FFFFFFF, 0xFFFFFFFE),
        (0x80000001, 2),
        (0xFFFFFFFF, 0xFFFFFFFE),
    ],
)
def test_arguments_at_the_limits(machine: BareMachine, argument: int, expected: int) -> None:
    assert machine.call("Take1", argument) == expected


@pytest.mark.parametrize("argument", [1 << 32, -(1 << 31) - 1])
def test_arguments_beyond_32_bits_are_refused(machine: BareMachine, argument: int) -> None:
    with pytest.raises(UsageError, match=f"argument {argument} does not fit 32 bits"):
        machine.call("Take1", argument)


def test_more_arguments_than_the_frame_holds_are_refused(machine: BareMachine) -> None:
    with pytest.raises(
        UsageError, match=r"the arguments take .* bytes of the stack; a call can have 512"
    ):
        machine.call("Take1", *range(200))
    assert machine.call("Take1", *range(100)) == 0


def test_a_short_result_is_in_the_low_half(machine: BareMachine) -> None:
    """What the other half holds is the compiler's own affair: 68K leaves it, PowerPC extends."""
    assert machine.call("Narrow", 5) & 0xFFFF == 5
    assert machine.call("Narrow", 0x18000) & 0xFFFF == 0x8000
    assert machine.call("Narrow", -1) & 0xFFFF == 0xFFFF


def test_a_routine_may_change_the_slots_of_its_arguments(machine: BareMachine) -> None:
    assert machine.call("ChangesItsArguments", *range(10)) == 8 + sum(range(1, 8))


def test_scratch_registers_are_free(machine: BareMachine) -> None:
    machine.call("ClobbersScratch")


def test_a_routine_that_is_not_there(machine: BareMachine) -> None:
    with pytest.raises(ProgramError, match="there is no function Nothing"):
        machine.call("Nothing")


def test_a_program_for_another_processor(new_machine: NewMachine, m68k: BareMachine) -> None:
    with pytest.raises(ProgramError, match="a m68k program and cannot run on a PowerPC 601"):
        BareMachine(m68k.program, CPUS["601"])


# -- globals and memory -----------------------------------------------------------------------


def test_globals_are_views_both_ways(machine: BareMachine) -> None:
    objects = machine.globals["gObjects"]
    assert objects.shape == (5,)
    assert machine.globals["gCounter"].shape == ()
    objects["x"][3] = 5
    objects["x"][:3] = [-7, 100, -16384]
    machine.call("MoveObjects")
    assert objects["y"].tolist() == [-14, 200, -32768, 10, 0]
    assert bytes(objects["tag"].astype(np.uint8)) == b"abcde"
    assert machine.globals["gTotal"][()] == 1.5
    assert machine.globals["gTable"].tolist() == [[1, 2, 3], [4, 5, 8]]


def test_pointers_are_indices(machine: BareMachine) -> None:
    machine.call("MoveObjects")
    links = machine.globals["gObjects"]["link"].tolist()
    assert [machine.globals.index_of("gObjects", link) for link in links] == [1, 2, 3, 4, -1]
    for address in (links[0] + 1, links[0] - 2 * machine.program.variable("gObjects").type.size):
        with pytest.raises(ProgramError, match=f"0x{address:08x} points at no element of gObjects"):
            machine.globals.index_of("gObjects", address)


def test_globals_are_a_mapping(machine: BareMachine) -> None:
    names = set(machine.globals)
    assert {"gObjects", "gCounter", "gTotal", "gTable"} <= names
    assert len(machine.globals) == len(names)
    assert "gCounter" in machine.globals
    assert "gNothing" not in machine.globals
    with pytest.raises(ProgramError, match="no global variable gNothing"):
        machine.globals["gNothing"]


def test_state_lasts_between_calls_and_reset_ends_it(machine: BareMachine) -> None:
    assert [machine.call("Bump") for _ in range(3)] == [8, 9, 10]
    assert machine.globals["gCounter"] == 10
    machine.reset()
    assert machine.globals["gCounter"] == 7
    assert machine.call("Bump") == 8
    assert not np.array_equal(machine.data.copy(), machine.pristine)
    machine.reset()
    assert np.array_equal(machine.data.copy(), machine.pristine)


def test_uninitialised_stack_is_always_the_same(new_machine: NewMachine, cpu: str) -> None:
    fill = FILL - 256 & 0xFFFFFFFF
    machine = new_machine(cpu)
    assert machine.call("ReadsUninitialised") == fill
    machine.call("UsesStack", 7)
    assert machine.call("ReadsUninitialised") == fill, "after a call that used the place"
    other = new_machine(cpu)
    other.calls.trace(other.site_of_words(other.program.function("UsesStack"), 7), other.pristine)
    assert other.call("ReadsUninitialised") == fill, "after a traced call, on pages never met"


def test_heap_memory_for_arguments(new_machine: NewMachine, cpu: str) -> None:
    machine = new_machine(cpu, heap_size=PAGE)
    first, second = machine.allocate(100), machine.allocate(10)
    assert first % 16 == second % 16 == 0
    assert second >= first + 100
    machine.call("FillBytes", first, 100, 0x5A)
    assert machine.memory.view(first, 101).tolist() == [0x5A] * 100 + [0]
    assert machine.call("SumBytes", first, 100) == 100 * 0x5A
    with pytest.raises(UsageError, match="no room for 5000 bytes; build the Machine with a larger"):
        machine.allocate(5000)
    assert machine.allocate(PAGE - 256) > second


def test_without_a_heap_there_is_none(new_machine: NewMachine, cpu: str) -> None:
    with pytest.raises(UsageError, match="no room for 1 bytes"):
        new_machine(cpu, heap_size=0).allocate(1)


def test_the_image_and_addresses(machine: BareMachine) -> None:
    counter = machine.program.variable("gCounter").address
    offset = machine.data.offset(counter)
    assert machine.data.address(offset) == counter
    machine.globals["gCounter"][()] = 0x01020304
    assert machine.data.copy()[offset : offset + 4].tolist() == [1, 2, 3, 4]
    last = machine.pristine.size - 1
    assert machine.data.offset(machine.data.address(last)) == last
    with pytest.raises(UsageError, match="is not in the program's data memory"):
        machine.data.offset(machine.program.function("Bump"))
    with pytest.raises(UsageError, match="the image has no byte"):
        machine.data.address(last + 1)


# -- batches ----------------------------------------------------------------------------------


def images(machine: BareMachine, counters: list[int]) -> np.ndarray:
    """Pristine images but for gCounter."""
    before = np.tile(machine.pristine, (len(counters), 1))
    offset = machine.data.offset(machine.program.variable("gCounter").address)
    before[:, offset : offset + 4] = np.array(counters, dtype=">i4").view(np.uint8).reshape(-1, 4)
    return before


def counters_of(machine: BareMachine, after: np.ndarray) -> list[int]:
    """gCounter in each image."""
    offset = machine.data.offset(machine.program.variable("gCounter").address)
    return np.ascontiguousarray(after[:, offset : offset + 4]).view(">i4")[:, 0].tolist()


def test_a_batch_equals_call_by_call(machine: BareMachine) -> None:
    before = images(machine, [3, 0, 70000, 12, 5])
    address = machine.program.function("FaultsWhenNegative")
    batch = machine.calls.run(address, before)
    assert (batch.completed, batch.fault, batch.violations) == (5, None, {})
    assert counters_of(machine, batch.after) == [6, 0, 140000, 24, 10]
    for index, image in enumerate(before):
        machine.data.put(image)
        machine.call("FaultsWhenNegative")
        assert np.array_equal(machine.data.copy(), batch.after[index])


def test_arguments_are_the_same_for_every_call_of_a_batch(machine: BareMachine) -> None:
    batch = machine.calls.run(
        machine.site_of_words(machine.program.function("Busy"), 5), images(machine, [10, 20])
    )
    assert counters_of(machine, batch.after) == [15, 25]


def test_a_fault_in_the_middle_keeps_what_was_before(machine: BareMachine) -> None:
    before = images(machine, [1, 2, -3, 4])
    address = machine.program.function("FaultsWhenNegative")
    batch = machine.calls.run(address, before)
    assert batch.completed == 2
    assert counters_of(machine, batch.after) == [2, 4]
    assert batch.fault is not None
    assert batch.fault.reason == "write of 4 bytes to unmapped memory at 0x00400000"
    again = machine.calls.run(address, before[3:])
    assert (counters_of(machine, again.after), again.fault) == ([8], None)


def test_a_broken_contract_is_of_its_call_alone(m68k: BareMachine) -> None:
    batch = m68k.calls.run(m68k.program.function("ClobbersRegister"), images(m68k, [1, 2]))
    assert batch.completed == 2
    assert list(batch.violations) == [0, 1]
    assert counters_of(m68k, batch.after) == [1, 2]
    assert m68k.call("Bump") == 3


def test_an_empty_batch(machine: BareMachine) -> None:
    batch = machine.calls.run(machine.program.function("Bump"), images(machine, []))
    assert (batch.completed, batch.fault, batch.violations) == (0, None, {})


def test_two_machines_do_not_disturb_each_other(new_machine: NewMachine) -> None:
    machines = [new_machine(name) for name in ("68040", "601", "68040", "601")]
    for step in range(1, 4):
        for index, machine in enumerate(machines):
            machine.globals["gCounter"][()] += 100 * index
            assert machine.call("Bump") == 7 + step + 100 * index * step
    assert [int(m.globals["gCounter"][()]) for m in machines] == [10, 310, 610, 910]


# -- threads ----------------------------------------------------------------------------------


def in_another_thread(work: Callable[[], object]) -> object:
    """What some work gives, or the error it raises, in a thread named "other"."""
    outcomes: list[object] = []

    def do() -> None:
        try:
            outcomes.append(work())
        except UsageError as error:
            outcomes.append(error)

    thread = threading.Thread(target=do, name="other")
    thread.start()
    thread.join()
    return outcomes[0]


def test_a_machine_belongs_to_the_thread_that_called_it_first(
    new_machine: NewMachine, cpu: str
) -> None:
    machine = new_machine(cpu)
    assert machine.call("Bump") == 8
    bump, before = machine.program.function("Bump"), images(machine, [1])
    for work in (
        lambda: machine.call("Bump"),
        lambda: machine.calls.run(bump, before),
        lambda: machine.calls.count(bump, before),
        lambda: machine.calls.trace(bump, before[0]),
        lambda: machine.calls.run_bare(bump, before),
    ):
        refused = in_another_thread(work)
        assert isinstance(refused, UsageError)
        assert str(refused) == (
            "this Machine belongs to thread MainThread, which called it first, and was called "
            "from thread other; build a Machine in each thread"
        )
    assert machine.call("Bump") == 9


def test_a_machine_can_be_built_in_one_thread_and_used_in_another(
    new_machine: NewMachine, cpu: str
) -> None:
    machine = new_machine(cpu)
    assert in_another_thread(lambda: machine.call("Bump")) == 8
    with pytest.raises(UsageError, match="belongs to thread other"):
        machine.call("Bump")


# -- the clock --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68040", "601", "mips"]), indirect=True)
def test_a_slow_call_is_run_again_and_its_result_is_right(
    new_machine: NewMachine, cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = new_machine(cpu, budget=Budget(patience=60))
    traced = []
    trace = SlowCalls.trace

    def count(*arguments: object, **options: object) -> object:
        traced.append(arguments)
        return trace(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(SlowCalls, "trace", count)
    assert machine.call("Bump") == 8
    assert not traced, "a quick call is not"
    slow = new_machine(cpu, budget=Budget(patience=0.01))
    assert slow.call("Busy", 500_000) == 500_007
    assert len(traced) == 1, "the clock stopped the first run"
    assert slow.globals["gCounter"] == 500_007, "and it counted once"
    assert slow.call("Bump") == 500_008


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68040", "601", "mips"]), indirect=True)
def test_a_slow_call_is_counted_whole(new_machine: NewMachine, cpu: str) -> None:
    """The engine that the clock has stopped is not used again: some are opened anew after that."""
    counted = []
    for patience in (60.0, 0.0002):
        machine = new_machine(cpu, budget=Budget(patience=patience))
        busy = machine.program.function("Busy")
        counted.append(
            machine.calls.count(machine.site_of_words(busy, 50_000), images(machine, [7])).tolist()
        )
    assert counted[0] == counted[1]
    assert max(record[-1] for record in counted[0]) >= 49_998


class Clock:
    """A clock of the processor's time that the test sets."""

    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


def test_the_watchdog_barks_at_a_call_and_not_at_calls() -> None:
    stops: list[bool] = []
    clock = Clock()
    watchdog = Watchdog(lambda: stops.append(True), seconds=3, clock=clock)
    assert watchdog.look(-1) == -1, "nothing is under way"
    with watchdog:
        watchdog.calls += 1
        seen = watchdog.look(-1)
        watchdog.calls += 1
        clock.now += 3
        seen = watchdog.look(seen)
    assert not stops
    with watchdog:
        watchdog.calls += 1
        clock.now += 3
        # A call of another entry is another call, though each is the first of its own.
        seen = watchdog.look(seen)
        assert not watchdog.barked
        clock.now += 3
        watchdog.look(seen)
        assert watchdog.barked
    assert stops == [True]
    assert watchdog.look(seen) == -1
    with watchdog:
        assert not watchdog.barked


def test_a_call_that_gets_no_processor_is_not_a_slow_call() -> None:
    """Else a busy machine would change verdicts: a long call would run into the block budget."""
    clock = Clock()
    watchdog = Watchdog(lambda: None, seconds=3, clock=clock)
    with watchdog:
        watchdog.calls += 1
        seen = watchdog.look(-1)
        for _ in range(5):
            clock.now += 0.25
            watchdog.look(seen)
        assert not watchdog.barked
        for _ in range(6):  # 33 seconds have passed by the wall: it waits for something
            watchdog.look(seen)
        assert watchdog.barked


def test_no_stop_comes_after_the_watchdog_was_left() -> None:
    """It would hit a call of the next batch, which knows nothing of it."""
    order: list[str] = []
    stopping, go_on = threading.Event(), threading.Event()

    def stop() -> None:
        stopping.set()
        go_on.wait(30)
        order.append("stopped")

    clock = Clock()
    watchdog = Watchdog(stop, seconds=3600, clock=clock)
    with watchdog:
        watchdog.calls += 1
        seen = watchdog.look(-1)
        clock.now += 3600
        looking = threading.Thread(target=watchdog.look, args=(seen,))
        looking.start()
        assert stopping.wait(30)
        threading.Timer(0.05, go_on.set).start()
    order.append("left")
    looking.join()
    assert order == ["stopped", "left"]


def test_a_call_that_the_clock_disturbed_is_not_trusted(
    machine: BareMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine can lose a stop: the call then comes to its end, and may have been hit."""
    batch = images(machine, [1, 2, 3])
    run, calls = FastEngine.run, 0

    def run_and_disturb(engine: FastEngine, start: int, until: int) -> None:
        nonlocal calls
        run(engine, start, until)
        calls += 1
        if calls == 2:
            machine.calls._runner.watchdog.barked = True
            machine.globals["gCounter"][()] = 1994

    monkeypatch.setattr(FastEngine, "run", run_and_disturb)
    after = machine.calls.run(machine.program.function("Bump"), batch).after
    assert counters_of(machine, after) == [2, 3, 4]
    assert calls == 3, "the second was made again by the other engine"


# -- the layout -------------------------------------------------------------------------------


@pytest.mark.parametrize("heap", [0, 1, PAGE, 3 * PAGE + 5])
def test_no_two_regions_touch(program: Program, heap: int) -> None:
    regions = regions_for(program, heap)
    assert [r.name for r in regions[2:4]] == ["gate", "stack"]
    assert len(regions) == (5 if heap else 4)
    for before, after in pairwise(regions):
        assert after.address - before.end >= GAP
    for region in regions:
        assert region.address % PAGE == region.size % PAGE == 0
        assert not (region.writable and region.executable)
    if heap:
        assert heap <= regions[-1].size < heap + PAGE


def test_memory_says_what_it_cannot_do() -> None:
    memory = GuestMemory([MemoryRegion("a", 0x1000, PAGE, True, False)])
    with pytest.raises(UsageError, match=r"0x00001fff\.\.0x00002001 is not mapped"):
        memory.view(0x1FFF, 2)
    with pytest.raises(UsageError, match="not mapped"):
        memory.view(0, 1)
    with pytest.raises(UsageError, match="a is not made of whole pages"):
        GuestMemory([MemoryRegion("a", 0x1001, PAGE, True, False)])
    with pytest.raises(UsageError, match="a and b overlap"):
        GuestMemory(
            [
                MemoryRegion("a", 0x1000, 2 * PAGE, True, False),
                MemoryRegion("b", 0x2000, PAGE, True, False),
            ]
        )


def test_a_call_does_not_inherit_a_rounding_mode(machine: BareMachine) -> None:
    nearest = 0x3EAAAAAB
    assert machine.call("OneThird") == nearest
    with pytest.raises(
        ContractViolation, match="the rounding mode was to nearest and came back as toward zero"
    ):
        machine.call("RoundsTowardsZero")
    assert machine.call("OneThird") == nearest
