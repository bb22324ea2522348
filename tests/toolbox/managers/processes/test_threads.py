"""Threads: who is next, and what cannot go on. `threads.cpp` beside the programs runs them."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.processes.thread_turns import APPLICATION, ThreadTurns
from tests.toolbox.conftest import do, has_found

COOPERATIVE, SUSPENDED, PREMADE, IF_NEEDED = 1, 1, 2, 4
READY, STOPPED = 0, 1
TOO_MANY, NOT_FOUND, PROTOCOL = -617, -618, -619


def turns(mac: Macintosh) -> ThreadTurns:
    manager = mac.managers["thread_turns"]
    assert isinstance(manager, ThreadTurns)
    return manager


def new(mac: Macintosh, options: int = 0, size: int = 0) -> int:
    """The number of a new thread, or the error."""
    place = mac.memory.new_pointer(4, clear=True)
    error = do(mac, "NewThread", COOPERATIVE, 0, 0, size, options, 0, place)
    return int(error) or mac.guest.u32(place)


def free(mac: Macintosh, size: int = 0) -> int:
    place = mac.memory.new_pointer(2)
    assert do(mac, "GetSpecificFreeThreadCount", COOPERATIVE, size, place) == 0
    return mac.guest.u16(place)


def test_a_program_whose_threads_are_all_stopped_could_never_go_on(mac: Macintosh) -> None:
    new(mac, SUSPENDED)
    with pytest.raises(GuestStopError, match="all threads of the program are stopped"):
        do(mac, "SetThreadState", APPLICATION, STOPPED, 0)


def test_threads_of_a_pool_are_used_up(mac: Macintosh) -> None:
    assert do(mac, "CreateThreadPool", COOPERATIVE, 2, 8192) == 0
    assert (free(mac), free(mac, 9000)) == (2, 0)
    assert new(mac, PREMADE, 9000) == TOO_MANY
    assert new(mac, PREMADE | IF_NEEDED, 9000) > APPLICATION
    first = new(mac, PREMADE, 4000)
    assert free(mac) == 1
    assert do(mac, "DisposeThread", first, 0, True) == 0
    assert free(mac) == 2
    assert do(mac, "DisposeThread", first, 0, True) == NOT_FOUND
    assert do(mac, "DisposeThread", APPLICATION, 0, False) == PROTOCOL


def test_a_thread_is_as_large_as_memory_allows(mac: Macintosh) -> None:
    memory_full = -108
    assert new(mac, size=1 << 28) == memory_full


def test_a_thread_waits_for_routines_that_another_one_called_back(mac: Macintosh) -> None:
    threads, other = turns(mac), new(mac)
    mac.host.depth = 1  # the program's own thread has been called back, and yields
    assert threads._choose(0) is threads.threads[other]
    threads.current = threads.threads[other]
    assert threads._choose(0) is threads.threads[APPLICATION]
    mac.host.depth = 2  # the other one is called back, too: that must return first
    assert threads._choose(APPLICATION) is threads.threads[other]


def test_the_programs_scheduler_chooses(mac: Macintosh) -> None:
    threads, first, second = turns(mac), new(mac), new(mac)
    seen = []

    def choose(address: int, heading: str, record: int) -> int:
        seen.append([mac.guest.u32(record + 4 * number) for number in range(4)])
        return second

    mac.host.call_guest = choose
    assert do(mac, "SetThreadScheduler", 0x1000) == 0
    assert threads._choose(first) is threads.threads[second]
    assert seen == [[16, APPLICATION, first, 0]]


def test_interrupt_routines_make_stopped_threads_ready(mac: Macintosh) -> None:
    task, state, other = mac.memory.new_pointer(4), mac.memory.new_pointer(2), new(mac, SUSPENDED)
    assert do(mac, "GetThreadCurrentTaskRef", task) == 0
    reference = mac.guest.u32(task)
    assert do(mac, "SetThreadReadyGivenTaskRef", reference + 1, other) == PROTOCOL
    assert do(mac, "SetThreadReadyGivenTaskRef", reference, other) == 0
    assert do(mac, "GetThreadStateGivenTaskRef", reference, other, state) == 0
    assert mac.guest.u16(state) == READY
    assert do(mac, "SetThreadReadyGivenTaskRef", reference, other) == PROTOCOL
    assert do(mac, "GetThreadState", 99, state) == NOT_FOUND


def test_a_critical_section_that_was_not_begun_does_not_end(mac: Macintosh) -> None:
    assert do(mac, "ThreadEndCritical") == PROTOCOL
    assert do(mac, "ThreadBeginCritical") == do(mac, "ThreadEndCritical") == 0
    assert do(mac, "SetThreadStateEndCritical", APPLICATION, READY, 0) == PROTOCOL
    assert not has_found(mac, "")


@pytest.mark.parametrize("name", ["SwitchThreads", "EndThread"])
def test_a_program_that_makes_an_exchange_itself_is_stopped(mac: Macintosh, name: str) -> None:
    with pytest.raises(GuestStopError, match="only a thread's call or end leads"):
        do(mac, name)


def test_a_new_thread_has_its_whole_stack_free(mac: Macintosh) -> None:
    place, other = mac.memory.new_pointer(4), new(mac, size=8192)
    assert do(mac, "ThreadCurrentStackSpace", other, place) == 0
    assert mac.guest.u32(place) == 8192
    assert do(mac, "ThreadCurrentStackSpace", APPLICATION, place) == 0
    assert 0 < mac.guest.u32(place) <= mac.layout.stack_top - mac.layout.stack
    assert do(mac, "GetDefaultThreadStackSize", COOPERATIVE, place) == 0
    assert mac.guest.u32(place) == 24 << 10
