"""The Sound Manager: channels take every command, and nobody hears them.

Sampled sounds are kept as WAV files; notes, and what is compressed, are not.
A sound takes no time: a call-back command after it comes as soon as the program waits. Only what a
program makes piece by piece, in two buffers, takes its time, and is not kept: when a buffer has
been played, its flag is cleared and the program's routine is called to fill it again.
Source: Inside Macintosh: Sound, chapter 2 ("Using Double Buffers" and others).
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.sound.sampled_sound import headers_in, parse_header
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import (
    SndChannel,
    SndCommand,
    SndDoubleBuffer,
    SndDoubleBufferHeader,
)

_QUIET, _CALL_BACK = 3, 13
_SAMPLED = (80, 81)
"""soundCmd and bufferCmd: the second parameter is the address of a sound header."""
_HEADER_SIZE = 64
_CHANNEL_STATUS = 24
"""Bytes of an SCStatus."""
_ALL_OF_IT = 100

RATE_22_KHZ, RATE_44_KHZ = 0x56EE8BA3, 0xAC440000
"""Samples a second, as UnsignedFixed: what a Quadra and a Power Macintosh play."""

_FULL_VOLUME, _LOUDEST = 0x01000100, 7
"""256 on the right and on the left side; and in one number, as in 1984."""

SOUND_DISPATCH = 0xA800
_VERSION = 0x0310_8000
"""Version 3.1, as NumVersion. Games of the time look for it before they call SndGetInfo, and some
that find 3.0 take a rate of 0 for that of the hardware, and fail."""
_MACE_VERSION = 0x0100_8000
"""Version 1.0, as NumVersion. What the System of a given Macintosh said is not published."""
_CALLBACK = "PROCEDURE CallBack (chan: Ptr; cmd: Ptr)"
_READY, _LAST = 1, 4
_SHORTEST = 1_000
"""The least time that a buffer takes, in microseconds, however few frames it has."""
_DOUBLE_BACK = "PROCEDURE DoubleBack (chan: Ptr; exhaustedBuffer: Ptr)"


class SoundManager(Manager):
    """Sound channels without sound."""

    _memory: MemoryManager
    _time: TimeManager

    def __post_init__(self) -> None:
        self._own: set[int] = set()
        self._channels: set[int] = set()
        self._beeps = 1
        self._output_volume = self._beep_volume = _FULL_VOLUME
        self.on_quiet: list[Callable[[int], None]] = []
        """Called with a channel that is closed, or is to play nothing more."""

    @routine(
        "FUNCTION SndNewChannel (VAR chan: Ptr; synth: INTEGER; init: LONGINT; "
        "userRoutine: ProcPtr): OSErr"
    )
    def snd_new_channel(self, variable: int, synthesizer: int, options: int, procedure: int) -> int:
        """Open a channel, in the program's memory or in memory of its own."""
        channel = self.guest.u32(variable)
        if not channel:
            channel = self._memory.new_pointer(SndChannel.size, clear=True)
            if not channel:
                return ResultCode.memFullErr
            self._own.add(channel)
            self.guest.put32(variable, channel)
        SndChannel(self.guest, channel).callBack = procedure
        self._channels.add(channel)
        return 0

    @routine("FUNCTION SndDisposeChannel (chan: Ptr; quietNow: BOOLEAN): OSErr")
    def snd_dispose_channel(self, channel: int, now: bool) -> int:
        """Close a channel."""
        if channel not in self._channels:
            return ResultCode.badChannel
        self._channels.discard(channel)
        self._time.drop_alarm(channel)
        self._quiet(channel)
        if channel in self._own:
            self._own.discard(channel)
            self._memory.dispose_pointer(channel)
        return 0

    def is_open(self, channel: int) -> bool:
        """Whether it is a channel that is open."""
        return channel in self._channels

    def _quiet(self, channel: int) -> None:
        for tell in self.on_quiet:
            tell(channel)

    @routine("FUNCTION SndDoCommand (chan: Ptr; cmd: Ptr; noWait: BOOLEAN): OSErr")
    def snd_do_command(self, channel: int, command: int, no_wait: bool) -> int:
        """Queue a command."""
        return self._do(channel, command)

    @routine("FUNCTION SndDoImmediate (chan: Ptr; cmd: Ptr): OSErr")
    def snd_do_immediate(self, channel: int, command: int) -> int:
        """Do a command at once."""
        return self._do(channel, command)

    def _do(self, channel: int, command: int) -> int:
        if channel not in self._channels:
            return ResultCode.badChannel
        kind, parameter = SndCommand(self.guest, command).cmd, self.guest.u32(command + 4)
        if kind in _SAMPLED and self.guest.is_mapped(parameter, _HEADER_SIZE):
            self._keep(self.guest.read(parameter, _HEADER_SIZE), parameter)
        elif kind == _QUIET:
            self._quiet(channel)
        elif kind == _CALL_BACK:
            data = self.guest.read(command, SndCommand.size)
            now = self.host.clock.now()
            self._time.set_alarm(channel, now, lambda place: self._call_back(place, data))
        return 0

    def _call_back(self, channel: int, command: bytes) -> None:
        procedure = SndChannel(self.guest, channel).callBack
        if procedure:
            place = self._memory.new_pointer(SndCommand.size)
            self.guest.write(place, command)
            self.host.call_guest(procedure, _CALLBACK, channel, place)
            self._memory.dispose_pointer(place)

    @routine("FUNCTION SndPlay (chan: Ptr; sndHdl: Handle; async: BOOLEAN): OSErr")
    def snd_play(self, channel: int, sound: int, later: bool) -> int:
        """Play a 'snd ' resource, which nobody hears."""
        if channel and channel not in self._channels:
            return ResultCode.badChannel
        data, start = self._memory.contents(sound), self._memory.address(sound)
        for offset in headers_in(data):
            self._keep(data[offset : offset + _HEADER_SIZE], start + offset)
        return 0

    @routine("FUNCTION GetSoundHeaderOffset (sndHandle: Handle; VAR offset: LONGINT): OSErr")
    def get_sound_header_offset(self, sound: int, offset: int) -> int:
        """Where the first sound header of a 'snd ' resource lies; badFormat if it has none."""
        if not self._memory.check_handle(sound):
            return ResultCode.badFormat
        found = next(headers_in(self._memory.contents(sound)), None)
        if found is None:
            return ResultCode.badFormat
        self.guest.put32(offset, found)
        return 0

    def _keep(self, data: bytes, place: int) -> None:
        """Keep the sound whose header lies at a place, if its samples are in memory."""
        header = parse_header(data)
        if header is None:
            return
        samples = header.pointer or place + header.after
        if header.size and self.guest.is_mapped(samples, header.size):
            sound = header.sound(self.guest.read(samples, header.size))
            self.host.outputs.keep_sound(sound.wav(), sound.seconds)

    @routine("FUNCTION SndControl (id: INTEGER; VAR cmd: SndCommand): OSErr")
    def snd_control(self, number: int, command: int) -> int:
        """Ask a synthesizer something; it leaves the command as it is."""
        return 0

    @routine(
        "FUNCTION SndDispVersion (toolnum: INTEGER): LONGINT",
        trap=SOUND_DISPATCH,
        selector=("D0", 0),
    )
    def snd_disp_version(self, tool: int) -> int:
        """The version of a sound tool, such as 4 for the MIDI Manager; 0, since none is there."""
        return 0

    @routine("FUNCTION SndSoundManagerVersion: NumVersion")
    def snd_sound_manager_version(self) -> int:
        """The version of the Sound Manager: 3.1."""
        return _VERSION

    @routine("FUNCTION MACEVersion: NumVersion")
    def mace_version(self) -> int:
        """The version of the routines that compress sounds, which came with the Sound Manager."""
        return _MACE_VERSION

    # -- status ------------------------------------------------------------------------------------

    @routine("FUNCTION SndChannelStatus (chan: Ptr; theLength: INTEGER; theStatus: Ptr): OSErr")
    def snd_channel_status(self, channel: int, length: int, status: int) -> int:
        """Tell of a channel: nothing is being played."""
        if channel not in self._channels:
            return ResultCode.badChannel
        self.guest.write(status, bytes(min(max(length, 0), _CHANNEL_STATUS)))
        return 0

    @routine("FUNCTION SndManagerStatus (theLength: INTEGER; theStatus: Ptr): OSErr")
    def snd_manager_status(self, length: int, status: int) -> int:
        """Tell how much of the processor sound may take, the open channels, and what they take."""
        words = struct.pack(">3H", _ALL_OF_IT, len(self._channels), 0)
        self.guest.write(status, words[: max(length, 0)])
        return 0

    @routine("PROCEDURE SndGetSysBeepState (VAR sysBeepState: INTEGER)")
    def snd_get_sys_beep_state(self, state: int) -> None:
        """Whether SysBeep sounds."""
        self.guest.put16(state, self._beeps)

    @routine("FUNCTION SndSetSysBeepState (sysBeepState: INTEGER): OSErr")
    def snd_set_sys_beep_state(self, state: int) -> int:
        """Say whether SysBeep sounds: 0 or 1."""
        if state not in (0, 1):
            return ResultCode.paramErr
        self._beeps = state
        return 0

    # -- the hardware ------------------------------------------------------------------------------

    @routine("FUNCTION SndGetInfo (chan: Ptr; selector: OSType; infoPtr: Ptr): OSErr")
    def snd_get_info(self, channel: int, kind: str, place: int) -> int:
        """Rate, bits of a sample and channels of the hardware that a channel is played by."""
        if channel not in self._channels:
            return ResultCode.badChannel
        wide = self.host.cpu.architecture == "powerpc"
        if kind == "srat":
            self.guest.put32(place, RATE_44_KHZ if wide else RATE_22_KHZ)
        elif kind == "ssiz":
            self.guest.put16(place, 16 if wide else 8)
        elif kind == "chan":
            self.guest.put16(place, 2)
        else:
            return ResultCode.siUnknownInfoType
        return 0

    @routine("FUNCTION SndSetInfo (chan: Ptr; selector: OSType; infoPtr: Ptr): OSErr")
    def snd_set_info(self, channel: int, kind: str, place: int) -> int:
        """Change the hardware's settings: it has only those that it has."""
        return ResultCode.siUnknownInfoType if channel in self._channels else ResultCode.badChannel

    # -- volumes -----------------------------------------------------------------------------------

    @routine("FUNCTION GetDefaultOutputVolume (VAR level: LONGINT): OSErr")
    def get_output_volume(self, level: int) -> int:
        """How loud sounds are: 256 is full, the left side in the low word; nobody hears them."""
        self.guest.put32(level, self._output_volume)
        return 0

    @routine("FUNCTION SetDefaultOutputVolume (level: LONGINT): OSErr")
    def set_output_volume(self, level: int) -> int:
        """Say how loud sounds are."""
        self._output_volume = level
        return 0

    @routine("PROCEDURE GetSoundVol (VAR level: INTEGER)", architecture="powerpc")
    def get_level(self, level: int) -> None:
        """The same of 1984, from 0 to 7 (Inside Macintosh II); on the 68K, glue reads SdVolume."""
        self.guest.put16(level, (self._output_volume & 0xFFFF) * _LOUDEST >> 8)

    @routine("PROCEDURE SetSoundVol (level: INTEGER)", architecture="powerpc")
    def set_level(self, level: int) -> None:
        """Say how loud sounds are, from 0 to 7."""
        side = -(-(level & _LOUDEST) * 256 // _LOUDEST)
        self._output_volume = side << 16 | side

    @routine("FUNCTION GetSysBeepVolume (VAR level: LONGINT): OSErr")
    def get_beep_volume(self, level: int) -> int:
        """How loud the alert sound is, likewise."""
        self.guest.put32(level, self._beep_volume)
        return 0

    @routine("FUNCTION SetSysBeepVolume (level: LONGINT): OSErr")
    def set_beep_volume(self, level: int) -> int:
        """Say how loud the alert sound is."""
        self._beep_volume = level
        return 0


class DoubleBuffers(Manager):
    """Plays two buffers in turn."""

    _sound: SoundManager
    _time: TimeManager

    def __post_init__(self) -> None:
        self._headers: dict[int, int] = {}
        self._sound.on_quiet.append(self._stop)

    def _stop(self, channel: int) -> None:
        header = self._headers.pop(channel, None)
        if header is not None:
            self._time.drop_alarm(header)

    @routine("FUNCTION SndPlayDoubleBuffer (chan: Ptr; theParams: Ptr): OSErr")
    def snd_play_double_buffer(self, channel: int, header: int) -> int:
        """Begin to play; what a channel played before in this way ends."""
        if not self._sound.is_open(channel):
            return ResultCode.badChannel
        if not all(self._buffers(header)):
            return ResultCode.badFormat
        self._stop(channel)
        self._headers[channel] = header
        self._play(channel, header, 0)
        return 0

    def _buffers(self, header: int) -> tuple[int, int]:
        record = SndDoubleBufferHeader(self.guest, header)
        return record.dbhBufferPtr1, record.dbhBufferPtr2

    def _play(self, channel: int, header: int, which: int) -> None:
        """Come back when a buffer has been played."""
        # Since Sound Manager 3.0 a rate of 0 stands for that of the hardware; games rely on it.
        given = SndDoubleBufferHeader(self.guest, header).dbhSampleRate
        rate = (given or RATE_22_KHZ) / 0x10000
        frames = SndDoubleBuffer(self.guest, self._buffers(header)[which]).dbNumFrames
        lasts = max(round(frames * 1_000_000 / rate), _SHORTEST)
        at = self.host.clock.now() + lasts
        self._time.set_alarm(header, at, lambda _: self._played(channel, header, which))

    def _played(self, channel: int, header: int, which: int) -> None:
        address = self._buffers(header)[which]
        buffer = SndDoubleBuffer(self.guest, address)
        flags = buffer.dbFlags
        if flags & _LAST or self._headers.get(channel) != header:
            self._headers.pop(channel, None)
            return
        buffer.dbFlags = flags & ~_READY
        self._play(channel, header, 1 - which)
        procedure = SndDoubleBufferHeader(self.guest, header).dbhDoubleBack
        if procedure:
            self.host.call_guest(procedure, _DOUBLE_BACK, channel, address)
