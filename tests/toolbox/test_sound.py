"""The Sound Manager: channels take commands, and call back."""

from __future__ import annotations

import pytest

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.system import SndChannel, SndCommand
from tests.toolbox.conftest import do

BAD_CHANNEL, CALL_BACK, QUIET = -205, 13, 3
# Adds the first parameter of the command to a word: 68K with Pascal's heading (chan, cmd: Ptr).
CODE_68K = "206f0004 30280002 d179{cell:08x} 205f 508f 4ed0"
# The same: lha r6,2(r4); lis r5; ori r5; lhz r7,0(r5); add r7; sth r7; blr
CODE_POWERPC = "a8c40002 3ca0{high:04x} 60a5{low:04x} a0e50000 7ce73214 b0e50000 4e800020"


def callback(mac: Macintosh, cell: int) -> int:
    form = CODE_68K if mac.cpu.architecture == "m68k" else CODE_POWERPC
    code = bytes.fromhex(form.format(cell=cell, high=cell >> 16, low=cell & 0xFFFF))
    place = mac.memory.new_pointer(len(code) + 8)
    mac.guest.write(place, code)
    mac.guest.put32(place + len(code), place)
    return place if mac.cpu.architecture == "m68k" else place + len(code)


@pytest.mark.parametrize("own", [False, True])
def test_a_channel_calls_back_once_for_each_command(mac: Macintosh, own: bool) -> None:
    cell, variable = mac.memory.new_pointer(4, clear=True), mac.memory.new_pointer(4, clear=True)
    if own:
        mac.guest.put32(variable, mac.memory.new_pointer(SndChannel.size, clear=True))
    assert do(mac, "SndNewChannel", variable, 5, 0, callback(mac, cell)) == 0
    channel = mac.guest.u32(variable)
    command = SndCommand(mac.guest, mac.memory.new_pointer(SndCommand.size, clear=True))
    for number, parameter in ((QUIET, 100), (CALL_BACK, 7)):
        command.cmd, command.param1 = number, parameter
        assert do(mac, "SndDoCommand", channel, command.address, False) == 0
    assert mac.guest.u16(cell) == 0  # not before the program waits
    do(mac, "TickCount")
    do(mac, "TickCount")
    assert mac.guest.u16(cell) == 7
    assert do(mac, "SndPlay", channel, 0, True) == do(mac, "SndPlay", 0, 0, False) == 0
    assert do(mac, "SndDoImmediate", channel, command.address) == 0
    assert do(mac, "SndDisposeChannel", channel, True) == 0
    do(mac, "TickCount")
    assert mac.guest.u16(cell) == 7  # a closed channel does not call back
    assert do(mac, "SndDisposeChannel", channel, True) == BAD_CHANNEL
    assert do(mac, "SndDoCommand", channel, command.address, False) == BAD_CHANNEL
    assert not mac.outputs.findings


def test_no_tool_of_the_sound_dispatcher_is_there(mac: Macintosh) -> None:
    assert do(mac, "SndDispVersion", 4) == 0  # the MIDI Manager


def test_what_the_sound_manager_tells(mac: Macintosh) -> None:
    variable, status = mac.memory.new_pointer(4, clear=True), mac.memory.new_pointer(24)
    assert do(mac, "SndNewChannel", variable, 0, 0, 0) == 0
    channel = mac.guest.u32(variable)
    assert do(mac, "SndChannelStatus", channel, 24, status) == 0
    assert mac.guest.read(status, 24) == bytes(24)
    assert do(mac, "SndManagerStatus", 6, status) == 0
    assert mac.guest.read(status, 6) == bytes.fromhex("0064 0001 0000")
    assert do(mac, "SndPlayDoubleBuffer", channel, 0) == -201  # no hardware for it
    for name in ("SndChannelStatus", "SndPlayDoubleBuffer"):
        assert do(mac, name, 4, *((24, status) if "Status" in name else (0,))) == BAD_CHANNEL


def test_whether_the_beep_sounds_is_kept(mac: Macintosh) -> None:
    state = mac.memory.new_pointer(2)
    do(mac, "SndGetSysBeepState", state)
    assert mac.guest.u16(state) == 1
    assert [do(mac, "SndSetSysBeepState", value) for value in (0, 2)] == [0, -50]
    do(mac, "SndGetSysBeepState", state)
    assert mac.guest.u16(state) == 0
