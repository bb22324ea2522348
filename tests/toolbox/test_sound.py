"""The Sound Manager: channels take commands, and call back."""

from __future__ import annotations

import io
import struct
import wave

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import SndChannel, SndCommand
from tests.examples import examples
from tests.toolbox.conftest import do, make_mac

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
    assert do(mac, "SndChannelStatus", 4, 24, status) == BAD_CHANNEL


def test_whether_the_beep_sounds_is_kept(mac: Macintosh) -> None:
    state = mac.memory.new_pointer(2)
    do(mac, "SndGetSysBeepState", state)
    assert mac.guest.u16(state) == 1
    assert [do(mac, "SndSetSysBeepState", value) for value in (0, 2)] == [0, -50]
    do(mac, "SndGetSysBeepState", state)
    assert mac.guest.u16(state) == 0


SAMPLES = bytes(range(0x70, 0x90)) * 4
RATE = 22050


def standard_header(samples: bytes, pointer: int = 0) -> bytes:
    return struct.pack(">IIIIIBB", pointer, len(samples), RATE << 16, 0, 0, 0, 60)


def extended_header(samples: bytes, channels: int, bits: int) -> bytes:
    frames = len(samples) // (channels * bits // 8)
    start = struct.pack(">IIIIIBB", 0, channels, RATE << 16, 0, 0, 0xFF, 60)
    return (start + struct.pack(">I10x12xh14x", frames, bits)).ljust(64, b"\0")


def resource_of(header: bytes, samples: bytes, kind: int) -> bytes:
    """A 'snd ' resource whose one command is bufferCmd."""
    start = struct.pack(">HHHI", 1, 1, 5, 0x80) if kind == 1 else struct.pack(">HH", 2, 0)
    place = len(start) + 2 + 8
    return start + struct.pack(">HHhI", 1, 0x8051, 0, place) + header + samples


def heard(mac: Macintosh) -> list[tuple[tuple[int, int, int], bytes, int]]:
    """Channels, bytes a sample and rate of each sound, its frames, and how often it was played."""
    found = []
    for sound in mac.outputs.sounds.values():
        with wave.open(io.BytesIO(sound.wav)) as file:
            form = file.getnchannels(), file.getsampwidth(), file.getframerate()
            found.append((form, file.readframes(1 << 20), sound.times))
    return found


@pytest.mark.parametrize("kind", [1, 2])
def test_a_sound_resource_becomes_a_wav_file(mac: Macintosh, kind: int) -> None:
    sound = mac.memory.handle_from(resource_of(standard_header(SAMPLES), SAMPLES, kind))
    for _ in range(3):
        assert do(mac, "SndPlay", 0, sound, False) == 0
    assert heard(mac) == [((1, 1, RATE), SAMPLES, 3)]
    (kept,) = mac.outputs.sounds.values()
    assert kept.seconds == pytest.approx(len(SAMPLES) / RATE)
    assert mac.outputs.findings == {}


@pytest.mark.parametrize("kind", [1, 2])
def test_a_sound_resource_tells_where_its_header_lies(mac: Macintosh, kind: int) -> None:
    header = standard_header(SAMPLES)
    resource, place = resource_of(header, SAMPLES, kind), mac.memory.new_pointer(4)
    assert do(mac, "GetSoundHeaderOffset", mac.memory.handle_from(resource), place) == 0
    assert resource[mac.guest.u32(place) :].startswith(header)
    no_sound = mac.memory.handle_from(bytes(20))
    assert do(mac, "GetSoundHeaderOffset", no_sound, place) == ResultCode.badFormat


def test_stereo_of_16_bits_has_its_low_bytes_first(mac: Macintosh) -> None:
    header = extended_header(SAMPLES, 2, 16)
    sound = mac.memory.handle_from(resource_of(header, SAMPLES, 2))
    assert do(mac, "SndPlay", 0, sound, False) == 0
    swapped = b"".join(SAMPLES[place : place + 2][::-1] for place in range(0, len(SAMPLES), 2))
    assert heard(mac) == [((2, 2, RATE), swapped, 1)]


def test_a_buffer_command_plays_what_its_header_leads_to(mac: Macintosh) -> None:
    variable, samples = mac.memory.new_pointer(4, clear=True), mac.memory.new_pointer(200)
    do(mac, "SndNewChannel", variable, 0, 0, 0)
    header, command = mac.memory.new_pointer(64, clear=True), mac.memory.new_pointer(8)
    mac.guest.write(samples, SAMPLES)
    mac.guest.write(header, standard_header(SAMPLES, samples))
    mac.guest.write(command, struct.pack(">HhI", 81, 0, header))
    assert do(mac, "SndDoCommand", mac.guest.u32(variable), command, False) == 0
    assert heard(mac) == [((1, 1, RATE), SAMPLES, 1)]


@given(st.binary(max_size=100), st.integers(0, 60))
@settings(max_examples=examples(30))
def test_no_sound_resource_does_harm(noise: bytes, place: int) -> None:
    data = bytearray(resource_of(standard_header(SAMPLES), SAMPLES, 1))
    data[place : place + len(noise)] = noise
    mac = make_mac()
    assert do(mac, "SndPlay", 0, mac.memory.handle_from(bytes(data)), False) == 0
    assert len(mac.outputs.sounds) <= 1


