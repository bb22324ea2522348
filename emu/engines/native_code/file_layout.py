"""What the process of translated code and its driver agree on: files, and how much is kept."""

from __future__ import annotations

HEADER = 64
"""Bytes of the file of results before the first record. They begin with the number of calls that
have been made since the last message."""

MOST_BYTES = 1 << 30
"""So long can each file be."""

OBJECTS_KEPT = 64
"""So many objects does the process keep; a further one takes the place of the oldest."""

PROGRAMS_KEPT = 4
"""So many programs stay laid, each in guest memory of its own. A search calls those of three
processors in turn: to lay one again took a tenth of its time on `examples/checksum`."""
