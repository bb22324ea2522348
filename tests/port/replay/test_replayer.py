"""Old functions do again what they did, and a changed call, function or answer is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from emu.port.recording.store import RecordedCall, RecordingStore
from emu.port.replay.comparison import ReplayComparison, ResultPlace
from emu.port.replay.replayer import FAULT, OTHER_CALL, TOO_LONG, Replayer, code_limit
from tests.port.old_game_recordings import TERMS, place, recorded

NAMES = ("Place", "CountDiscs", "DrawScore", "Search", "MakeMove", "SaveGame")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RecordingStore:
    return recorded(tmp_path_factory.mktemp("recordings") / "r.sqlite", NAMES)


@pytest.fixture(scope="module")
def replayer(store: RecordingStore) -> Iterator[Replayer]:
    yield Replayer(TERMS, store)


def first(store: RecordingStore, name: str) -> RecordedCall:
    return next(store.calls(place(name)))


@pytest.mark.parametrize("name", NAMES)
def test_an_old_function_equals_itself_whatever_junk_lies_around(
    store: RecordingStore, replayer: Replayer, name: str
) -> None:
    comparison = ReplayComparison(replayer, ResultPlace(), 0)
    calls = list(store.calls(place(name)))
    assert calls
    for call in calls:
        one, other = (replayer.run(call, call.entry, junk=junk) for junk in (0, 1))
        assert one.returned, one.reason
        assert not comparison.compare(call, one, other)
        assert one.pages  # it has changed something, if only its stack


def test_a_result_that_differs_is_seen(store: RecordingStore, replayer: Replayer) -> None:
    call = first(store, "CountDiscs")
    one = replayer.run(call, call.entry)
    index = replayer.session.mac.engine.index["d0"]
    changed = replace(one, registers=tuple(v ^ (n == index) for n, v in enumerate(one.registers)))
    compare = ReplayComparison(replayer, ResultPlace("d0", 16), 0).compare
    assert compare(call, one, changed).result is not None
    assert not compare(call, one, one)


def test_the_second_register_of_64_bits_is_compared(
    store: RecordingStore, replayer: Replayer
) -> None:
    call = first(store, "CountDiscs")
    one = replayer.run(call, call.entry)
    index = replayer.session.mac.engine.index
    registers = list(one.registers)
    registers[index["d0"]], registers[index["d1"]] = 1, 2
    old = replace(one, registers=tuple(registers))
    registers[index["d1"]] = 3
    new = replace(one, registers=tuple(registers))
    compare = ReplayComparison(replayer, ResultPlace("d0", 64, "d1"), 0).compare
    assert compare(call, old, new).result == (1 << 32 | 2, 1 << 32 | 3)
    assert not compare(call, old, old)
    assert not ReplayComparison(replayer, ResultPlace("d0"), 0).compare(call, old, new)


def test_a_byte_and_a_register_that_differ_are_seen(
    store: RecordingStore, replayer: Replayer
) -> None:
    call = first(store, "Place")
    one = replayer.run(call, call.entry)
    heap = replayer.session.mac.layout.globals_start
    other = replayer.run(call, call.entry, changed={heap: b"\xa7"}, registers={3: 99})
    found = ReplayComparison(replayer, ResultPlace(), 0).compare(call, one, other)
    assert heap in found.addresses
    assert found.registers == ("d3",)
    ignoring = ReplayComparison(replayer, ResultPlace(), 0, [range(heap, heap + 1)])
    assert heap not in ignoring.compare(call, one, other).addresses


@pytest.mark.parametrize("at", [0x16A, 0x16D, 0x20C, 0x20F])
def test_the_clocks_of_the_system_are_not_compared(
    store: RecordingStore, replayer: Replayer, at: int
) -> None:
    """Ticks and Time tell how long the code took."""
    call = first(store, "Place")
    one = replayer.run(call, call.entry)
    other = replayer.run(call, call.entry, changed={at: b"\xa7", 0x210: b"\xa7"})
    compare = ReplayComparison(replayer, ResultPlace(), 0).compare
    assert compare(call, one, other).addresses == (0x210,)


def test_another_function_makes_other_calls(store: RecordingStore, replayer: Replayer) -> None:
    call = first(store, "DrawScore")
    assert call.toolbox
    quiet = replayer.run(call, first(store, "CountDiscs").entry)
    assert (quiet.end, "does not make Toolbox call 1" in quiet.reason) == (OTHER_CALL, True)
    fewer = replayer.run(replace(call, toolbox=call.toolbox[:1]), call.entry)
    assert (fewer.end, "makes no more" in fewer.reason) == (OTHER_CALL, True)
    answer = replace(call.toolbox[0], name="SysBeep")
    renamed = replayer.run(replace(call, toolbox=(answer, *call.toolbox[1:])), call.entry)
    assert "SysBeep" in renamed.reason


def test_a_function_that_loops_or_faults_is_left(store: RecordingStore, replayer: Replayer) -> None:
    call = first(store, "Place")
    start = 0x01F0_0000
    replayer.put_graft(start, bytes.fromhex("60fe"))  # BRA.S to itself
    endless = replayer.run(call, start, most_code=1000)
    assert (endless.end, endless.reason) == (
        TOO_LONG,
        "it had executed 1,002 bytes of code and had not returned",
    )
    replayer.put_graft(start, bytes.fromhex("2039ffff0000 4e75"))  # MOVE.L $FFFF0000,D0
    assert replayer.run(call, start).end == FAULT
    writing = bytes.fromhex("42b901f0000a 4e75 0000") + b"text"  # CLR.L of its own text; RTS
    replayer.put_graft(start, writing)
    memory = replayer.session.mac.engine.memory
    assert replayer.run(call, start).returned
    assert memory.view(start + 10, 4).tobytes() == bytes(4)
    assert replayer.run(call, call.entry).returned  # nothing is left of it
    assert memory.view(start + 10, 4).tobytes() == b"text"


def test_a_call_is_given_up_after_so_much_code_and_not_after_some_time(
    store: RecordingStore, replayer: Replayer
) -> None:
    call = first(store, "CountDiscs")
    twin = replayer.twin()
    twin.count_edges()
    for each in (replayer, twin):
        whole = each.run(call, call.entry)
        assert whole.returned
        assert whole.code == replayer.run(call, call.entry).code > 100
        assert each.run(call, call.entry, most_code=whole.code).returned
        assert each.run(call, call.entry, most_code=whole.code - 40).end == TOO_LONG
    assert code_limit(10.0) < code_limit(1e9) == 20_000_000_000


def test_a_function_that_calls_the_toolbox_for_ever_is_left(
    store: RecordingStore, replayer: Replayer
) -> None:
    call = first(store, "Place")
    replayer.put_graft(0x01F0_0000, bytes.fromhex("2f3c00050003 a86a 60f6"))  # HiWord, BRA.S
    assert replayer.run(call, 0x01F0_0000).end == TOO_LONG
