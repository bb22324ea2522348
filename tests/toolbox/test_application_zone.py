"""The application's zone, which grows towards the stack, and what lies between them."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.guest.layout import GAP, LowMemory
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import HEAP, STACK, do, make_mac, run_code


@pytest.fixture(params=["68040", "601"])
def small(request: pytest.FixtureRequest) -> Macintosh:
    """One of each processor, whose zone has not grown."""
    return make_mac(request.param, is_grown=False)


def low(mac: Macintosh, place: int) -> int:
    return mac.guest.u32(place)


def limits(mac: Macintosh) -> tuple[int, int]:
    return low(mac, LowMemory.HEAP_END), low(mac, LowMemory.APPLICATION_LIMIT)


def memory_error(mac: Macintosh) -> int:
    return mac.guest.i16(LowMemory.MEMORY_ERROR)


def test_heap_and_stack_are_one_piece_below_the_globals(small: Macintosh) -> None:
    mac, layout = small, small.layout
    assert low(mac, LowMemory.APPLICATION_ZONE) == layout.heap
    assert low(mac, LowMemory.CURRENT_STACK_BASE) == layout.globals_start
    for address in range(layout.heap, low(mac, LowMemory.CURRENT_A5), 4096):
        assert mac.guest.is_mapped(address)
    end, limit = limits(mac)
    assert limit == layout.stack_top - STACK
    assert low(mac, LowMemory.HIGH_HEAP_MARK) == end < limit - HEAP // 2
    assert low(mac, LowMemory.BUFFER_POINTER) > low(mac, LowMemory.CURRENT_A5)


def test_the_zone_grows_when_it_has_no_room(small: Macintosh) -> None:
    mac = small
    free, (end, limit) = do(mac, "FreeMem"), limits(mac)
    size = HEAP // 2
    assert free < size
    handle = do(mac, "NewHandle", size)
    assert handle and do(mac, "FreeMem") < size
    assert size <= limits(mac)[0] - end < size + (64 << 10)
    assert do(mac, "NewPtr", HEAP) == 0 and memory_error(mac) == -108
    assert low(mac, mac.memory.heap.start) == mac.memory.heap.space.last.start
    do(mac, "SetHandleSize", handle, size + 100_000)
    assert do(mac, "GetHandleSize", handle) == size + 100_000
    mac.memory.finish()
    assert not mac.outputs.findings
    assert limits(mac)[1] == limit


def test_maxapplzone_lets_it_grow_to_its_limit(small: Macintosh) -> None:
    mac = small
    free, (end, limit) = do(mac, "FreeMem"), limits(mac)
    grow = do(mac, "NewPtr", 4)
    do(mac, "MaxMem", *([grow] if mac.cpu.name == "601" else []))
    if mac.cpu.name == "601":
        assert mac.guest.u32(grow) == pytest.approx(limit - end, abs=4096)
    do(mac, "MaxApplZone")
    assert limits(mac) == (limit, limit)
    assert do(mac, "FreeMem") - free == pytest.approx(limit - end, abs=4096)
    do(mac, "SetApplLimit", limit - 4096)  # the zone has it already
    assert memory_error(mac) == -108
    assert limits(mac) == (limit, limit)


def test_a_lower_limit_leaves_more_to_the_stack(small: Macintosh) -> None:
    mac = small
    _, limit = limits(mac)
    do(mac, "SetApplLimit", limit - 400_000)
    assert (memory_error(mac), do(mac, "GetApplLimit")) == (0, limit - 400_000)
    do(mac, "MaxApplZone")
    assert limits(mac) == (limit - 400_000, limit - 400_000)
    do(mac, "SetApplLimit", mac.layout.stack_top - 100)  # the stack keeps its usual size
    assert do(mac, "GetApplLimit") == limit


def test_the_stack_is_measured_from_the_heap() -> None:
    mac = make_mac("68040", is_grown=False)
    space = run_code(mac, "a065 4e75")["d0"]  # _StackSpace
    assert space == mac.layout.stack_top - 4 - limits(mac)[0] > HEAP // 2
    assert run_code(mac, "a063 a065 4e75")["d0"] == STACK - 4  # after _MaxApplZone


def test_the_zone_leaves_the_stack_what_it_has_taken() -> None:
    mac = make_mac("68040", is_grown=False)
    # suba.l #700000,a7; _MaxApplZone; adda.l #700000,a7
    run_code(mac, f"9ffc{700_000:08x} a063 dffc{700_000:08x} 4e75")
    end, limit = limits(mac)
    assert limit - HEAP < end < mac.layout.stack_top - 700_000 < limit


@pytest.mark.parametrize(("grown", "depth"), [(False, 500_000), (True, STACK - 64)])
def test_the_stack_has_all_that_the_heap_leaves(grown: bool, depth: int) -> None:
    mac = make_mac("68040", is_grown=grown)
    push = f"223c{depth // 4:08x} 2f01 5381 66fa dffc{depth:08x} 4e75"
    assert run_code(mac, push)["a7"] == mac.layout.stack_top


@pytest.mark.parametrize("grown", [False, True])
def test_a_stack_that_runs_into_the_heap_is_stopped(grown: bool) -> None:
    mac = make_mac("68040", is_grown=grown)
    with pytest.raises(GuestStopError, match=r"run into the heap \(system error 28\)"):
        run_code(mac, "2f01 60fc")


def test_what_lies_just_above_the_heap_is_read_but_not_written() -> None:
    mac = make_mac("68040")
    end = mac.memory.heap.end
    # move.l -2(end),d0: the last bytes of the heap, and the first ones above it
    assert run_code(mac, f"2039{end - 2:08x} 4e75")["d0"] == mac.guest.u32(end - 2)
    with pytest.raises(GuestStopError, match="behind the heap"):
        run_code(mac, f"23c0{end:08x} 4e75")
    with pytest.raises(GuestStopError, match="may not be written"):
        do(mac, "BlockMove", mac.layout.heap, end, 4)


def test_memory_that_the_zone_grew_into_can_be_written_and_executed() -> None:
    mac = make_mac("68040", is_grown=False)
    place = mac.memory.heap.end + GAP // 2  # behind the heap, and in it later
    with pytest.raises(GuestStopError, match="may not be written"):
        run_code(mac, f"33fc4e75{place:08x} 4eb9{place:08x} 4e75")
    do(mac, "NewPtr", 2 * GAP)
    assert mac.memory.heap.end > place
    run_code(mac, f"33fc4e75{place:08x} 4eb9{place:08x} 4e75")


def test_a_zone_that_glue_lets_grow_is_as_large_as_it_says() -> None:
    """The glue of 1984 writes the new end, a free block and a trailer by itself."""
    mac = make_mac("68040", is_grown=False)
    guest, zone = mac.guest, mac.memory.heap.start
    end, limit = limits(mac)
    free = do(mac, "FreeMem")
    for place, value in (
        (end, limit - end),
        (limit - 12, 12),
        (zone, limit - 12),
        (LowMemory.HEAP_END, limit),
    ):
        guest.put32(place, value)
    assert do(mac, "FreeMem") - free == pytest.approx(limit - end, abs=4096)
    assert do(mac, "NewPtr", HEAP - (200 << 10))
    mac.memory.heap.verify_all(fill=True)
