"""What a recorded call of the Toolbox wrote comes to where the new function has its variables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emu.machine.memory.memory import PAGE
from emu.port.recording.store import RecordingStore
from emu.port.recording.toolbox_calls import OtherToolboxCallError, ToolboxAnswer
from emu.port.replay.replayer import Replayer
from emu.port.replay.toolbox_replay import ToolboxReplay
from emu.toolbox.guest.guest_types import Point
from tests.port.old_game_recordings import TERMS, place, recorded


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RecordingStore:
    folder = tmp_path_factory.mktemp("recording")
    return recorded(folder / "r.sqlite", ("CountDiscs",), most=1)


def test_two_locals_that_lay_side_by_side_are_written_each_where_it_is_now(
    store: RecordingStore,
) -> None:
    replayer = Replayer(TERMS, store)
    call = next(store.calls(place("CountDiscs")))
    mac = replayer.session.mac
    pointer = mac.layout.stack + 0x4000
    first, second = pointer - 12, pointer - 8
    answer = ToolboxAnswer(
        "GetDialogItem", (first, second), None, (), ((first, b"type" + b"handle.."),), {}
    )
    here, there = pointer - 40, pointer - 60
    mac.engine.memory.write(there, bytes(32))
    replay = ToolboxReplay(mac, replace(call, toolbox=(answer,)), pointer, "a7", ())
    replay.answer("GetDialogItem", (here, there))
    assert mac.engine.memory.view(here, 12).tobytes() == b"type" + bytes(8)
    assert mac.engine.memory.view(there, 8).tobytes() == b"handle.."


def test_low_memory_is_accessed_without_a_call_of_the_original(store: RecordingStore) -> None:
    replayer = Replayer(TERMS, store)
    call = next(store.calls(place("CountDiscs")))
    replay = ToolboxReplay(replayer.session.mac, call, call.entry, "a7", ())
    assert replay.is_own("LMGetRndSeed")
    assert replay.is_own("LMSetRndSeed")
    assert not replay.is_own("GetDialogItem")


def test_routines_without_a_trap_that_read_low_memory_are_done_on_the_machine(
    store: RecordingStore,
) -> None:
    replayer = Replayer(TERMS, store)
    call = next(store.calls(place("CountDiscs")))
    mac = replayer.session.mac
    memory, variable = mac.engine.memory, mac.layout.stack + 0x4000
    replay = ToolboxReplay(mac, replace(call, toolbox=()), variable, "a7", ())
    memory.write(0x20C, bytes.fromhex("a1b2c3d4"))
    memory.write(0xBAA, bytes.fromhex("fffe"))
    assert replay.is_own("GetDateTime")
    assert replay.own("GetDateTime", (variable,), _no_toolbox) is None
    assert memory.view(variable, 4).tobytes().hex() == "a1b2c3d4"
    assert replay.own("GetMBarHeight", (), _no_toolbox) == -2
    assert replay.own("LMSetRndSeed", (-2,), _no_toolbox) is None
    assert replay.own("LMGetRndSeed", (), _no_toolbox) == -2
    assert replay.own("LMSetMouse", (Point(-3, 4),), _no_toolbox) is None
    assert replay.own("LMGetMouse", (), _no_toolbox) == Point(-3, 4)
    assert replay.pages == {variable & -PAGE, 0}  # or the next call would find what was written
    assert replay.own("HiWord", (0x10000,), lambda: 1) == 1
    answer = ToolboxAnswer("GetDateTime", (variable,), None, (), (), {})
    by_trap = ToolboxReplay(mac, replace(call, toolbox=(answer,)), variable, "a7", ())
    assert not by_trap.is_own("GetDateTime")  # the original called it: it is compared


def test_accesses_that_the_original_made_by_a_call_are_answered_or_passed_over(
    store: RecordingStore,
) -> None:
    replayer = Replayer(TERMS, store)
    mac, call = replayer.session.mac, next(store.calls(place("CountDiscs")))
    seed = ((0x156, b"\xaa\xe2\x75\xc0"),)
    answers = (
        ToolboxAnswer("LMSetRndSeed", (-0x551D8A40,), None, (), seed, {}),
        ToolboxAnswer("LMGetTicks", (), 77, (), (), {}),
        ToolboxAnswer("InitFonts", (), None, (), (), {}),
    )

    def replay() -> ToolboxReplay:
        mac.engine.memory.write(0x156, bytes(4))
        return ToolboxReplay(mac, replace(call, toolbox=answers), call.entry, "a7", ())

    by_calls = replay()
    assert not by_calls.is_own("LMSetRndSeed")
    by_calls.answer("LMSetRndSeed", (-0x551D8A40,))
    assert by_calls.answer("LMGetTicks", ()) == 77
    by_calls.answer("InitFonts", ())
    assert by_calls.rest() == ""
    assert mac.engine.memory.view(0x156, 4).tobytes() == seed[0][1]
    with pytest.raises(OtherToolboxCallError) as error:
        replay().answer("LMSetRndSeed", (1,))
    assert str(error.value).endswith("is 1, and 0xaae275c0 in the original")
    by_itself = replay()
    assert by_itself.answer("LMGetTicks", ()) == 77
    by_itself.answer("InitFonts", ())
    # Else nobody would see that a function does not set the seed.
    assert mac.engine.memory.view(0x156, 4).tobytes() == bytes(4)
    with pytest.raises(OtherToolboxCallError, match="Toolbox call 3 is InitMenus"):
        replay().answer("InitMenus", ())


@pytest.mark.parametrize(("name", "has_trap"), [("GetIndString", False), ("FADDLong", True)])
def test_a_call_without_a_trap_names_the_mark_that_it_wants(
    store: RecordingStore, name: str, has_trap: bool
) -> None:
    replayer = Replayer(TERMS, store)
    call = next(store.calls(place("CountDiscs")))
    answer = ToolboxAnswer("GetResource", (0, 128), 0, (), (), {})
    for calls in ((), (answer,)):
        replay = ToolboxReplay(
            replayer.session.mac, replace(call, toolbox=calls), call.entry, "a7", ()
        )
        with pytest.raises(OtherToolboxCallError) as error:
            replay.answer(name, (1,), has_trap=has_trap)
        assert ("a mark LIBRARY" in str(error.value)) is not has_trap


def _no_toolbox() -> None:
    raise AssertionError("the Toolbox was called")
