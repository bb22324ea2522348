"""The sound of SysBeep, for those who listen: a tone of our own, as 8-bit samples."""

from __future__ import annotations

import functools
import io
import wave

import numpy as np

_RATE = 11_025
_HERTZ, _SECONDS = 880, 0.15
_SILENCE, _LOUDNESS = 128, 60


@functools.cache
def beep() -> bytes:
    """It as a WAV file; it fades, so that it does not end with a click."""
    time = np.arange(int(_RATE * _SECONDS)) / _RATE
    tone = np.sin(2 * np.pi * _HERTZ * time) * (1 - time / _SECONDS)
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(1)
        writer.setframerate(_RATE)
        writer.writeframes((_SILENCE + _LOUDNESS * tone).astype(np.uint8).tobytes())
    return file.getvalue()
