"""Sampled sounds as 'snd ' resources and sound commands hold them, and as WAV files.

A 'snd ' resource has commands, and the data that they lead to. A sound header says where samples
are, how many, and how fast they are played.
Source: Inside Macintosh: Sound, chapter 2, "Sound Resources" and "Sound Header Records".
"""

from __future__ import annotations

import io
import struct
import wave
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

_HEADER = struct.Struct(">III4x4xBB")
"""Where the samples are, their number (or the channels'), the rate; the encoding; the base note."""
_EXTENDED = struct.Struct(">I10x4x4x4xh")
"""Frames, and the bits of a sample, behind the common part."""
_STANDARD, _EXTENDED_ENCODING = 0x00, 0xFF
_STANDARD_SIZE, _EXTENDED_SIZE = 22, 64
_FORMAT_1, _FORMAT_2 = 1, 2
_COMMAND = struct.Struct(">HhI")
_DATA_FOLLOWS = 0x8000
"""A flag of a command: its second parameter is an offset in the resource."""
_SOUND, _BUFFER = 80, 81
_SLOWEST, _FASTEST = 100, 200_000
_LARGEST = 16 << 20


@dataclass(frozen=True, slots=True)
class SampledSound:
    """A sound without compression.

    Attributes:
        rate: frames a second.
        channels: 1 or more.
        bits: 8 (0x80 is silence) or 16 (signed, the high byte first).
        samples: the samples, those of one frame side by side.
    """

    rate: float
    channels: int
    bits: int
    samples: bytes

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / (self.rate * self.channels * self.bits // 8)

    def wav(self) -> bytes:
        """It as a WAV file, which has its low byte first."""
        data = self.samples
        if self.bits == 16:
            data = np.frombuffer(data, ">i2").astype("<i2").tobytes()
        file = io.BytesIO()
        with wave.open(file, "wb") as writer:
            writer.setparams((self.channels, self.bits // 8, round(self.rate), 0, "NONE", ""))
            writer.writeframes(data)
        return file.getvalue()


@dataclass(frozen=True, slots=True)
class SoundHeader:
    """What a sound header says.

    Attributes:
        pointer: where the samples are in memory; 0 if they follow the header.
        after: how many bytes the header has, behind which they may follow.
        size: how many bytes of samples there are.
        rate: frames a second.
        channels: 1 or more.
        bits: 8 or 16.
    """

    pointer: int
    after: int
    size: int
    rate: float
    channels: int
    bits: int

    def sound(self, samples: bytes) -> SampledSound:
        """The sound with these samples; a frame that is cut off is left out."""
        frame = self.channels * self.bits // 8
        return SampledSound(
            self.rate, self.channels, self.bits, samples[: len(samples) // frame * frame]
        )


def parse_header(data: bytes) -> SoundHeader | None:
    """Read a sound header of at most 64 bytes; None for none, or one of compressed samples."""
    if len(data) < _HEADER.size:
        return None
    pointer, count, rate, encoding, _ = _HEADER.unpack_from(data)
    frames = rate / 0x10000
    channels, bits, after = 1, 8, _STANDARD_SIZE
    if encoding == _EXTENDED_ENCODING and len(data) >= _EXTENDED_SIZE:
        channels = count
        count, bits = _EXTENDED.unpack_from(data, _HEADER.size)
        after = _EXTENDED_SIZE
    elif encoding != _STANDARD:
        return None
    size = count * channels * bits // 8
    usual = 1 <= channels <= 8 and bits in (8, 16) and _SLOWEST <= frames <= _FASTEST
    if not usual or size > _LARGEST:
        return None
    return SoundHeader(pointer, after, size, frames, channels, bits)


def headers_in(resource: bytes) -> Iterator[int]:
    """The offsets of the sound headers that the commands of a 'snd ' resource lead to."""
    if len(resource) < 6:
        return
    kind, second = struct.unpack_from(">HH", resource)
    # Format 1 lists synthesizers, of six bytes each; format 2 has a reference count.
    place = 4 + 6 * second if kind == _FORMAT_1 else 4
    if kind not in (_FORMAT_1, _FORMAT_2) or place + 2 > len(resource):
        return
    (count,) = struct.unpack_from(">H", resource, place)
    place += 2
    for start in range(place, min(place + 8 * count, len(resource) - 7), 8):
        command, _, offset = _COMMAND.unpack_from(resource, start)
        if command & _DATA_FOLLOWS and command & ~_DATA_FOLLOWS in (_SOUND, _BUFFER):
            yield offset
