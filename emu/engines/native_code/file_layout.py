"""The files that the process of translated code and its driver share."""

from __future__ import annotations

HEADER = 64
"""Bytes of the file of results before the first record. They begin with the number of calls that
have been made since the last message."""

MOST_BYTES = 1 << 30
"""So long can each file be."""

OBJECTS_KEPT = 64
"""So many objects does the process keep; a further one takes the place of the oldest."""
