"""The queue of events that were posted and that the program has not taken.

Source: Inside Macintosh II, "The Operating System Event Manager".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from emu.toolbox.managers.events.event import Event

_LIMIT = 1000


class EventQueue:
    """Events in the order in which they were posted."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque(maxlen=_LIMIT)

    @property
    def is_waiting(self) -> bool:
        """Whether there is any event."""
        return bool(self._events)

    def add(self, event: Event) -> None:
        """Put an event at the end; a full queue loses its oldest, as on a Mac."""
        self._events.append(event)

    def remove(self, event: Event) -> None:
        """Take an event away."""
        self._events.remove(event)

    def has(self, kind: int) -> bool:
        """Whether an event of a kind is waiting."""
        return any(event.what == kind for event in self._events)

    def first(self, mask: int, kinds: Collection[int]) -> Event | None:
        """The first event of some kinds that a mask lets through."""
        for event in self._events:
            if event.what in kinds and event.passes(mask):
                return event
        return None

    def take(self, kind: int) -> None:
        """Take the first event of a kind away, if there is one."""
        for event in self._events:
            if event.what == kind:
                self._events.remove(event)
                return

    def flush(self, which: int, stop: int) -> None:
        """Drop events of the kinds in one mask, up to the first that is in the mask of stops."""
        kept: list[Event] = []
        events = list(self._events)
        for index, event in enumerate(events):
            if stop >> event.what & 1:
                kept += events[index:]
                break
            if not which >> event.what & 1:
                kept.append(event)
        self._events = deque(kept, maxlen=_LIMIT)
