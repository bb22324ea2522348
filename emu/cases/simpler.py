"""Simpler numbers and bytes, for a scene's method ``simpler``."""

from __future__ import annotations

from collections.abc import Iterator


def simpler_numbers(number: int) -> Iterator[int]:
    """Yield whole numbers between 0 and a number: 0 first, then ever closer to the number.

    Example:
        >>> list(macproof.simpler_numbers(10))
        [0, 5, 8, 9]
        >>> list(macproof.simpler_numbers(-3))
        [0, -2]
    """
    rest = abs(number)
    sign = 1 if number > 0 else -1
    while rest:
        yield number - sign * rest
        rest //= 2


def simpler_bytes(data: bytes) -> Iterator[bytes]:
    r"""Yield simpler bytes: shorter ones, the shortest first; then with one more byte set to 0.

    Example:
        >>> list(macproof.simpler_bytes(b"ab"))
        [b'', b'b', b'a', b'\x00b', b'a\x00']
    """
    size = len(data)
    while size:
        for start in range(0, len(data), size):
            yield data[:start] + data[start + size :]
        size //= 2
    for place, byte in enumerate(data):
        if byte:
            yield data[:place] + b"\0" + data[place + 1 :]