# Adds 1 to a word, and sets dbFlags of the buffer: 68K with Pascal's heading (chan, buffer: Ptr).
FILL_68K = "5279{cell:08x} 206f0004 217c{flags:08x}0004 205f 508f 4ed0"
# lis r5; ori r5; lhz r6,0(r5); addi r6,1; sth r6; li r7,flags; stw r7,4(r4); blr
FILL_POWERPC = (
    "3ca0{high:04x} 60a5{low:04x} a0c50000 38c60001 b0c50000 38e0{flags:04x} 90e40004 4e800020"
)


def double_buffered(mac: Macintosh, flags: int) -> tuple[int, int, int]:
    """A channel, a header whose two buffers last 10 ms, and the word that counts the calls."""
    cell, variable = mac.memory.new_pointer(4, clear=True), mac.memory.new_pointer(4, clear=True)
    form = FILL_68K if mac.cpu.architecture == "m68k" else FILL_POWERPC
    code = bytes.fromhex(form.format(cell=cell, high=cell >> 16, low=cell & 0xFFFF, flags=flags))
    fill = mac.memory.new_pointer(len(code) + 8)
    mac.guest.write(fill, code)
    mac.guest.put32(fill + len(code), fill)
    if mac.cpu.architecture != "m68k":
        fill += len(code)
    buffers = [mac.memory.new_pointer(16 + 220) for _ in range(2)]
    for buffer in buffers:
        mac.guest.write(buffer, struct.pack(">IIII", 220, 1, 0, 0))
    header = mac.memory.new_pointer(24)
    mac.guest.write(header, struct.pack(">4h4I", 1, 8, 0, 0, 22000 << 16, *buffers, fill))
    do(mac, "SndNewChannel", variable, 0, 0, 0)
    return mac.guest.u32(variable), header, cell


def pass_time(mac: Macintosh, milliseconds: int) -> None:
    for _ in range(milliseconds // 2):
        mac.clock.wait(2000)
        mac.time.run_due()


def test_two_buffers_are_filled_in_turn_until_the_channel_is_quiet(mac: Macintosh) -> None:
    channel, header, cell = double_buffered(mac, flags=1)
    assert do(mac, "SndPlayDoubleBuffer", channel, header) == 0
    pass_time(mac, 100)
    assert mac.guest.u16(cell) == pytest.approx(10, abs=1)
    command = mac.memory.new_pointer(8)
    mac.guest.write(command, struct.pack(">HhI", QUIET, 0, 0))
    assert do(mac, "SndDoImmediate", channel, command) == 0
    before = mac.guest.u16(cell)
    pass_time(mac, 100)
    assert mac.guest.u16(cell) == before


def test_the_last_buffer_is_the_last(mac: Macintosh) -> None:
    channel, header, cell = double_buffered(mac, flags=5)
    assert do(mac, "SndPlayDoubleBuffer", channel, header) == 0
    pass_time(mac, 100)
    assert mac.guest.u16(cell) == 2  # each buffer was filled once, and played as the last
    assert do(mac, "SndPlayDoubleBuffer", 4, header) == BAD_CHANNEL
    mac.guest.write(header + 12, bytes(4))  # no first buffer
    assert do(mac, "SndPlayDoubleBuffer", channel, header) == -206


def test_a_rate_of_nothing_is_that_of_the_hardware(mac: Macintosh) -> None:
    channel, header, cell = double_buffered(mac, flags=1)
    mac.guest.write(header + 8, bytes(4))
    assert do(mac, "SndPlayDoubleBuffer", channel, header) == 0
    pass_time(mac, 100)
    assert mac.guest.u16(cell) > 0


@pytest.mark.parametrize("of", ["DefaultOutputVolume", "SysBeepVolume"])
def test_volumes_are_full_until_they_are_set(mac: Macintosh, of: str) -> None:
    level = mac.memory.new_pointer(4)
    assert do(mac, f"Get{of}", level) == 0
    assert mac.guest.u32(level) == 0x01000100
    assert do(mac, f"Set{of}", 0x00800080) == do(mac, f"Get{of}", level) == 0
    assert mac.guest.u32(level) == 0x00800080


def test_the_volume_of_1984_is_a_number_up_to_seven() -> None:
    mac = make_mac("601")
    level = mac.memory.new_pointer(4)
    for wanted in (None, *range(8)):
        if wanted is not None:
            do(mac, "SetSoundVol", wanted)
        do(mac, "GetSoundVol", level)
        assert mac.guest.u16(level) == (7 if wanted is None else wanted)


def test_the_hardware_has_a_rate(mac: Macintosh) -> None:
    variable, place = mac.memory.new_pointer(4, clear=True), mac.memory.new_pointer(4)
    do(mac, "SndNewChannel", variable, 5, 0, 0)
    channel, wide = mac.guest.u32(variable), mac.cpu.architecture == "powerpc"
    assert do(mac, "SndGetInfo", channel, "srat", place) == 0
    assert mac.guest.u32(place) == (0xAC440000 if wide else 0x56EE8BA3)
    assert do(mac, "SndGetInfo", channel, "ssiz", place) == 0
    assert mac.guest.u16(place) == (16 if wide else 8)
    assert do(mac, "SndGetInfo", channel, "chan", place) == 0
    assert mac.guest.u16(place) == 2
    unknown = -231
    assert do(mac, "SndGetInfo", channel, "what", place) == unknown
    assert do(mac, "SndSetInfo", channel, "srat", place) == unknown
    assert do(mac, "SndGetInfo", 4, "srat", place) == BAD_CHANNEL
