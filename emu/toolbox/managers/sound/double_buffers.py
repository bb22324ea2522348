"""Sounds that a program makes piece by piece: two buffers, filled while the other is played.

Nobody hears them, and they are not kept, but they take their time: when a buffer has been played,
its flag is cleared and the program's routine is called to fill it again.
Source: Inside Macintosh: Sound, chapter 2, "Using Double Buffers".
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.sound.manager import RATE_22_KHZ, SoundManager
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import SndDoubleBuffer, SndDoubleBufferHeader

_READY, _LAST = 1, 4
_SHORTEST = 1_000
"""The least time that a buffer takes, in microseconds, however few frames it has."""
_DOUBLE_BACK = "PROCEDURE DoubleBack (chan: Ptr; exhaustedBuffer: Ptr)"


class DoubleBuffers(Manager):
    """Plays two buffers in turn."""

    title = "Sound Manager"

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
