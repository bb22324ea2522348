"""The Sound Manager: channels take commands, and call back."""

from __future__ import annotations

import io
import struct
import wave

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.toolbox.macintosh import Macintosh
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
